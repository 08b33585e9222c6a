/** Errors as callers of each format get them. */
import { describe, expect, it, test } from 'vitest';
import {
  type AdapterError,
  AuthenticationError,
  AuthorizationError,
  type ErrorCode,
  MiddlewareError,
  NetworkError,
  ProviderError,
  RateLimitError,
  RouterError,
  ValidationError,
} from '../../../providers/errors.ts';
import { AnthropicFrontendAdapter } from '../../../providers/frontends/anthropic.ts';
import { OpenAIFrontendAdapter } from '../../../providers/frontends/openai-chat.ts';
import { streamedError } from '../../../providers/wire/http-error.ts';

const openai = new OpenAIFrontendAdapter();
const anthropic = new AnthropicFrontendAdapter();
const overflow = { message: 'long', code: 'CONTEXT_OVERFLOW', category: 'overflow' } as const;

describe('status, type and code', () => {
  it.each<[Error, number, string, string | null, number, string]>([
    [new ValidationError({ message: 'x' }), 400, 'invalid_request_error', null, 400, 'invalid_request_error'],
    [
      new ValidationError(overflow),
      400,
      'invalid_request_error',
      'context_length_exceeded',
      400,
      'invalid_request_error',
    ],
    [
      new AuthenticationError({ message: 'x' }),
      401,
      'invalid_request_error',
      'invalid_api_key',
      401,
      'authentication_error',
    ],
    [new AuthorizationError({ message: 'x' }), 403, 'permission_error', null, 403, 'permission_error'],
    [
      new ProviderError({ message: 'x', code: 'MODEL_NOT_FOUND', status: 404 }),
      404,
      'invalid_request_error',
      'model_not_found',
      404,
      'not_found_error',
    ],
    [new RateLimitError({ message: 'x' }), 429, 'rate_limit_error', 'rate_limit_exceeded', 429, 'rate_limit_error'],
    [
      new RateLimitError({ message: 'x', code: 'QUOTA_EXCEEDED' }),
      429,
      'insufficient_quota',
      'insufficient_quota',
      402,
      'billing_error',
    ],
    [new ProviderError({ message: 'x', status: 500 }), 500, 'server_error', null, 500, 'api_error'],
    // A base URL that is wrong here is no fault of the caller.
    [new ProviderError({ message: 'x', status: 404 }), 502, 'server_error', null, 502, 'api_error'],
    [new ProviderError({ message: 'x', status: 529 }), 503, 'server_error', null, 529, 'overloaded_error'],
    [
      new ProviderError({ message: 'x', code: 'PROVIDER_UNAVAILABLE' }),
      503,
      'server_error',
      null,
      529,
      'overloaded_error',
    ],
    [new NetworkError({ message: 'x', code: 'TIMEOUT' }), 504, 'server_error', null, 504, 'timeout_error'],
    [new NetworkError({ message: 'x' }), 502, 'server_error', null, 502, 'api_error'],
    [new MiddlewareError({ message: 'x' }), 500, 'server_error', null, 500, 'api_error'],
    [new TypeError('x'), 500, 'server_error', null, 500, 'api_error'],
  ])('%s', (error, status, type, code, otherStatus, otherType) => {
    const mine = openai.toError(error);
    expect(mine).toMatchObject({ status, body: { error: { type, code } } });
    expect(mine.body.error.message).toContain(error.message);
    const other = anthropic.toError(error);
    expect(other).toMatchObject({ status: otherStatus, body: { type: 'error', error: { type: otherType } } });
    expect(other.body.error.message).toContain(error.message);
  });
});

test('how long to wait is told in seconds and exactly, and whether it is of any use', () => {
  const slow = new RateLimitError({ message: 'x', retryAfterMs: 1_400 });
  const headers = { 'retry-after': '2', 'retry-after-ms': '1400', 'x-should-retry': 'true' };
  expect(openai.toError(slow).headers).toEqual(headers);
  expect(anthropic.toError(slow).headers).toEqual(headers);
  const final = new ProviderError({ message: 'x', status: 500, isRetryable: false });
  expect(openai.toError(final).headers).toEqual({ 'x-should-retry': 'false' });
  expect(openai.toError(new ValidationError({ message: 'x' })).headers).toBeUndefined();
});

test('backends that failed alike pass their reason on, those that failed differently do not', () => {
  const cause = new RateLimitError({ message: 'slow', retryAfterMs: 2_000 });
  const failed = (...codes: ErrorCode[]) =>
    new RouterError({
      message: 'No backend could answer.',
      cause,
      details: { attempts: codes.map((code) => ({ code })) },
    });
  expect(openai.toError(failed('RATE_LIMITED', 'RATE_LIMITED'))).toMatchObject({
    status: 429,
    headers: { 'retry-after': '2' },
    body: { error: { message: 'No backend could answer.' } },
  });
  expect(openai.toError(failed('NETWORK_ERROR', 'RATE_LIMITED')).status).toBe(502);
});

test('a client of ours reads back the error that was sent in a stream', () => {
  const source = { backend: 'b' };
  for (const error of [
    new RateLimitError({ message: 'slow' }),
    new AuthenticationError({ message: 'who' }),
    new AuthorizationError({ message: 'no' }),
    new ValidationError(overflow),
    new ProviderError({ message: 'no model m', code: 'MODEL_NOT_FOUND', status: 404 }),
  ] as AdapterError[])
    for (const frontend of [openai, anthropic]) {
      const back = streamedError(frontend.toError(error).body, source);
      expect(back).toMatchObject({ category: error.category });
      expect(back.code).toBe(error.code);
    }
});
