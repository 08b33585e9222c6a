import type { AdapterCapabilities, BackendAdapter } from '../../../providers/adapter.ts';
import { type AdapterErrorOptions, NetworkError, ProviderError, StreamError } from '../../../providers/errors.ts';
import type { IRChatRequest, IRChatStream, IRStreamChunk } from '../../../providers/ir.ts';
import { collect } from '../../../providers/wire/collect.ts';

/** One answer of a scripted backend: text pieces, then how it ends. `hang` waits for the abort. */
export interface Answer {
  pieces?: readonly string[];
  error?: Error;
  end?: 'done' | 'silent' | 'throw' | 'hang';
}

export interface Scripted extends BackendAdapter {
  readonly requests: IRChatRequest[];
  /** Streams that are still open. */
  open: number;
}

/** A backend that plays its answers in order and repeats the last. */
export function scripted(
  answers: readonly Answer[],
  options: { name?: string; local?: boolean; capabilities?: Partial<AdapterCapabilities>; price?: number | null } = {},
): Scripted {
  const { name = 'scripted', local = false, price } = options;
  let turn = 0;
  const backend: Scripted = {
    requests: [],
    open: 0,
    metadata: {
      name,
      version: '1',
      provider: name,
      local,
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
    },
    fromIR: (request) => request,
    toIR: (response) => response,
    execute: (request, signal) => collect(backend.executeStream(request, signal)),
    executeStream(request, signal) {
      backend.requests.push(request);
      const answer = answers[Math.min(turn++, answers.length - 1)] ?? {};
      return play(backend, answer, request, signal);
    },
    ...(price !== undefined && { estimateCost: async () => price }),
  };
  return backend;
}

async function* play(
  backend: Scripted,
  answer: Answer,
  request: IRChatRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<IRStreamChunk, void, undefined> {
  let sequence = 0;
  backend.open++;
  try {
    yield { type: 'start', sequence: sequence++, metadata: request.metadata };
    for (const delta of answer.pieces ?? []) yield { type: 'content', sequence: sequence++, delta };
    if (answer.error) yield { type: 'error', sequence, error: answer.error };
    else if (answer.end === 'throw') throw new TypeError('a bug');
    else if (answer.end === 'hang') {
      await new Promise<void>((resolve) => {
        if (signal?.aborted) resolve();
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
      const error = new NetworkError({ message: 'aborted', code: 'ABORTED', isRetryable: false });
      yield { type: 'error', sequence, error };
    } else if (answer.end !== 'silent') {
      yield {
        type: 'done',
        sequence,
        finishReason: 'stop',
        metadata: { ...request.metadata, custom: { latencyMs: 1 } },
      };
    }
  } finally {
    backend.open--;
  }
}

export const says = (...pieces: string[]): Answer => ({ pieces });
export const fails = (error: Error, ...pieces: string[]): Answer => ({ pieces, error });

export const unavailable = (options: Partial<AdapterErrorOptions> = {}) =>
  new ProviderError({
    message: 'overloaded',
    code: 'PROVIDER_UNAVAILABLE',
    isRetryable: true,
    status: 500,
    ...options,
  });
export const cut = () => new StreamError({ message: 'cut off', code: 'STREAM_TRUNCATED' });
export const refused = () =>
  new NetworkError({ message: 'connection refused', code: 'CONNECTION_REFUSED', isRetryable: false });

export const request = (text = 'hi', more: Partial<IRChatRequest> = {}): IRChatRequest => ({
  messages: [{ role: 'user', content: text }],
  metadata: { requestId: 'r1', timestamp: 0 },
  ...more,
});

/** All chunks, each checked to be in sequence, with one start first and one terminal chunk last. */
export async function chunksOf(stream: IRChatStream): Promise<IRStreamChunk[]> {
  const chunks: IRStreamChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const types = chunks.map((chunk) => chunk.type);
  const wrong =
    chunks.some((chunk, i) => chunk.sequence !== i) ||
    types[0] !== 'start' ||
    types.lastIndexOf('start') !== 0 ||
    types.filter((type) => type === 'done' || type === 'error').length !== 1 ||
    !['done', 'error'].includes(types.at(-1)!);
  if (wrong) throw new Error(`not a stream: ${JSON.stringify(chunks)}`);
  return chunks;
}

/** The stream in short: `text`, `retry`, `retry!` (discards), `done` or the error's code. */
export async function shape(stream: IRChatStream): Promise<string[]> {
  return (await chunksOf(stream)).slice(1).map((chunk) => {
    if (chunk.type === 'content') return chunk.delta;
    if (chunk.type === 'retry') return chunk.discard ? 'retry!' : 'retry';
    if (chunk.type === 'error') return (chunk.error as { code?: string }).code ?? chunk.error.name;
    return chunk.type;
  });
}
