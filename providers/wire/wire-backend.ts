import type { AdapterCapabilities, AdapterMetadata, BackendAdapter, ListModelsResult } from '../adapter.ts';
import { ValidationError } from '../errors.ts';
import type { IRChatRequest, IRChatResponse, IRChatStream, IRWarning } from '../ir.ts';
import type { Transport } from '../transport.ts';
import { collect } from './collect.ts';
import { type CapabilitiesOf, factsFor } from './facts.ts';
import type { ErrorSource } from './http-error.ts';
import { type StreamDecoder, streamWire, type WireRequest } from './stream.ts';
import { responseOf } from './whole.ts';

/** What every backend that speaks over HTTP can be told. */
export interface WireOptions {
  name?: string;
  headers?: Readonly<Record<string, string>>;
  /** True for a server on this machine. */
  local?: boolean;
  /** Model of a request that names none. */
  model?: string;
  capabilities?: Partial<AdapterCapabilities>;
  capabilitiesOf?: CapabilitiesOf;
  transport?: Transport;
}

/** A request as the format has it. */
export interface Mapped<Body> {
  body: Body;
  warnings: readonly IRWarning[];
}

/** What the backends of all wire formats have in common: their mappings and where they send make the difference. */
export abstract class WireBackend<Body extends Record<string, any>>
  implements BackendAdapter<Body, Record<string, any>>
{
  readonly metadata: AdapterMetadata;
  readonly #model: string | undefined;
  readonly #capabilitiesOf: CapabilitiesOf | undefined;

  /** `own`: where the format differs from a hosted one that can do everything; `options` win. */
  constructor(provider: string, options: WireOptions, own: Partial<AdapterCapabilities> & { local?: boolean } = {}) {
    const { local = false, ...abilities } = own;
    this.#model = options.model;
    this.#capabilitiesOf = options.capabilitiesOf;
    this.metadata = {
      name: options.name ?? provider,
      version: '1',
      provider,
      local: options.local ?? local,
      capabilities: {
        streaming: true,
        multiModal: true,
        tools: true,
        reasoning: true,
        systemMessageStrategy: 'in-messages',
        supportsMultipleSystemMessages: true,
        contextTokens: null,
        outputTokens: null,
        ...abilities,
        ...options.capabilities,
      },
    };
  }

  protected abstract map(request: IRChatRequest, model: string, facts: AdapterCapabilities): Mapped<Body>;
  protected abstract decoder(source: ErrorSource & { model: string }, request: IRChatRequest): StreamDecoder;
  protected abstract wire(
    body: Body,
    signal: AbortSignal | undefined,
  ): Pick<WireRequest, 'framing' | 'streamed' | 'constrains' | 'open'> & { url: string };
  abstract listModels(signal?: AbortSignal): Promise<ListModelsResult>;

  fromIR(request: IRChatRequest): Body {
    return this.#mapped(request).body;
  }

  toIR(response: Record<string, any>, originalRequest: IRChatRequest, latencyMs: number): IRChatResponse {
    const model = this.#modelOf(originalRequest);
    const decoder = this.decoder({ backend: this.metadata.name, model }, originalRequest);
    return responseOf(decoder, response, originalRequest, this.metadata, model, latencyMs);
  }

  execute(request: IRChatRequest, signal?: AbortSignal): Promise<IRChatResponse> {
    return collect(this.executeStream(request, signal));
  }

  executeStream(request: IRChatRequest, signal?: AbortSignal): IRChatStream {
    const { name: backend, local = false } = this.metadata;
    return streamWire({ backend, local, request, signal }, () => {
      const { body, warnings } = this.#mapped(request);
      const { url, ...wire } = this.wire(body, signal);
      const model: string = body.model;
      return { model, warnings, decoder: this.decoder({ backend, model, url }, request), ...wire };
    });
  }

  async healthCheck(signal?: AbortSignal): Promise<boolean> {
    return this.listModels(signal).then(
      () => true,
      () => false,
    );
  }

  #modelOf(request: IRChatRequest): string {
    const model = request.parameters?.model ?? this.#model;
    if (!model) throw new ValidationError({ message: `${this.metadata.name}: the request names no model.` });
    return model;
  }

  #mapped(request: IRChatRequest): Mapped<Body> {
    const model = this.#modelOf(request);
    return this.map(request, model, factsFor(model, this.metadata.capabilities, this.#capabilitiesOf));
  }
}
