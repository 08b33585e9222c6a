/** The way of one request through the backends: who is asked, who is asked next, and when it is over. */
import { type AdapterError, ProviderError, RouterError } from '../errors.ts';
import type { IRChatRequest, IRChatStream, IRWarning } from '../ir.ts';
import { asked } from './asked.ts';
import type { BackendEntry } from './backend-entry.ts';
import { misfit, type Needs } from './fit.ts';
import { type Race, race } from './race.ts';
import {
  abortedError,
  countsAgainstHealth,
  isLoading,
  judgeFailure,
  type RetryPolicy,
  retryDelay,
  toAdapterError,
} from './retry-policy.ts';
import type { RouterConfig } from './router-config.ts';

/** What a trip needs of its router. */
export interface TripHost {
  readonly config: RouterConfig;
  readonly policy: RetryPolicy;
  entry(name: string): BackendEntry | undefined;
  /** The request as this backend gets it. */
  shape(request: IRChatRequest, entry: BackendEntry, chosen: boolean): IRChatRequest;
}

export interface Plan {
  request: IRChatRequest;
  needs: Needs;
  /** The chosen backend, then the fallback chain. */
  order: readonly string[];
}

/** The next thing to do: ask `names` (several race) after `delayMs`. */
export interface Step {
  names: readonly string[];
  delayMs: number;
  /** True when the request goes to another backend than the one that failed. */
  move: boolean;
  /** It was asked together with the one that failed, and has begun. */
  running?: Sent;
}

/** A request that is under way. */
export interface Sent {
  entry: BackendEntry;
  request: IRChatRequest;
  stream: IRChatStream;
  at: number;
}

interface Failed {
  backend: string;
  error: AdapterError;
  sent: boolean;
}

/** A message in the middle of a longer one. */
export const withoutStop = (message: string): string => message.replace(/(?<!\.)\.\s*$/, '');

export class Trip {
  /** Requests that were sent. */
  attempts = 0;
  readonly #host: TripHost;
  readonly #plan: Plan;
  readonly #signal: AbortSignal | undefined;
  readonly #began: number;
  readonly #failed: Failed[] = [];
  /** The chosen backend, then the fallback chain; grows by what is found when the first request failed. */
  readonly #order: string[];
  #isExtended = false;
  /** Backends that this request does not go to any more. */
  readonly #out = new Set<string>();
  /** Backends that refused a parameter which the next request to them does not have. */
  readonly #relented = new Set<string>();
  readonly #consent = new Map<string, boolean>();
  /** Why a backend that was not asked could not have been, one line each. */
  readonly #unfit: string[] = [];
  #free = 0;
  /** Backends that were asked at once, until one of them has ended its answer. */
  #race: Race | undefined;
  readonly #racing = new Map<string, { entry: BackendEntry; request: IRChatRequest; at: number }>();
  /** What a function of the configuration did wrong. */
  #complaint: string | undefined;

  constructor(host: TripHost, plan: Plan, signal: AbortSignal | undefined) {
    this.#host = host;
    this.#plan = plan;
    this.#order = [...plan.order];
    this.#signal = signal;
    this.#began = host.config.now();
  }

  get first(): Step {
    return { names: [this.#order[0]!], delayMs: 0, move: false };
  }

  /** Sends the request, or says why it was not sent or did not begin. */
  async send(step: Step): Promise<Sent | AdapterError> {
    if (this.#signal?.aborted) return abortedError(step.names[0]);
    if (step.running) return step.running;
    if (step.names.length > 1) return this.#sendAll(step.names);
    const name = step.names[0]!;
    const ready = this.#prepare(name);
    if (!('entry' in ready)) {
      this.#note(name, ready, false);
      return ready;
    }
    const { entry, request } = ready;
    this.attempts++;
    entry.statistics.requests++;
    return { entry, request, at: this.#host.config.now(), stream: entry.adapter.executeStream(request, this.#signal) };
  }

  /** Several at once; the failures of those that lost are noted as they come. */
  async #sendAll(names: readonly string[]): Promise<Sent | AdapterError> {
    const at = this.#host.config.now();
    for (const name of names) {
      const one = this.#prepare(name);
      if ('entry' in one) this.#racing.set(name, { ...one, at });
      else this.#note(name, one, false);
    }
    const runners = [...this.#racing].map(([name, { entry, request }]) => ({
      name,
      start: (signal: AbortSignal) => {
        this.attempts++;
        entry.statistics.requests++;
        return entry.adapter.executeStream(request, signal);
      },
    }));
    const lost = (name: string, error: AdapterError) => {
      const one = this.#racing.get(name)!;
      this.#racing.delete(name);
      this.fail(one, error);
    };
    this.#race = race(runners, lost, this.#signal);
    const winner = await this.#nextOfRace();
    if (winner) return winner;
    if (this.#signal?.aborted) return abortedError(names[0]);
    return this.#failed.at(-1)!.error;
  }

  /** The next of those that were asked at once whose answer has begun or ended. */
  async #nextOfRace(): Promise<Sent | undefined> {
    const next = await this.#race?.next();
    if (!next) {
      this.close();
      return undefined;
    }
    const sent = { ...this.#racing.get(next.name)!, stream: next.stream };
    this.#racing.delete(next.name);
    return sent;
  }

  /** Ends what is still under way besides the answer. */
  close(): void {
    this.#race?.stop();
    this.#race = undefined;
    for (const { entry } of this.#racing.values()) {
      entry.statistics.aborted++;
      entry.breaker.release();
    }
    this.#racing.clear();
  }

  /** Checks fit and health of a backend right before it is asked. */
  #prepare(name: string): { entry: BackendEntry; request: IRChatRequest } | AdapterError {
    const chosen = name === this.#order[0];
    const entry = this.#host.entry(name)!;
    const request = this.#host.shape(this.#plan.request, entry, chosen);
    const wrong = misfit(this.#plan.needs, name, entry.capabilities(request), entry.window(request), !chosen);
    if (wrong) return wrong;
    // A person's own server has no crowd to be spared: it is asked whenever they ask.
    const alone = entry.local || !this.#order.some((other) => other !== name && !this.#out.has(other));
    if (entry.breaker.enter(alone)) return { entry, request };
    const last = entry.statistics.snapshot().lastError?.message;
    const { waitMs } = entry.breaker;
    const rests =
      waitMs > 0 ? `rests for ${Math.ceil(waitMs / 1000)} s` : 'is being tried again by another request just now';
    return new ProviderError({
      message: `${name} failed repeatedly and ${rests}${last ? ` (last: ${last})` : ''}`,
      code: 'PROVIDER_UNAVAILABLE',
      isRetryable: true,
      ...(waitMs > 0 && { retryAfterMs: waitMs }),
      provenance: { backend: name },
    });
  }

  /** The warning that tools were offered to a backend that cannot call them. */
  toolless({ entry, request }: Sent): IRWarning | undefined {
    if (!this.#plan.needs.tools || entry.capabilities(request).tools) return undefined;
    return { kind: 'dropped', field: 'tools', message: `${request.parameters?.model ?? entry.name} cannot call tools` };
  }

  /** What the request lacks since its model refuses it. */
  leftOut({ entry, request }: Sent): IRWarning[] {
    return entry.refused.warnings(this.#plan.request, request);
  }

  /** Takes note of how a sent request failed. */
  fail({ entry, request }: Pick<Sent, 'entry' | 'request'>, error: AdapterError): void {
    if (error.code === 'ABORTED') {
      entry.statistics.aborted++;
      entry.breaker.release();
      return;
    }
    entry.statistics.failure(error, this.#host.config.now());
    if (countsAgainstHealth(error, entry.local)) entry.breaker.fail();
    else entry.breaker.release();
    // A model that is still being read into memory costs patience, not attempts.
    if (entry.local && isLoading(error) && this.#host.config.now() - this.#began < this.#host.policy.loadingMs)
      this.#free++;
    if (entry.refused.learn(request, error)) {
      this.#failed.push({ backend: entry.name, error, sent: true });
      this.#relented.add(entry.name);
    } else this.#note(entry.name, error, true);
    // Who was silent for all that time is not waited for a second time.
    if (entry.local && error.code === 'TIMEOUT') this.#out.add(entry.name);
  }

  #note(name: string, error: AdapterError, sent: boolean): void {
    this.#failed.push({ backend: name, error, sent });
    if (!sent || judgeFailure(error, this.#host.policy) !== 'retry') this.#out.add(name);
  }

  /**
   * Who is asked after `error`; undefined when it is over. `emitted`: part of the answer was seen, so that only the
   * same backend may be asked, for the whole of it again. Where that is a server of one's own that cannot, or broke off
   * a second time, the whole answer is another's.
   */
  async next(name: string, error: AdapterError, emitted: boolean): Promise<Step | undefined> {
    const { config, policy } = this.#host;
    if (this.#signal?.aborted || error.code === 'ABORTED') return undefined;
    // It was paid for when it was asked.
    const running = await this.#nextOfRace();
    if (running) return { names: [running.entry.name], delayMs: 0, move: true, running };
    const left = policy.maxAttempts - this.attempts + this.#free;
    if (left <= 0) return undefined;
    const again = (who: string): Step => ({ names: [who], delayMs: this.#delay(who), move: who !== name });
    const isDead = this.#host.entry(name)!.local && config.fallbackStrategy === 'sequential';
    const isOut = this.#out.has(name);
    if (emitted && !(isDead && (isOut || this.#failuresOf(name) > 1)))
      return judgeFailure(error, policy) === 'retry' && !isOut ? again(name) : undefined;

    if (this.#relented.delete(name)) return { names: [name], delayMs: 0, move: false };
    const unsent = this.#failed.at(-1)?.sent === false;
    if (!unsent && judgeFailure(error, policy) === 'stop') return undefined;
    if (config.fallbackStrategy === 'custom') {
      const tried = [...new Set(this.#failed.map((failed) => failed.backend))];
      const next = await asked('customFallback', name, () =>
        config.customFallback?.(this.#plan.request, name, error, tried),
      );
      if (next == null) return undefined;
      if (!this.#host.entry(next)) {
        this.#complaint = `customFallback named ${next}, and no backend is called that`;
        return undefined;
      }
      if (!(await this.#allowed(next))) return undefined;
      return next === name ? again(next) : { names: [next], delayMs: 0, move: true };
    }

    await this.#extend(name);
    const order = this.#order;
    const later: string[] = [];
    for (const candidate of order.slice(order.indexOf(name) + 1)) {
      if (this.#out.has(candidate) || later.length === left) continue;
      if (this.#isHasty(name, candidate, error)) return again(name);
      if (!(await this.#allowed(candidate))) continue;
      later.push(candidate);
      if (config.fallbackStrategy !== 'parallel') break;
    }
    if (later.length > 0) return { names: later, delayMs: 0, move: true };
    // The end of the chain: those that may still recover are asked again, with a pause.
    for (const candidate of order) {
      if (!this.#out.has(candidate) && (await this.#allowed(candidate))) return again(candidate);
    }
    return undefined;
  }

  /** Whether a request would leave this machine although the local backend may still answer: it is asked again first. */
  #isHasty(name: string, candidate: string, error: AdapterError): boolean {
    const entry = this.#host.entry(name)!;
    if (!entry.local || this.#host.entry(candidate)!.local || this.#out.has(name)) return false;
    const { config, policy } = this.#host;
    if (isLoading(error)) return config.now() - this.#began < policy.loadingMs;
    return this.#failuresOf(name) === 1;
  }

  #failuresOf(name: string): number {
    return this.#failed.filter(({ backend }) => backend === name).length;
  }

  async #extend(failed: string): Promise<void> {
    const { moreBackends } = this.#host.config;
    if (this.#isExtended || !moreBackends) return;
    this.#isExtended = true;
    for (const name of await asked('moreBackends', failed, () => moreBackends(failed)))
      if (this.#host.entry(name) && !this.#order.includes(name)) this.#order.push(name);
  }

  #delay(name: string): number {
    const failures = this.#failed.filter((failed) => failed.backend === name);
    const last = failures.at(-1)?.error ?? this.#failed.at(-1)!.error;
    return retryDelay(Math.max(1, failures.length), last, this.#host.policy, this.#host.config.random);
  }

  /** Whether the request may go to `name`: a local one always, another only if none was local or `mayLeave` agrees. */
  async #allowed(name: string): Promise<boolean> {
    const entry = this.#host.entry(name)!;
    if (entry.local) return true;
    const left = this.#failed.findLast((failed) => this.#host.entry(failed.backend)?.local);
    if (left === undefined) return true;
    let allowed = this.#consent.get(name);
    if (allowed === undefined) {
      const { mayLeave } = this.#host.config;
      const request = this.#host.shape(this.#plan.request, entry, false);
      // Nobody is asked about a move that could not be made.
      const wrong = misfit(this.#plan.needs, name, entry.capabilities(request), entry.window(request), true);
      if (wrong) this.#unfit.push(withoutStop(wrong.message));
      allowed =
        !wrong &&
        mayLeave !== undefined &&
        (await asked('mayLeave', left.backend, () =>
          this.#unlessAborted(mayLeave(left.backend, name, request, left.error)),
        ));
      this.#consent.set(name, allowed);
    }
    return allowed;
  }

  /** Somebody may be thinking about the answer when the request is aborted. */
  #unlessAborted(answer: boolean | Promise<boolean>): boolean | Promise<boolean> {
    const signal = this.#signal;
    if (typeof answer === 'boolean' || !signal) return answer;
    return new Promise((resolve, reject) => {
      const no = () => resolve(false);
      signal.addEventListener('abort', no, { once: true });
      answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', no));
    });
  }

  /** The error that ends the request: the backend's own, or, when several were tried, one that names them all. */
  verdict(error: AdapterError): AdapterError {
    if (this.#signal?.aborted && error.code !== 'ABORTED') return abortedError(error.provenance.backend);
    const tried = new Set(this.#failed.map((failed) => failed.backend));
    if (error.code === 'ABORTED') return error;
    if (this.#unfit.length > 0) error.notAsked = this.#unfit;
    if (tried.size < 2 && !this.#complaint) return error;
    const each = [...tried].map((name) => `${name}: ${withoutStop(this.#lastOf(name).message)}`);
    each.push(...this.#unfit);
    if (this.#complaint) each.push(this.#complaint);
    return new RouterError({
      message: `No backend could answer. ${each.join('; ')}`,
      cause: error,
      details: {
        attempts: this.#failed.map(({ backend, error: { code, message }, sent }) => ({ backend, code, message, sent })),
      },
    });
  }

  #lastOf(name: string): AdapterError {
    return this.#failed.findLast((failed) => failed.backend === name)!.error;
  }

  /** The caller left while `sent` was under way. */
  abandon(sent: Sent): void {
    sent.entry.statistics.aborted++;
    sent.entry.breaker.release();
  }

  /** The answer of `sent` has begun: the backend is alive. */
  began(sent: Sent): void {
    sent.entry.statistics.firstChunk(this.#host.config.now() - sent.at);
    sent.entry.breaker.succeed();
  }

  succeed(sent: Sent): void {
    sent.entry.statistics.success(this.#host.config.now() - sent.at);
  }

  /** Whatever was thrown, typed. */
  typed(error: unknown, name: string): AdapterError {
    return this.#signal?.aborted ? abortedError(name) : toAdapterError(error, name);
  }
}
