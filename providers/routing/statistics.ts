import type { AdapterError, ErrorCode } from '../errors.ts';

/** Milliseconds; null while there are no samples. */
export interface Percentiles {
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

/** Counts of requests sent to one backend (a repetition is a request of its own), and the time whole answers took. */
export interface BackendStats {
  requests: number;
  successes: number;
  failures: number;
  /** Ended by the caller: an abort, or a stream that was left early. */
  aborted: number;
  latencyMs: Percentiles;
  /** Time to the first piece of the answer. */
  firstChunkMs: Percentiles;
  lastError: { code: ErrorCode; message: string; time: number } | null;
}

/** Counts of calls of the router. */
export interface RouterStats {
  requests: number;
  successes: number;
  failures: number;
  aborted: number;
  /** Requests that were sent again to the same backend, and moves to another one. */
  retries: number;
  fallbacks: number;
  backends: Record<string, BackendStats>;
}

const SAMPLES = 512;

/** The newest latencies of a backend. */
class Samples {
  #values: number[] = [];
  #next = 0;

  add(value: number): void {
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % SAMPLES;
  }

  percentiles(): Percentiles {
    const sorted = this.#values.toSorted((a, b) => a - b);
    // Nearest rank: the smallest sample that at least p of all do not exceed.
    const at = (p: number) => sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? null;
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  }
}

/** Collects the figures of one backend. */
export class Statistics {
  requests = 0;
  successes = 0;
  failures = 0;
  aborted = 0;
  readonly #latency = new Samples();
  readonly #first = new Samples();
  #lastError: BackendStats['lastError'] = null;

  firstChunk(ms: number): void {
    this.#first.add(ms);
  }

  success(ms: number): void {
    this.successes++;
    this.#latency.add(ms);
  }

  failure(error: AdapterError, time: number): void {
    this.failures++;
    this.#lastError = { code: error.code, message: error.message, time };
  }

  get medianLatencyMs(): number | null {
    return this.#latency.percentiles().p50;
  }

  snapshot(): BackendStats {
    return {
      requests: this.requests,
      successes: this.successes,
      failures: this.failures,
      aborted: this.aborted,
      latencyMs: this.#latency.percentiles(),
      firstChunkMs: this.#first.percentiles(),
      lastError: this.#lastError,
    };
  }
}
