/** Who answered a request, and what it took: of messages, and of what is asked besides. */
import type { AdapterError } from '../providers/errors.ts';
import type { IRMetadata, IRUsage, Provenance } from '../providers/ir.ts';
import type { Served, StoredEvent, Usage } from './types.ts';

/** The end of an answer, as far as it tells that. */
export interface AnswerEnd {
  metadata?: IRMetadata | undefined;
  error?: Error | undefined;
}

/** The innermost one: who really answered. */
export function hopOf({ metadata }: AnswerEnd): Provenance | undefined {
  let hop = metadata?.provenance;
  while (hop?.upstream) hop = hop.upstream;
  return hop;
}

/** `model`: of the session, where nothing else is told. */
export function servedBy(end: AnswerEnd, model: string): Served {
  const { provenance, custom } = end.metadata ?? {};
  const hop = hopOf(end);
  return {
    backend: provenance?.backend ?? (end.error as AdapterError | undefined)?.provenance?.backend ?? 'unknown',
    model: hop?.servedModel ?? hop?.requestedModel ?? model,
    local: provenance?.local ?? false,
    latencyMs: Number(custom?.latencyMs ?? 0),
    attempts: Number(custom?.attempts ?? 1),
  };
}

export function usageOf(usage: IRUsage, cost: number | null): Usage {
  return {
    // Sums of prices have digits that nobody is charged for.
    cost: cost === null ? null : Number(cost.toFixed(8)),
    input: usage.promptTokens,
    output: usage.completionTokens,
    cacheRead: usage.cacheReadTokens,
    cacheWrite: usage.cacheWriteTokens,
    reasoning: usage.reasoningTokens,
  };
}

/**
 * US dollars that an event adds to those of its session: a turn with all that was asked in it, or a summary between
 * turns, also one that was interrupted; null where nobody knows, and of other events.
 */
export function costOf(event: StoredEvent): number | null {
  const isAside = (event.type === 'compaction' || event.type === 'notice') && event.asked;
  return event.type === 'done' || isAside ? (event.usage?.cost ?? null) : null;
}
