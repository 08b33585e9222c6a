import { NetworkError } from '../errors.ts';
import { abortedError, withoutCredentials } from './socket-error.ts';

/**
 * What `ask` gives, if it does so in time: else NetworkError `TIMEOUT`, and `ask` has its signal aborted. Each call has a
 * signal of its own, so that many at once do not pile up listeners on one. `url`: who is asked; `ms` from now.
 */
export async function within<T>(
  ms: number,
  url: string,
  outer: AbortSignal | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const shown = withoutCredentials(new URL(url));
  const limit = new AbortController();
  let stop = (_error: NetworkError): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = (error) => {
      reject(error);
      limit.abort();
    };
  });
  const message = `${shown} does not answer: nothing came within ${ms / 1_000} s.`;
  const onLate = () => stop(new NetworkError({ message, code: 'TIMEOUT', provenance: { url: shown } }));
  const onAbort = () => stop(abortedError({ url: shown }, outer?.reason));
  const timer = setTimeout(onLate, ms);
  outer?.addEventListener('abort', onAbort, { once: true });
  if (outer?.aborted) onAbort();
  try {
    return await Promise.race([stopped, ask(limit.signal)]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}
