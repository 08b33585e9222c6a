/** Gets a model for a person who has none: a bar on the screen, Esc stops it, asking again goes on where it was. */
import type { Models } from '../models-api.ts';
import { type PullFigures, pullBar, pullMeter, pullText } from '../pull-progress.ts';
import { FIRST_RUN } from './first-run.ts';
import type { Overlay } from './types.ts';

const DRAW_MS = 150;
const BAR = 40;

export interface FirstRunPullOptions {
  models(): Promise<Pick<Models, 'pull' | 'close'>>;
  show(overlay: Overlay): void;
  /** What is asked before it is got; undefined where nothing is. */
  question?(model: string): Overlay | undefined;
  /** The model is there. */
  done(model: string): void;
  /** It is not: the server's words, or null when the person stopped it. */
  failed(model: string, message: string | null): void;
  now?(): number;
}

/** At most one pull at a time. */
export class FirstRunPull {
  readonly #options: FirstRunPullOptions;
  #running: AbortController | undefined;
  /** Models that the person wanted: going on with one needs no second yes. */
  readonly #wanted = new Set<string>();

  constructor(options: FirstRunPullOptions) {
    this.#options = options;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  stop(): void {
    this.#running?.abort();
  }

  /** Starts, or asks about it first. */
  async choose(model: string): Promise<void> {
    const isAgreed = this.running || this.#wanted.has(model);
    const question = isAgreed ? undefined : this.#options.question?.(model);
    if (!question) return this.start(model);
    this.#options.show(question);
  }

  async start(model: string): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    this.#wanted.add(model);
    const { models: open, show, now = Date.now } = this.#options;
    const measure = pullMeter();
    let drawnAt = 0;
    let status = '';
    let models: Awaited<ReturnType<typeof open>> | undefined;
    let failure: Error | undefined;
    show(pullOverlay(model, { status: 'asking the server', completed: 0, total: 0, speed: null, remainingMs: null }));
    try {
      models = await open();
      for await (const step of models.pull(model, running.signal)) {
        const figures = measure(step, now());
        if (running.signal.aborted || (figures.status === status && now() - drawnAt < DRAW_MS)) continue;
        drawnAt = now();
        status = figures.status;
        show(pullOverlay(model, figures));
      }
    } catch (error) {
      failure = error as Error;
    } finally {
      models?.close();
      this.#running = undefined;
    }
    if (!failure) this.#options.done(model);
    else this.#options.failed(model, running.signal.aborted ? null : failure.message);
  }
}

/** Nothing to choose: Enter stops no download, only closing it does. What is typed goes on into the draft under it. */
export function pullOverlay(model: string, figures: PullFigures): Overlay {
  return {
    kind: 'pick',
    title: `Getting ${model}`,
    text: `${pullBar(figures, BAR)}\n${pullText(figures)}`,
    items: [],
    filter: '',
    selected: 0,
    command: FIRST_RUN,
    unchosen: 'stop',
    overDraft: true,
    hint: 'Esc stops',
    after:
      'Esc stops it; what has come is kept, and getting it again goes on from there. What you type is kept too, and can be sent once the model is there.',
  };
}
