/**
 * A session takes commands and gives events. It owns the log, the running turn and the approvals that wait; every
 * front end is a door to one of these and learns nothing in another way.
 */
import { join } from 'node:path';
import type { IRChatRequest, IRParameters } from '../providers/ir.ts';
import { Audience } from './audience.ts';
import { type CallSurroundings, callContext } from './call-context.ts';
import { keepBeforeChanges } from './checkpoint/keep-before-changes.ts';
import type { RewindPort } from './checkpoint/rewind.ts';
import type { CompactionPort } from './compaction/compact.ts';
import { type ContextUse, contextUse } from './compaction/context-use.ts';
import { type Interruption, UNANSWERED } from './interruption.ts';
import { afterLong } from './long-timer.ts';
import { describe, runTurn, type Turn } from './loop.ts';
import { missingEnds } from './missing-ends.ts';
import { movesTo } from './place.ts';
import type { AskPerson } from './question.ts';
import { redact } from './redact.ts';
import { type ApprovalAnswer, type CallPort, forget, runCalls } from './run-calls.ts';
import type { SendResult, Session } from './session-api.ts';
import { SessionFold } from './session-fold.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionState } from './state.ts';
import type { SessionLog } from './store.ts';
import type { Partial } from './stream-message.ts';
import { teach } from './taught-calls.ts';
import { shareSeen } from './tools/files/seen-files.ts';
import { canCall, endJobs } from './tools/index.ts';
import type { ActivityEvent, Command, Event, StoredBody, StoredEvent, TurnFinish } from './types.ts';
import { Waiting } from './waiting.ts';
import { WindowRoom } from './window-room.ts';

export type { SendResult, Session } from './session-api.ts';

/** A session on an open log whose first event is its `session`; a turn that died in it is ended first. */
export function openSession(options: SessionOptions): Session {
  return new LiveSession(options);
}

type Prompt = Pick<Extract<Command, { type: 'prompt' }>, 'text' | 'images'>;

class LiveSession implements Session {
  readonly id: string;
  readonly openedAt: number;
  readonly #options: SessionOptions;
  readonly #log: SessionLog;
  readonly #fold: SessionFold;
  readonly #memory = new Map<string, unknown>();
  readonly #surroundings: CallSurroundings;
  readonly #audience = new Audience();
  readonly #port: CompactionPort;
  readonly #room: WindowRoom;
  readonly #partial: Partial = { text: '', reasoning: '' };
  readonly #approvals = new Waiting<ApprovalAnswer>();
  readonly #questions = new Waiting<string | undefined>();
  #parameters: IRParameters;
  #steered: Prompt[] = [];
  #turn: { controller: AbortController; ended: Promise<void> } | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    const { log, contextTokens = null, learnedTokens, compactAt, model, widen } = options;
    this.#options = options;
    this.#log = log;
    this.#parameters = options.parameters;
    this.id = log.id;
    this.openedAt = log.openedAt;
    this.#fold = new SessionFold(() => log.read(), log.kept?.fold);
    this.#fold.addAll(log.recent);
    this.#mend();
    for (const move of movesTo(options.project, this.state)) this.#emit(move);
    this.#surroundings = {
      options,
      audience: this.#audience,
      memory: this.#memory,
      question: this.#askPerson,
      place: { cwd: this.state.cwd },
      state: () => this.state,
    };
    for (const rule of this.state.rules) options.permissions.remember(rule, 'session');
    const tools = this.#fold.opening ? JSON.stringify(this.#fold.opening.tools).length : 0;
    this.#port = this.#roomPort();
    this.#room = new WindowRoom({ contextTokens, learnedTokens, compactAt, tools, model, widen }, this.#port);
    shareSeen(this.#memory, this.#fold.seen);
    keepBeforeChanges(this.#memory, join(options.stateDir, this.id), () => this.state);
    this.#use(model);
  }

  get file(): string {
    return this.#log.file;
  }

  get state(): SessionState {
    return this.#fold.state;
  }

  window(): ContextUse {
    return contextUse(this.#fold.history.entries(), this.#fold.opening?.system ?? '', this.#room.keeper);
  }

  stored(): readonly StoredEvent[] {
    return this.#log.read();
  }

  send(command: Command): SendResult {
    if (this.#closed) return { ok: false, reason: 'closed' };
    switch (command.type) {
      case 'prompt':
        if (this.#turn) this.#steered.push(command);
        else this.#begin(command);
        return { ok: true };
      case 'steer':
        if (!this.#turn) return { ok: false, reason: 'idle' };
        this.#steered.push(command);
        return { ok: true };
      case 'approve': {
        const { id, decision, remember, reason } = command;
        if (this.#approvals.give(id, { decision, by: 'user', remember, reason })) return { ok: true };
        return { ok: false, reason: 'unknown_id' };
      }
      case 'answer':
        if (!this.#questions.give(command.id, command.text)) return { ok: false, reason: 'unknown_id' };
        this.#emit({ type: 'answer', id: command.id, text: redact(command.text) });
        return { ok: true };
      case 'forget':
        if (forget(command.rule, this.#options.permissions, (body) => this.#emit(body))) return { ok: true };
        return { ok: false, reason: 'unknown_id' };
      case 'abort':
        if (!this.#turn) return { ok: false, reason: 'idle' };
        this.#abort(command.closing ? 'close' : 'abort');
        return { ok: true };
      case 'set':
        if (command.mode && command.mode !== this.state.mode) this.#emit({ type: 'mode', value: command.mode });
        if (command.model) return this.#switch(command.model);
        return { ok: true };
      case 'compact':
        if (this.#turn) return { ok: false, reason: 'busy' };
        this.#aside((signal) => this.#room.make(signal, { force: true, asked: true, keep: command.keep }));
        return { ok: true };
      case 'rewind':
        if (this.#turn) return { ok: false, reason: 'busy' };
        if (!this.state.prompts.some(({ seq }) => seq === command.to)) return { ok: false, reason: 'invalid' };
        this.#aside(async () => (await import('./checkpoint/rewind.ts')).rewind(this.#rewindPort(), command));
        return { ok: true };
      case 'shell':
        if (this.#turn) return { ok: false, reason: 'busy' };
        if (command.command.trim() === '') return { ok: false, reason: 'invalid' };
        this.#aside(async (signal) =>
          (await import('./person-shell.ts')).runForPerson(command, this.#callPort(signal), this.#doing),
        );
        return { ok: true };
      case 'rename':
        if (command.title.trim() === '') return { ok: false, reason: 'invalid' };
        this.#emit({ type: 'title', text: redact(command.title.trim().split('\n', 1)[0]!).slice(0, 80) });
        return { ok: true };
      case 'close':
        void this.close();
        return { ok: true };
    }
  }

  events(signal?: AbortSignal, fromSeq?: number): AsyncIterableIterator<Event> {
    if (fromSeq === undefined) return this.#audience.join(signal, [], undefined);
    return this.#audience.join(signal, this.#log.read(fromSeq), this.#partial);
  }

  close(): Promise<void> {
    this.#closed ??= this.#shut();
    return this.#closed;
  }

  async #shut(): Promise<void> {
    this.#abort('close');
    await this.#turn?.ended;
    await endJobs(this.#memory);
    this.#log.close(this.#fold.save());
    this.#audience.end();
  }

  /** A turn that died with its process gets its missing results and its end. */
  #mend(): void {
    const { state } = this;
    for (const end of missingEnds(state, this.#log.recent, this.#fold.callIds, this.#options.tools)) this.#emit(end);
    if (this.state.running) this.#done('aborted', '', Date.now());
  }

  #switch(id: string): SendResult {
    const { switchModel } = this.#options;
    if (!switchModel) return { ok: false, reason: 'invalid' };
    if (this.#turn) return { ok: false, reason: 'busy' };
    switchModel(id).then(
      (choice) => {
        if (this.#closed) return;
        this.#parameters = choice.parameters;
        this.#room.keeper.change(choice.contextTokens, choice.id, choice.widen);
        this.#use(choice.id);
      },
      (error: Error) => this.#closed || this.#emit({ type: 'notice', level: 'error', text: error.message }),
    );
    return { ok: true };
  }

  #use(model: string): void {
    if (model === this.state.model) return;
    this.#emit({ type: 'model', value: model });
    this.#teach();
  }

  readonly #teach = (refusal?: Error): boolean => teach(this.#port, this.#options.lesson?.(refusal));

  #begin(prompt: Prompt): void {
    const controller = new AbortController();
    const started = Date.now();
    this.#user(prompt);
    const { timeoutMs } = this.#options.limits;
    const stopTimer = timeoutMs === undefined ? undefined : afterLong(timeoutMs, () => this.#abort('timeout'));
    const ended = this.#runTurn(controller.signal)
      .catch((error: unknown): { finish: TurnFinish; text: string } => {
        this.#emit({ type: 'error', ...describe(error) });
        return { finish: 'error', text: '' };
      })
      .then(({ finish, text }) => {
        stopTimer?.();
        this.#turn = undefined;
        // What an interrupted turn had not taken goes back to the person: it starts nothing by itself.
        const unsent = finish === 'aborted' ? this.#steered.splice(0).map((prompt) => redact(prompt.text)) : [];
        this.#done(finish, text, started, unsent);
        this.#afterTurn();
      });
    this.#turn = { controller, ended };
  }

  /** What is done outside of a turn (`work` gives what went wrong); what is typed meanwhile waits for its end. */
  #aside(work: (signal: AbortSignal) => Promise<string | undefined>): void {
    const controller = new AbortController();
    const ended = Promise.resolve()
      .then(() => work(controller.signal))
      .catch((error: Error) => error.message)
      .then((problem) => {
        this.#turn = undefined;
        if (problem && !controller.signal.aborted) this.#tell([problem]);
        this.#tell(this.#log.sync());
        this.#afterTurn();
      });
    this.#turn = { controller, ended };
  }

  #roomPort(): CompactionPort {
    const session = this;
    return {
      get state() {
        return session.state;
      },
      facts: this.#fold.facts,
      entries: () => this.#fold.history.entries(),
      characters: () => this.#fold.history.characters,
      request: () => this.#request(),
      ask: (request, signal) => this.#options.ask(request, signal, this.#askPerson),
      cost: this.#options.cost,
      append: (body) => this.#emit(body),
      doing: this.#doing,
    };
  }

  #rewindPort(): RewindPort {
    return {
      state: this.state,
      stateDir: join(this.#options.stateDir, this.id),
      permissions: this.#options.permissions,
      since: (seq) => this.#log.read(seq),
      append: (body) => this.#emit(body),
      doing: this.#doing,
      wentBack: () => {
        this.#surroundings.place.cwd = this.state.cwd;
        this.#room.wentBack();
      },
    };
  }

  /** Tells what goes on besides a turn; null when it is over. */
  readonly #doing = (doing: ActivityEvent['doing']): void => this.#audience.tell({ type: 'activity', doing });

  /** What was typed too late for the turn that it was meant for begins the next one. */
  #afterTurn(): void {
    const first = this.#steered.shift();
    if (first && !this.#closed) this.#begin(first);
  }

  #user({ text, images }: Prompt, steered = false): void {
    const more = { ...(images?.length && { images }), ...(steered && { steered }) };
    this.#emit({ type: 'user', text: redact(text), ...more });
  }

  async #runTurn(signal: AbortSignal): Promise<{ finish: TurnFinish; text: string }> {
    // The command that starts a turn returns before the turn runs.
    await undefined;
    const session = this;
    const turn: Turn = {
      since: (seq) => this.#log.read(seq + 1),
      callIds: this.#fold.callIds,
      said: this.#fold.said,
      get state() {
        return session.state;
      },
      signal,
      limits: this.#options.limits,
      partial: this.#partial,
      sink: { live: (event) => this.#audience.tell(event), stored: (body) => this.#emit(body) },
      request: () => this.#request(),
      ask: (request, aborted) => this.#options.ask(request, aborted, this.#askPerson),
      cost: this.#options.cost,
      compacts: this.#room.keeper.isOn,
      teach: this.#teach,
      widen: () => this.#room.keeper.budget.widen,
      window: () => this.#room.keeper.window,
      makeRoom: (force) => this.#room.make(signal, { force }),
      counted: (promptTokens) => this.#room.keeper.counted(promptTokens),
      takeSteered: () => this.#takeSteered(),
      canCall: (name, input) => canCall(name, input, this.#options.tools),
      runCalls: (calls) => runCalls(calls, this.#callPort(signal)),
    };
    return runTurn(turn);
  }

  #callPort(signal: AbortSignal): CallPort {
    const session = this;
    return {
      tools: this.#options.tools,
      permissions: this.#options.permissions,
      signal,
      watched: !this.#options.headless,
      get state() {
        return session.state;
      },
      emit: (event) => this.#emit(event as StoredBody),
      approval: (id) => this.#approval(id),
      context: (id) => callContext(id, signal, this.#surroundings),
    };
  }

  #request(): IRChatRequest {
    const now = Date.now();
    return {
      messages: this.#fold.history.messages(),
      tools: this.#fold.opening?.tools,
      parameters: this.#parameters,
      cache: ['tools', 'system', 'messages'],
      metadata: { requestId: `${this.id}-${this.state.lastSeq}`, timestamp: now },
      stream: true,
    };
  }

  #takeSteered(): boolean {
    const prompts = this.#steered.splice(0);
    for (const prompt of prompts) this.#user(prompt, true);
    return prompts.length > 0;
  }

  #approval(id: string): Promise<ApprovalAnswer> {
    return this.#options.headless ? Promise.resolve({ decision: 'no', by: 'headless' }) : this.#approvals.wait(id);
  }

  /** Asks the person something inside of a turn. */
  readonly #askPerson: AskPerson = (question) => {
    const interrupted = this.#turn?.controller.signal.aborted ?? true;
    if (this.#options.headless || interrupted) return Promise.resolve(undefined);
    const id = `question_${this.state.lastSeq + 1}`;
    const answer = this.#questions.wait(id);
    this.#emit({ type: 'question', id, ...question });
    return answer;
  };

  #abort(why: Interruption): void {
    this.#turn?.controller.abort(why);
    this.#questions.giveAll(undefined);
    // A time limit and the end of ada are no answer of a person.
    this.#approvals.giveAll({ decision: 'no', by: why === 'abort' ? 'user' : 'headless', reason: UNANSWERED[why] });
  }

  #done(finish: TurnFinish, text: string, started: number, unsent: readonly string[] = []): void {
    const { usage, turns, denials } = this.state;
    const durationMs = Date.now() - started;
    // What is to be said of the log comes before the end: many a reader leaves with that.
    this.#tell(this.#log.stay());
    this.#emit({ type: 'done', text, finish, usage, turns, denials, durationMs, ...(unsent.length ? { unsent } : {}) });
    this.#tell(this.#log.sync());
  }

  #tell(texts: readonly string[]): void {
    for (const text of texts) this.#emit({ type: 'notice', level: 'warning', text });
  }

  #emit(body: StoredBody): void {
    for (const event of this.#log.append(body)) {
      this.#fold.add(event);
      this.#audience.tell(event);
    }
  }
}
