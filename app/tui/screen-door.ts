/** Joins terminal, screen, reducer and session: keys become commands, events become pictures. */

import { letHeapRest } from '../heap.ts';
import { within } from '../signals.ts';
import type { SlashContext } from '../slash/command.ts';
import { findSlashCommand, slashCommands } from '../slash/index.ts';
import { changesOf } from './changes.ts';
import { conversations } from './conversations.ts';
import { CurrentSession } from './current-session.ts';
import type { DoorOptions } from './door-options.ts';
import { unsentText } from './draft-keeper.ts';
import { earlierPrompts } from './earlier-prompts.ts';
import { farewell } from './farewell.ts';
import { FileOffer } from './file-offer.ts';
import { FIRST_RUN, type FirstChoice } from './first-run.ts';
import { createInputFilter } from './input-filter.ts';
import { backgroundOf } from './input-keys.ts';
import { Screen } from './screen.ts';
import { noSuchCommand } from './slash-line.ts';
import { Store } from './store.ts';
import { Terminal } from './terminal.ts';
import { ASK_BACKGROUND, chooseTheme } from './theme.ts';
import { keepTrust, TRUST, type TrustAnswer, type TrustQuestion, trustMenu, trustQuestion } from './trust-question.ts';
import type { Effect, Input } from './types.ts';
import { initialState } from './update.ts';

const CLOSE_MS = 1200;
const HUNG_UP = 129;

/** Runs until the person leaves or a signal comes; the exit code. */
export async function runScreen(options: DoorOptions): Promise<number> {
  const door = new ScreenDoor(options);
  try {
    return await door.run();
  } finally {
    await door.close();
  }
}

class ScreenDoor {
  readonly #options: DoorOptions;
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  readonly #store: Store;
  readonly #current: CurrentSession;
  readonly #files: FileOffer;
  readonly #ended: Promise<number>;
  #end: (code: number) => void = () => {};
  /** Whether this project's settings are used is being asked. */
  #asked: { question: TrustQuestion; answered(): void } | undefined;

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
      resize: () => this.#repaint(),
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
        this.#current.draft.seen(unsentText(state));
        this.#current.writing();
        this.#files.seen(state);
      },
      run: (effect) => this.#do(effect),
    });
    this.#current = new CurrentSession(options, this.#store);
    this.#files = new FileOffer({
      cwd: () => this.#store.state.cwd || options.compose.cwd,
      show: (files) => this.#store.dispatch({ type: 'files', files }),
      failed: (message) => this.#say('warning', message),
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
    process.on('exit', () => this.#current.draft.keep());
  }

  async run(): Promise<number> {
    const begun = this.#begin();
    const early = await Promise.race([begun, this.#ended]);
    if (typeof early === 'number') return early;
    // What takes longest to load, once there is something to look at.
    setImmediate(() => void this.#dress());
    return this.#ended;
  }

  async close(): Promise<void> {
    this.#current.draft.end();
    this.#files.close();
    this.#store.close();
    this.#terminal.leave();
    this.#screen.unmount();
    const { session, isDemo } = this.#current;
    if (session && !isDemo) process.stdout.write(farewell(session, unsentText(this.#store.state)));
    await within(CLOSE_MS, this.#current.detach());
    this.#current.dispose();
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

  async #begin(): Promise<void> {
    const { demo, choose, compose, env } = this.#options;
    if (demo) return this.#current.demonstrate();
    const question = compose.trust ? undefined : trustQuestion(compose.cwd, env);
    if (question) await this.#askTrust(question);
    if (choose && conversations(compose.cwd, env).length > 1) return this.#run('resume', '');
    await this.#current.compose();
  }

  #askTrust(question: TrustQuestion): Promise<void> {
    this.#store.dispatch({ type: 'overlay', overlay: trustMenu(question, Date.now()) });
    return new Promise((resolve) => {
      this.#asked = { question, answered: resolve };
    });
  }

  #answerTrust(answer: TrustAnswer): void {
    const asked = this.#asked;
    if (!asked) return;
    const { question, answered } = asked;
    if (answer === 'show') {
      const { file: title, text } = question;
      const from = trustMenu(question, Date.now());
      this.#store.dispatch({ type: 'overlay', overlay: { kind: 'text', title, text, offset: 0, from } });
      return;
    }
    this.#asked = undefined;
    this.#options.compose.trust = answer === 'yes';
    try {
      if (answer !== 'later') keepTrust(question, answer === 'yes');
    } catch (error) {
      this.#say('warning', `the answer counts only now, it cannot be kept: ${(error as Error).message}`);
    }
    answered();
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
        this.#current.send(effect.command);
        return;
      case 'command':
        this.#run(effect.name, effect.argument).catch((error: Error) => this.#say('error', error.message));
        return;
      case 'field': {
        const query = this.#store.state.composer.search?.query ?? '';
        this.#store.dispatch({ type: 'query', text: this.#screen.type(query, effect.text) });
        return;
      }
      case 'recall': {
        const { compose, env } = this.#options;
        const prompts = earlierPrompts(compose.cwd, env, this.#current.session?.id);
        this.#store.dispatch({ type: 'recalled', prompts, wanted: effect.wanted });
        return;
      }
      case 'earlier':
        this.#current.showEarlier();
        return;
      case 'exit':
        this.#end(0);
        return;
      case 'suspend':
        this.#current.draft.keep();
        this.#terminal.suspend();
        return;
      case 'repaint':
        this.#repaint();
    }
  }

  async #run(name: string, argument: string): Promise<void> {
    if (name === FIRST_RUN) return this.#firstRun(argument as FirstChoice);
    if (name === TRUST) return this.#answerTrust(argument as TrustAnswer);
    const command = findSlashCommand(name);
    if (command) return command.run(this.#context(), argument);
    const names = slashCommands.map((one) => one.name);
    this.#say('error', noSuchCommand(name, names));
  }

  async #firstRun(choice: FirstChoice): Promise<void> {
    if (choice === 'exit') return this.#end(0);
    if (choice === 'stop') return this.#current.pull.stop();
    if (choice === 'no') return this.#current.showChoices();
    if (choice.startsWith('pull ')) return this.#current.pull.choose(choice.slice('pull '.length));
    if (choice.startsWith('yes ')) return this.#current.pull.start(choice.slice('yes '.length));
    return choice === 'demo' ? this.#current.demonstrate() : this.#current.compose();
  }

  #context(): SlashContext {
    const { compose, env } = this.#options;
    const store = this.#store;
    const current = this.#current;
    const { state } = store;
    const session = current.session ?? null;
    return {
      session,
      todos: state.todos,
      get changes() {
        current.showEarlier();
        return [...store.state.blocks].flatMap((block) =>
          block.kind === 'tool' ? changesOf(block.display, block.output) : [],
        );
      },
      workingMode: this.#current.workingMode,
      stateDir: this.#current.composition?.stateDir ?? null,
      rules: this.#current.composition?.permissions ?? null,
      commands: slashCommands,
      hint: '? in an empty draft shows the keys.',
      send: (command) => this.#current.send(command),
      say: (level, text) => this.#say(level, text),
      show: (overlay) => this.#store.dispatch({ type: 'overlay', overlay }),
      listModels: async () => (await import('../compose.ts')).listModels(env, compose.cwd, compose.offline),
      listSessions: () => conversations(session?.state.project ?? compose.cwd, env),
      open: (which) => this.#current.open(which),
      draft: (text, images) => this.#store.dispatch({ type: 'draft', text, images }),
      exit: () => this.#end(0),
    };
  }
}
