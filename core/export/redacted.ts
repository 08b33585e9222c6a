import { redact } from '../redact.ts';
import type { StoredEvent } from '../types.ts';

/** The event with every secret replaced that has a known shape, also in fields that were stored as they came. */
export const redactedEvent = (event: StoredEvent): StoredEvent => redacted(event) as StoredEvent;

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redacted(inner)]));
}
