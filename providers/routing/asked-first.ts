import type { BackendAdapter } from '../adapter.ts';
import { AdapterError, NetworkError, ProviderError } from '../errors.ts';
import type { IRChatRequest, IRChatStream } from '../ir.ts';

/**
 * A backend of a server that did not answer when it was looked for: before each request it is asked what it has, which
 * takes seconds where the request itself would wait many minutes. Where that fails the request fails with the reason,
 * and is not repeated, so that another backend is asked at once. A server that has answered is not asked again.
 */
export function askedFirst(backend: BackendAdapter, ask: (signal?: AbortSignal) => Promise<unknown>): BackendAdapter {
  let isThere = false;
  async function* executeStream(request: IRChatRequest, signal?: AbortSignal): IRChatStream & AsyncGenerator {
    if (!isThere) {
      try {
        await ask(signal);
        isThere = true;
      } catch (error) {
        yield { type: 'start', sequence: 0, metadata: request.metadata };
        yield { type: 'error', sequence: 1, error: final(error, backend.metadata.name) };
        return;
      }
    }
    yield* backend.executeStream(request, signal);
  }
  return new Proxy(backend, {
    get: (target, name) => {
      if (name === 'executeStream') return executeStream;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The same failure, as one that asking again does not mend. */
function final(error: unknown, backend: string): Error {
  if (!(error instanceof AdapterError) || error.code === 'ABORTED') return error as Error;
  const { message, code, category, status, details, cause } = error;
  const Kind = category === 'network' ? NetworkError : ProviderError;
  const provenance = { ...error.provenance, backend };
  return new Kind({ message, code, category, status, details, cause, provenance, isRetryable: false });
}
