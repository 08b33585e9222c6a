/** OpenAI Chat Completions and the many servers that speak it, through an own thin client. */
import type { AdapterCapabilities, ListModelsResult, ModelInfo } from '../adapter.ts';
import { ValidationError } from '../errors.ts';
import type { IRChatRequest } from '../ir.ts';
import { createTransport, type Transport } from '../transport.ts';
import { getJson } from '../wire/get-json.ts';
import type { ErrorSource } from '../wire/http-error.ts';
import { toolNames } from '../wire/tool-names.ts';
import { WireBackend, type WireOptions } from '../wire/wire-backend.ts';
import { type OpenAIChatBody, type OpenAIChatQuirks, toOpenAIChat } from './openai-chat/request.ts';
import { OpenAIChatDecoder } from './openai-chat/stream.ts';

export type { OpenAIChatBody, OpenAIChatQuirks } from './openai-chat/request.ts';

export interface OpenAIChatOptions extends WireOptions {
  /** For example `https://api.openai.com/v1`; the endpoint is `<baseUrl>/chat/completions`. */
  baseUrl?: string;
  /** Sent as bearer token. */
  apiKey?: string;
  /** Id of the vendor, also the backend's name. */
  provider?: string;
  quirks?: OpenAIChatQuirks;
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
export class OpenAIChatBackendAdapter extends WireBackend<OpenAIChatBody> {
  readonly #options: OpenAIChatOptions;
  readonly #baseUrl: string;
  readonly #transport: Transport;

  constructor(options: OpenAIChatOptions = {}) {
    super(options.provider ?? 'openai', options);
    this.#options = options;
    this.#baseUrl = openAIBaseUrl(options.baseUrl ?? 'https://api.openai.com/v1');
    this.#transport = options.transport ?? createTransport();
  }

  protected map(request: IRChatRequest, model: string, facts: AdapterCapabilities) {
    return toOpenAIChat(request, model, facts, this.#options.quirks ?? {});
  }

  protected decoder(source: ErrorSource & { model: string }, request: IRChatRequest): OpenAIChatDecoder {
    return new OpenAIChatDecoder(source, toolNames(request).given);
  }

  protected wire(body: OpenAIChatBody, signal: AbortSignal | undefined) {
    const url = `${this.#baseUrl}/chat/completions`;
    return {
      url,
      framing: 'sse' as const,
      streamed: body.stream,
      open: () =>
        this.#transport.send({
          url,
          headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...this.#headers() },
          body: JSON.stringify(body),
          signal,
        }),
    };
  }

  override async listModels(signal?: AbortSignal): Promise<ListModelsResult> {
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
}
