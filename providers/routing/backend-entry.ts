import type { AdapterCapabilities, BackendAdapter } from '../adapter.ts';
import type { IRChatRequest } from '../ir.ts';
import { type BreakerOptions, CircuitBreaker } from './breaker.ts';
import { RefusedParameters } from './refused-parameters.ts';
import { Statistics } from './statistics.ts';

/** What the router is told of a backend beyond the adapter itself. */
export interface RegisterOptions {
  /** Model that is asked for when the request names none, or names one that this backend does not serve. */
  defaultModel?: string;
  /** True for models that this backend can serve; without it, what the model mapping says. */
  serves?(model: string): boolean;
  /** What is known of one model where it differs from the adapter's own capabilities. */
  capabilitiesOf?(model: string): Partial<AdapterCapabilities> | undefined;
}

/** A registered backend with its health and figures. */
export class BackendEntry {
  readonly name: string;
  readonly adapter: BackendAdapter;
  readonly options: RegisterOptions;
  readonly breaker: CircuitBreaker;
  readonly statistics = new Statistics();
  readonly refused = new RefusedParameters();
  /** The answer of the last health check; null before the first. */
  healthy: boolean | null = null;

  constructor(
    name: string,
    adapter: BackendAdapter,
    options: RegisterOptions,
    breaker: Partial<BreakerOptions> | undefined,
    now: () => number,
  ) {
    this.name = name;
    this.adapter = adapter;
    this.options = options;
    this.breaker = new CircuitBreaker(breaker, now);
  }

  get local(): boolean {
    return this.adapter.metadata.local === true;
  }

  /** Abilities of the model that the request asks for. */
  capabilities(request: IRChatRequest): AdapterCapabilities {
    const general = this.adapter.metadata.capabilities;
    const model = request.parameters?.model;
    const special = model === undefined ? undefined : this.options.capabilitiesOf?.(model);
    return special ? { ...general, ...special } : general;
  }

  /** Tokens that the request may have: the model's window, and for a local server the one it is asked to serve with. */
  window(request: IRChatRequest): number | null {
    const model = this.capabilities(request).contextTokens;
    const asked = this.local ? (request.parameters?.contextTokens ?? null) : null;
    return model === null || asked === null ? (model ?? asked) : Math.min(model, asked);
  }
}
