/**
 * A session takes commands and gives events. It owns the log, the running turn and the approvals that wait; every
 * front end is a door to one of these and learns nothing in another way.
 */
import { join } from 'node:path';
import type { IRChatRequest, IRChatStream, IRParameters, IRUsage } from '../providers/ir.ts';
import { EventQueue } from './event-queue.ts';
import { History, INTERRUPTED } from './history.ts';
import { describe, type Limits, runTurn, type Turn } from './loop.ts';
import type { Permissions } from './permission/permission.ts';
import { redact } from './redact.ts';
import { type ApprovalAnswer, runCalls } from './run-calls.ts';
import { emptyState, reduce, type SessionState } from './state.ts';
import type { SessionLog } from './store.ts';
import type { Partial } from './stream-message.ts';
import { endJobs } from './tools/index.ts';
import type {
  Command,
  Event,
  EventOf,
  Served,
  StoredBody,
  StoredEvent,
  Tool,
  ToolContext,
  TurnFinish,
} from './types.ts';

export type SendResult = { ok: true } | { ok: false; reason: 'busy' | 'idle' | 'unknown_id' | 'closed' | 'invalid' };

export interface Session {
  readonly id: string;
  /** The log's path. */
  readonly file: string;
  /** Number of the last event that was stored before this session was opened; what is newer was written by it. */
  readonly openedAt: number;
  /** Fold of the stored events. */
  readonly state: SessionState;
  send(command: Command): SendResult;
  /**
   * Stored events from `fromSeq` (default: only new ones), then what happens, stored and live, until close, abort or
   * `return()`. Nothing that happens after the call is missed, whenever the reader begins.
   */
  events(signal?: AbortSignal, fromSeq?: number): AsyncIterableIterator<Event>;
  /** Aborts a running turn, ends the session's processes and closes the log. */
  close(): Promise<void>;
}

/** A model that a session can be switched to. */
export interface ModelChoice {
  id: string;
  parameters: IRParameters;
}

export interface SessionOptions {
  log: SessionLog;
  ask(request: IRChatRequest, signal: AbortSignal): IRChatStream;
  cost(usage: IRUsage, served: Served): number | null;
  /** Id of the model that `parameters` names; a stored session that had another gets a `model` event. */
  model: string;
  parameters: IRParameters;
  tools: readonly Tool[];
  permissions: Permissions;
  directories: readonly string[];
  /** Folder for full outputs and other state, one folder a session inside it. */
  stateDir: string;
  limits: Limits;
  /** True when nobody answers approvals: they are denied at once. */
  headless: boolean;
  /** Finds the model that `set` names; rejects with the reason in one line. */
  switchModel?(id: string): Promise<ModelChoice>;
}

/** A session on an open log whose first event is its `session`; a turn that died in it is ended first. */
export function openSession(options: SessionOptions): Session {
  return new LiveSession(options);
}

type Prompt = Pick<Extract<Command, { type: 'prompt' }>, 'text' | 'images'>;

class LiveSession implements Session {
  readonly id: string;
  readonly file: string;
  readonly openedAt: number;
  readonly #options: SessionOptions;
  readonly #log: SessionLog;
  readonly #history = new History();
  readonly #callIds = new Set<string>();
  readonly #memory = new Map<string, unknown>();
  readonly #queues = new Set<EventQueue>();
  readonly #partial: Partial = { text: '', reasoning: '' };
  readonly #approvals = new Map<string, (answer: ApprovalAnswer) => void>();
  #state: SessionState = emptyState();
  #parameters: IRParameters;
  #cwd: string;
  #steered: Prompt[] = [];
  #saidUnsaved = false;
  #turn: { controller: AbortController; ended: Promise<void> } | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#parameters = options.parameters;
    this.id = options.log.id;
    this.file = options.log.file;
    this.openedAt = options.log.openedAt;
    for (const event of options.log.events) this.#fold(event);
    this.#cwd = this.#state.cwd;
    for (const rule of this.#state.rules) options.permissions.remember(rule, 'session');
    if (this.#state.running) this.#mend();
    if (options.model !== this.#state.model) this.#emit({ type: 'model', value: options.model });
  }

  get state(): SessionState {
    return this.#state;
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
        const answer = this.#approvals.get(command.id);
        if (!answer) return { ok: false, reason: 'unknown_id' };
        this.#approvals.delete(command.id);
        const { decision, remember, reason } = command;
        answer({ decision, by: 'user', remember, reason });
        return { ok: true };
      }
      case 'answer':
        return { ok: false, reason: 'unknown_id' };
      case 'abort':
        if (!this.#turn) return { ok: false, reason: 'idle' };
        this.#abort('abort');
        return { ok: true };
      case 'set':
        if (command.mode && command.mode !== this.#state.mode) this.#emit({ type: 'mode', value: command.mode });
        if (command.model) return this.#switch(command.model);
        return { ok: true };
      case 'close':
        void this.close();
        return { ok: true };
    }
  }

  events(signal?: AbortSignal, fromSeq?: number): EventQueue {
    const stop = () => queue.end();
    const queue = new EventQueue(() => {
      signal?.removeEventListener('abort', stop);
      this.#queues.delete(queue);
    });
    if (fromSeq !== undefined) {
      for (const event of this.#log.events) if (event.seq >= fromSeq) queue.push(event);
      const { text, reasoning } = this.#partial;
      if (reasoning) queue.push({ type: 'reasoning', delta: reasoning, at: 0 });
      if (text) queue.push({ type: 'text', delta: text, at: 0 });
    }
    this.#queues.add(queue);
    signal?.addEventListener('abort', stop, { once: true });
    if (this.#closed || signal?.aborted) queue.end();
    return queue;
  }

  close(): Promise<void> {
    this.#closed ??= this.#shut();
    return this.#closed;
  }

  async #shut(): Promise<void> {
    this.#abort('close');
    await this.#turn?.ended;
    await endJobs(this.#memory);
    this.#log.close();
    for (const queue of this.#queues) queue.end();
  }

  /** A turn that died with its process gets its missing results and its end. */
  #mend(): void {
    for (const call of this.#state.openCalls)
      this.#emit({ type: 'tool_result', id: call.id, name: call.name, output: INTERRUPTED, isError: true });
    this.#done('aborted', '', Date.now());
  }

  #switch(id: string): SendResult {
    const { switchModel } = this.#options;
    if (!switchModel) return { ok: false, reason: 'invalid' };
    if (this.#turn) return { ok: false, reason: 'busy' };
    switchModel(id).then(
      (choice) => {
        if (this.#closed) return;
        this.#parameters = choice.parameters;
        if (choice.id !== this.#state.model) this.#emit({ type: 'model', value: choice.id });
      },
      (error: Error) => this.#closed || this.#emit({ type: 'notice', level: 'error', text: error.message }),
    );
    return { ok: true };
  }

  #begin(prompt: Prompt): void {
    const controller = new AbortController();
    const started = Date.now();
    this.#user(prompt);
    const { timeoutMs } = this.#options.limits;
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#abort('timeout'), timeoutMs);
    const ended = this.#runTurn(controller.signal)
      .catch((error: unknown): { finish: TurnFinish; text: string } => {
        this.#emit({ type: 'error', ...describe(error) });
        return { finish: 'error', text: '' };
      })
      .then(({ finish, text }) => {
        clearTimeout(timer);
        this.#turn = undefined;
        // An interrupted person's words are kept for the next request, but start nothing by themselves.
        if (finish === 'aborted') this.#takeSteered();
        this.#done(finish, text, started);
        this.#afterTurn();
      });
    this.#turn = { controller, ended };
  }

  /** What was typed too late for the turn that it was meant for begins the next one. */
  #afterTurn(): void {
    const [first, ...rest] = this.#steered;
    this.#steered = rest;
    if (first && !this.#closed) this.#begin(first);
  }

  #user({ text, images }: Prompt, steered = false): void {
    this.#emit({
      type: 'user',
      text: redact(text),
      ...(images?.length ? { images } : {}),
      ...(steered ? { steered } : {}),
    });
  }

  async #runTurn(signal: AbortSignal): Promise<{ finish: TurnFinish; text: string }> {
    // The command that starts a turn returns before the turn runs.
    await undefined;
    const { permissions, tools, limits } = this.#options;
    const session = this;
    const turn: Turn = {
      events: this.#log.events,
      callIds: this.#callIds,
      get state() {
        return session.#state;
      },
      signal,
      limits,
      partial: this.#partial,
      sink: { live: (event) => this.#publish(event), stored: (body) => this.#emit(body) },
      request: () => this.#request(),
      ask: this.#options.ask,
      cost: this.#options.cost,
      takeSteered: () => this.#takeSteered(),
      runCalls: (calls) =>
        runCalls(calls, {
          tools,
          permissions,
          signal,
          watched: !this.#options.headless,
          get state() {
            return session.#state;
          },
          emit: (event) => this.#emit(event as StoredBody),
          approval: (id) => this.#approval(id),
          context: (id) => this.#context(id, signal),
        }),
    };
    return runTurn(turn);
  }

  #request(): IRChatRequest {
    const first = this.#log.events.find((event): event is EventOf<'session'> => event.type === 'session');
    const now = Date.now();
    return {
      messages: this.#history.messages(),
      tools: first?.tools,
      parameters: this.#parameters,
      cache: ['tools', 'system', 'messages'],
      metadata: { requestId: `${this.id}-${this.#log.events.length}`, timestamp: now },
      stream: true,
    };
  }

  #takeSteered(): boolean {
    const prompts = this.#steered;
    this.#steered = [];
    for (const prompt of prompts) this.#user(prompt, true);
    return prompts.length > 0;
  }

  #approval(id: string): Promise<ApprovalAnswer> {
    if (this.#options.headless) return Promise.resolve({ decision: 'no', by: 'headless' });
    return new Promise((resolve) => this.#approvals.set(id, resolve));
  }

  #context(id: string, signal: AbortSignal): ToolContext {
    const session = this;
    return {
      id,
      signal,
      get cwd() {
        return session.#cwd;
      },
      project: this.#state.project,
      directories: this.#options.directories,
      stateDir: join(this.#options.stateDir, this.id),
      get todos() {
        return session.#state.todos;
      },
      setCwd: (dir) => {
        this.#cwd = dir;
      },
      progress: (output) => this.#publish({ type: 'tool_progress', id, output }),
      memory: this.#memory,
    };
  }

  #abort(why: 'abort' | 'timeout' | 'close'): void {
    this.#turn?.controller.abort(why);
    for (const [id, answer] of this.#approvals) {
      this.#approvals.delete(id);
      answer({ decision: 'no', by: 'user', reason: 'the turn was interrupted' });
    }
  }

  #done(finish: TurnFinish, text: string, started: number): void {
    const { usage, turns, denials } = this.#state;
    this.#emit({ type: 'done', text, finish, usage, turns, denials, durationMs: Date.now() - started });
    this.#log.sync();
  }

  #emit(body: StoredBody): void {
    const event = this.#log.append(body);
    this.#fold(event);
    this.#publish(event);
    if (!this.#log.failure || this.#saidUnsaved) return;
    this.#saidUnsaved = true;
    const text = `this session cannot be saved: ${this.#log.failure}; it goes on in memory`;
    this.#emit({ type: 'notice', level: 'error', text });
  }

  #fold(event: StoredEvent): void {
    this.#state = reduce(this.#state, event);
    this.#history.add(event);
    if (event.type === 'tool_call') this.#callIds.add(event.id);
  }

  #publish(event: Event): void {
    for (const queue of this.#queues) queue.push(event);
  }
}
