/** Errors as Anthropic's servers send them (API reference, "Errors"). */
import type { ErrorCode } from '../../errors.ts';
import { type HttpErrorAnswer, plainError } from '../http-error.ts';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function statusOf(status: number, code: ErrorCode | undefined): number {
  if (code === 'QUOTA_EXCEEDED') return 402;
  return status === 503 ? 529 : status;
}

/** Any error as an answer. */
export function toAnthropicError(error: unknown): HttpErrorAnswer {
  const { status: found, code, message: said, headers } = plainError(error);
  const status = statusOf(found, code);
  // Clients of this format know an overflow by these words alone.
  const message =
    code === 'CONTEXT_OVERFLOW' && !/prompt is too long/i.test(said) ? `prompt is too long: ${said}` : said;
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { status, ...(headers && { headers }), body: { type: 'error', error: { type, message } } };
}
