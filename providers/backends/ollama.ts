/** Ollama's native API: chat over NDJSON, models, version. */
import type { AdapterCapabilities, AdapterMetadata, BackendAdapter, ListModelsResult } from '../adapter.ts';
import { ValidationError } from '../errors.ts';
import type { IRChatRequest, IRChatResponse, IRChatStream } from '../ir.ts';
import { createTransport, type Transport } from '../transport.ts';
import { bodyText } from '../wire/body-text.ts';
import { collect } from '../wire/collect.ts';
import { type CapabilitiesOf, factsFor } from '../wire/facts.ts';
import { streamWire } from '../wire/stream.ts';
import { responseOf } from '../wire/whole.ts';
import { ollamaBaseUrl } from './ollama/base-url.ts';
import { listOllamaModels, type OllamaModel, serverVersion, showModel } from './ollama/models.ts';
import { type OllamaBody, toOllama } from './ollama/request.ts';
import { OllamaDecoder } from './ollama/stream.ts';

export { OLLAMA_DEFAULT_URL, ollamaBaseUrl } from './ollama/base-url.ts';
export { listOllamaModels, loadedModels, type OllamaModel, serverVersion, showModel } from './ollama/models.ts';
export { listOnServers, type OllamaServers, showOnServers } from './ollama/servers.ts';

export { chooseWindow, parameterCount, servedWindow } from './ollama/window.ts';

export interface OllamaOptions {
  /** In any form that OLLAMA_HOST may have. */
  baseUrl?: string;
  name?: string;
  headers?: Readonly<Record<string, string>>;
  /** False where the server passes requests on to a hosted model; true unless given. */
  local?: boolean;
  /** Model of a request that names none. */
  model?: string;
  /** `keep_alive` of requests that set none. */
  keepAlive?: string | number;
  /** The server knows `truncate: false`: it refuses a prompt that is too long in place of cutting it silently. */
  refusesLongPrompts?: boolean;
  /** Unless told otherwise a model has tools, no eyes, and no thinking that could be asked for. */
  capabilities?: Partial<AdapterCapabilities>;
  capabilitiesOf?: CapabilitiesOf;
  transport?: Transport;
}

/** Speaks to one Ollama server. */
export class OllamaBackendAdapter implements BackendAdapter<OllamaBody, Record<string, any>> {
  readonly metadata: AdapterMetadata;
  readonly baseUrl: string;
  readonly #options: OllamaOptions;
  readonly #transport: Transport;

  constructor(options: OllamaOptions = {}) {
    this.#options = options;
    this.baseUrl = ollamaBaseUrl(options.baseUrl);
    this.#transport = options.transport ?? createTransport();
    this.metadata = {
      name: options.name ?? 'ollama',
      version: '1',
      provider: 'ollama',
      local: options.local ?? true,
      capabilities: {
        streaming: true,
        multiModal: false,
        tools: true,
        reasoning: false,
        systemMessageStrategy: 'in-messages',
        supportsMultipleSystemMessages: true,
        contextTokens: null,
        outputTokens: null,
        ...options.capabilities,
      },
    };
  }

  fromIR(request: IRChatRequest): OllamaBody {
    return this.#map(request).body;
  }

  toIR(response: Record<string, any>, originalRequest: IRChatRequest, latencyMs: number): IRChatResponse {
    const model = this.#modelOf(originalRequest);
    const decoder = new OllamaDecoder({ backend: this.metadata.name, model });
    return responseOf(decoder, response, originalRequest, this.metadata, model, latencyMs);
  }

  execute(request: IRChatRequest, signal?: AbortSignal): Promise<IRChatResponse> {
    return collect(this.executeStream(request, signal));
  }

  executeStream(request: IRChatRequest, signal?: AbortSignal): IRChatStream {
    const { name: backend, local = true } = this.metadata;
    return streamWire({ backend, local, request, signal }, () => {
      const { body, warnings } = this.#map(request);
      const url = `${this.baseUrl}/api/chat`;
      return {
        model: body.model,
        warnings,
        framing: 'ndjson',
        streamed: body.stream,
        constrains: true,
        decoder: new OllamaDecoder({ backend, model: body.model, url }),
        open: () =>
          this.#transport.send({
            url,
            headers: { 'content-type': 'application/json', accept: 'application/x-ndjson', ...this.#options.headers },
            body: bodyText(body as { messages: object[] }),
            signal,
          }),
      };
    });
  }

  async healthCheck(signal?: AbortSignal): Promise<boolean> {
    return this.serverVersion(signal).then(
      () => true,
      () => false,
    );
  }

  /** The installed models; with `abilities` also what each can do, at the cost of one request each. */
  async listModels(options?: AbortSignal | { abilities?: boolean; signal?: AbortSignal }): Promise<ListModelsResult> {
    const { abilities, signal } =
      options instanceof AbortSignal ? { abilities: false, signal: options } : (options ?? {});
    const { headers } = this.#options;
    return { models: await listOllamaModels(this.#transport, this.baseUrl, { abilities, headers, signal }) };
  }

  /** Window and abilities of one installed model; undefined when the server does not have it. */
  showModel(model: string, signal?: AbortSignal): Promise<OllamaModel | undefined> {
    return showModel(this.#transport, this.baseUrl, model, this.#options.headers, signal);
  }

  serverVersion(signal?: AbortSignal): Promise<string> {
    return serverVersion(this.#transport, this.baseUrl, this.#options.headers, signal);
  }

  #modelOf(request: IRChatRequest): string {
    const model = request.parameters?.model ?? this.#options.model;
    if (!model) throw new ValidationError({ message: `${this.metadata.name}: the request names no model.` });
    return model;
  }

  #map(request: IRChatRequest) {
    const model = this.#modelOf(request);
    const { capabilitiesOf, refusesLongPrompts = false, keepAlive } = this.#options;
    const facts = factsFor(model, this.metadata.capabilities, capabilitiesOf);
    return toOllama(request, { model, facts, refusesLongPrompts, keepAlive });
  }
}
