import { describe, expect, it } from 'vitest';
import { htmlError, httpError, messageOf, retryAfterOf, streamedError } from '../../../providers/wire/http-error.ts';
import { wordingOf } from '../../../providers/wire/overflow.ts';
import { fromSocketError } from '../../../providers/wire/socket-error.ts';

const source = { backend: 'vendor', model: 'm', url: 'https://vendor.test/v1' };

describe('wordingOf', () => {
  it.each([
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    'context_length_exceeded',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'Please reduce the length of the messages or completion.',
    'the request exceeds the available context size. try increasing the context size or enable context shift',
    'prompt too long; exceeded max context length by 1042 tokens',
    'the input length exceeds the context length',
    'The number of tokens to keep from the initial prompt is greater than the context length.',
    'The prompt (total length 40000) is too long to fit: longer than the maximum model length of 32768',
    'Prompt exceeds max length',
    'Invalid request: Your request exceeded model token limit: 131072',
    'invalid params, context window exceeds limit',
    'input is too long for requested model',
    'too many tokens: total number of tokens in the prompt exceeds the limit',
    '`inputs` tokens + `max_new_tokens` must be <= 4096',
  ])('overflow: %s', (words) => expect(wordingOf(words)).toBe('overflow'));

  it.each([
    'Too many tokens, please wait before trying again.',
    'Request too large: too many tokens per minute (TPM): Limit 6000, Requested 7000, try again in 10s',
    'context window limit: rate limit reached for requests',
  ])('rate limit: %s', (words) => expect(wordingOf(words)).toBe('rate_limit'));

  it.each(['max_tokens must be at least 1', 'Unknown parameter: context', 'invalid token', ''])(
    'neither: %s',
    (words) => expect(wordingOf(words)).toBeUndefined(),
  );
});

describe('httpError', () => {
  it('takes "too many tokens, please wait" for a rate limit whatever its status', () => {
    const body = { message: 'Too many tokens, please wait before trying again.' };
    expect(httpError({ ...source, status: 400, body })).toMatchObject({ code: 'RATE_LIMITED', isRetryable: true });
    expect(httpError({ ...source, status: 429, body })).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('knows an overflow behind a 500', () => {
    const body = {
      error: { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' },
    };
    expect(httpError({ ...source, status: 500, body })).toMatchObject({ code: 'CONTEXT_OVERFLOW', isRetryable: false });
  });

  it('does not wait for a quota that is spent', () => {
    const body = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } };
    expect(httpError({ ...source, status: 429, body })).toMatchObject({ code: 'QUOTA_EXCEEDED', isRetryable: false });
    expect(httpError({ ...source, status: 402, body: '' })).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  it('names the field that was wrong', () => {
    const body = { error: { message: 'expected a string', param: 'messages.0.content' } };
    expect(httpError({ ...source, status: 400, body })).toMatchObject({
      code: 'INVALID_REQUEST',
      validationDetails: [{ field: 'messages.0.content', message: 'expected a string' }],
    });
  });

  it('does not try again what has no room', () => {
    const body = { error: 'model requires more system memory (9 GiB) than is available (4 GiB)' };
    expect(httpError({ ...source, status: 500, body })).toMatchObject({ code: 'PROVIDER_ERROR', isRetryable: false });
  });

  it('tells a missing endpoint from a missing model', () => {
    expect(httpError({ ...source, status: 404, body: '404 page not found' })).toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(httpError({ ...source, status: 404, body: { error: "model 'm' not found" } }).code).toBe('MODEL_NOT_FOUND');
  });

  it('keeps 401 an authentication error even as a web page', () => {
    expect(httpError({ ...source, status: 401, body: '<html><title>Login</title>' }).code).toBe(
      'AUTHENTICATION_FAILED',
    );
  });

  it('keeps the body for the person', () => {
    expect(httpError({ ...source, status: 500, body: '{"error":{"message":"boom"}}' })).toMatchObject({
      message: 'vendor failed (500): boom',
      details: { body: '{"error":{"message":"boom"}}' },
    });
  });

  it('never blames a page title on the model', () => {
    expect(htmlError(source, '<html><head><title>\n Proxy </title></head>', 200).message).toContain('Proxy');
  });
});

describe('messageOf', () => {
  it.each([
    [{ error: { message: 'a' } }, 'a'],
    [{ error: 'b' }, 'b'],
    [{ message: 'c' }, 'c'],
    [{ detail: [{ msg: 'd' }] }, 'd'],
    [[{ error: { message: 'e' } }], 'e'],
    [
      { error: { message: 'Provider returned error', metadata: { raw: '{"x":1}' } } },
      'Provider returned error: {"x":1}',
    ],
    ['plain', 'plain'],
    [{}, ''],
  ])('%j', (body, words) => expect(messageOf(body)).toBe(words));
});

describe('retryAfterOf', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:10 GMT' }, 10_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j', (headers, ms) => expect(retryAfterOf(headers, now)).toBe(ms));
});

describe('streamedError', () => {
  it.each([
    [{ error: { type: 'overloaded_error', message: 'x' } }, 'PROVIDER_UNAVAILABLE', true],
    [{ error: { type: 'rate_limit_error', message: 'x' } }, 'RATE_LIMITED', true],
    [{ error: { code: 429, message: 'x' } }, 'RATE_LIMITED', true],
    [{ error: { type: 'authentication_error', message: 'x' } }, 'AUTHENTICATION_FAILED', false],
    [{ error: 'prompt too long; exceeded max context length by 12 tokens' }, 'CONTEXT_OVERFLOW', false],
    [{ error: 'an error was encountered while running the model: unexpected EOF' }, 'PROVIDER_ERROR', true],
  ] as const)('%j', (body, code, isRetryable) => {
    expect(streamedError(body, source)).toMatchObject({ code, isRetryable });
  });
});

describe('fromSocketError', () => {
  const error = (code: string) => Object.assign(new Error(code), { code });
  it.each([
    ['ECONNREFUSED', 'CONNECTION_REFUSED', false],
    ['ENOTFOUND', 'NETWORK_ERROR', false],
    ['EAI_AGAIN', 'NETWORK_ERROR', true],
    ['ETIMEDOUT', 'TIMEOUT', true],
    ['ECONNRESET', 'NETWORK_ERROR', true],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'NETWORK_ERROR', false],
  ] as const)('%s', (code, mapped, isRetryable) => {
    const made = fromSocketError(error(code), 'http://host:1/path');
    expect(made).toMatchObject({ code: mapped, isRetryable });
    expect(made.message).toContain('http://host:1');
  });

  it('looks into the errors of several addresses', () => {
    const many = new AggregateError([error('ECONNREFUSED'), error('ECONNREFUSED')]);
    expect(fromSocketError(many, 'http://localhost:1').code).toBe('CONNECTION_REFUSED');
  });
});
