/**
 * Tells a model that is still being loaded from one that thinks, and has it loaded while the first prompt is typed. A
 * request without a prompt is answered as soon as the model is there, whatever else the server does: as long as it is
 * not, the model is loading. (A list of what is loaded would not do: servers list a model before it is ready.)
 */
import type { Event } from '../../core/types.ts';

/** So long a silence is worth asking about, ms. */
const SILENCE_MS = 2_000;
/** An answer within this time means that the model was loaded, ms. */
const AT_ONCE_MS = 250;
/** A model that said something not longer ago is taken for loaded, ms. */
const FRESH_MS = 60_000;

export interface LoadingWatchOptions {
  /** Resolves when the model in use is loaded; undefined where that cannot be asked. */
  load(signal: AbortSignal): Promise<void> | undefined;
  /** The running turn waits for the model to be loaded, or no more for that. */
  show(loading: boolean): void;
  now?(): number;
}

export class LoadingWatch {
  readonly #options: LoadingWatchOptions;
  readonly #end = new AbortController();
  #silence: NodeJS.Timeout | undefined;
  #isPreloaded = false;
  /** A request that waits for the model. */
  #loading = false;
  /** The turn waits for a first piece. */
  #waiting = false;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(options: LoadingWatchOptions) {
    this.#options = options;
  }

  /** The person has begun to write: the model is loaded meanwhile, once. */
  preload(): void {
    if (this.#isPreloaded) return;
    this.#isPreloaded = true;
    this.#load();
  }

  /** Only for what happens now, not for what is read from a log. */
  seen(event: Event): void {
    switch (event.type) {
      case 'user':
      case 'tool_result':
      case 'retry':
        this.#isPreloaded = true;
        this.#wait();
        return;
      case 'text':
      case 'reasoning':
        this.#heardAt = this.#now();
        this.#stop();
        return;
      case 'model':
        this.#heardAt = Number.NEGATIVE_INFINITY;
        return;
      case 'tool_call':
      case 'approval_request':
      case 'question':
      case 'assistant':
      case 'error':
      case 'done':
        this.#stop();
        return;
    }
  }

  close(): void {
    this.#stop();
    this.#end.abort();
  }

  #wait(): void {
    this.#stop();
    this.#waiting = true;
    if (this.#loading) this.#options.show(true);
    if (this.#loading || this.#now() - this.#heardAt < FRESH_MS) return;
    this.#silence = setTimeout(() => this.#load(), SILENCE_MS);
    this.#silence.unref();
  }

  #stop(): void {
    clearTimeout(this.#silence);
    this.#waiting = false;
  }

  #load(): void {
    if (this.#loading) return;
    const loaded = this.#options.load(this.#end.signal);
    if (!loaded) return;
    this.#loading = true;
    const late = setTimeout(() => {
      if (this.#waiting) this.#options.show(true);
    }, AT_ONCE_MS);
    late.unref();
    // What it could not do, the request itself will tell.
    void loaded
      .catch(() => {})
      .then(() => {
        clearTimeout(late);
        this.#loading = false;
        if (this.#waiting && !this.#end.signal.aborted) this.#options.show(false);
      });
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
