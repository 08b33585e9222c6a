import type { Middleware, MiddlewareContext } from '../adapter.ts';
import type { IRChatRequest, IRStreamChunk } from '../ir.ts';

type Soon<T> = T | Promise<T>;

export interface TransformOptions {
  /** Gives the request that goes on in the place of the one that came; nothing: it stays. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
  request?: (request: IRChatRequest, context: MiddlewareContext) => Soon<IRChatRequest | undefined | void>;
  /**
   * Gives what goes on in the place of one chunk: another, several, or `null` for none; nothing: it stays. Numbers are
   * set anew behind it. An answer whose `done` is taken away ends with a StreamError.
   */
  chunk?: (
    chunk: IRStreamChunk,
    context: MiddlewareContext,
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
  ) => Soon<IRStreamChunk | readonly IRStreamChunk[] | null | undefined | void>;
}

/** Changes requests on their way in and chunks on their way out, for chat and stream alike. */
export function createTransformMiddleware({ request, chunk }: TransformOptions): Middleware {
  return async function* transform(context, next) {
    if (request) context.request = (await request(context.request, context)) ?? context.request;
    if (!chunk) {
      yield* next();
      return;
    }
    for await (const one of next()) {
      const changed = await chunk(one, context);
      if (changed === undefined) yield one;
      else if (changed !== null) yield* 'type' in changed ? [changed] : changed;
    }
  };
}
