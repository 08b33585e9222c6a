/** Ollama's native API: chat over NDJSON, models, version. */
import type { AdapterCapabilities, ListModelsResult } from '../adapter.ts';
import type { IRChatRequest } from '../ir.ts';
import { createTransport, type Transport } from '../transport.ts';
import { bodyText } from '../wire/body-text.ts';
import type { ErrorSource } from '../wire/http-error.ts';
import { WireBackend, type WireOptions } from '../wire/wire-backend.ts';
import { ollamaBaseUrl, shownUrl } from './ollama/base-url.ts';
import { listOllamaModels, type OllamaModel, serverVersion, showModel } from './ollama/models.ts';
import { type OllamaBody, toOllama } from './ollama/request.ts';
import { OllamaDecoder } from './ollama/stream.ts';

export { OLLAMA_DEFAULT_URL, ollamaBaseUrl, shownUrl } from './ollama/base-url.ts';
export { listOllamaModels, loadedModels, type OllamaModel, serverVersion, showModel } from './ollama/models.ts';
export {
  type FoundModel,
  listOnServers,
  loadedTokensOf,
  type OllamaServers,
  type ServerFailure,
  showOnServers,
} from './ollama/servers.ts';

export { chooseWindow, parameterCount, servedWindow } from './ollama/window.ts';

/** Unless told otherwise a server is local, and a model has tools, no eyes, and no thinking that could be asked for. */
export interface OllamaOptions extends WireOptions {
  /** In any form that OLLAMA_HOST may have. */
  baseUrl?: string;
  /** `keep_alive` of requests that set none. */
  keepAlive?: string | number;
  /** The server knows `truncate: false`: it refuses a prompt that is too long in place of cutting it silently. */
  refusesLongPrompts?: boolean;
}

/** Speaks to one Ollama server. */
export class OllamaBackendAdapter extends WireBackend<OllamaBody> {
  readonly baseUrl: string;
  readonly #options: OllamaOptions;
  readonly #transport: Transport;

  constructor(options: OllamaOptions = {}) {
    super('ollama', options, { local: true, multiModal: false, reasoning: false });
    this.#options = options;
    this.baseUrl = ollamaBaseUrl(options.baseUrl);
    this.#transport = options.transport ?? createTransport();
  }

  protected map(request: IRChatRequest, model: string, facts: AdapterCapabilities) {
    const { refusesLongPrompts = false, keepAlive } = this.#options;
    return toOllama(request, { model, facts, refusesLongPrompts, keepAlive });
  }

  protected decoder(source: ErrorSource & { model: string }): OllamaDecoder {
    return new OllamaDecoder(source);
  }

  protected wire(body: OllamaBody, signal: AbortSignal | undefined) {
    const url = `${this.baseUrl}/api/chat`;
    return {
      url: shownUrl(url),
      framing: 'ndjson' as const,
      streamed: body.stream,
      constrains: true,
      open: () =>
        this.#transport.send({
          url,
          headers: { 'content-type': 'application/json', accept: 'application/x-ndjson', ...this.#options.headers },
          body: bodyText(body as { messages: object[] }),
          signal,
        }),
    };
  }

  override async healthCheck(signal?: AbortSignal): Promise<boolean> {
    return this.serverVersion(signal).then(
      () => true,
      () => false,
    );
  }

  /** The installed models; with `abilities` also what each can do, at the cost of one request each. */
  override async listModels(
    options?: AbortSignal | { abilities?: boolean; signal?: AbortSignal },
  ): Promise<ListModelsResult> {
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
}
