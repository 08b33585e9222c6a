import { type AdapterError, StreamError } from '../errors.ts';
import type { IRChatRequest, IRMetadata, IRStreamChunk, IRWarning } from '../ir.ts';
import type { BackendEntry } from './backend-entry.ts';
import { toAdapterError } from './retry-policy.ts';
import { type Plan, type Sent, Trip, type TripHost, withoutStop } from './trip.ts';

/** Counts of the router's calls. */
export interface Totals {
  requests: number;
  successes: number;
  failures: number;
  aborted: number;
  retries: number;
  fallbacks: number;
}

/** The metadata of the answer with who served it; `attempts` once it is over. */
function stamped(metadata: IRMetadata, entry: BackendEntry, request: IRChatRequest, attempts?: number): IRMetadata {
  const { name, provider } = entry.adapter.metadata;
  const inner = metadata.provenance;
  // A router behind a router: the backend that it chose says more than its own name.
  const nested = provider === 'router' && inner?.backend !== undefined && inner.backend !== name;
  return {
    ...metadata,
    provenance: {
      ...inner,
      backend: nested ? inner.backend : entry.name,
      requestedModel: inner?.requestedModel ?? request.parameters?.model,
      local: inner?.local ?? entry.local,
    },
    ...(attempts === undefined ? {} : { custom: { ...metadata.custom, attempts } }),
  };
}

/**
 * One request through the router, as a stream: one `start`, the pieces, a `retry` wherever it is sent again, and one
 * `done` or `error`. It never throws, never joins two answers, and closes the backend's stream when it is left.
 */
export async function* routedStream(
  host: TripHost & { readonly totals: Totals; plan(request: IRChatRequest): Promise<Plan> },
  request: IRChatRequest,
  signal?: AbortSignal,
): AsyncGenerator<IRStreamChunk, void, undefined> {
  const { totals } = host;
  let sequence = 0;
  let started = false;
  let emitted = false;
  let trip: Trip | undefined;
  let sent: Sent | undefined;
  /** False while the caller may still leave in the middle. */
  let over = false;
  let failure: AdapterError | undefined;
  const warned = new Set<string>();
  const isNews = ({ kind, field, message }: IRWarning): boolean => {
    const key = `${kind} ${field} ${message}`;
    if (warned.has(key)) return false;
    warned.add(key);
    return true;
  };
  /** Said once, and not where the backend has said it. */
  let isToolless = false;
  totals.requests++;
  try {
    trip = new Trip(host, await host.plan(request), signal);
    let step = trip.first;
    for (;;) {
      const outcome = await trip.send(step);
      let name = step.names.at(-1)!;
      if (outcome instanceof Error) failure = outcome;
      else {
        sent = outcome;
        name = outcome.entry.name;
        failure = undefined;
        try {
          for await (const chunk of outcome.stream) {
            switch (chunk.type) {
              case 'start':
                if (!started) {
                  started = true;
                  yield { type: 'start', sequence: sequence++, metadata: stamped(chunk.metadata, sent.entry, request) };
                }
                for (const warning of trip.leftOut(sent))
                  if (isNews(warning)) yield { type: 'warning', sequence: sequence++, warning };
                continue;
              case 'warning': {
                // The same conversion is made for every attempt.
                if (chunk.warning.field === 'tools' && chunk.warning.kind === 'dropped') isToolless = true;
                if (!isNews(chunk.warning)) continue;
                break;
              }
              case 'retry':
                if (chunk.discard) emitted = false;
                break;
              case 'done':
                if (!emitted) trip.began(sent);
                trip.succeed(sent);
                totals.successes++;
                over = true;
                if (!started) yield startOf(sequence++, sent);
                if (!isToolless) {
                  const warning = trip.toolless(sent);
                  if (warning) yield { type: 'warning', sequence: sequence++, warning };
                }
                yield {
                  ...chunk,
                  sequence,
                  metadata: stamped(chunk.metadata, sent.entry, sent.request, trip.attempts),
                };
                return;
              case 'error':
                failure = trip.typed(chunk.error, name);
                break;
              default:
                if (!emitted) {
                  emitted = true;
                  trip.began(sent);
                }
            }
            if (failure) break;
            if (!started) {
              started = true;
              yield startOf(sequence++, sent);
            }
            if (emitted && !isToolless) {
              isToolless = true;
              const warning = trip.toolless(sent);
              if (warning) yield { type: 'warning', sequence: sequence++, warning };
            }
            yield chunk.sequence === sequence ? chunk : { ...chunk, sequence };
            sequence++;
          }
          failure ??= new StreamError({
            message: `${name} ended its answer without saying so.`,
            code: 'STREAM_TRUNCATED',
            provenance: { backend: name },
          });
        } catch (error) {
          failure = trip.typed(error, name);
        }
        sent = undefined;
        trip.fail(outcome, failure);
      }

      const next = await trip.next(name, failure, emitted);
      if (!next) {
        failure = trip.verdict(failure);
        over = true;
        break;
      }
      if (next.move) totals.fallbacks++;
      else totals.retries++;
      if (!started) {
        started = true;
        yield { type: 'start', sequence: sequence++, metadata: request.metadata };
      }
      const asked = next.names.map((one) => host.entry(one)!);
      const who = asked.map(labelOf).join(' and ');
      yield {
        type: 'retry',
        sequence: sequence++,
        reason: next.move
          ? `${name}: ${withoutStop(failure.message)}; ${next.running ? `${who} answers` : `asking ${who}`} instead`
          : failure.message,
        attempt: trip.attempts + 1,
        delayMs: next.delayMs,
        discard: emitted,
        ...(next.move ? { to: { name: who, local: asked.every((entry) => entry.local) } } : {}),
      };
      emitted = false;
      if (next.delayMs > 0) await host.config.pause(next.delayMs, signal);
      step = next;
    }
  } catch (error) {
    failure = toAdapterError(error, 'router');
    over = true;
  } finally {
    trip?.close();
    if (!over) {
      // The caller left: this runs inside its `return()`.
      totals.aborted++;
      if (sent) trip?.abandon(sent);
    }
  }
  if (failure.code === 'ABORTED') totals.aborted++;
  else totals.failures++;
  if (!started) yield { type: 'start', sequence: sequence++, metadata: request.metadata };
  yield { type: 'error', sequence, error: failure };
}

/** The name of a backend, with the model that it is asked for where that is its own. */
const labelOf = ({ name, options: { defaultModel } }: BackendEntry): string =>
  defaultModel === undefined ? name : `${name}/${defaultModel}`;

function startOf(sequence: number, sent: Sent): IRStreamChunk {
  return { type: 'start', sequence, metadata: stamped(sent.request.metadata, sent.entry, sent.request) };
}
