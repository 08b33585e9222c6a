import type { EventOf, StoredEvent } from './types.ts';

/** The events of a log without those that the person went back over: what the conversation is now. */
export function withoutRewound(events: readonly StoredEvent[]): StoredEvent[] {
  let kept: StoredEvent[] = [];
  for (const event of events) {
    if (event.type === 'rewind') kept = kept.filter(({ seq }) => seq < event.to);
    else kept.push(event);
  }
  return kept;
}

/** What the conversation is after going back, of all the events so far. */
export const afterRewind = (events: readonly StoredEvent[], { seq, to }: EventOf<'rewind'>): StoredEvent[] =>
  withoutRewound(events.filter((event) => event.seq < seq)).filter((event) => event.seq < to);
