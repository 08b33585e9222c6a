/** Errors as OpenAI's servers send them (guide, "Error codes"). */
import type { ErrorCode } from '../../errors.ts';
import { type HttpErrorAnswer, plainError } from '../http-error.ts';

const CODES: Partial<Record<ErrorCode, string>> = {
  AUTHENTICATION_FAILED: 'invalid_api_key',
  RATE_LIMITED: 'rate_limit_exceeded',
  QUOTA_EXCEEDED: 'insufficient_quota',
  CONTEXT_OVERFLOW: 'context_length_exceeded',
  MODEL_NOT_FOUND: 'model_not_found',
};

function typeOf(status: number, code: ErrorCode | undefined): string {
  if (code === 'QUOTA_EXCEEDED') return 'insufficient_quota';
  if (status === 429) return 'rate_limit_error';
  if (status === 403) return 'permission_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

/** Any error as an answer. `error.param` is the path of the first wrong field. */
export function toOpenAIError(error: unknown): HttpErrorAnswer {
  const { status: found, code, message, field, headers } = plainError(error);
  // 529 is another vendor's word for 503.
  const status = found === 529 ? 503 : found;
  const known = code === undefined ? null : (CODES[code] ?? null);
  const body = { error: { message, type: typeOf(status, code), param: field ?? null, code: known } };
  return { status, ...(headers && { headers }), body };
}
