import type {
  AdapterCapabilities,
  AdapterMetadata,
  BackendAdapter,
  IREmbedRequest,
  IREmbedResponse,
  ListModelsResult,
  ModelInfo,
} from './adapter.ts';
import { RouterError } from './errors.ts';
import type { IRChatRequest, IRChatResponse, IRChatStream } from './ir.ts';
import { asked } from './routing/asked.ts';
import { BackendEntry, type RegisterOptions } from './routing/backend-entry.ts';
import type { BreakerState } from './routing/breaker.ts';
import { misfit, needsOf } from './routing/fit.ts';
import { defaultRetryPolicy, type RetryPolicy } from './routing/retry-policy.ts';
import { routedStream, type Totals } from './routing/routed-stream.ts';
import { fallbackStrategies, type RouterConfig } from './routing/router-config.ts';
import type { BackendStats, RouterStats } from './routing/statistics.ts';
import { type Candidate, type Choosing, named, type RoutingContext, strategies } from './routing/strategies.ts';
import type { Plan } from './routing/trip.ts';
import { collect } from './wire/collect.ts';
import { pause } from './wire/pause.ts';

/** What is known of one registered backend now. */
export interface BackendInfo {
  name: string;
  metadata: AdapterMetadata;
  breaker: BreakerState;
  /** The answer of the last health check; null before the first. */
  healthy: boolean | null;
  stats: BackendStats;
}

/** Throws RouterError naming the known ones. */
function known(field: string, name: string, names: readonly string[]): void {
  if (!names.includes(name))
    throw new RouterError({ message: `There is no ${field} ${name}; there are ${names.join(', ')}.` });
}

/**
 * A backend over other backends: it chooses one, asks again what failed, and moves on to the next. Nothing else
 * retries. What it does shows as `retry` chunks, in `getStats()` and in `getBackendInfo()`.
 *
 * Before the first piece of an answer a failed request goes to the next member of the fallback chain, and round again
 * with growing pauses while attempts are left. An answer that broke off is asked for once more from its start, by the
 * same backend, behind a `retry` chunk with `discard`. What a model refuses and can be left out (thinking, a
 * temperature) is asked for once and then left out, with a warning. A request that a local backend had leaves for one that is not
 * local only where `mayLeave` agrees. The error at the end is the backend's own, or a RouterError (`ROUTING_FAILED`)
 * that names every backend when several were tried.
 */
export class Router implements BackendAdapter<IRChatRequest, IRChatResponse> {
  readonly config: RouterConfig;
  readonly policy: RetryPolicy;
  readonly totals: Totals = { requests: 0, successes: 0, failures: 0, aborted: 0, retries: 0, fallbacks: 0 };
  readonly #entries = new Map<string, BackendEntry>();
  #fallbackChain: readonly string[] = [];
  #turns = 0;

  constructor(config: Partial<RouterConfig> = {}) {
    this.config = {
      routingStrategy: 'explicit',
      fallbackStrategy: 'none',
      modelMapping: {},
      modelAliases: {},
      retry: {},
      breaker: {},
      now: Date.now,
      random: Math.random,
      pause,
      ...config,
    };
    this.policy = { ...defaultRetryPolicy, ...this.config.retry };
    known('routingStrategy', this.config.routingStrategy, Object.keys(strategies));
    known('fallbackStrategy', this.config.fallbackStrategy, fallbackStrategies);
  }

  get metadata(): AdapterMetadata {
    const all = [...this.#entries.values()].map((entry) => entry.adapter.metadata);
    const some = (ability: 'streaming' | 'multiModal' | 'tools' | 'reasoning' | 'supportsMultipleSystemMessages') =>
      all.some((metadata) => metadata.capabilities[ability]);
    const most = (limit: 'contextTokens' | 'outputTokens') =>
      all.reduce<number | null>((best, { capabilities }) => {
        const value = capabilities[limit];
        return value === null ? best : Math.max(best ?? 0, value);
      }, null);
    const capabilities: AdapterCapabilities = {
      streaming: some('streaming'),
      multiModal: some('multiModal'),
      tools: some('tools'),
      reasoning: some('reasoning'),
      systemMessageStrategy: 'in-messages',
      supportsMultipleSystemMessages: true,
      contextTokens: most('contextTokens'),
      outputTokens: most('outputTokens'),
    };
    return {
      name: 'router',
      version: '1',
      provider: 'router',
      capabilities,
      local: all.length > 0 && all.every((metadata) => metadata.local === true),
    };
  }

  /** Adds a backend under a name; the same name again replaces it. */
  register(name: string, adapter: BackendAdapter, options: RegisterOptions = {}): this {
    this.#entries.set(name, new BackendEntry(name, adapter, options, this.config.breaker, this.config.now));
    return this;
  }

  /** The backends that are tried, in this order, when the chosen one fails (`fallbackStrategy`). */
  setFallbackChain(names: readonly string[]): this {
    for (const name of names) this.#known(name);
    this.#fallbackChain = [...names];
    return this;
  }

  /** Name of the backend that the request would go to. RouterError `NO_BACKEND` when there is none. */
  async selectBackend(request: IRChatRequest): Promise<string> {
    return (await this.plan(request)).order[0]!;
  }

  /** The request goes on as it is: conversion is the chosen backend's. */
  fromIR(request: IRChatRequest): IRChatRequest {
    return request;
  }

  toIR(response: IRChatResponse): IRChatResponse {
    return response;
  }

  execute(request: IRChatRequest, signal?: AbortSignal): Promise<IRChatResponse> {
    return collect(this.executeStream(request, signal));
  }

  executeStream(request: IRChatRequest, signal?: AbortSignal): IRChatStream {
    return routedStream(this, request, signal);
  }

  /** Asks every backend that can say so whether it is well; true when one is. */
  async healthCheck(signal?: AbortSignal): Promise<boolean> {
    const answers = [...this.#entries.values()].map(async (entry) => {
      if (!entry.adapter.healthCheck) return false;
      entry.healthy = await entry.adapter.healthCheck(signal).catch(() => false);
      return entry.healthy;
    });
    return (await Promise.all(answers)).includes(true);
  }

  async estimateCost(request: IRChatRequest): Promise<number | null> {
    const entry = this.#known(await this.selectBackend(request));
    return (await entry.adapter.estimateCost?.(this.shape(request, entry, true))) ?? null;
  }

  /** The models of all backends; one that cannot be asked adds none. */
  async listModels(signal?: AbortSignal): Promise<ListModelsResult> {
    const lists = [...this.#entries.values()].map(
      (entry) => entry.adapter.listModels?.(signal).catch(() => ({ models: [] })) ?? { models: [] },
    );
    const models: ModelInfo[] = [];
    for (const list of await Promise.all(lists)) models.push(...list.models);
    return { models };
  }

  /** Goes to the backend that serves the model, else to the default one; it must be able to embed. */
  async embed(request: IREmbedRequest, signal?: AbortSignal): Promise<IREmbedResponse> {
    const able = [...this.#entries.values()].filter((entry) => entry.adapter.embed);
    const entry =
      able.find((candidate) => this.#serves(candidate, request.model)) ??
      able.find((candidate) => candidate.name === this.config.defaultBackend) ??
      able[0];
    if (!entry) throw new RouterError({ message: 'No backend can embed text.', code: 'NO_BACKEND' });
    return entry.adapter.embed!(request, signal);
  }

  getStats(): RouterStats {
    const backends = Object.fromEntries([...this.#entries].map(([name, entry]) => [name, entry.statistics.snapshot()]));
    return { ...this.totals, backends };
  }

  getBackendInfo(): readonly BackendInfo[] {
    return [...this.#entries.values()].map(({ name, adapter, breaker, healthy, statistics }) => ({
      name,
      metadata: adapter.metadata,
      breaker: breaker.state,
      healthy,
      stats: statistics.snapshot(),
    }));
  }

  /** The registered backend, for the parts of the router. */
  entry(name: string): BackendEntry | undefined {
    return this.#entries.get(name);
  }

  /** The request as a backend gets it: real name of a model that it knows, and nothing that this model refused. */
  shape(request: IRChatRequest, entry: BackendEntry, chosen: boolean): IRChatRequest {
    const asked = request.parameters?.model;
    let model = asked === undefined ? undefined : this.#realName(asked);
    const { defaultModel } = entry.options;
    // The chosen backend is asked for what the caller named; one further down the chain for what it has.
    if (defaultModel !== undefined && (model === undefined || (!chosen && !this.#serves(entry, model))))
      model = defaultModel;
    const shaped = model === asked ? request : { ...request, parameters: { ...request.parameters, model } };
    return entry.refused.leaveOut(shaped);
  }

  /** Chooses the first backend and the order of those after it. */
  async plan(request: IRChatRequest): Promise<Plan> {
    const entries = [...this.#entries.values()];
    if (entries.length === 0) throw new RouterError({ message: 'No backend is registered.', code: 'NO_BACKEND' });
    const needs = needsOf(request);
    const { estimateTokens } = this.config;
    if (estimateTokens) needs.tokens = await asked('estimateTokens', undefined, () => estimateTokens(request));
    const chosen = await this.#choose(request, entries, needs);
    const chain = this.config.fallbackStrategy === 'none' ? [] : this.#fallbackChain;
    return { request, needs, order: [chosen, ...chain.filter((name) => name !== chosen)] };
  }

  async #choose(request: IRChatRequest, entries: readonly BackendEntry[], needs: Plan['needs']): Promise<string> {
    const { config } = this;
    const fitting = entries.filter((entry) => {
      const shaped = this.shape(request, entry, false);
      return !misfit(needs, entry.name, entry.capabilities(shaped), entry.window(shaped), true);
    });
    const healthy = fitting.filter((entry) => entry.breaker.ready);
    const from = healthy.length > 0 ? healthy : fitting.length > 0 ? fitting : entries;
    return strategies[config.routingStrategy]({
      request,
      candidates: from.map((entry) => this.#candidate(request, entry)),
      names: entries.map((entry) => entry.name),
      ...this.#stranded(request, needs),
      // A local backend that is unwell or too small is still the first: leaving it is a move, and moves are agreed on.
      locals: entries.filter((entry) => entry.local).map((entry) => entry.name),
      defaultBackend: config.defaultBackend,
      modelMapping: config.modelMapping,
      customRouter: config.customRouter,
      context: () => this.#context(),
      random: config.random,
      turn: () => this.#turns++,
    });
  }

  /**
   * Whether the default backend cannot call the tools of the request, and who of the fallback chain (of all, where
   * there is no fallback) is chosen in its place. Never one that is not local for one that is: that would be a move.
   */
  #stranded(request: IRChatRequest, needs: Plan['needs']): Pick<Choosing, 'instead'> {
    if (!needs.tools) return {};
    const { defaultBackend, fallbackStrategy } = this.config;
    const all = [...this.#entries.keys()];
    const main = this.#entries.get(defaultBackend ?? all[0]!);
    if (!main || main.capabilities(this.shape(request, main, true)).tools) return {};
    const instead = (fallbackStrategy === 'none' ? all : this.#fallbackChain).find((name) => {
      const entry = this.#entries.get(name)!;
      if (entry === main || (main.local && !entry.local) || !entry.breaker.ready) return false;
      const shaped = this.shape(request, entry, false);
      return !misfit(needs, name, entry.capabilities(shaped), entry.window(shaped), true);
    });
    return { instead };
  }

  #candidate(request: IRChatRequest, entry: BackendEntry): Candidate {
    return {
      name: entry.name,
      adapter: entry.adapter,
      local: entry.local,
      request: this.shape(request, entry, false),
      latencyMs: entry.statistics.medianLatencyMs,
      serves: (model) => this.#serves(entry, this.#realName(model)),
    };
  }

  #context(): RoutingContext {
    return {
      backends: Object.fromEntries(this.getBackendInfo().map((info) => [info.name, info])),
      defaultBackend: this.config.defaultBackend,
      modelMapping: this.config.modelMapping,
    };
  }

  #serves(entry: BackendEntry, model: string): boolean {
    return entry.options.serves?.(model) ?? named(this.config.modelMapping, model) === entry.name;
  }

  #realName(model: string): string {
    return named(this.config.modelAliases, model) ?? model;
  }

  #known(name: string): BackendEntry {
    const entry = this.#entries.get(name);
    if (entry) return entry;
    throw new RouterError({ message: `No backend is called ${name}.`, code: 'NO_BACKEND' });
  }
}
