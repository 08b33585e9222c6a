/** A first run by lines: without a model, a number chooses what there is to do; getting one is told line by line. */
import type { Models } from '../models-api.ts';
import { oneLine } from '../plain-text.ts';
import { type PullStep, pullMeter, pullText } from '../pull-progress.ts';
import type { StartError } from '../start-error.ts';
import { downloadQuestion, type FirstChoice, firstRunMenu, firstRunText } from './first-run.ts';
import { freeSpace } from './free-space.ts';

/** Each line is read aloud: not more than one in so many ms. */
const SAY_MS = 1_000;
/** A model is looked for by itself so often, ms. */
const LOOK_MS = 4_000;

export interface PlainFirstRunOptions {
  models(): Promise<Pick<Models, 'pull' | 'close'>>;
  say(...lines: readonly string[]): void;
  demonstrate(): Promise<void>;
  /** Looks for a model again; with this one, where it has just been got. */
  compose(model?: string): Promise<void>;
  leave(): void;
  /** Looks for a model though nobody asked; gives why there is still none, nothing where there is a session now. */
  look(): Promise<StartError | undefined>;
  now?(): number;
  /** Bytes on the disk that an Ollama at this address downloads to; null when unknown. */
  free?(url: string): number | null;
  /** Between two looks, ms. */
  lookMs?: number;
}

export class PlainFirstRun {
  readonly #options: PlainFirstRunOptions;
  /** Why there is no model, as long as a line chooses what to do about it. */
  #missing: StartError | undefined;
  #pulling: AbortController | undefined;
  /** The model whose download waits for a yes. */
  #asked: string | undefined;
  /** Models that the person wanted: going on with one needs no second yes. */
  readonly #wanted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #told = '';

  constructor(options: PlainFirstRunOptions) {
    this.#options = options;
  }

  get isChoosing(): boolean {
    return this.#missing !== undefined;
  }

  get isPulling(): boolean {
    return this.#pulling !== undefined;
  }

  /** Tells what was looked for, and the choices. */
  open(missing: StartError): void {
    this.#missing = missing;
    this.#told = firstRunText(missing);
    this.#options.say(this.#told);
    this.sayChoices();
    this.#timer ??= setInterval(() => {
      if (this.#missing && !this.#looking) this.#looking = this.#look();
    }, this.#options.lookMs ?? LOOK_MS).unref();
  }

  /** There is a session, however it came, or nobody waits for one any more. */
  close(): void {
    this.#missing = undefined;
    this.#asked = undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Says only what is true now and was not before. What fails otherwise is told when the person looks. */
  async #look(): Promise<void> {
    const missing = await this.#options.look().catch(() => undefined);
    this.#looking = undefined;
    const text = missing && firstRunText(missing);
    if (!this.#missing || !missing || text === this.#told) return;
    this.#asked = undefined;
    this.open(missing);
  }

  sayChoices(): void {
    this.#options.say(...this.#choices().map(({ text }, index) => `${index + 1}: ${text}`), 'A number chooses.');
  }

  /** False: the line chooses nothing. */
  async take(line: string): Promise<boolean> {
    const choices = this.#choices();
    const model = this.#asked;
    this.#asked = undefined;
    const isAnswer = model !== undefined && /^(?:y|yes|n|no)$/i.test(line);
    if (isAnswer && /^n/i.test(line)) {
      this.sayChoices();
      return true;
    }
    const chosen = /^\d$/.test(line) ? choices[Number(line) - 1] : choices.find(({ letter }) => letter === line);
    const choice: FirstChoice | undefined = isAnswer ? `yes ${model}` : chosen?.value;
    if (!choice) return false;
    // A look that is under way may end in a session: then there is nothing to choose.
    await this.#looking;
    const missing = this.#missing;
    if (!missing || (choice.startsWith('pull ') && this.#asks(choice.slice('pull '.length), missing))) return true;
    this.#missing = undefined;
    try {
      await this.#do(choice, missing);
    } catch (error) {
      this.#missing ??= missing;
      throw error;
    }
    return true;
  }

  async #do(choice: FirstChoice, missing: StartError): Promise<void> {
    const { leave, demonstrate, compose } = this.#options;
    if (choice === 'exit') leave();
    else if (choice === 'demo') await demonstrate();
    else if (/^(?:pull|yes) /.test(choice)) await this.#pull(choice.slice(choice.indexOf(' ') + 1), missing);
    else await compose();
  }

  /** Whether the download is asked about first. */
  #asks(model: string, missing: StartError): boolean {
    const { free = freeSpace, say } = this.#options;
    if (this.#wanted.has(model)) return false;
    const question = downloadQuestion(missing, model, free(missing.lookedFor?.ollama.url ?? ''));
    if (!question) return false;
    this.#asked = model;
    say(question.text, `y: ${question.yes} · n: no, nothing is downloaded`);
    return true;
  }

  /** Stops the pull; false where there is none. */
  stop(): boolean {
    if (!this.#pulling) return false;
    this.#pulling.abort();
    return true;
  }

  /** The same as on the screen. */
  #choices(): { text: string; value: FirstChoice; letter: string | undefined }[] {
    const menu = this.#missing && firstRunMenu(this.#missing);
    if (menu?.kind !== 'pick') return [];
    return menu.items.map(({ label, detail, value }) => {
      const choice = value as FirstChoice;
      const text = [label, detail.replace('Esc stops', '/stop stops')].filter(Boolean).join(': ');
      return { text, value: choice, letter: LETTERS[choice.split(' ')[0]!] };
    });
  }

  async #pull(model: string, missing: StartError): Promise<void> {
    const { say, compose } = this.#options;
    const running = new AbortController();
    this.#pulling = running;
    this.#wanted.add(model);
    let problem: string | undefined;
    let models: Pick<Models, 'pull' | 'close'> | undefined;
    say(`getting ${model}; /stop stops it, and what has come is kept`);
    try {
      models = await this.#options.models();
      await this.#tell(models.pull(model, running.signal));
    } catch (error) {
      problem = running.signal.aborted
        ? `stopped; getting ${model} again goes on where it was`
        : `${model} was not got: ${oneLine((error as Error).message, 600)}`;
    } finally {
      models?.close();
      this.#pulling = undefined;
    }
    if (problem === undefined) {
      say(`${model} is there`);
      return compose(`ollama/${model}`);
    }
    this.#missing = missing;
    say(problem);
    this.sayChoices();
  }

  /** Says how far it is, where that is news. */
  async #tell(steps: AsyncIterable<PullStep>): Promise<void> {
    const { say, now = Date.now } = this.#options;
    const measure = pullMeter();
    let saidAt = Number.NEGATIVE_INFINITY;
    let said = '';
    for await (const step of steps) {
      const at = now();
      const figures = measure(step, at);
      const news = figures.total > 0 ? String(Math.floor((figures.completed / figures.total) * 100)) : figures.status;
      if (news === said || at - saidAt < SAY_MS) continue;
      say(oneLine(pullText(figures)));
      said = news;
      saidAt = at;
    }
  }
}

/** Quicker to type for who knows them. */
const LETTERS: Readonly<Record<string, string>> = { pull: 'g', demo: 'd', again: 'a', exit: 'q' };
