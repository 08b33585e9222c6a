/**
 * The door for screen readers (--plain) and for a terminal that cannot place its cursor (TERM=dumb): lines are only ever added, and a prompt is a line
 * of standard input. Approvals, slash commands and the demonstration are the same as on the screen.
 */
import { createInterface } from 'node:readline';
import type { Session } from '../../core/session.ts';
import type { Command, Event, EventOf, Mode } from '../../core/types.ts';
import type { Composition } from '../compose.ts';
import { within } from '../signals.ts';
import type { SlashContext } from '../slash/command.ts';
import { findSlashCommand, slashCommands } from '../slash/index.ts';
import { StartError } from '../start-error.ts';
import { choicesOf, noAlways, noAuto } from './approval-choices.ts';
import { changesOf, type FileChange } from './changes.ts';
import { conversations } from './conversations.ts';
import type { Demonstration } from './demonstration.ts';
import type { DoorOptions } from './door-options.ts';
import { farewell } from './farewell.ts';
import { otherSession } from './other-session.ts';
import { PlainFirstRun } from './plain-first-run.ts';
import { approvalLines, draftLine, eventLines, questionLines, readingLines } from './plain-lines.ts';
import { PlainPaths } from './plain-paths.ts';
import { planDenials } from './plan-denials.ts';
import { optionOf } from './question-options.ts';
import { shellLine } from './shell-line.ts';
import { noSuchCommand, slashLine } from './slash-line.ts';
import { keepTrust, type TrustQuestion, trustQuestion, trustText } from './trust-question.ts';
import type { Overlay } from './types.ts';
import { PLAN_FIRST } from './update/approval.ts';
import { LEAVE_WITHIN } from './update/input.ts';

const CLOSE_MS = 1200;
const HELP =
  'A line is a prompt; while a turn runs it steers. @name in it is a file of the project. /stop interrupts the turn, /help lists commands, /exit leaves.';

export async function runPlain(options: DoorOptions): Promise<number> {
  const door = new PlainDoor(options);
  try {
    return await door.run();
  } finally {
    await door.close();
  }
}

type Prompt = Extract<Command, { type: 'prompt' }>;

class PlainDoor {
  readonly #options: DoorOptions;
  readonly #lines = createInterface({ input: process.stdin, terminal: false });
  #composition: Composition | undefined;
  #pump = new AbortController();
  /** Of the session, if it is one. */
  #demo: Demonstration | undefined;
  readonly #demos: Demonstration[] = [];
  #approvals: EventOf<'approval_request'>[] = [];
  #questions: EventOf<'question'>[] = [];
  /** Whether this project's settings are used is being asked. */
  #trusting: { question: TrustQuestion; answered(): void } | undefined;
  #workingMode: Exclude<Mode, 'plan'> = 'ask';
  readonly #firstRun: PlainFirstRun;
  readonly #paths: PlainPaths;
  readonly #changes: FileChange[] = [];
  /** Waits for a session; what was typed may name files. */
  #early: { prompt: Prompt; isTyped: boolean }[] = [];
  #judged = false;
  /** First Ctrl+C, ms; the second within 2 s leaves. */
  #leaving = Number.NEGATIVE_INFINITY;
  /** What the terminal shows ends with a whole line, as far as is known. */
  #isFresh = true;
  readonly #ended: Promise<number>;
  #end: (code: number) => void = () => {};

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    options.stop.onStop(() => {
      this.#isFresh = false;
      this.#end(options.stop.code ?? 1);
    });
    // In a pipe nobody presses it twice.
    if (process.stdin.isTTY) options.stop.onInterrupt(() => this.#interrupt());
    const { compose, env } = options;
    this.#firstRun = new PlainFirstRun({
      models: async () => (await import('../compose.ts')).modelsAt(env, compose.cwd, compose.offline).models,
      say: (...lines) => this.#say(...lines),
      demonstrate: () => this.#demonstrate(),
      compose: (model) => this.#compose(model),
      leave: () => this.#end(0),
      look: () => this.#look(),
    });
    this.#paths = new PlainPaths({
      cwd: () => this.#composition?.session.state.cwd || compose.cwd,
      say: (...lines) => this.#say(...lines),
      send: (text) => this.#prompt({ type: 'prompt', text }),
    });
    this.#lines.on('line', (line) => {
      this.#take(line.trim()).catch((error: Error) => this.#say(`error: ${error.message}`));
    });
    this.#lines.on('close', () => this.#end(0));
  }

  async run(): Promise<number> {
    const { demo, prompt } = this.#options;
    this.#say(HELP);
    if (prompt) this.#early.push({ prompt, isTyped: false });
    const begun = demo ? this.#demonstrate() : this.#begin();
    const early = await Promise.race([begun, this.#ended]);
    if (typeof early === 'number') return early;
    return this.#ended;
  }

  /** Ctrl+C: the terminal has thrown away the line that was being typed, and shows `^C` behind it. */
  #interrupt(): boolean {
    this.#isFresh = false;
    const now = Date.now();
    if (now - this.#leaving <= LEAVE_WITHIN) {
      this.#end(0);
      return true;
    }
    this.#leaving = now;
    const isPulling = this.#firstRun.isPulling;
    const isRunning = isPulling || this.#composition?.session.state.running === true;
    process.stdout.write('\n');
    this.#isFresh = true;
    const what = isPulling ? 'stopping' : 'stopping the turn';
    this.#say(isRunning ? `${what}; Ctrl+C again leaves` : 'Ctrl+C again leaves');
    if (isPulling) this.#firstRun.stop();
    else if (isRunning) this.#send({ type: 'abort' });
    return true;
  }

  async close(): Promise<void> {
    this.#lines.close();
    this.#paths.close();
    this.#firstRun.stop();
    this.#firstRun.close();
    const session = this.#composition?.session;
    const last = session && !this.#demo ? farewell(session, '') : '';
    if (!this.#isFresh) process.stdout.write('\n');
    process.stdout.write(last);
    if (session) await within(CLOSE_MS, session.close());
    for (const demonstration of this.#demos) demonstration.dispose();
  }

  /** For reading: broken between words. */
  #say(...lines: readonly string[]): void {
    const columns = (process.stdout.columns || 80) - 1;
    this.#show(readingLines(lines, columns));
  }

  /** As it is: code, diffs, what a command printed. */
  #show(lines: readonly string[]): void {
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  }

  async #begin(): Promise<void> {
    const { compose, env } = this.#options;
    const question = compose.trust ? undefined : trustQuestion(compose.cwd, env);
    if (question) {
      this.#say(trustText(question), TRUSTING);
      await new Promise<void>((answered) => {
        this.#trusting = { question, answered };
      });
    }
    await this.#compose();
  }

  /** A line while trust is asked for. */
  #trust(line: string): void {
    const { question, answered } = this.#trusting!;
    if (line === 's') this.#say(question.text);
    if (line !== 'y' && line !== 'n') {
      this.#say(TRUSTING);
      return;
    }
    this.#trusting = undefined;
    this.#options.compose.trust = line === 'y';
    try {
      keepTrust(question, line === 'y');
    } catch (error) {
      this.#say(`the answer counts only now, it cannot be kept: ${(error as Error).message}`);
    }
    answered();
  }

  /** `model`: the one that has just been got. */
  async #compose(model?: string): Promise<void> {
    try {
      const { compose } = await import('../compose.ts');
      const tell = (line: string) => this.#say(line);
      this.#attach(await compose({ ...this.#options.compose, tell, ...(model !== undefined && { model }) }));
    } catch (error) {
      const named = this.#options.compose.model !== undefined;
      if (!(error instanceof StartError) || error.exitCode !== 3 || named) throw error;
      this.#firstRun.open(error);
      if (this.#early.length > 0) this.#say(KEPT);
    }
  }

  /** As `#compose`, but nobody asked. */
  async #look(): Promise<StartError | undefined> {
    try {
      const { compose } = await import('../compose.ts');
      const made = await compose(this.#options.compose);
      this.#say(`${made.session.state.model} can be reached now`);
      this.#attach(made);
      return undefined;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return error.exitCode === 3 ? error : undefined;
    }
  }

  async #demonstrate(): Promise<void> {
    const { compose } = await import('../compose.ts');
    const demo = await this.#options.demonstration();
    this.#demos.push(demo);
    this.#attach(await compose(demo.options), demo);
    this.#say(demo.intro, `> ${demo.prompt}`);
    this.#send({ type: 'prompt', text: demo.prompt });
  }

  #attach(composition: Composition, demo?: Demonstration): void {
    this.#demo = demo;
    this.#firstRun.close();
    this.#judged = false;
    this.#pump.abort();
    void this.#composition?.session.close();
    this.#composition = composition;
    this.#pump = new AbortController();
    this.#approvals = [];
    this.#questions = [];
    const { session, notices, model } = composition;
    this.#changes.length = 0;
    this.#workingMode = session.state.mode === 'plan' ? 'ask' : session.state.mode;
    this.#say(...notices, `${session.state.model} (${model.local ? 'local' : 'hosted'}), mode ${session.state.mode}`);
    void this.#read(session, this.#pump.signal);
    // The recorded model is for its own prompt alone.
    if (this.#demo) return;
    for (const { prompt, isTyped } of this.#early.splice(0)) {
      if (isTyped) this.#paths.send(prompt.text);
      else this.#send(prompt);
    }
  }

  async #read(session: Session, signal: AbortSignal): Promise<void> {
    for await (const event of session.events(signal)) {
      if (event.type === 'tool_result') this.#show(eventLines(event));
      else this.#say(...eventLines(event));
      this.#note(event, session);
    }
  }

  #note(event: Event, session: Session): void {
    if (event.type === 'mode' && event.value !== 'plan') this.#workingMode = event.value;
    else if (event.type === 'mode') for (const command of planDenials(this.#approvals)) this.#send(command);
    else if (event.type === 'tool_result') {
      this.#changes.push(...changesOf(event.display, event.output));
    } else if (event.type === 'approval_request') {
      this.#approvals.push(event);
      if (this.#approvals.length === 1) this.#ask(session);
    } else if (event.type === 'approval') {
      this.#approvals = this.#approvals.filter(({ id }) => id !== event.id);
      if (this.#approvals.length > 0) this.#ask(session);
    } else if (event.type === 'question') {
      this.#questions.push(event);
      if (this.#questions.length === 1) this.#say(...questionLines(event));
    } else if (event.type === 'answer') {
      this.#questions = this.#questions.filter(({ id }) => id !== event.id);
      if (this.#questions[0]) this.#say(...questionLines(this.#questions[0]));
    }
    if (event.type === 'done') this.#questions = [];
    if (event.type === 'done' && this.#demo && !this.#judged) {
      this.#judged = true;
      void this.#demo.judge().then(({ text }) => this.#say(text));
    }
  }

  #ask(session: Session): void {
    this.#show(approvalLines(this.#approvals[0]!, session.state.mode));
  }

  /** One line of the person. */
  async #take(line: string): Promise<void> {
    if (line === '') return;
    if (this.#trusting && line !== '/exit') return this.#trust(line);
    if (line === '/stop') {
      if (this.#firstRun.stop() || this.#paths.drop()) return;
      return void this.#send({ type: 'abort' });
    }
    const call = slashLine(line);
    if (call) {
      const command = findSlashCommand(call.name);
      if (command) return command.run(this.#context(), call.argument);
      const names = slashCommands.map(({ name }) => name);
      return this.#say(`error: ${noSuchCommand(call.name, names)}`);
    }
    if (this.#firstRun.isChoosing) {
      if (await this.#firstRun.take(line)) return;
      this.#early.push({ prompt: { type: 'prompt', text: line }, isTyped: true });
      this.#say(KEPT);
      return this.#firstRun.sayChoices();
    }
    if (this.#approvals.length > 0) return this.#answer(line);
    const question = this.#questions[0];
    if (question) return void this.#send({ type: 'answer', id: question.id, text: optionOf(question, line) ?? line });
    if (this.#paths.isAsking) return this.#paths.answer(line);
    const shell = shellLine(line);
    if (shell) return void this.#send({ type: 'shell', ...shell });
    this.#paths.send(line);
  }

  /** What is typed before there is a session waits for it. */
  #prompt(prompt: Prompt): void {
    if (this.#composition) return void this.#send(prompt);
    this.#early.push({ prompt, isTyped: true });
    if (this.#firstRun.isPulling) this.#say(KEPT);
  }

  #answer(line: string): void {
    const request = this.#approvals[0]!;
    const choices = choicesOf({ request, shownAt: 0, offset: 0, reason: null }, this.#composition!.session.state.mode);
    const { id } = request;
    const [, letter, reason = ''] = /^(\w+)\s*(.*)$/s.exec(line) ?? [];
    if (letter === 'y' || letter === 'yes') this.#send({ type: 'approve', id, decision: 'yes' });
    else if (letter === 'a' && choices.auto) this.#send({ type: 'approve', id, decision: 'all' });
    else if (letter === 'r' && choices.always !== null)
      this.#send({ type: 'approve', id, decision: 'yes', remember: 'project' });
    else if (letter === 'p' || letter === 'plan') {
      this.#send({ type: 'approve', id, decision: 'no', reason: PLAN_FIRST });
      this.#send({ type: 'set', mode: 'plan' });
    } else if (letter === 'n' || letter === 'no')
      this.#send({ type: 'approve', id, decision: 'no', ...(reason ? { reason } : {}) });
    else {
      if (letter === 'a') this.#say(noAuto(request));
      if (letter === 'r') this.#say(noAlways(request));
      this.#ask(this.#composition!.session);
    }
  }

  #send(command: Command): boolean {
    const result = this.#composition?.session.send(command) ?? { ok: false, reason: 'closed' };
    if (!result.ok && result.reason !== 'unknown_id') this.#say(`error: ${REFUSED[result.reason]}`);
    return result.ok;
  }

  #context(): SlashContext {
    const { compose, env } = this.#options;
    const session = this.#composition?.session ?? null;
    return {
      session,
      todos: session?.state.todos ?? [],
      changes: this.#changes,
      workingMode: this.#workingMode,
      stateDir: this.#composition?.stateDir ?? null,
      rules: this.#composition?.permissions ?? null,
      commands: slashCommands,
      hint: '/stop interrupts a running turn.',
      send: (command) => this.#send(command),
      say: (level, text) => this.#say(level === 'info' ? text : `${level}: ${text}`),
      show: (overlay) => this.#say(...overlayLines(overlay)),
      listModels: async () => (await import('../compose.ts')).listModels(env, compose.cwd, compose.offline),
      listSessions: () => conversations(session?.state.project ?? compose.cwd, env),
      open: async (which) => {
        if (session?.state.running) return this.#say(`error: ${REFUSED.busy}`);
        const current = session && !this.#demo ? session.state : undefined;
        const { compose: start } = await import('../compose.ts');
        this.#attach(await start(otherSession(compose, which, current)));
      },
      draft: (text, images) => this.#say(draftLine(text, images?.length)),
      exit: () => this.#end(0),
    };
  }
}

const TRUSTING = 'y: trust this folder · n: never, its settings stay unused · s: show them';
const KEPT = 'Your prompt is kept; it is sent as soon as there is a model.';

const REFUSED = {
  busy: 'a turn is running; /stop interrupts it',
  idle: 'nothing is running',
  closed: 'there is no conversation',
  invalid: 'that cannot be done here',
} as const;

/** A list to choose from becomes the commands that choose. */
function overlayLines(overlay: Overlay): string[] {
  if (overlay.kind === 'text') return [overlay.title, overlay.text];
  if (overlay.kind === 'keys') return [HELP];
  return [
    ...(overlay.text ? [overlay.text] : []),
    `${overlay.title}: one of these lines chooses`,
    ...overlay.items.map(({ value, label, detail }) => `/${overlay.command} ${value}  ${label}  ${detail}`),
  ];
}
