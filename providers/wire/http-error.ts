/** Turns a provider's refusal (status, headers, body) into a typed error that keeps the provider's own words. */
import type { IncomingHttpHeaders } from 'node:http';
import {
  type AdapterError,
  type AdapterErrorOptions,
  AuthenticationError,
  AuthorizationError,
  ProviderError,
  RateLimitError,
  ValidationError,
} from '../errors.ts';
import { wordingOf } from './overflow.ts';
import { refusedParameter } from './refused-parameter.ts';
import { refusesTools } from './refused-tools.ts';

/** Whom a request went to, for messages and provenance. */
export interface ErrorSource {
  backend: string;
  model?: string;
  url?: string;
}

export interface Refusal extends ErrorSource {
  status: number;
  headers?: IncomingHttpHeaders;
  /** The body's text, or a parsed object from inside a stream. */
  body: string | Record<string, unknown>;
}

const LONGEST = 600;
const isObject = (value: unknown): value is Record<string, any> => typeof value === 'object' && value !== null;
export const looksLikeHtml = (text: string): boolean => /^\s*<(!doctype|html|head|body|\?xml)\b/i.test(text);

/** The sentence meant for people in an error body of any known shape; empty when there is none. */
export function messageOf(body: unknown): string {
  if (typeof body === 'string') return body.trim();
  if (Array.isArray(body)) return messageOf(body[0]);
  if (!isObject(body)) return '';
  // A gateway puts the words of the provider behind it into metadata.raw.
  const inner = isObject(body.error) && isObject(body.error.metadata) ? messageOf(body.error.metadata.raw) : '';
  const outer = messageOf(body.error ?? body.message ?? body.msg ?? body.detail ?? body.errors);
  return inner && inner !== outer ? `${outer}: ${inner}` : outer;
}

const field = (body: unknown, name: string): unknown =>
  isObject(body) ? ((isObject(body.error) ? body.error[name] : undefined) ?? body[name]) : undefined;

/** Retry-After in seconds or as a date (RFC 9110, 10.2.3), and its variant in milliseconds; ms from now. */
export function retryAfterOf(headers: IncomingHttpHeaders | undefined, now: number = Date.now()): number | undefined {
  const exact = Number(headers?.['retry-after-ms']);
  if (Number.isFinite(exact) && exact >= 0 && headers?.['retry-after-ms'] !== '') return exact;
  const value = headers?.['retry-after']?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A server that is no model server, or a login page in front of one. */
export function htmlError(source: ErrorSource, text: string, status?: number): ProviderError {
  const title = /<title[^>]*>([^<]{1,120})/i.exec(text)?.[1]?.trim();
  return new ProviderError({
    message: `${source.url ?? source.backend} answered with a web page${title ? ` (“${title}”)` : ''}, not as a model server${status && status !== 200 ? ` (${status})` : ''}. Check the base URL and any proxy.`,
    status,
    isRetryable: status !== undefined && status >= 500,
    provenance: { backend: source.backend, model: source.model, url: source.url },
    details: { body: text.slice(0, LONGEST) },
  });
}

const withoutStop = (text: string): string => text.replace(/(?<!\.)\.\s*$/, '');

/** How long the server asks to wait, where that is worth saying. */
function waitOf(headers: IncomingHttpHeaders | undefined): string {
  const ms = retryAfterOf(headers);
  if (ms === undefined || ms < 1_000) return '';
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 120 ? `, for ${seconds} s` : `, for ${Math.ceil(seconds / 60)} min`;
}

/** The typed error for a status that is not 2xx. */
export function httpError(refusal: Refusal): AdapterError {
  const { status, headers, backend, model, url } = refusal;
  const text = typeof refusal.body === 'string' ? refusal.body : JSON.stringify(refusal.body);
  let body: unknown = refusal.body;
  if (typeof body === 'string') {
    try {
      body = JSON.parse(body);
    } catch {
      // Plain text is its own message.
    }
  }
  if (typeof body === 'string' && looksLikeHtml(body) && status !== 401 && status !== 403 && status !== 429)
    return htmlError(refusal, body, status);
  const words = typeof body === 'string' && looksLikeHtml(body) ? '' : messageOf(body).slice(0, LONGEST);
  const code = field(body, 'code') ?? field(body, 'type');
  const said = words ? `: ${words}` : '';
  const make = (message: string): AdapterErrorOptions => ({
    message,
    status,
    retryAfterMs: retryAfterOf(headers),
    provenance: { backend, model, url },
    details: { body: text.slice(0, 4_000), ...(code !== undefined && { code }) },
  });
  const type = String(code ?? '');
  const wording = status === 401 || status === 403 ? undefined : wordingOf(`${type} ${words}`);
  const spent =
    /insufficient_quota|billing|credit balance|insufficient (?:credits|balance|funds)|exceeded your current quota/i;

  if (status === 401) return new AuthenticationError(make(`${backend} refused the key (401)${said}`));
  if (status === 402 || (status < 500 && spent.test(`${type} ${words}`)))
    return new RateLimitError({
      ...make(`${backend}: the account's quota is used up (${status})${said}`),
      code: 'QUOTA_EXCEEDED',
      isRetryable: false,
    });
  if (status === 403) return new AuthorizationError(make(`${backend} does not allow this (403)${said}`));
  if (status === 429 || wording === 'rate_limit')
    return new RateLimitError(make(`${backend} asks to slow down (${status})${waitOf(headers)}${said}`));
  // Some say it as a failure of theirs (500) or as something that is not there (404).
  if (refusesTools(words))
    return new ValidationError({ ...make(`${backend} refused the request (${status})${said}`), refusesTools: true });
  if (wording === 'overflow' || (status === 413 && wording === undefined))
    return new ValidationError({
      ...make(`The conversation is too long for ${model ?? 'the model'} (${status})${said}`),
      code: 'CONTEXT_OVERFLOW',
      category: 'overflow',
    });
  // LM Studio calls a model that it cannot load one that is not there.
  const isStuck = NO_ROOM.test(words) || /failed to load model/i.test(words);
  if (isStuck) {
    const smaller = NO_ROOM.test(words) ? SMALLER : '';
    const options = make(`${backend} failed (${status})${said ? withoutStop(said) : ''}${smaller}`);
    return new ProviderError({ ...options, details: { ...options.details, ...(smaller && { noRoom: true }) } });
  }
  if (status === 404) {
    const missing = /model/i.test(`${type} ${words}`);
    return new ProviderError({
      ...make(
        missing
          ? `${backend} has no model “${model ?? ''}” (404)${said}`
          : `${url ?? backend} does not exist (404)${said || '. Check the base URL.'}`,
      ),
      ...(missing && { code: 'MODEL_NOT_FOUND' as const }),
    });
  }
  if (status >= 300 && status < 400)
    return new ProviderError(make(`${url ?? backend} redirects (${status}) to ${headers?.location ?? 'elsewhere'}.`));
  if (status === 408 || status === 409 || status === 425 || status >= 500) {
    const away = status === 502 || status === 503 || status === 504 || status === 529;
    const loading = status === 503 && LOADING.test(words);
    const options = make(`${backend} ${loading ? 'is loading the model' : 'failed'} (${status})${said}`);
    return new ProviderError({
      ...options,
      ...(loading && { details: { ...options.details, loading } }),
      ...(away && { code: 'PROVIDER_UNAVAILABLE' as const }),
      isRetryable: status !== 501 && status !== 505,
    });
  }
  const at = placeOf(body);
  return new ValidationError({
    ...make(`${backend} refused the request (${status})${said}`),
    validationDetails: at === undefined ? [] : [{ field: at, message: words }],
    refused: refusedParameter(words, type, at),
  });
}

/** Where the fault is, as the provider names it: `param`, or the `loc` of a validator's list. */
function placeOf(body: unknown): string | undefined {
  const param = field(body, 'param');
  if (typeof param === 'string') return param;
  const detail = isObject(body) && Array.isArray(body.detail) ? body.detail[0] : undefined;
  return isObject(detail) && Array.isArray(detail.loc) && detail.loc.length === 2 ? String(detail.loc[1]) : undefined;
}

/** Words of a local server that cannot load the model: the next try fails like this one. */
const NO_ROOM =
  /more (?:system |gpu )?memory|out of memory|insufficient (?:memory|system resources)|unable to load model|failed to allocate/i;
const SMALLER = '. A smaller model needs less memory, and so does a smaller window.';
/** A local server that is still reading its model into memory (llama.cpp, LM Studio). */
const LOADING = /\bloading\b/i;

/** Statuses behind the error types that arrive inside a stream that began with 200 (Anthropic, OpenAI). */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  authentication_error: 401,
  invalid_api_key: 401,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  invalid_request_error: 400,
  context_length_exceeded: 400,
  exceed_context_size_error: 400,
  api_error: 500,
  server_error: 500,
  overloaded_error: 529,
  timeout_error: 504,
};

/**
 * True for a payload that is an error: in an envelope or, as some servers put it into a stream that began with 200,
 * bare (`{"object":"error","message":…,"code":400}`, `{"detail":…}`). Whatever `answers` says is part of an answer.
 */
export function isErrorPayload(payload: Record<string, any>, answers: boolean): boolean {
  if (payload.error || payload.object === 'error' || payload.type === 'error') return true;
  if (answers) return false;
  if (payload.detail || payload.errors) return true;
  if (typeof (payload.message ?? payload.msg) !== 'string') return false;
  const code: unknown = payload.code ?? payload.status ?? payload.statusCode;
  // Words alone are an error too; words with a state beside them may be the news of a queue.
  return typeof code === 'number' ? code >= 400 : typeof payload.code === 'string' || Object.keys(payload).length === 1;
}

/** The typed error for an error object inside a stream. Unknown kinds count as a failure of the server. */
export function streamedError(body: Record<string, unknown> | string, source: ErrorSource): AdapterError {
  let status = 500;
  for (const name of ['code', 'status', 'statusCode', 'type']) {
    const value = field(body, name);
    const found = typeof value === 'number' ? value : (STATUS_OF_TYPE[String(value)] ?? Number(value));
    if (Number.isInteger(found) && found >= 400 && found < 600) {
      status = found;
      break;
    }
  }
  return httpError({ ...source, status, body: typeof body === 'string' ? { error: body } : body });
}
