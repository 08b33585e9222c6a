import type { StoredEvent } from './types.ts';

/** The events of a log without those that the person went back over: what the conversation is now. */
export function withoutRewound(events: readonly StoredEvent[]): StoredEvent[] {
  let kept: StoredEvent[] = [];
  for (const event of events) {
    if (event.type === 'rewind') kept = kept.filter(({ seq }) => seq < event.to);
    else kept.push(event);
  }
  return kept;
}
