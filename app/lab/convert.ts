/**
 * `ada lab convert`: `{ from, to, request | response | stream }` to the same field in the other format, and `warnings`.
 * A request is read as a caller of `from` writes it and written as a provider of `to` gets it; a response or stream is
 * read as a provider of `from` sends it and written as a caller of `to` gets it. `ir` is the representation between.
 * Items of a stream are payload objects, their JSON, or pieces of the text of the stream as it is sent.
 */
import type { AdapterCapabilities, AdapterMetadata } from '../../providers/adapter.ts';
import { thinkingStyle, toAnthropic } from '../../providers/backends/anthropic/request.ts';
import { AnthropicDecoder } from '../../providers/backends/anthropic/stream.ts';
import { toOllama } from '../../providers/backends/ollama/request.ts';
import { OllamaDecoder } from '../../providers/backends/ollama/stream.ts';
import { toOpenAIChat } from '../../providers/backends/openai-chat/request.ts';
import { OpenAIChatDecoder } from '../../providers/backends/openai-chat/stream.ts';
import { AdapterError, StreamError } from '../../providers/errors.ts';
import { toAnthropicResponse } from '../../providers/frontends/anthropic/response.ts';
import { AnthropicFrontendAdapter } from '../../providers/frontends/anthropic.ts';
import { toOpenAIChatResponse } from '../../providers/frontends/openai-chat/response.ts';
import { OpenAIFrontendAdapter } from '../../providers/frontends/openai-chat.ts';
import type { IRChatRequest, IRChatResponse, IRStreamChunk, IRWarning } from '../../providers/ir.ts';
import type { TransportResponse } from '../../providers/transport.ts';
import { type StreamDecoder, streamWire } from '../../providers/wire/stream.ts';
import { responseOf } from '../../providers/wire/whole.ts';
import { text } from '../lab-row.ts';

type Row = Record<string, any>;

const FORMATS = ['openai-chat', 'anthropic', 'ollama', 'ir'];
const frontends = { 'openai-chat': new OpenAIFrontendAdapter(), anthropic: new AnthropicFrontendAdapter() };
const responses = { 'openai-chat': toOpenAIChatResponse, anthropic: toAnthropicResponse };
const decoders = { 'openai-chat': OpenAIChatDecoder, anthropic: AnthropicDecoder, ollama: OllamaDecoder };

/** A model that can do everything: what is lost is then lost by the format alone. */
const facts: AdapterCapabilities = {
  streaming: true,
  multiModal: true,
  tools: true,
  reasoning: true,
  systemMessageStrategy: 'in-messages',
  supportsMultipleSystemMessages: true,
  contextTokens: null,
  outputTokens: null,
};

export async function convert(row: Row): Promise<unknown> {
  const [from, to] = [text(row, 'from'), text(row, 'to')];
  for (const name of [from, to])
    if (!FORMATS.includes(name)) throw new Error(`“${name}” is not one of ${FORMATS.join(', ')}`);
  const given = ['request', 'response', 'stream'].filter((name) => row[name] !== undefined);
  if (given.length !== 1) throw new Error('give one of request, response and stream');
  const warnings: IRWarning[] = [];
  const name = given[0]!;
  const value =
    name === 'request'
      ? writeRequest(to, await readRequest(from, row.request, warnings), warnings)
      : name === 'response'
        ? writeResponse(to, readResponse(from, row.response), warnings)
        : await writeStream(to, await readStream(from, row.stream, warnings));
  return { [name]: value, warnings };
}

const frontendOf = (format: string) => {
  if (format === 'ollama') throw new Error('callers cannot speak ollama yet: only requests to it, answers from it');
  return format as keyof typeof frontends;
};

function objectOf(value: unknown, name: string): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} must be an object`);
  return value;
}

async function readRequest(from: string, value: unknown, warnings: IRWarning[]): Promise<IRChatRequest> {
  const given = objectOf(value, 'request');
  if (from === 'ir') {
    if (!Array.isArray(given.messages)) throw new Error('request.messages must be a list');
    return { metadata: { requestId: 'lab', timestamp: 0 }, ...given } as unknown as IRChatRequest;
  }
  const frontend = frontends[frontendOf(from)];
  await frontend.validate(given);
  const request = await frontend.toIR(given);
  warnings.push(...(request.metadata.warnings ?? []));
  return request;
}

function writeRequest(to: string, request: IRChatRequest, warnings: IRWarning[]): unknown {
  if (to === 'ir') return request;
  const model = request.parameters?.model;
  if (!model) throw new Error('the request names no model');
  const mapped =
    to === 'openai-chat'
      ? toOpenAIChat(request, model, facts, {})
      : to === 'anthropic'
        ? toAnthropic(request, { model, facts, thinking: thinkingStyle(model) })
        : toOllama(request, { model, facts, refusesLongPrompts: false });
  warnings.push(...mapped.warnings);
  // A backend always asks for a stream; the request that is converted may not.
  const { stream: _, stream_options: options, ...body } = mapped.body;
  if (request.stream === undefined) return to === 'ollama' ? { ...body, stream: false } : body;
  return { ...body, stream: request.stream, ...(request.stream && options && { stream_options: options }) };
}

function readResponse(from: string, value: unknown): IRChatResponse {
  const given = objectOf(value, 'response');
  if (from === 'ir') {
    if (!given.message || !given.finishReason) throw new Error('response needs message and finishReason');
    return { metadata: { requestId: 'lab', timestamp: 0 }, ...given } as unknown as IRChatResponse;
  }
  const request = askedFor(given);
  const model = request.parameters!.model!;
  const decoder = decoderOf(from, model);
  const adapter = { name: from, local: false } as AdapterMetadata;
  const { raw: _, ...response } = responseOf(decoder, given, request, adapter, model, 0);
  if (!decoder.complete) throw new Error(`this is not a whole answer of ${from}`);
  return response;
}

function writeResponse(to: string, response: IRChatResponse, warnings: IRWarning[]): unknown {
  warnings.push(...(response.metadata.warnings ?? []));
  return to === 'ir' ? response : responses[frontendOf(to)](response, warnings);
}

function decoderOf(from: string, model: string): StreamDecoder {
  return new decoders[from as keyof typeof decoders]({ backend: from, model });
}

/** The request behind an answer, as far as the answer tells of it. */
function askedFor(first: Row): IRChatRequest {
  const { id, model } = typeof first.message?.model === 'string' ? first.message : first;
  const made = typeof first.created === 'number' ? first.created * 1000 : Date.parse(first.created_at ?? '');
  return {
    messages: [],
    parameters: { model: typeof model === 'string' ? model : 'unknown' },
    metadata: {
      requestId: typeof id === 'string' ? id : 'lab',
      timestamp: Number.isNaN(made) ? 0 : made,
      // The counts of a stream are converted too.
      custom: { includeUsage: true },
    },
    stream: true,
  };
}

async function readStream(from: string, value: unknown, warnings: IRWarning[]): Promise<IRStreamChunk[]> {
  if (!Array.isArray(value)) throw new Error('stream must be a list');
  const chunks: IRStreamChunk[] = [];
  for await (const chunk of from === 'ir' ? value.map(chunkOf) : wireChunks(from, value)) {
    if (chunk.type === 'warning') warnings.push(chunk.warning);
    chunks.push(chunk);
  }
  return chunks;
}

/** An error travels as its code and message. */
function chunkOf(value: unknown): IRStreamChunk {
  const chunk = objectOf(value, 'an item of the stream') as IRStreamChunk;
  if (chunk.type !== 'error') return chunk;
  const { message = 'unknown', code } = objectOf(chunk.error, 'error') as {
    message?: string;
    code?: AdapterError['code'];
  };
  return { ...chunk, error: new StreamError({ message, ...(code && { code }) }) };
}

const isPayload = (item: unknown): boolean => {
  if (typeof item !== 'string' || item === '[DONE]') return true;
  try {
    return typeof JSON.parse(item) === 'object';
  } catch {
    return false;
  }
};

/** The first payload in the text of a stream; it mostly tells id and model. */
function firstPayload(stream: string): Row {
  for (const line of stream.split('\n')) {
    const payload = line.replace(/^data: ?/, '');
    if (payload.startsWith('{') && isPayload(payload)) return JSON.parse(payload);
  }
  return {};
}

/** Lets the items pass as if they came from a server: the same reader, decoder and ending. */
function wireChunks(from: string, items: readonly unknown[]): AsyncIterable<IRStreamChunk> {
  const framing = from === 'ollama' ? 'ndjson' : 'sse';
  let pieces = items.map(String);
  if (items.every(isPayload)) {
    const payloads = items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
    pieces = payloads.map((payload) => (framing === 'sse' ? `data: ${payload}\n\n` : `${payload}\n`));
  } else if (!items.every((item) => typeof item === 'string'))
    throw new Error('stream mixes objects and pieces of text');
  const request = askedFor(firstPayload(pieces.join('')));
  const model = request.parameters!.model!;
  const answer: TransportResponse = {
    status: 200,
    headers: {},
    url: '',
    async *reads() {
      for (const piece of pieces) yield Buffer.from(piece);
    },
    text: async () => pieces.join(''),
    patience: () => {},
    release: () => {},
    destroy: () => {},
  };
  return streamWire({ backend: from, local: false, request }, () => ({
    model,
    warnings: [],
    framing,
    decoder: decoderOf(from, model),
    open: async () => answer,
  }));
}

async function writeStream(to: string, chunks: readonly IRStreamChunk[]): Promise<unknown> {
  if (to === 'ir') return chunks.map(plainChunk);
  const frontend = frontends[frontendOf(to)];
  const out: unknown[] = [];
  try {
    for await (const chunk of frontend.fromIRStream(each(chunks))) out.push(chunk);
  } catch (error) {
    // What fails before the first piece has a status over HTTP; here its body stands alone.
    out.push(frontend.toError(error).body);
  }
  return out;
}

async function* each(chunks: readonly IRStreamChunk[]): AsyncGenerator<IRStreamChunk, void, undefined> {
  yield* chunks;
}

function plainChunk(chunk: IRStreamChunk): unknown {
  if (chunk.type !== 'error') return chunk;
  const { message } = chunk.error;
  return { ...chunk, error: chunk.error instanceof AdapterError ? { code: chunk.error.code, message } : { message } };
}
