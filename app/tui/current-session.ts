/**
 * The session on the screen: made, watched, spoken to, exchanged for another, let go of. While there is none, what is
 * sent waits for it.
 */
import { unlinkSync } from 'node:fs';
import type { Session } from '../../core/session.ts';
import type { SessionState } from '../../core/state.ts';
import { type Command, isStored, type Mode } from '../../core/types.ts';
import type { Composition } from '../compose.ts';
import { letHeapRest } from '../heap.ts';
import { OFFLINE_NOTICE } from '../offline.ts';
import { slashCommands } from '../slash/index.ts';
import { StartError } from '../start-error.ts';
import type { Demonstration } from './demonstration.ts';
import type { DoorOptions } from './door-options.ts';
import { keepDraft, keptDraft, takeLostDraft, unboundDraft } from './draft-file.ts';
import { DraftKeeper, unsentText } from './draft-keeper.ts';
import { downloadMenu, downloadQuestion, FIRST_RUN, firstRunMenu, firstRunText, keptChoice } from './first-run.ts';
import { FirstRunPull } from './first-run-pull.ts';
import { freeSpace } from './free-space.ts';
import { LoadingWatch } from './loading-watch.ts';
import { loadMarkdown, markdownReady } from './markdown.ts';
import { otherSession } from './other-session.ts';
import { planDenials } from './plan-denials.ts';
import { projectPlace } from './project-place.ts';
import { REFUSED } from './refused.ts';
import type { Store } from './store.ts';
import type { State } from './types.ts';
import { shownFrom, withoutBeginning } from './update/earlier.ts';
import { initialState } from './update.ts';

/** The screen of a conversation whose beginning is not read: what that made of it is known to the session. */
function shownFromThere(fresh: State, { prompts }: SessionState, from: number): State {
  const count = prompts.findIndex(({ seq }) => seq === from);
  const { cwd, todos, promptTokens } = prompts[count]!.before;
  return withoutBeginning({ ...fresh, cwd, todos, contextUsed: promptTokens }, from, count);
}

/** Without a model it is looked for again so often, in ms. */
const LOOK_MS = 4000;
const RESTORED = 'restored what you had not sent; Ctrl+C clears it';
const NOT_SENT = 'there is still no model: what you wrote is back in the composer';

interface Current {
  composition: Composition;
  /** Ends the reading of its events. */
  pump: AbortController;
  loading: LoadingWatch;
  demo?: Demonstration;
  /** The demonstration has had its verdict. */
  judged?: boolean;
}

export class CurrentSession {
  readonly #options: DoorOptions;
  readonly #store: Store;
  #current: Current | undefined;
  /** A session is being made. */
  #composing = false;
  /** Sent before there is a session. */
  #early: Extract<Command, { type: 'prompt' }>[] = [];
  #looking: NodeJS.Timeout | undefined;
  #draftDir: string | undefined;
  readonly draft: DraftKeeper;
  /** Gets a model for who has none. */
  readonly pull: FirstRunPull;
  /** Why there is no model. */
  #missing: StartError | undefined;
  /** What was said of that last. */
  #told = '';
  readonly #demos: Demonstration[] = [];
  /** The mode to go back to from plan mode. */
  workingMode: Exclude<Mode, 'plan'> = 'ask';

  constructor(options: DoorOptions, store: Store) {
    this.#options = options;
    this.#store = store;
    if (options.prompt) this.#early.push(options.prompt);
    this.pull = new FirstRunPull({
      models: async () => {
        const { compose } = options;
        return (await import('../compose.ts')).modelsAt(options.env, compose.cwd, compose.offline).models;
      },
      show: (overlay) => store.dispatch({ type: 'overlay', overlay }),
      question: (model) => {
        const free = freeSpace(this.#missing?.lookedFor?.ollama.url ?? '', options.env);
        const question = this.#missing && downloadQuestion(this.#missing, model, free);
        return question && downloadMenu(question, model, Date.now());
      },
      done: (model) => {
        this.compose(false, `ollama/${model}`).catch((error: Error) => this.#say('error', error.message));
      },
      failed: (model, message) => this.showChoices(message ?? `Stopped; getting ${model} again goes on where it was.`),
    });
    this.draft = new DraftKeeper(() => {
      const text = unsentText(store.state);
      if (this.#current && !this.isDemo) return { stateDir: this.#current.composition.stateDir, text };
      return {
        stateDir: text !== '' || store.state.noModel ? this.#projectDir() : undefined,
        file: unboundDraft(),
        text,
      };
    });
  }

  get composition(): Composition | undefined {
    return this.#current?.composition;
  }

  get session(): Session | undefined {
    return this.#current?.composition.session;
  }

  get isDemo(): boolean {
    return this.#current?.demo !== undefined;
  }

  /**
   * A first session, as the command line says; without a model the person is told how to get one. `quietly`: nobody
   * asked, so nothing is said when there is still none. `model`: the one that has just been got.
   */
  async compose(quietly = false, model?: string): Promise<void> {
    if (this.#composing || (quietly && (this.#current || this.pull.running))) return;
    this.#composing = true;
    try {
      const { compose } = await import('../compose.ts');
      const tell = (line: string) => this.#say('info', line);
      this.#attach(await compose({ ...this.#options.compose, tell, ...(model !== undefined && { model }) }));
      if (quietly) this.#say('info', `${this.session?.state.model} can be reached now`);
    } catch (error) {
      // A model that was named on the command line and is not there ends the program, as it does in a pipe.
      const named = this.#options.compose.model !== undefined;
      if (!(error instanceof StartError) || error.exitCode !== 3 || named) throw error;
      if (!quietly || this.#early.length > 0) this.#withoutModel(error);
      else this.#stillWithout(error);
    } finally {
      this.#composing = false;
    }
  }

  /** What there is to do without a model. `news`: what became of the choice before. */
  showChoices(news?: string): void {
    const overlay = this.#missing && firstRunMenu(this.#missing, Date.now(), news);
    if (overlay) this.#store.dispatch({ type: 'overlay', overlay });
  }

  async demonstrate(): Promise<void> {
    const { compose } = await import('../compose.ts');
    const demonstration = await this.#options.demonstration();
    this.#demos.push(demonstration);
    this.#attach(await compose(demonstration.options), demonstration);
    this.#say('info', demonstration.intro);
    this.send({ type: 'prompt', text: demonstration.prompt });
  }

  /** Leaves this conversation for another one, or for a new one. */
  async open(which: 'new' | { resume: string; fork?: boolean }): Promise<void> {
    const { session } = this;
    if (session?.state.running) return this.#say('error', REFUSED.busy);
    if (this.#composing) return;
    if (which !== 'new' && !which.fork && which.resume === session?.id)
      return this.#say('info', 'that is the conversation you are in');
    // The demonstration's recorded model is for its own prompt alone.
    const current = session && !this.isDemo ? session.state : undefined;
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

  /** A refusal is told to the person. True when the command was taken. */
  send(command: Command): boolean {
    const { session } = this;
    // The recorded model has said all that it can: what comes now is for the person's own.
    const isOver = this.#current?.judged && command.type === 'prompt';
    if (!session || isOver) return this.#sendLater(command);
    const result = session.send(command);
    if (command.type === 'prompt') this.#readyMarkdown();
    if (result.ok) return true;
    // Nothing runs, or somebody else has answered: there is nothing left to do.
    if (result.reason !== 'idle' && result.reason !== 'unknown_id') this.#say('error', REFUSED[result.reason]);
    return false;
  }

  /** Lets go of the session. A conversation in which nothing was said is not kept. */
  async detach(): Promise<void> {
    const left = this.#current;
    if (!left) return;
    this.draft.keep();
    this.#current = undefined;
    left.pump.abort();
    left.loading.close();
    const { session, stateDir } = left.composition;
    const isEmpty = session.state.title === '' && !session.state.running && keptDraft(stateDir) === '';
    await session.close();
    if (!isEmpty) return;
    try {
      unlinkSync(session.file);
    } catch {
      // It was never written, or its folder takes no change any more.
    }
  }

  /** The person writes: the model is made ready for the first prompt. A slash command needs none. */
  writing(): void {
    const { composer, typedAt } = this.#store.state;
    if (typedAt > 0 && composer.text !== '' && !composer.text.startsWith('/')) this.#current?.loading.preload();
  }

  /** The beginning of a long conversation. */
  showEarlier(): void {
    const { session } = this;
    if (!session || this.#store.state.shownFrom === undefined) return;
    this.#store.dispatch({ type: 'earlier', events: session.stored() });
  }

  dispose(): void {
    this.pull.stop();
    clearInterval(this.#looking);
    for (const demonstration of this.#demos) demonstration.dispose();
  }

  /** Where the draft is kept while no session is there to keep it. */
  #projectDir(): string {
    const { compose, env } = this.#options;
    this.#draftDir ??= projectPlace(compose.cwd, env).stateDir;
    return this.#draftDir;
  }

  /** There is no session yet: prompts wait for it, a mode is the one that it begins with. */
  #sendLater(command: Command): boolean {
    if (command.type === 'set' && command.mode) {
      this.#options.compose.mode = command.mode;
      this.#store.replace({ ...this.#store.state, mode: command.mode });
      return true;
    }
    if (command.type === 'set' || command.type === 'shell')
      this.#say('error', 'no model can be reached yet: /models looks again');
    if (command.type !== 'prompt') return false;
    this.#early.push(command);
    if (!this.#composing) this.compose().catch((error: Error) => this.#say('error', error.message));
    return true;
  }

  #withoutModel(error: StartError): void {
    this.#missing = error;
    const text = firstRunText(error);
    const isKnown = text === this.#told;
    this.#told = text;
    if (!isKnown) this.#say('info', text);
    const offline = error.lookedFor?.offline;
    this.#store.replace({
      ...this.#store.state,
      noModel: true,
      offline,
      overlay: firstRunMenu(error, Date.now()),
    });
    const [prompt] = this.#early.splice(0);
    const typed = prompt?.text ?? this.#store.state.composer.text;
    const lost = typed === '' ? takeLostDraft(this.#projectDir()) : '';
    if (typed || lost) this.#store.dispatch({ type: 'draft', text: typed || lost });
    if (lost !== '') this.#say('info', RESTORED);
    else if (isKnown && prompt) this.#say('info', NOT_SENT);
    // A server may be started meanwhile. What fails otherwise is told when the person looks.
    this.#looking ??= setInterval(() => void this.compose(true).catch(() => {}), LOOK_MS).unref();
  }

  /** Nobody asked: only what is true now and was not before is news. */
  #stillWithout(error: StartError): void {
    const { state } = this.#store;
    const text = firstRunText(error);
    if (text === this.#told || this.pull.running || this.#current) return;
    this.#missing = error;
    this.#told = text;
    const { overlay } = state;
    if (overlay?.kind !== 'pick' || overlay.command !== FIRST_RUN) this.#say('info', text);
    else this.#store.dispatch({ type: 'overlay', overlay: keptChoice(firstRunMenu(error, Date.now()), overlay) });
  }

  #attach(composition: Composition, demo?: Demonstration): void {
    clearInterval(this.#looking);
    this.#looking = undefined;
    const { session, notices, model } = composition;
    const { composer, size, theme, focused, typedAt } = this.#store.state;
    // What was typed in the demonstration was not for its recorded model.
    const isFirst = !this.#current || this.isDemo;
    void this.detach();
    const pump = new AbortController();
    const loading = new LoadingWatch({
      load: (signal) => composition.loadModel(signal),
      show: (isLoading) => this.#store.dispatch({ type: 'loading', loading: isLoading }),
    });
    const { draft, lost } = this.#draftFor(composition, isFirst ? composer.text : '', isFirst, demo !== undefined);
    this.#current = { composition, pump, loading, demo };
    const fresh = initialState({
      size,
      theme,
      commands: slashCommands,
      model: session.state.model,
      mode: session.state.mode,
      local: model.local,
      // The recorded model of the demonstration asks nobody, online or not.
      offline: composition.offline && !demo,
      contextTokens: model.contextTokens,
      history: composer.history,
      recalled: composer.recalled,
      draft,
      now: Date.now(),
    });
    const from = shownFrom(session.state.prompts);
    this.#store.replace({ ...(from === undefined ? fresh : shownFromThere(fresh, session.state, from)), focused });
    // Written while the session was being made.
    if (isFirst && typedAt > 0 && /^[^/]/.test(composer.text)) loading.preload();
    for (const notice of notices) if (!demo || notice !== OFFLINE_NOTICE) this.#say('info', notice);
    if (lost) this.#say('info', RESTORED);
    this.workingMode = session.state.mode === 'plan' ? 'ask' : session.state.mode;
    if (session.state.title !== '') this.#readyMarkdown();
    this.draft.reset();
    void this.#pump(this.#current, pump.signal);
    for (const prompt of this.#early.splice(0)) this.send(prompt);
  }

  /**
   * What was typed while there was no session belongs to the first one. A session that is gone on with has its own
   * draft; a new one gets what a process without a session left behind (`lost`).
   */
  #draftFor(
    { session, stateDir }: Composition,
    typed: string,
    isFirst: boolean,
    isDemo: boolean,
  ): { draft: string; lost: boolean } {
    if (isDemo) return { draft: typed, lost: false };
    const own = keptDraft(stateDir);
    const isNew = isFirst && session.state.title === '' && own === '';
    const found = typed === '' && isNew ? takeLostDraft(this.#projectDir()) : '';
    const draft = typed || own || found;
    if (draft !== '' && draft !== own) keepDraft(stateDir, draft);
    if (isFirst && this.#draftDir !== undefined) keepDraft(this.#draftDir, '', unboundDraft());
    return { draft, lost: found !== '' };
  }

  async #pump(current: Current, signal: AbortSignal): Promise<void> {
    const { composition, demo } = current;
    const { session } = composition;
    const stored = session.state.lastSeq;
    const prompts: string[] = [];
    for await (const event of session.events(signal, this.#store.state.shownFrom ?? 1)) {
      // Back to where nothing is shown of yet.
      if (event.type === 'rewind' && event.to <= (this.#store.state.shownFrom ?? 0)) this.showEarlier();
      this.#store.dispatch({ type: 'event', event, now: Date.now() });
      if (!isStored(event) || event.seq > stored) current.loading.seen(event);
      if (!isStored(event)) continue;
      if (event.seq > stored && (event.type === 'user' || event.type === 'done')) letHeapRest(!session.state.running);
      if (event.type === 'mode' && event.value !== 'plan') this.workingMode = event.value;
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
    for (const command of planDenials(this.#store.state.approvals.map(({ request }) => request))) this.send(command);
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

  /** Markdown is wanted soon: a model that is asked takes longer than its lexer. */
  #readyMarkdown(): void {
    if (!markdownReady()) void loadMarkdown().then(() => this.#store.repaint());
  }

  #say(level: 'info' | 'warning' | 'error', text: string): void {
    this.#store.dispatch({ type: 'say', level, text });
  }
}
