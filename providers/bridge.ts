import type { BackendAdapter, FrontendAdapter, Middleware, MiddlewareContext } from './adapter.ts';
import type { IRChatRequest, IRChatStream } from './ir.ts';
import { composeMiddleware } from './middleware/compose-middleware.ts';
import { collect } from './wire/collect.ts';

export interface BridgeConfig {
  /** The name that middleware sees; by default the backend's own. */
  backendName?: string;
  /** Handed to middleware as `context.config`. */
  config?: Record<string, unknown>;
}

/**
 * Joins a foreign wire format to a backend or router: request to IR, through the middleware, and the answer back.
 * `chat` and `chatStream` go the same way; they differ only in what the caller gets.
 */
export class Bridge<Request = any, Response = any, Chunk = any> {
  readonly frontend: FrontendAdapter<Request, Response, Chunk>;
  readonly backend: BackendAdapter;
  readonly config: BridgeConfig;
  readonly #middleware: Middleware[] = [];

  constructor(frontend: FrontendAdapter<Request, Response, Chunk>, backend: BackendAdapter, config: BridgeConfig = {}) {
    this.frontend = frontend;
    this.backend = backend;
    this.config = config;
  }

  /** Adds a middleware inside those added before. */
  use(middleware: Middleware): this {
    this.#middleware.push(middleware);
    return this;
  }

  /** The whole answer in the caller's format. Throws the typed error that ended the request. */
  async chat(request: Request, signal?: AbortSignal): Promise<Response> {
    const ir = await this.#toIR(request);
    return this.frontend.fromIR(await collect(this.#stream(ir, false, signal)));
  }

  /** The answer piece by piece in the caller's format; the frontend says how an error looks in it. */
  async *chatStream(request: Request, signal?: AbortSignal): AsyncGenerator<Chunk, void, undefined> {
    const ir = await this.#toIR(request);
    yield* this.frontend.fromIRStream(this.#stream({ ...ir, stream: true }, true, signal));
  }

  async #toIR(request: Request): Promise<IRChatRequest> {
    await this.frontend.validate?.(request);
    const ir = await this.frontend.toIR(request);
    const provenance = { frontend: this.frontend.metadata.name, ...ir.metadata.provenance };
    return { ...ir, metadata: { ...ir.metadata, provenance } };
  }

  #stream(request: IRChatRequest, isStreaming: boolean, signal: AbortSignal | undefined): IRChatStream {
    const context: MiddlewareContext = {
      request,
      isStreaming,
      backend: this.backend,
      backendName: this.config.backendName ?? this.backend.metadata.name,
      state: {},
      config: this.config.config ?? {},
      signal,
    };
    return composeMiddleware(this.#middleware, ({ request: sent }) => this.backend.executeStream(sent, signal))(
      context,
    );
  }
}
