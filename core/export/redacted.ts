import { redact } from '../redact.ts';
import type { StoredEvent } from '../types.ts';

/**
 * The event with every secret replaced that has a known shape, also in fields that were stored as they came. Marks of
 * contents are left out: from one of a short secret that secret could be found by trying.
 */
export function redactedEvent(event: StoredEvent): StoredEvent {
  if (event.type !== 'tool_result' || !event.seen) return redacted(event) as StoredEvent;
  const { seen: _, ...rest } = event;
  return redacted(rest) as StoredEvent;
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redacted(inner)]));
}
