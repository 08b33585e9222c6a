/**
 * Typed errors of the model library. The hierarchy is flat: each class extends AdapterError, takes one options object,
 * and carries a code that a program can switch on.
 */
import type { IRChatRequest, IRChatResponse } from './ir.ts';

export type ErrorCode =
  | 'AUTHENTICATION_FAILED'
  | 'AUTHORIZATION_FAILED'
  | 'RATE_LIMITED'
  | 'QUOTA_EXCEEDED'
  | 'INVALID_REQUEST'
  | 'CONTEXT_OVERFLOW'
  | 'MODEL_NOT_FOUND'
  | 'PROVIDER_ERROR'
  | 'PROVIDER_UNAVAILABLE'
  | 'CONVERSION_FAILED'
  | 'NETWORK_ERROR'
  | 'CONNECTION_REFUSED'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'STREAM_ERROR'
  | 'STREAM_TRUNCATED'
  | 'ROUTING_FAILED'
  | 'NO_BACKEND'
  | 'MIDDLEWARE_FAILED';

export type ErrorCategory =
  | 'authentication'
  | 'authorization'
  | 'rate_limit'
  | 'overflow'
  | 'validation'
  | 'provider'
  | 'conversion'
  | 'network'
  | 'stream'
  | 'routing'
  | 'middleware';

/** Where an error came from. `url` never holds credentials. */
export interface ErrorProvenance {
  frontend?: string;
  backend?: string;
  model?: string;
  url?: string;
  requestId?: string;
}

export interface AdapterErrorOptions {
  message: string;
  code?: ErrorCode;
  category?: ErrorCategory;
  isRetryable?: boolean;
  provenance?: ErrorProvenance;
  irState?: { request?: Partial<IRChatRequest>; response?: Partial<IRChatResponse> };
  /** HTTP status, where there was one. */
  status?: number;
  /** How long the provider asked to wait, in ms. */
  retryAfterMs?: number;
  details?: Record<string, unknown>;
  cause?: unknown;
}

type Defaults = Pick<Required<AdapterErrorOptions>, 'code' | 'category' | 'isRetryable'>;

export class AdapterError extends Error {
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly isRetryable: boolean;
  readonly provenance: ErrorProvenance;
  readonly irState?: AdapterErrorOptions['irState'];
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly details?: Record<string, unknown>;
  /** Of a request that nobody else was asked: why those that might have been could not, one line each. */
  notAsked?: readonly string[];

  constructor(options: AdapterErrorOptions, defaults?: Defaults) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code ?? defaults?.code ?? 'PROVIDER_ERROR';
    this.category = options.category ?? defaults?.category ?? 'provider';
    this.isRetryable = options.isRetryable ?? defaults?.isRetryable ?? false;
    this.provenance = options.provenance ?? {};
    this.irState = options.irState;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.details = options.details;
  }
}

/** The provider does not know the caller (401). Never retried. */
export class AuthenticationError extends AdapterError {
  constructor(options: AdapterErrorOptions) {
    super(options, { code: 'AUTHENTICATION_FAILED', category: 'authentication', isRetryable: false });
  }
}

/** The provider knows the caller and refuses (403). Never retried. */
export class AuthorizationError extends AdapterError {
  constructor(options: AdapterErrorOptions) {
    super(options, { code: 'AUTHORIZATION_FAILED', category: 'authorization', isRetryable: false });
  }
}

/** Too many requests (429); `retryAfterMs` when the provider said how long. */
export class RateLimitError extends AdapterError {
  constructor(options: AdapterErrorOptions) {
    super(options, { code: 'RATE_LIMITED', category: 'rate_limit', isRetryable: true });
  }
}

export interface ValidationErrorDetail {
  /** Path of the field, for example `messages[0].content`. */
  field: string;
  message: string;
}

/** Fields of a request without which it says the same, and which some models refuse. */
export type OptionalParameter =
  | `parameters.${'effort' | 'temperature' | 'topP' | 'topK' | 'seed' | 'frequencyPenalty' | 'presencePenalty'}`
  | 'parallelToolCalls'
  | 'cache';

/** The request is wrong as it stands; sending it again changes nothing. Overflow of the window is one of these. */
export class ValidationError extends AdapterError {
  readonly validationDetails: readonly ValidationErrorDetail[];
  /** The one thing that the provider refuses: without it the request may be served. */
  readonly refused?: OptionalParameter;
  /** The model or its server takes no tools at all: without them the request may be served. */
  readonly refusesTools: boolean;
  constructor(
    options: AdapterErrorOptions & {
      validationDetails?: readonly ValidationErrorDetail[];
      refused?: OptionalParameter;
      refusesTools?: boolean;
    },
  ) {
    super(options, { code: 'INVALID_REQUEST', category: 'validation', isRetryable: false });
    this.validationDetails = options.validationDetails ?? [];
    this.refused = options.refused;
    this.refusesTools = options.refusesTools ?? false;
  }
}

/** The provider failed (5xx, overloaded) or answered something that is no answer. */
export class ProviderError extends AdapterError {
  constructor(options: AdapterErrorOptions) {
    super(options, { code: 'PROVIDER_ERROR', category: 'provider', isRetryable: false });
  }
}

/** A value could not be turned into or out of the IR. */
export class AdapterConversionError extends AdapterError {
  constructor(options: AdapterErrorOptions) {
    super(options, { code: 'CONVERSION_FAILED', category: 'conversion', isRetryable: false });
  }
}

/** The connection failed before an answer began, timed out, or was aborted by the caller (`ABORTED`). */
export class NetworkError extends AdapterError {
  constructor(options: AdapterErrorOptions) {
    super(options, { code: 'NETWORK_ERROR', category: 'network', isRetryable: true });
  }
}

/** A stream broke off (`STREAM_TRUNCATED`) or carried something that is not the format. */
export class StreamError extends AdapterError {
  constructor(options: AdapterErrorOptions) {
    super(options, { code: 'STREAM_ERROR', category: 'stream', isRetryable: true });
  }
}

/** No backend could serve the request; `details.attempts` names what was tried and why each failed. */
export class RouterError extends AdapterError {
  constructor(options: AdapterErrorOptions) {
    super(options, { code: 'ROUTING_FAILED', category: 'routing', isRetryable: false });
  }
}

/** A middleware threw. */
export class MiddlewareError extends AdapterError {
  constructor(options: AdapterErrorOptions) {
    super(options, { code: 'MIDDLEWARE_FAILED', category: 'middleware', isRetryable: false });
  }
}

/** True for the error that ends a request because its caller aborted it. */
export const isAbort = (error: unknown): boolean =>
  (error instanceof AdapterError && error.code === 'ABORTED') || (error as Error | undefined)?.name === 'AbortError';
