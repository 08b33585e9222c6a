/** What every format's stream has in common: when it begins, and how it ends. */
import { StreamError } from '../errors.ts';
import { type IRChatStream, type IRMetadata, type IRStreamChunk, resolveServedModel } from '../ir.ts';
import { brokenOff, unfinished } from './http-error.ts';

/** Makes the chunks of one answer; gets its pieces and the `done`, never anything behind that. */
export type StreamWriter<Chunk> = (piece: IRStreamChunk) => Iterable<Chunk>;

export interface StreamForm<Chunk> {
  /** Made with the metadata of `start`. */
  open(metadata: IRMetadata): StreamWriter<Chunk>;
  /** The last chunk of an answer that failed. */
  error(error: Error): Chunk;
}

/** Chunks that carry nothing of the answer. */
const SILENT: readonly string[] = ['start', 'warning', 'retry', 'error'];

/**
 * The stream in the caller's format. One that fails before its first piece throws the error, so that it can still
 * become a status. One that fails later, or is begun anew after something was sent, ends with the format's error: a
 * caller over HTTP cannot be told to forget text.
 */
export async function* writeStream<Chunk>(
  stream: IRChatStream,
  form: StreamForm<Chunk>,
): AsyncGenerator<Chunk, void, undefined> {
  let write: StreamWriter<Chunk> | undefined;
  let begun = false;
  let failure: Error | undefined;
  for await (const piece of stream) {
    if (piece.type === 'start') write = form.open(piece.metadata);
    else if (piece.type === 'error') failure = piece.error;
    else if (piece.type === 'retry' && piece.discard && begun) failure = brokenOff(piece.reason);
    else if (piece.type === 'done') failure = unfinished(piece.finishReason);
    if (failure) break;
    if (SILENT.includes(piece.type)) continue;
    write ??= form.open({ requestId: crypto.randomUUID(), timestamp: Date.now() });
    begun = true;
    // Not `yield*`: it would wrap every chunk in two promises more.
    for (const chunk of write(piece)) yield chunk;
    if (piece.type === 'done') return;
  }
  failure ??= new StreamError({ message: 'The answer ended in the middle.', code: 'STREAM_TRUNCATED' });
  if (!begun) throw failure;
  yield form.error(failure);
}

/** The model that answered, else the one that was asked for. */
export const modelOf = ({ provenance }: IRMetadata): string =>
  resolveServedModel(provenance) ?? provenance?.requestedModel ?? 'unknown';
