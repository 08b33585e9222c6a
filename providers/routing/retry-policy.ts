/** When a failed request may be asked again, by whom, and after how long. Pure. */
import { AdapterError, isAbort, NetworkError, ProviderError } from '../errors.ts';

/** Attempts count requests that were sent, over all backends. Times in ms. */
export interface RetryPolicy {
  /** Requests in all that one call of the router may send; 1 means that nothing is asked twice. */
  maxAttempts: number;
  /** First delay; it doubles with every further one. */
  baseDelayMs: number;
  /** Longest delay of our own. */
  maxDelayMs: number;
  /** Longest `Retry-After` that is waited for; a longer one surfaces at once. */
  maxRetryAfterMs: number;
  /** How long a local server that says it is loading its model is asked again without using up attempts. */
  loadingMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 4,
  baseDelayMs: 500,
  maxDelayMs: 20_000,
  maxRetryAfterMs: 60_000,
  loadingMs: 120_000,
};

/**
 * What a failure allows before anything of the answer was seen.
 * `retry`: the same backend may answer next time. `move`: only another backend may. `stop`: nobody will.
 */
export type Verdict = 'retry' | 'move' | 'stop';

export function judgeFailure(error: AdapterError, policy: RetryPolicy): Verdict {
  switch (error.code) {
    case 'ABORTED':
    // The request itself is at fault; the next backend would be sent the same one.
    case 'INVALID_REQUEST':
    case 'CONTEXT_OVERFLOW':
    case 'CONVERSION_FAILED':
    case 'MIDDLEWARE_FAILED':
      return 'stop';
    case 'AUTHENTICATION_FAILED':
    case 'AUTHORIZATION_FAILED':
    case 'QUOTA_EXCEEDED':
    case 'MODEL_NOT_FOUND':
    // Nobody listens there; waiting a second does not start a server.
    case 'CONNECTION_REFUSED':
      return 'move';
    default:
      if (!error.isRetryable) return 'move';
      return (error.retryAfterMs ?? 0) > policy.maxRetryAfterMs ? 'move' : 'retry';
  }
}

/** True when a failure says that the backend is unwell: not for a caller's own mistake, an abort, a limit or loading. */
export function countsAgainstHealth(error: AdapterError, local: boolean): boolean {
  switch (error.category) {
    case 'provider':
    case 'network':
    case 'stream':
      break;
    default:
      return false;
  }
  if (error.code === 'ABORTED' || error.code === 'MODEL_NOT_FOUND' || error.code === 'QUOTA_EXCEEDED') return false;
  // A local model that is being read from disk is slow, not broken.
  return !(local && (isLoading(error) || error.code === 'TIMEOUT'));
}

/** True for the answer of a server that is still loading its model (llama.cpp and LM Studio say so with a 503). */
export function isLoading(error: AdapterError): boolean {
  return error.details?.loading === true || (error.status === 503 && /\bloading\b/i.test(error.message));
}

/** Delay before the n-th repetition (1, 2, …): what the provider asked for, else exponential, half of it random. */
export function retryDelay(n: number, error: AdapterError, policy: RetryPolicy, random: () => number): number {
  if (error.retryAfterMs !== undefined) return Math.max(0, Math.min(error.retryAfterMs, policy.maxRetryAfterMs));
  const full = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (n - 1));
  return Math.round(full / 2 + (random() * full) / 2);
}

export const abortedError = (backend?: string): NetworkError =>
  new NetworkError({
    message: 'The request was aborted.',
    code: 'ABORTED',
    isRetryable: false,
    provenance: backend === undefined ? {} : { backend },
  });

/** Whatever a backend threw or ended with, as a typed error. */
export function toAdapterError(error: unknown, backend: string): AdapterError {
  if (error instanceof AdapterError) return error;
  if (isAbort(error)) return abortedError(backend);
  const message = error instanceof Error ? error.message : String(error);
  return new ProviderError({ message, cause: error, provenance: { backend } });
}
