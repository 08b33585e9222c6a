import type { AdapterError } from '../errors.ts';
import type { IRChatRequest } from '../ir.ts';
import type { BreakerOptions } from './breaker.ts';
import type { RetryPolicy } from './retry-policy.ts';
import type { CustomRouter, RoutingStrategy } from './strategies.ts';

export const fallbackStrategies = ['none', 'sequential', 'parallel', 'custom'] as const;

export type FallbackStrategy =
  /** Only the chosen backend is asked. */
  | 'none'
  /** The members of the fallback chain in order. */
  | 'sequential'
  /**
   * All remaining members of the chain at once. The first whose answer begins is streamed; the others go on behind it
   * until it has ended, and are then aborted. Where it breaks off, one of them takes its place behind a `retry` chunk
   * with `discard`, at no attempt.
   */
  | 'parallel'
  | 'custom';

/** Names the next backend after a failure; null: nobody. The failed one's own name asks it again, after a delay. */
export type CustomFallback = (
  request: IRChatRequest,
  failed: string,
  error: AdapterError,
  attempted: readonly string[],
) => string | null | Promise<string | null>;

export interface RouterConfig {
  routingStrategy: RoutingStrategy;
  fallbackStrategy: FallbackStrategy;
  /** Backend of requests that name none; without it the first one registered. */
  defaultBackend?: string;
  /** Model id to backend name, for `model-based`. */
  modelMapping: Readonly<Record<string, string>>;
  /** Other names of models; the request that is sent has the real one. */
  modelAliases: Readonly<Record<string, string>>;
  customRouter?: CustomRouter;
  customFallback?: CustomFallback;
  /**
   * Asked before a request that a local backend had goes to one that is not local; without it the answer is no.
   * `request` is what would be sent there, `error` why the local one did not answer.
   */
  mayLeave?: (from: string, to: string, request: IRChatRequest, error: AdapterError) => boolean | Promise<boolean>;
  /**
   * Further members of the fallback chain, registered by then: asked for when a request failed for the first time, so
   * that what is seldom needed is not made before.
   */
  moreBackends?: (failed: string) => Promise<readonly string[]>;
  retry: Partial<RetryPolicy>;
  breaker: Partial<BreakerOptions>;
  /** Estimated tokens of a prompt; by default a quarter of its characters. */
  estimateTokens?: (request: IRChatRequest) => number;
  /** Clock in ms, and randomness from 0 to 1. */
  now: () => number;
  random: () => number;
  /** Waits before a repetition; must resolve when the signal aborts. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}
