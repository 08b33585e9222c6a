/** The two halves of a wire format: a backend speaks it to a provider, a frontend lets others speak it to us. */
import type { IRChatRequest, IRChatResponse, IRChatStream } from './ir.ts';
import type { ServerPlace } from './locality.ts';

export interface AdapterCapabilities {
  streaming: boolean;
  /** Accepts images. */
  multiModal: boolean;
  tools: boolean;
  reasoning: boolean;
  systemMessageStrategy: 'separate-parameter' | 'in-messages';
  supportsMultipleSystemMessages: boolean;
  /** Window of the model in tokens; null when unknown. */
  contextTokens: number | null;
  /** Longest answer in tokens; null when unknown. */
  outputTokens: number | null;
}

export interface AdapterMetadata {
  name: string;
  version: string;
  provider: string;
  capabilities: AdapterCapabilities;
  /** True when requests stay on this machine or its configured local server. */
  local?: boolean;
}

/** What can be reached now. Prices in US dollars per million tokens; unknown is null. */
export interface ModelInfo {
  id: string;
  provider: string;
  local: boolean;
  contextTokens: number | null;
  /** Longest window that it was made for, where `contextTokens` is the one that it is served with; null when unknown. */
  trainedTokens?: number | null;
  outputTokens: number | null;
  tools: boolean | null;
  vision: boolean | null;
  reasoning: boolean | null;
  embedding?: boolean;
  /** Bytes on disk or in memory. */
  size: number | null;
  quantization?: string | null;
  parameters?: string | null;
  loaded?: boolean;
  /** Where it is served, when that is told. */
  server?: ServerPlace;
  /** That server only passes requests on to a hosted service. */
  cloud?: boolean;
  /** Bytes of weights and cache with the smallest window that agents use; null when it cannot be told. */
  memory?: number | null;
  /** Of cached tokens: left out where it is not told. */
  price: { input: number; output: number; cacheRead?: number; cacheWrite?: number } | null;
}

export interface ListModelsResult {
  models: readonly ModelInfo[];
}

/** Rows of numbers, one for each input text. */
export interface IREmbedRequest {
  model: string;
  input: readonly string[];
}
export interface IREmbedResponse {
  embeddings: readonly (readonly number[])[];
  model: string;
}

/**
 * Speaks one wire format to one provider. It never retries, never logs and never reads the environment. The stream
 * ends with exactly one `done` or `error` chunk and does not throw; leaving it early closes its socket.
 */
export interface BackendAdapter<ProviderRequest = any, ProviderResponse = any> {
  readonly metadata: AdapterMetadata;
  fromIR(request: IRChatRequest): ProviderRequest;
  toIR(response: ProviderResponse, originalRequest: IRChatRequest, latencyMs: number): IRChatResponse;
  execute(request: IRChatRequest, signal?: AbortSignal): Promise<IRChatResponse>;
  executeStream(request: IRChatRequest, signal?: AbortSignal): IRChatStream;
  healthCheck?(signal?: AbortSignal): Promise<boolean>;
  /** US dollars, or null when the price is unknown. */
  estimateCost?(request: IRChatRequest): Promise<number | null>;
  listModels?(signal?: AbortSignal): Promise<ListModelsResult>;
  embed?(request: IREmbedRequest, signal?: AbortSignal): Promise<IREmbedResponse>;
}

/** Lets a program speak one wire format to us. */
export interface FrontendAdapter<FrontendRequest = any, FrontendResponse = any, FrontendChunk = any> {
  readonly metadata: AdapterMetadata;
  toIR(request: FrontendRequest): Promise<IRChatRequest>;
  fromIR(response: IRChatResponse): Promise<FrontendResponse>;
  fromIRStream(stream: IRChatStream): AsyncGenerator<FrontendChunk, void, undefined>;
  validate?(request: FrontendRequest): Promise<void>;
}

/** What a middleware sees; it may replace `request`, and the change reaches the wire. */
export interface MiddlewareContext {
  request: IRChatRequest;
  readonly isStreaming: boolean;
  readonly backend?: BackendAdapter;
  readonly backendName?: string;
  /** Shared between the middleware of one request. */
  readonly state: Record<string, unknown>;
  readonly config: Record<string, unknown>;
  readonly signal?: AbortSignal;
}

/** Wraps a request: `next()` gives the stream of what lies further in. First registered is outermost. */
export type Middleware = (context: MiddlewareContext, next: () => IRChatStream) => IRChatStream;
