/** OpenAI Chat Completions and the many servers that speak it, through an own thin client. */
import type { AdapterCapabilities, AdapterMetadata, BackendAdapter, ListModelsResult, ModelInfo } from '../adapter.ts';
import { ValidationError } from '../errors.ts';
import type { IRChatRequest, IRChatResponse, IRChatStream } from '../ir.ts';
import { createTransport, type Transport } from '../transport.ts';
import { collect } from '../wire/collect.ts';
import { type CapabilitiesOf, factsFor } from '../wire/facts.ts';
import { getJson } from '../wire/get-json.ts';
import { streamWire } from '../wire/stream.ts';
import { toolNames } from '../wire/tool-names.ts';
import { responseOf } from '../wire/whole.ts';
import { type OpenAIChatBody, type OpenAIChatQuirks, toOpenAIChat } from './openai-chat/request.ts';
import { OpenAIChatDecoder } from './openai-chat/stream.ts';

export type { OpenAIChatBody, OpenAIChatQuirks } from './openai-chat/request.ts';

export interface OpenAIChatOptions {
  /** For example `https://api.openai.com/v1`; the endpoint is `<baseUrl>/chat/completions`. */
  baseUrl?: string;
  /** Sent as bearer token. */
  apiKey?: string;
  /** Id of the vendor, also the backend's name. */
  provider?: string;
  name?: string;
  headers?: Readonly<Record<string, string>>;
  quirks?: OpenAIChatQuirks;
  /** Model of a request that names none. */
  model?: string;
  /** True for a server on this machine. */
  local?: boolean;
  capabilities?: Partial<AdapterCapabilities>;
  capabilitiesOf?: CapabilitiesOf;
  transport?: Transport;
}

/** A base URL as users write it: `/v1` is added where there is no path, a trailing slash or endpoint removed. */
export function openAIBaseUrl(value: string): string {
  const text = value
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/chat\/completions$/, '');
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url)) throw new ValidationError({ message: `“${value}” is not a URL.` });
  return new URL(url).pathname === '/' ? `${url}/v1` : url;
}

/** Speaks OpenAI Chat Completions to one server. */
export class OpenAIChatBackendAdapter implements BackendAdapter<OpenAIChatBody, Record<string, any>> {
  readonly metadata: AdapterMetadata;
  readonly #options: OpenAIChatOptions;
  readonly #baseUrl: string;
  readonly #transport: Transport;

  constructor(options: OpenAIChatOptions = {}) {
    this.#options = options;
    this.#baseUrl = openAIBaseUrl(options.baseUrl ?? 'https://api.openai.com/v1');
    this.#transport = options.transport ?? createTransport();
    const provider = options.provider ?? 'openai';
    this.metadata = {
      name: options.name ?? provider,
      version: '1',
      provider,
      local: options.local ?? false,
      capabilities: {
        streaming: true,
        multiModal: true,
        tools: true,
        reasoning: true,
        systemMessageStrategy: 'in-messages',
        supportsMultipleSystemMessages: true,
        contextTokens: null,
        outputTokens: null,
        ...options.capabilities,
      },
    };
  }

  fromIR(request: IRChatRequest): OpenAIChatBody {
    return this.#map(request).body;
  }

  toIR(response: Record<string, any>, originalRequest: IRChatRequest, latencyMs: number): IRChatResponse {
    const model = this.#modelOf(originalRequest);
    const decoder = new OpenAIChatDecoder({ backend: this.metadata.name, model }, toolNames(originalRequest).given);
    return responseOf(decoder, response, originalRequest, this.metadata, model, latencyMs);
  }

  execute(request: IRChatRequest, signal?: AbortSignal): Promise<IRChatResponse> {
    return collect(this.executeStream(request, signal));
  }

  executeStream(request: IRChatRequest, signal?: AbortSignal): IRChatStream {
    const { name, local } = this.metadata;
    return streamWire({ backend: name, local: local ?? false, request, signal }, () => {
      const { body, warnings } = this.#map(request);
      const { model } = body;
      const url = `${this.#baseUrl}/chat/completions`;
      return {
        model,
        warnings,
        framing: 'sse',
        streamed: body.stream,
        decoder: new OpenAIChatDecoder({ backend: name, model, url }, toolNames(request).given),
        open: () =>
          this.#transport.send({
            url,
            headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...this.#headers() },
            body: JSON.stringify(body),
            signal,
          }),
      };
    });
  }

  async healthCheck(signal?: AbortSignal): Promise<boolean> {
    return this.listModels(signal).then(
      () => true,
      () => false,
    );
  }

  async listModels(signal?: AbortSignal): Promise<ListModelsResult> {
    const source = { backend: this.metadata.name, url: `${this.#baseUrl}/models` };
    const answer = await getJson(this.#transport, source, { headers: this.#headers(), signal });
    const rows: Record<string, any>[] = Array.isArray(answer) ? answer : (answer.data ?? answer.models ?? []);
    return { models: rows.filter((row) => typeof row.id === 'string').map((row) => this.#modelInfo(row)) };
  }

  #modelInfo(row: Record<string, any>): ModelInfo {
    const inputs: unknown = row.architecture?.input_modalities;
    const abilities: unknown = row.supported_parameters;
    const price = row.pricing && {
      input: Number(row.pricing.prompt) * 1e6,
      output: Number(row.pricing.completion) * 1e6,
    };
    return {
      id: row.id,
      provider: this.metadata.provider,
      local: this.metadata.local ?? false,
      contextTokens:
        row.context_length ??
        row.max_model_len ??
        row.context_window ??
        row.max_context_length ??
        row.meta?.n_ctx ??
        null,
      outputTokens: row.top_provider?.max_completion_tokens ?? row.max_completion_tokens ?? null,
      tools: Array.isArray(abilities) ? abilities.includes('tools') : null,
      vision: Array.isArray(inputs) ? inputs.includes('image') : null,
      reasoning: Array.isArray(abilities) ? abilities.includes('reasoning') : null,
      size: row.meta?.size ?? null,
      price: price && Number.isFinite(price.input) && Number.isFinite(price.output) ? price : null,
    };
  }

  #headers(): Record<string, string> {
    const { apiKey, headers } = this.#options;
    return { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers };
  }

  #modelOf(request: IRChatRequest): string {
    const model = request.parameters?.model ?? this.#options.model;
    if (!model) throw new ValidationError({ message: `${this.metadata.name}: the request names no model.` });
    return model;
  }

  #map(request: IRChatRequest) {
    const model = this.#modelOf(request);
    const facts = factsFor(model, this.metadata.capabilities, this.#options.capabilitiesOf);
    return toOpenAIChat(request, model, facts, this.#options.quirks ?? {});
  }
}
