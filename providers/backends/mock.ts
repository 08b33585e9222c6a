/** A backend whose answers are set by the program that holds it, for tests of programs that use this library. */
import type { AdapterCapabilities, AdapterMetadata, BackendAdapter } from '../adapter.ts';
import {
  type FinishReason,
  type IRChatRequest,
  type IRChatResponse,
  type IRChatStream,
  type IRUsage,
  partsOf,
  textOf,
} from '../ir.ts';
import { collect } from '../wire/collect.ts';
import { pause } from '../wire/pause.ts';
import { type Script, streamScript } from '../wire/script.ts';

/** An answer in parts; `error` ends it, after `errorAfter` deltas if that is given. */
export interface MockAnswer {
  text?: string;
  reasoning?: string;
  toolCalls?: readonly { id?: string; name: string; input?: Record<string, unknown> }[];
  finishReason?: FinishReason;
  usage?: IRUsage;
  servedModel?: string;
  error?: Error;
  errorAfter?: number;
  /** Before the first delta and between deltas, ms. */
  delayMs?: number;
  chunk?: number;
}

/** A text, an answer in parts, a whole response, an error, or a function of the request that gives one of these. */
export type MockResponse =
  | string
  | MockAnswer
  | IRChatResponse
  | Error
  | ((request: IRChatRequest) => Exclude<MockResponse, (request: IRChatRequest) => unknown>);

export interface MockOptions {
  name?: string;
  /** By key, see `setResponse`. */
  responses?: Readonly<Record<string, MockResponse>>;
  /** Answer to a request without a response of its own. */
  defaultResponse?: MockResponse;
  /** Delay and size of deltas of answers that set none. */
  delayMs?: number;
  chunk?: number;
  capabilities?: Partial<AdapterCapabilities>;
  local?: boolean;
}

/** Answers by a table of keys, then by a default; keeps the requests that it got. */
export class MockBackendAdapter implements BackendAdapter<IRChatRequest, IRChatResponse> {
  readonly metadata: AdapterMetadata;
  /** In the order in which they came. */
  readonly requests: IRChatRequest[] = [];
  readonly #responses: Map<string, MockResponse>;
  readonly #options: MockOptions;
  #calls = 0;

  constructor(options: MockOptions = {}) {
    this.#options = options;
    this.#responses = new Map(Object.entries(options.responses ?? {}));
    this.metadata = {
      name: options.name ?? 'mock',
      version: '1',
      provider: 'mock',
      local: options.local ?? true,
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

  /** `key`: the messages as JSON (`JSON.stringify(request.messages)`), or the text of the last user message. */
  setResponse(key: string, response: MockResponse): this {
    this.#responses.set(key, response);
    return this;
  }

  fromIR(request: IRChatRequest): IRChatRequest {
    return request;
  }

  toIR(response: IRChatResponse): IRChatResponse {
    return response;
  }

  execute(request: IRChatRequest, signal?: AbortSignal): Promise<IRChatResponse> {
    return collect(this.executeStream(request, signal));
  }

  executeStream(request: IRChatRequest, signal?: AbortSignal): IRChatStream {
    const { name, local } = this.metadata;
    const model = request.parameters?.model ?? 'mock';
    return streamScript({ backend: name, local: local ?? false, request, model, signal }, async () => {
      this.requests.push(request);
      const lastUser = request.messages.findLast((message) => message.role === 'user');
      const response =
        this.#responses.get(JSON.stringify(request.messages)) ??
        this.#responses.get(textOf(lastUser?.content ?? '')) ??
        this.#options.defaultResponse ??
        'This is a mock response.';
      const script = this.#script(typeof response === 'function' ? response(request) : response);
      if (script.delayMs) await pause(script.delayMs, signal);
      return script;
    });
  }

  async healthCheck(): Promise<boolean> {
    return true;
  }

  #script(response: Exclude<MockResponse, (request: IRChatRequest) => unknown>): Script {
    const { delayMs, chunk } = this.#options;
    if (typeof response === 'string') return { text: response, delayMs, chunk };
    if (response instanceof Error) return { error: response, delayMs };
    if ('message' in response && 'finishReason' in response) return { ...fromResponse(response), delayMs, chunk };
    const { toolCalls = [], ...rest } = response as MockAnswer;
    const calls = toolCalls.map((call) => ({
      id: call.id ?? `call_${++this.#calls}`,
      name: call.name,
      input: call.input ?? {},
    }));
    return { ...rest, calls, delayMs: rest.delayMs ?? delayMs, chunk: rest.chunk ?? chunk };
  }
}

function fromResponse(response: IRChatResponse): Script {
  const parts = partsOf(response.message.content);
  return {
    reasoning: parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join(''),
    text: textOf(response.message.content),
    calls: parts.flatMap((part) => (part.type === 'tool_use' ? [part] : [])),
    finishReason: response.finishReason,
    ...(response.usage && { usage: response.usage }),
  };
}
