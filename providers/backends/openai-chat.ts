/** OpenAI Chat Completions and the many servers that speak it, through an own thin client. */
import type { AdapterCapabilities, ListModelsResult } from '../adapter.ts';
import { ValidationError } from '../errors.ts';
import type { IRChatRequest } from '../ir.ts';
import { createTransport, type Transport } from '../transport.ts';
import { fieldsOf, rowsOf } from '../wire/answer-fields.ts';
import { getJson } from '../wire/get-json.ts';
import type { ErrorSource } from '../wire/http-error.ts';
import { withoutCredentials } from '../wire/socket-error.ts';
import { toolNames } from '../wire/tool-names.ts';
import { WireBackend, type WireOptions } from '../wire/wire-backend.ts';
import { modelInfo } from './openai-chat/model-info.ts';
import { type OpenAIChatBody, type OpenAIChatQuirks, toOpenAIChat } from './openai-chat/request.ts';
import { program, serverFacts } from './openai-chat/server-facts.ts';
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
      url: withoutCredentials(new URL(url)),
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

  /** The models; with `abilities` also what a server of one's own tells apart, at the cost of one request more. */
  override async listModels(
    options?: AbortSignal | { abilities?: boolean; signal?: AbortSignal },
  ): Promise<ListModelsResult> {
    const { abilities, signal } = options instanceof AbortSignal ? { signal: options } : (options ?? {});
    const source = { backend: this.metadata.name, url: `${this.#baseUrl}/models` };
    const answer: unknown = await getJson(this.#transport, source, { headers: this.#headers(), signal });
    const rows = rowsOf(Array.isArray(answer) ? answer : (fieldsOf(answer).data ?? fieldsOf(answer).models));
    const { provider, local = false } = this.metadata;
    const models = rows.flatMap((row) => modelInfo(row, provider, local) ?? []);
    if (!abilities) return { models };
    const kind = program(provider, rows);
    const ask = (path: string): Promise<unknown> =>
      getJson(
        this.#transport,
        { ...source, url: `${this.#baseUrl.replace(/\/v1$/, '')}${path}` },
        {
          headers: this.#headers(),
          signal,
        },
      );
    return { models: kind ? await serverFacts(kind, models, ask) : models };
  }

  #headers(): Record<string, string> {
    const { apiKey, headers } = this.#options;
    return { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers };
  }
}
