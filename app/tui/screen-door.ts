/** Joins terminal, screen, reducer and session: keys become commands, events become pictures. */
import { rmSync } from 'node:fs';
import type { Session } from '../../core/session.ts';
import { type Command, isStored, type Mode } from '../../core/types.ts';
import type { Composition } from '../compose.ts';
import { within } from '../signals.ts';
import type { SlashContext } from '../slash/command.ts';
import { findSlashCommand, slashCommands } from '../slash/index.ts';
import { StartError } from '../start-error.ts';
import { changesOf } from './changes.ts';
import { conversations } from './conversations.ts';
import type { Demonstration } from './demonstration.ts';
import type { DoorOptions } from './door-options.ts';
import { keptDraft } from './draft-file.ts';
import { DraftKeeper } from './draft-keeper.ts';
import { farewell } from './farewell.ts';
import { FIRST_RUN, type FirstChoice, firstRunMenu, firstRunText } from './first-run.ts';
import { letHeapRest } from './idle-heap.ts';
import { createInputFilter } from './input-filter.ts';
import { backgroundOf } from './input-keys.ts';
import { loadMarkdown, markdownReady } from './markdown.ts';
import { otherSession } from './other-session.ts';
import { planDenials } from './plan-denials.ts';
import { Screen } from './screen.ts';
import { noSuchCommand } from './slash-line.ts';
import { Store } from './store.ts';
import { Terminal } from './terminal.ts';
import { ASK_BACKGROUND, chooseTheme } from './theme.ts';
import type { Effect, Input } from './types.ts';
import { initialState } from './update.ts';

const CLOSE_MS = 1200;
const HUNG_UP = 129;
const REFUSED = {
  busy: 'a turn is running; Esc interrupts it',
  closed: 'this conversation is closed',
  invalid: 'that cannot be done here',
} as const;

/** Runs until the person leaves or a signal comes; the exit code. */
export async function runScreen(options: DoorOptions): Promise<number> {
  const door = new ScreenDoor(options);
  try {
    return await door.run();
  } finally {
    await door.close();
  }
}

/** The session on the screen. */
interface Current {
  composition: Composition;
  /** Ends the reading of its events. */
  pump: AbortController;
  demo?: Demonstration;
  /** The demonstration has had its verdict. */
  judged?: boolean;
}

class ScreenDoor {
  readonly #options: DoorOptions;
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  readonly #store: Store;
  readonly #ended: Promise<number>;
  #end: (code: number) => void = () => {};
  #current: Current | undefined;
  /** A session is being made. */
  #composing = false;
  /** Sent before there is a session. */
  #early: Extract<Command, { type: 'prompt' }>[] = [];
  #workingMode: Exclude<Mode, 'plan'> = 'ask';
  readonly #draft = new DraftKeeper(() => ({
    stateDir: this.#current?.composition.stateDir,
    text: this.#store.state.composer.text,
  }));
  readonly #demos: Demonstration[] = [];

  constructor(options: DoorOptions) {
    this.#options = options;
    const { theme, ask } = chooseTheme(options.env);
    const inputs: Input[] = [];
    let reading = false;
    const filter = createInputFilter(
      (input) => {
        if (reading) inputs.push(input);
        else this.#store.input([input]);
      },
      { onReport: (report) => ask && this.#background(report) },
    );
    this.#terminal = new Terminal(process.stdin, process.stdout, {
      input: (bytes) => {
        reading = true;
        filter.feed(bytes);
        reading = false;
        if (inputs.length > 0) this.#store.input(inputs.splice(0));
      },
      resize: (size) => this.#store.dispatch({ type: 'resize', size }),
      resumed: () => this.#repaint(),
      drained: () => this.#repaint(),
      lost: () => this.#end(HUNG_UP),
    });
    const { size } = this.#terminal;
    this.#screen = new Screen(this.#terminal, size);
    this.#store = new Store({
      state: initialState({ size, theme, commands: slashCommands, mode: options.compose.mode, now: Date.now() }),
      paint: (state) => {
        if (!this.#terminal.busy) this.#screen.show(state);
        this.#draft.seen(state.composer.text);
      },
      run: (effect) => this.#do(effect),
    });
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    letHeapRest(true);
    options.stop.onStop(() => this.#end(options.stop.code ?? HUNG_UP));
    this.#terminal.enter();
    if (ask) this.#terminal.write(ASK_BACKGROUND);
    this.#store.paint();
    // Also after a crash.
    process.on('exit', () => this.#draft.keep());
  }

  async run(): Promise<number> {
    const { prompt, demo, choose } = this.#options;
    if (prompt) this.#early.push(prompt);
    const begun = this.#begin(demo, choose);
    const early = await Promise.race([begun, this.#ended]);
    if (typeof early === 'number') return early;
    // What takes longest to load, once there is something to look at.
    setImmediate(() => void this.#dress());
    return this.#ended;
  }

  async close(): Promise<void> {
    this.#draft.keep();
    this.#store.close();
    this.#terminal.leave();
    this.#screen.unmount();
    const session = this.#current?.composition.session;
    if (session && !this.#current?.demo) process.stdout.write(farewell(session, this.#store.state.composer.text));
    await within(CLOSE_MS, this.#detach());
    for (const demonstration of this.#demos) demonstration.dispose();
  }

  async #dress(): Promise<void> {
    try {
      await this.#screen.mount(this.#store.state);
      this.#store.repaint();
    } catch (error) {
      // All can be used without it.
      this.#say('warning', `a part of the screen cannot be loaded: ${(error as Error).message}`);
    }
  }

  /** Markdown is wanted soon: a model that is asked takes longer than its lexer. */
  #readyMarkdown(): void {
    if (!markdownReady()) void loadMarkdown().then(() => this.#store.repaint());
  }

  async #begin(demo: boolean, choose: boolean): Promise<void> {
    if (demo) return this.#demonstrate();
    if (choose && conversations(this.#options.compose.cwd, this.#options.env).length > 1)
      return this.#run('resume', '');
    await this.#compose();
  }

  /** A first session, as the command line says; without a model the person is told how to get one. */
  async #compose(): Promise<void> {
    if (this.#composing) return;
    this.#composing = true;
    try {
      const { compose } = await import('../compose.ts');
      this.#attach(await compose(this.#options.compose));
    } catch (error) {
      // A model that was named on the command line and is not there ends the program, as it does in a pipe.
      const named = this.#options.compose.model !== undefined;
      if (!(error instanceof StartError) || error.exitCode !== 3 || named) throw error;
      this.#withoutModel(error);
    } finally {
      this.#composing = false;
    }
  }

  #withoutModel(error: StartError): void {
    this.#say('info', firstRunText(error));
    this.#store.replace({ ...this.#store.state, noModel: true, overlay: firstRunMenu(error) });
    const [prompt] = this.#early.splice(0);
    if (prompt) this.#store.dispatch({ type: 'draft', text: prompt.text });
  }

  #attach(composition: Composition, demo?: Demonstration): void {
    const { session, stateDir, notices, model } = composition;
    const { composer, size, theme, focused } = this.#store.state;
    const isFirst = !this.#current;
    void this.#detach();
    const pump = new AbortController();
    this.#current = { composition, pump, demo };
    const fresh = initialState({
      size,
      theme,
      commands: slashCommands,
      model: session.state.model,
      mode: session.state.mode,
      local: model.local,
      contextTokens: model.contextTokens,
      history: composer.history,
      // What was typed while the session was being made belongs to it.
      draft: (isFirst && composer.text) || keptDraft(stateDir),
      now: Date.now(),
    });
    this.#store.replace({ ...fresh, focused });
    for (const notice of notices) this.#say('info', notice);
    this.#workingMode = session.state.mode === 'plan' ? 'ask' : session.state.mode;
    if (session.state.title !== '') this.#readyMarkdown();
    this.#draft.reset();
    void this.#pump(this.#current, pump.signal);
    for (const prompt of this.#early.splice(0)) this.#send(prompt);
  }

  async #pump(current: Current, signal: AbortSignal): Promise<void> {
    const { composition, demo } = current;
    const { session } = composition;
    const stored = session.state.lastSeq;
    const prompts: string[] = [];
    for await (const event of session.events(signal, 1)) {
      this.#store.dispatch({ type: 'event', event, now: Date.now() });
      if (!isStored(event)) continue;
      if (event.seq > stored && (event.type === 'user' || event.type === 'done')) letHeapRest(!session.state.running);
      if (event.type === 'mode' && event.value !== 'plan') this.#workingMode = event.value;
      else if (event.type === 'mode' && event.seq > stored) this.#denyInPlan();
      if (event.seq <= stored && event.type === 'user' && !event.steered) prompts.push(event.text);
      if (event.seq === stored) this.#recall(prompts);
      if (event.seq === stored || event.type === 'model') this.#facts(composition);
      if (event.type === 'done' && demo && event.seq > stored && !current.judged) {
        current.judged = true;
        void demo.judge().then(({ good, text }) => this.#say(good ? 'info' : 'warning', text));
      }
    }
  }

  #denyInPlan(): void {
    for (const command of planDenials(this.#store.state.approvals.map(({ request }) => request))) this.#send(command);
  }

  #facts({ model: { local, contextTokens } }: Composition): void {
    this.#store.dispatch({ type: 'facts', local, contextTokens });
  }

  /** Prompts of a resumed conversation can be had again with the arrow keys. */
  #recall(prompts: readonly string[]): void {
    if (prompts.length === 0) return;
    const { state } = this.#store;
    const history = [...prompts, ...state.composer.history];
    this.#store.replace({ ...state, composer: { ...state.composer, history } });
  }

  /** Lets go of the current session. A conversation in which nothing was said is not kept. */
  async #detach(): Promise<void> {
    const left = this.#current;
    if (!left) return;
    this.#draft.keep();
    this.#current = undefined;
    left.pump.abort();
    const { session, stateDir } = left.composition;
    const isEmpty = session.state.title === '' && !session.state.running && keptDraft(stateDir) === '';
    await session.close();
    if (isEmpty) rmSync(session.file, { force: true });
  }

  #background(report: string): void {
    const theme = backgroundOf(report);
    if (theme && theme !== this.#store.state.theme) this.#store.replace({ ...this.#store.state, theme });
  }

  #repaint(): void {
    this.#screen.reset();
    this.#store.dispatch({ type: 'resize', size: this.#terminal.size });
    this.#store.repaint();
  }

  #say(level: 'info' | 'warning' | 'error', text: string): void {
    this.#store.dispatch({ type: 'say', level, text });
  }

  #do(effect: Effect): void {
    switch (effect.type) {
      case 'send':
        this.#send(effect.command);
        return;
      case 'command':
        this.#run(effect.name, effect.argument).catch((error: Error) => this.#say('error', error.message));
        return;
      case 'exit':
        this.#end(0);
        return;
      case 'suspend':
        this.#draft.keep();
        this.#terminal.suspend();
        return;
      case 'repaint':
        this.#repaint();
    }
  }

  #send(command: Command): boolean {
    const session = this.#current?.composition.session;
    if (!session) return this.#sendLater(command);
    const result = session.send(command);
    if (command.type === 'prompt') this.#readyMarkdown();
    if (result.ok) return true;
    // Nothing runs, or somebody else has answered: there is nothing left to do.
    if (result.reason !== 'idle' && result.reason !== 'unknown_id') this.#say('error', REFUSED[result.reason]);
    return false;
  }

  /** There is no session yet: prompts wait for it, a mode is the one that it begins with. */
  #sendLater(command: Command): boolean {
    if (command.type === 'set' && command.mode) {
      this.#options.compose.mode = command.mode;
      this.#store.replace({ ...this.#store.state, mode: command.mode });
      return true;
    }
    if (command.type === 'set') this.#say('error', 'no model can be reached yet: /models looks again');
    if (command.type !== 'prompt') return false;
    this.#early.push(command);
    if (!this.#composing) this.#compose().catch((error: Error) => this.#say('error', error.message));
    return true;
  }

  async #run(name: string, argument: string): Promise<void> {
    if (name === FIRST_RUN) return this.#firstRun(argument as FirstChoice);
    const command = findSlashCommand(name);
    if (command) return command.run(this.#context(), argument);
    this.#say(
      'error',
      noSuchCommand(
        name,
        slashCommands.map((one) => one.name),
      ),
    );
  }

  async #firstRun(choice: FirstChoice): Promise<void> {
    if (choice === 'exit') return this.#end(0);
    return choice === 'demo' ? this.#demonstrate() : this.#compose();
  }

  async #demonstrate(): Promise<void> {
    const { compose } = await import('../compose.ts');
    const demonstration = await this.#options.demonstration();
    this.#demos.push(demonstration);
    this.#attach(await compose(demonstration.options), demonstration);
    this.#say('info', demonstration.intro);
    this.#send({ type: 'prompt', text: demonstration.prompt });
  }

  #context(): SlashContext {
    const { compose, env } = this.#options;
    const { state } = this.#store;
    const session = this.#current?.composition.session ?? null;
    return {
      session,
      todos: state.todos,
      get changes() {
        return state.blocks.flatMap((block) => (block.kind === 'tool' ? changesOf(block.display, block.output) : []));
      },
      workingMode: this.#workingMode,
      rules: this.#current?.composition.permissions ?? null,
      commands: slashCommands,
      hint: '? in an empty draft shows the keys.',
      send: (command) => this.#send(command),
      say: (level, text) => this.#say(level, text),
      show: (overlay) => this.#store.dispatch({ type: 'overlay', overlay }),
      listModels: async () => (await import('../compose.ts')).listModels(env, compose.cwd, compose.offline),
      listSessions: () => conversations(session?.state.project ?? compose.cwd, env),
      open: (which) => this.#open(which, session),
      exit: () => this.#end(0),
    };
  }

  async #open(which: 'new' | { resume: string }, session: Session | null): Promise<void> {
    if (session?.state.running) return this.#say('error', REFUSED.busy);
    if (this.#composing) return;
    if (which !== 'new' && which.resume === session?.id)
      return this.#say('info', 'that is the conversation you are in');
    // The demonstration's recorded model is for its own prompt alone.
    const current = session && !this.#current?.demo ? session.state : undefined;
    this.#composing = true;
    try {
      const { compose } = await import('../compose.ts');
      this.#attach(await compose(otherSession(this.#options.compose, which, current)));
    } catch (error) {
      this.#say('error', (error as Error).message);
    } finally {
      this.#composing = false;
    }
  }
}
