/** What a failed request looks like to a caller over HTTP, as far as formats agree. */
import { AdapterError, type ErrorCode, StreamError, ValidationError, type ValidationErrorDetail } from '../errors.ts';
import type { FinishReason } from '../ir.ts';

/** An answer that is an error: `body` is sent as JSON. */
export interface HttpErrorAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: Record<string, any>;
}

/** Throws ValidationError when a request has faults; `format` stands in its message. */
export function refuseFaults(format: string, faults: readonly ValidationErrorDetail[]): void {
  if (faults.length === 0) return;
  throw new ValidationError({
    message: `Not a valid ${format} request: ${faults.map(({ field, message }) => `${field} ${message}`).join('; ')}`,
    validationDetails: faults,
  });
}

const STATUS: Readonly<Record<ErrorCode, number>> = {
  AUTHENTICATION_FAILED: 401,
  AUTHORIZATION_FAILED: 403,
  RATE_LIMITED: 429,
  QUOTA_EXCEEDED: 429,
  INVALID_REQUEST: 400,
  CONTEXT_OVERFLOW: 400,
  MODEL_NOT_FOUND: 404,
  PROVIDER_ERROR: 502,
  PROVIDER_UNAVAILABLE: 503,
  CONVERSION_FAILED: 500,
  NETWORK_ERROR: 502,
  CONNECTION_REFUSED: 502,
  TIMEOUT: 504,
  // What servers log for a caller that left; nobody reads it.
  ABORTED: 499,
  STREAM_ERROR: 502,
  STREAM_TRUNCATED: 502,
  ROUTING_FAILED: 502,
  NO_BACKEND: 503,
  MIDDLEWARE_FAILED: 500,
};

/** An error in the words that every format needs. */
export interface PlainError {
  status: number;
  code: ErrorCode | undefined;
  message: string;
  /** Path of the first wrong field. */
  field: string | undefined;
  headers: Record<string, string> | undefined;
}

/**
 * Status, words and headers of an error. A server's own 5xx is passed on. When several backends failed alike, the
 * caller is told their reason; when they failed differently, that none could answer. `retry-after` is in seconds as
 * RFC 9110 has it, `retry-after-ms` and `x-should-retry` are what the official clients of OpenAI and Anthropic read.
 */
export function plainError(error: unknown): PlainError {
  if (!(error instanceof AdapterError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { status: 500, code: undefined, message, field: undefined, headers: undefined };
  }
  const reason = sharedReason(error);
  const { code } = reason;
  const own = reason.status ?? 0;
  const status = reason.category === 'provider' && own >= 500 && own < 600 ? own : STATUS[code];
  const headers: Record<string, string> = {};
  if (reason.retryAfterMs !== undefined) {
    headers['retry-after'] = String(Math.ceil(reason.retryAfterMs / 1000));
    headers['retry-after-ms'] = String(Math.ceil(reason.retryAfterMs));
  }
  // Clients retry these by themselves unless they are told that it is of no use.
  if (status === 429 || status >= 500) headers['x-should-retry'] = String(reason.isRetryable);
  const details = 'validationDetails' in reason ? (reason.validationDetails as { field: string }[]) : [];
  return {
    status,
    code,
    message: error.message,
    field: details[0]?.field,
    ...{ headers: Object.keys(headers).length ? headers : undefined },
  };
}

function sharedReason(error: AdapterError): AdapterError {
  if (error.code !== 'ROUTING_FAILED' || !(error.cause instanceof AdapterError)) return error;
  const attempts = (error.details?.attempts ?? []) as { code?: string }[];
  const { cause } = error;
  return attempts.length > 0 && attempts.every(({ code }) => code === cause.code) ? cause : error;
}

/** A caller over HTTP cannot be told to forget what it has: a message that is begun anew ends with this. */
export const brokenOff = (reason: string): StreamError =>
  new StreamError({
    message: `The answer broke off after it had begun: ${reason}`,
    code: 'STREAM_TRUNCATED',
  });

/** The error of an answer whose end no format has a word for; undefined for all others. */
export function unfinished(finish: FinishReason): StreamError | undefined {
  if (finish !== 'aborted' && finish !== 'error') return undefined;
  return new StreamError({
    message: finish === 'aborted' ? 'The answer was aborted.' : 'The answer ended with an error.',
    code: 'STREAM_TRUNCATED',
  });
}
