/** Runs one streamed request for every backend: open, read, decode, end; one terminal chunk and no open socket. */
import { AdapterError, isAbort, NetworkError, ProviderError, StreamError } from '../errors.ts';
import type { FinishReason, IRChatRequest, IRMetadata, IRStreamChunk, IRUsage, IRWarning } from '../ir.ts';
import type { TransportResponse } from '../transport.ts';
import { type ErrorSource, htmlError, httpError, looksLikeHtml } from './http-error.ts';
import { readNdjson } from './ndjson.ts';
import { abortedError } from './socket-error.ts';
import { readSse } from './sse.ts';

/** What a decoder adds to the stream; `sequence` is set when it is sent. */
export type Piece = Extract<
  IRStreamChunk,
  { type: 'content' | 'reasoning' | 'tool_use_start' | 'tool_use_delta' | 'tool_use_end' | 'warning' }
>;

/** How a message ended, and what the provider said about it. */
export interface Ending {
  finishReason: FinishReason;
  usage: IRUsage;
  servedModel?: string;
  responseId?: string;
  /** False when the server passed the request on to another machine. */
  local?: boolean;
  /** Further facts for `metadata.custom`. */
  custom?: Record<string, unknown>;
}

/** Turns the payloads of one answer into pieces. Pure but for its own state; one instance reads one answer. */
export interface StreamDecoder {
  /** Takes one payload; true when nothing more is expected. Throws AdapterError for an error inside the stream. */
  push(payload: string, out: Piece[]): boolean;
  /** True as soon as the message is whole, even if more (usage) may follow. */
  readonly complete: boolean;
  /** Ends open parts. Called once, only on a complete message. */
  finish(out: Piece[]): Ending;
}

/** A request that is ready to go. */
export interface WireRequest {
  model: string;
  warnings: readonly IRWarning[];
  framing: 'sse' | 'ndjson';
  decoder: StreamDecoder;
  /** The server was asked to stream and could be asked not to (`IRChatRequest.whole`). */
  streamed?: boolean;
  /** The server can hold an answer to a form (`IRChatRequest.responseFormat`) also where tools are offered. */
  constrains?: boolean;
  /** Sends it; resolves with the head of the answer, whatever its status. */
  open(): Promise<TransportResponse>;
}

export interface WireContext {
  backend: string;
  local: boolean;
  request: IRChatRequest;
  signal?: AbortSignal;
}

/** How long a server may dawdle after the last word of a message, ms. */
const AFTERWARDS = 5_000;

/** Appends text to the last piece when that is text too: what came in one socket read is one chunk. */
export function pushText(out: Piece[], type: 'content' | 'reasoning', delta: string): void {
  const last = out[out.length - 1];
  if (last !== undefined && last.type === type && (last.type === 'content' || last.signature === undefined))
    last.delta += delta;
  else out.push({ sequence: 0, type, delta });
}

/** The typed error for whatever was thrown; programming errors stay recognisable as their cause. */
export function typedError(error: unknown, source: ErrorSource): AdapterError {
  if (error instanceof AdapterError) {
    // Transport knows the URL, the backend its name: an error tells both.
    error.provenance.backend ??= source.backend;
    error.provenance.model ??= source.model;
    return error;
  }
  if (isAbort(error)) return abortedError({ ...source }, error);
  return new ProviderError({
    message: `${source.backend}: ${(error as Error)?.message ?? error}`,
    provenance: { backend: source.backend, model: source.model },
    cause: error,
  });
}

/** A payload that should have been JSON. */
export function parsePayload(payload: string, source: ErrorSource): Record<string, any> {
  try {
    const value = JSON.parse(payload);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Told below.
  }
  if (looksLikeHtml(payload)) throw htmlError(source, payload);
  throw new StreamError({
    message: `${source.backend} sent something that is not JSON: ${payload.slice(0, 120)}`,
    provenance: { ...source },
    details: { body: payload.slice(0, 4_000) },
  });
}

const truncated = (source: ErrorSource): StreamError =>
  new StreamError({
    message: `${source.backend}: the answer ended in the middle.`,
    code: 'STREAM_TRUNCATED',
    provenance: { ...source },
  });

async function refuse(response: TransportResponse, source: ErrorSource): Promise<void> {
  const { status, headers } = response;
  const type = headers['content-type'] ?? '';
  if (status >= 200 && status < 300 && !type.startsWith('text/html')) return;
  let body = '';
  try {
    body = await response.text(100_000);
  } catch (error) {
    // A status is worth more than the connection that broke while it was explained.
    if (isAbort(error)) throw error;
  }
  throw status >= 200 && status < 300
    ? htmlError(source, body, status)
    : httpError({ ...source, status, headers, body });
}

/** Streams one request. `prepare` maps the request; what it throws becomes the error chunk like everything else. */
export async function* streamWire(
  context: WireContext,
  prepare: () => WireRequest | Promise<WireRequest>,
): AsyncGenerator<IRStreamChunk, void, undefined> {
  const { backend, local, request, signal } = context;
  const began = Date.now();
  const metadata: IRMetadata = { ...request.metadata };
  const source: ErrorSource = { backend, model: request.parameters?.model };
  let sequence = 0;
  let response: TransportResponse | undefined;
  let reusable = false;
  try {
    metadata.provenance = {
      ...request.metadata.provenance,
      backend,
      ...(source.model !== undefined && { requestedModel: source.model }),
      local,
    };
    yield { sequence: sequence++, type: 'start', metadata };
    const wire = await prepare();
    source.model = wire.model;
    metadata.provenance.requestedModel ??= wire.model;
    for (const warning of wire.warnings) yield { sequence: sequence++, type: 'warning', warning };
    response = await wire.open();
    source.url = response.url;
    await refuse(response, source);

    const { decoder } = wire;
    let out: Piece[] = [];
    let over = false;
    try {
      const whole = wire.framing === 'sse' && /^application\/json\b/.test(response.headers['content-type'] ?? '');
      for await (const batch of payloads(response, wire.framing, whole)) {
        for (const payload of batch) {
          over = decoder.push(payload, out);
          if (over) break;
        }
        for (const piece of out) {
          piece.sequence = sequence++;
          yield piece;
        }
        out = [];
        if (over) break;
        if (decoder.complete) response.patience(AFTERWARDS);
      }
    } catch (error) {
      // Pieces of the batch that failed come first: what was received is not lost.
      for (const piece of out) {
        piece.sequence = sequence++;
        yield piece;
      }
      out = [];
      const broken = error instanceof StreamError || (error instanceof NetworkError && error.code === 'TIMEOUT');
      if (!broken || !decoder.complete || signal?.aborted) throw error;
    }
    if (!decoder.complete) throw truncated(source);
    const ending = decoder.finish(out);
    for (const piece of out) {
      piece.sequence = sequence++;
      yield piece;
    }
    reusable = true;
    response.release();
    yield {
      sequence: sequence++,
      type: 'done',
      finishReason: ending.finishReason,
      usage: ending.usage,
      metadata: {
        ...metadata,
        provenance: {
          ...metadata.provenance,
          servedModel: ending.servedModel ?? wire.model,
          local: ending.local ?? local,
        },
        ...(ending.responseId !== undefined && { providerResponseId: ending.responseId }),
        custom: {
          ...metadata.custom,
          ...ending.custom,
          ...(wire.streamed && { streamed: true }),
          ...(wire.constrains && { constrains: true }),
          latencyMs: Date.now() - began,
        },
      },
    };
  } catch (error) {
    // Whatever broke after the caller gave up broke because of that.
    const gaveUp = signal?.aborted && !(error instanceof AdapterError);
    yield {
      sequence: sequence++,
      type: 'error',
      error: gaveUp ? abortedError({ ...source }, error) : typedError(error, source),
    };
  } finally {
    if (!reusable) response?.destroy();
  }
}

function payloads(
  response: TransportResponse,
  framing: 'sse' | 'ndjson',
  whole: boolean,
): AsyncIterable<readonly string[]> {
  if (whole) return once(response);
  return framing === 'sse' ? readSse(response.reads()) : readNdjson(response.reads());
}

/** A server that does not stream answers with one object. */
async function* once(response: TransportResponse): AsyncGenerator<string[], void, undefined> {
  yield [await response.text(50_000_000)];
}
