import type { Middleware } from '../adapter.ts';
import type { AdapterError } from '../errors.ts';
import { type FinishReason, type IRUsage, resolveServedModel } from '../ir.ts';
import { tell } from './tell.ts';

/** One line of the log. No entry holds text of the conversation. Times in ms. */
export type LogEntry =
  | { event: 'request'; requestId: string; model?: string; messages: number; tools: number; streaming: boolean }
  | { event: 'retry'; requestId: string; reason: string; attempt: number; delayMs: number; discard: boolean }
  | {
      event: 'response';
      requestId: string;
      model?: string;
      backend?: string;
      finishReason: FinishReason;
      usage?: IRUsage;
      durationMs: number;
    }
  | { event: 'error'; requestId: string; code: string; message: string; durationMs: number }
  /** The caller stopped reading. */
  | { event: 'left'; requestId: string; durationMs: number };

export interface LoggingOptions {
  log: (entry: LogEntry) => void;
  now?: () => number;
}

/** Reports each request and how it ended. What `log` throws changes nothing. */
export function createLoggingMiddleware({ log: write, now = Date.now }: LoggingOptions): Middleware {
  const log = (entry: LogEntry) => tell(write, entry);
  return async function* logging(context, next) {
    const { requestId } = context.request.metadata;
    const { messages, tools, parameters } = context.request;
    const began = now();
    let ended = false;
    log({
      event: 'request',
      requestId,
      model: parameters?.model,
      messages: messages.length,
      tools: tools?.length ?? 0,
      streaming: context.isStreaming,
    });
    const failed = (error: Error) => {
      ended = true;
      const code = (error as AdapterError).code ?? error.name;
      log({ event: 'error', requestId, code, message: error.message, durationMs: now() - began });
    };
    try {
      for await (const chunk of next()) {
        if (chunk.type === 'done') {
          ended = true;
          log({
            event: 'response',
            requestId,
            model: resolveServedModel(chunk.metadata.provenance) ?? parameters?.model,
            backend: chunk.metadata.provenance?.backend,
            finishReason: chunk.finishReason,
            usage: chunk.usage,
            durationMs: now() - began,
          });
        } else if (chunk.type === 'retry') {
          const { reason, attempt, delayMs, discard } = chunk;
          log({ event: 'retry', requestId, reason, attempt, delayMs, discard });
        } else if (chunk.type === 'error') failed(chunk.error);
        yield chunk;
      }
    } catch (error) {
      if (!ended) failed(error instanceof Error ? error : new Error(String(error)));
      throw error;
    } finally {
      if (!ended) log({ event: 'left', requestId, durationMs: now() - began });
    }
  };
}
