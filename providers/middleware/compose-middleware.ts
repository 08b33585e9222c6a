import type { Middleware, MiddlewareContext } from '../adapter.ts';
import { AdapterError, isAbort, MiddlewareError, StreamError } from '../errors.ts';
import type { IRChatStream, IRStreamChunk } from '../ir.ts';

/** What lies behind all middleware: a backend or a router, with the request as the context has it then. */
export type MiddlewareBase = (context: MiddlewareContext) => IRChatStream;

/**
 * Puts middleware around `base`, the first outermost. Without middleware it is `base` itself, so that nobody pays for
 * what is not used. The stream of the whole ends with exactly one `done` or `error` and is numbered from 0 whatever a
 * middleware does; what one throws becomes an `error` chunk: an AdapterError as it is, anything else as MiddlewareError.
 */
export function composeMiddleware(middleware: readonly Middleware[], base: MiddlewareBase): MiddlewareBase {
  if (middleware.length === 0) return base;
  const layers = [...middleware];
  return (context) => {
    const enter = (depth: number): IRChatStream =>
      depth === layers.length ? base(context) : layers[depth]!(context, () => enter(depth + 1));
    return guarded(() => enter(0));
  };
}

async function* guarded(enter: () => IRChatStream): AsyncGenerator<IRStreamChunk, void, undefined> {
  let sequence = 0;
  let failure: AdapterError | undefined;
  let ended = false;
  try {
    for await (const chunk of enter()) {
      // Read to the end all the same, so that what a middleware does behind its last chunk is done.
      if (ended) continue;
      ended = chunk.type === 'done' || chunk.type === 'error';
      yield chunk.sequence === sequence ? chunk : { ...chunk, sequence };
      sequence++;
    }
    if (ended) return;
    failure = new StreamError({ message: 'A middleware ended the answer early.', code: 'STREAM_TRUNCATED' });
  } catch (error) {
    if (ended) return;
    failure =
      error instanceof AdapterError
        ? error
        : new MiddlewareError({
            message: error instanceof Error ? error.message : String(error),
            ...(isAbort(error) && { code: 'ABORTED', category: 'network' }),
            cause: error,
          });
  }
  yield { type: 'error', sequence, error: failure };
}
