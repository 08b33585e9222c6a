import { type AdapterError, StreamError } from '../errors.ts';
import type { IRChatStream, IRStreamChunk } from '../ir.ts';
import { abortedError, toAdapterError } from './retry-policy.ts';

export interface Runner {
  name: string;
  start(signal: AbortSignal): IRChatStream;
}

export interface Race {
  /**
   * The next whose answer has ended well or has begun, with its whole stream; the first one is the winner, the others
   * are for when it dies. Undefined when nobody is left or the caller aborted.
   */
  next(): Promise<{ name: string; stream: IRChatStream } | undefined>;
  /** Aborts and closes all that were not given out; their names. */
  stop(): string[];
}

/** So many chunks of an answer wait for their reader; then its backend is not read on. */
const BUFFERED = 20_000;

/**
 * Asks several backends at once. An answer begins with its first piece of content, reasoning or a call, or with a
 * `done`. Those that were not given out go on into a buffer until the race is stopped, so that one of them can take the
 * place of a winner that broke off. `onFailure` is told of each that failed before it was given out.
 */
export function race(
  runners: readonly Runner[],
  onFailure: (name: string, error: AdapterError) => void,
  signal?: AbortSignal,
): Race {
  const heats = runners.map((runner) => new Heat(runner));
  const abortAll = () => {
    for (const heat of heats) heat.abort.abort();
  };
  if (signal?.aborted) abortAll();
  signal?.addEventListener('abort', abortAll, { once: true });
  for (const heat of heats) void heat.run(onFailure);

  return {
    async next() {
      for (;;) {
        if (signal?.aborted) return undefined;
        const left = heats.filter((heat) => !heat.isTaken && heat.failure === undefined);
        if (left.length === 0) return undefined;
        const ready = left.find((heat) => heat.isDone) ?? left.find((heat) => heat.hasBegun);
        if (ready) return { name: ready.name, stream: ready.take() };
        await Promise.race(left.map((heat) => heat.news()));
      }
    },
    stop() {
      signal?.removeEventListener('abort', abortAll);
      const left = heats.filter((heat) => !heat.isTaken && heat.failure === undefined);
      for (const heat of left) heat.abort.abort();
      return left.map(({ name }) => name);
    },
  };
}

type Chunks = AsyncIterator<IRStreamChunk, void, undefined>;

/** One backend of a race, with what it has said and nobody has read. */
class Heat {
  readonly name: string;
  readonly abort = new AbortController();
  readonly #runner: Runner;
  #iterator: Chunks | undefined;
  #waiting: IRStreamChunk[] = [];
  #wake: (() => void)[] = [];
  #isOver = false;
  isTaken = false;
  hasBegun = false;
  isDone = false;
  failure: AdapterError | undefined;

  constructor(runner: Runner) {
    this.name = runner.name;
    this.#runner = runner;
  }

  /** Resolves at the next change of any kind. */
  news(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #tell(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const one of wake) one();
  }

  async run(onFailure: (name: string, error: AdapterError) => void): Promise<void> {
    const { signal } = this.abort;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    try {
      if (signal.aborted) throw abortedError(this.name);
      this.#iterator = this.#runner.start(signal)[Symbol.asyncIterator]() as Chunks;
      for (;;) {
        const { value, done } = await this.#iterator!.next();
        if (done || !value) break;
        if (!this.isTaken && signal.aborted) throw abortedError(this.name);
        if (!this.isTaken && value.type === 'error') throw value.error;
        this.#waiting.push(value);
        this.isDone ||= value.type === 'done';
        this.hasBegun ||= value.type !== 'start' && value.type !== 'warning' && value.type !== 'retry';
        this.#tell();
        while (this.#waiting.length >= BUFFERED && !signal.aborted) await Promise.race([this.news(), stopped]);
      }
      if (!this.isTaken && !this.isDone)
        throw new StreamError({
          message: `${this.name} ended its answer without saying so.`,
          code: 'STREAM_TRUNCATED',
          provenance: { backend: this.name },
        });
    } catch (error) {
      this.failure = toAdapterError(error, this.name);
      if (!this.isTaken) {
        this.#waiting = [];
        if (!signal.aborted) onFailure(this.name, this.failure);
      }
      void this.#iterator?.return?.()?.catch(() => {});
    }
    this.#isOver = true;
    this.#tell();
  }

  take(): AsyncGenerator<IRStreamChunk, void, undefined> {
    this.isTaken = true;
    return this.#read();
  }

  /** What it has said, then the rest as it comes; closes the backend's stream on every way out. */
  async *#read(): AsyncGenerator<IRStreamChunk, void, undefined> {
    try {
      for (;;) {
        const chunks = this.#waiting;
        this.#waiting = [];
        this.#tell();
        yield* chunks;
        if (this.#waiting.length > 0) continue;
        if (this.failure) throw this.failure;
        if (this.#isOver) return;
        await this.news();
      }
    } finally {
      if (!this.#isOver) {
        this.abort.abort();
        void this.#iterator?.return?.()?.catch(() => {});
      }
    }
  }
}
