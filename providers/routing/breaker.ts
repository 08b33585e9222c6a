/** Times in ms. A breaker opens when, within the window, `minFailures` failed and they are `failureRate` of the results. */
export interface BreakerOptions {
  windowMs: number;
  minFailures: number;
  failureRate: number;
  /** How long an open breaker turns requests away before it lets one probe through. */
  openMs: number;
}

export const defaultBreaker: BreakerOptions = { windowMs: 60_000, minFailures: 5, failureRate: 0.5, openMs: 30_000 };

export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * Circuit breaker of one backend over a sliding window. It compares clock readings instead of keeping timers, so it
 * never holds a process open. While it is not closed at most one request, the probe, is under way.
 */
export class CircuitBreaker {
  readonly #options: BreakerOptions;
  readonly #now: () => number;
  /** Results within the window, oldest first. */
  #results: { at: number; ok: boolean }[] = [];
  #openedAt: number | undefined;
  #probing = false;

  constructor(options: Partial<BreakerOptions> = {}, now: () => number = Date.now) {
    this.#options = { ...defaultBreaker, ...options };
    this.#now = now;
  }

  get state(): BreakerState {
    if (this.#openedAt === undefined) return 'closed';
    return this.#now() - this.#openedAt >= this.#options.openMs ? 'half-open' : 'open';
  }

  /** True when a request would be let through now. */
  get ready(): boolean {
    return this.state === 'closed' || (this.state === 'half-open' && !this.#probing);
  }

  /** Ms until a probe is due; 0 when one is, or when the breaker is closed. */
  get waitMs(): number {
    if (this.#openedAt === undefined) return 0;
    return Math.max(0, this.#openedAt + this.#options.openMs - this.#now());
  }

  /**
   * Asks to send a request; every `true` is followed by one of succeed, fail, release. `early` lets the probe through
   * before it is due, for a backend that has no alternative.
   */
  enter(early = false): boolean {
    const state = this.state;
    if (state === 'closed') return true;
    if (this.#probing || (state === 'open' && !early)) return false;
    this.#probing = true;
    return true;
  }

  succeed(): void {
    this.#probing = false;
    if (this.#openedAt !== undefined) {
      this.#openedAt = undefined;
      this.#results = [];
    }
    this.#record(true);
  }

  fail(): void {
    const probed = this.#probing;
    this.#probing = false;
    const now = this.#record(false);
    if (probed) {
      this.#openedAt = now;
      return;
    }
    if (this.#openedAt !== undefined) return;
    const failures = this.#results.reduce((sum, result) => sum + (result.ok ? 0 : 1), 0);
    const { minFailures, failureRate } = this.#options;
    if (failures >= minFailures && failures / this.#results.length >= failureRate) this.#openedAt = now;
  }

  /** The request ended without saying anything about the backend's health. */
  release(): void {
    this.#probing = false;
  }

  #record(ok: boolean): number {
    const now = this.#now();
    const oldest = now - this.#options.windowMs;
    this.#results.push({ at: now, ok });
    let stale = 0;
    while (this.#results[stale]!.at < oldest) stale++;
    if (stale > 0) this.#results.splice(0, stale);
    return now;
  }
}
