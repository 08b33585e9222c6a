/** Anthropic Messages. Requests go through @anthropic-ai/sdk, loaded with the first one, over our own transport. */
import type { Anthropic } from '@anthropic-ai/sdk';
import type { AdapterCapabilities, ListModelsResult } from '../adapter.ts';
import type { IRChatRequest } from '../ir.ts';
import { createTransport, type Transport, type TransportOptions, type TransportResponse } from '../transport.ts';
import { getJson } from '../wire/get-json.ts';
import type { ErrorSource } from '../wire/http-error.ts';
import { toolNames } from '../wire/tool-names.ts';
import { WireBackend, type WireOptions } from '../wire/wire-backend.ts';
import { type AnthropicBody, thinkingStyle, toAnthropic } from './anthropic/request.ts';
import { AnthropicDecoder } from './anthropic/stream.ts';

export interface AnthropicOptions extends WireOptions {
  apiKey?: string;
  /** Sent as bearer token, in place of a key. */
  authToken?: string;
  /** Without `/v1`. */
  baseUrl?: string;
  /** Longest answer of the model, the `max_tokens` of requests that name none; 8,192 when unknown. */
  outputTokens?: number | null;
  /** How thinking is asked for: by a budget of tokens, or left to the model and steered by effort; by name if absent. */
  thinking?: 'budget' | 'adaptive' | ((model: string) => 'budget' | 'adaptive');
  /** Of the transport that is made when none is given. */
  proxy?: TransportOptions['proxy'];
}

/** Speaks Anthropic Messages to one server. */
export class AnthropicBackendAdapter extends WireBackend<AnthropicBody> {
  readonly #options: AnthropicOptions;
  readonly #baseUrl: string;
  readonly #transport: Transport;

  constructor(options: AnthropicOptions = {}) {
    const { outputTokens = null } = options;
    super('anthropic', options, { systemMessageStrategy: 'separate-parameter', outputTokens });
    this.#options = options;
    this.#baseUrl = (options.baseUrl ?? 'https://api.anthropic.com').replace(/\/+$/, '').replace(/\/v1$/, '');
    this.#transport = options.transport ?? createTransport({ proxy: options.proxy });
  }

  protected map(request: IRChatRequest, model: string, facts: AdapterCapabilities) {
    const { thinking = thinkingStyle } = this.#options;
    return toAnthropic(request, {
      model,
      facts,
      thinking: typeof thinking === 'function' ? thinking(model) : thinking,
    });
  }

  protected decoder(source: ErrorSource & { model: string }, request: IRChatRequest): AnthropicDecoder {
    return new AnthropicDecoder(source, toolNames(request).given);
  }

  protected wire(body: AnthropicBody, signal: AbortSignal | undefined) {
    return {
      url: `${this.#baseUrl}/v1/messages`,
      framing: 'sse' as const,
      // Not `messages.create`: it writes to the terminal when it thinks that a model is old.
      open: () =>
        this.#send((client) => client.post('/v1/messages', { body, stream: true, maxRetries: 0, signal }), signal),
    };
  }

  override async listModels(signal?: AbortSignal): Promise<ListModelsResult> {
    const source = { backend: this.metadata.name, url: `${this.#baseUrl}/v1/models` };
    const answer = await getJson(
      { send: () => this.#send((client) => client.models.list({ limit: 1000 }, { signal }), signal) },
      source,
    );
    return {
      models: (answer.data ?? []).map((row: Record<string, any>) => ({
        id: row.id,
        provider: 'anthropic',
        local: this.metadata.local ?? false,
        contextTokens: row.max_input_tokens ?? null,
        outputTokens: row.max_tokens ?? null,
        tools: true,
        vision: row.capabilities?.image_input?.supported ?? null,
        reasoning: row.capabilities?.thinking?.supported ?? null,
        size: null,
        price: null,
      })),
    };
  }

  /**
   * Lets the SDK build and authorise the request, and takes the answer from under it: our transport gives the same
   * errors, proxies and closed sockets for every vendor, and the stream is read without the SDK's Web streams.
   */
  async #send(
    call: (client: Anthropic) => { asResponse(): Promise<unknown> },
    signal: AbortSignal | undefined,
  ): Promise<TransportResponse> {
    const sdk = await import('@anthropic-ai/sdk');
    const { apiKey, authToken, headers } = this.#options;
    let answer: TransportResponse | undefined;
    let failure: unknown;
    const defaultHeaders = { ...(!authToken && !apiKey && { authorization: null }), ...headers };
    const client = new sdk.Anthropic({
      // Without a credential the SDK would search the environment and the disk for one.
      ...(authToken ? { authToken, apiKey: null } : { apiKey: apiKey || 'none', authToken: null }),
      baseURL: this.#baseUrl,
      webhookKey: null,
      logLevel: 'off',
      maxRetries: 0,
      timeout: 2 ** 31 - 1,
      defaultHeaders,
      fetch: async (url, init) => {
        try {
          answer = await this.#transport.send({
            url: String(url),
            method: init?.method,
            headers: Object.fromEntries(new Headers(init?.headers)),
            ...(init?.body && { body: String(init.body) }),
            signal,
          });
        } catch (error) {
          failure = error;
          throw error;
        }
        // What the SDK does with the answer does not matter any more.
        return new Response(null, { status: 200 });
      },
    });
    // The SDK has added headers that it read from the environment; a backend sends what it was given.
    Object.assign((client as unknown as { _options: object })._options, { defaultHeaders });
    try {
      await call(client).asResponse();
    } catch (error) {
      answer?.destroy();
      throw failure ?? error;
    }
    return answer!;
  }
}
