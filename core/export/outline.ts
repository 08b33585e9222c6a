/** What must be known of a whole log before its events can be told one after another. */
import type { StoredEvent } from '../types.ts';
import { type Head, HeadFold } from './head.ts';

export interface Outline {
  head: Head;
  /** Where the last result of a call stands, by where the call stands; places count from 0. */
  ends: ReadonlyMap<number, number>;
  /** The events that the person did not go back over, with their places. */
  standing(events: Iterable<StoredEvent>): Generator<[at: number, event: StoredEvent]>;
}

/** `safe`: as for `HeadFold`. */
export function outlineOf(events: Iterable<StoredEvent>, safe: (event: StoredEvent) => StoredEvent): Outline {
  const fold = new HeadFold(safe);
  const rewinds: { at: number; to: number }[] = [];
  const steps: { at: number; seq: number; id: string; isCall: boolean }[] = [];
  let at = 0;
  for (const event of events) {
    fold.add(event);
    const { type, seq } = event;
    if (type === 'rewind') rewinds.push({ at, to: event.to });
    else if (type === 'tool_call' || type === 'tool_result')
      steps.push({ at, seq, id: event.id, isCall: type === 'tool_call' });
    at++;
  }
  const open = new Map<string, number>();
  const ends = new Map<number, number>();
  const isGone = goneBy(rewinds);
  for (const { at, seq, id, isCall } of steps) {
    if (isGone(at, seq)) continue;
    const call = open.get(id);
    if (isCall) open.set(id, at);
    else if (call !== undefined) ends.set(call, at);
  }
  return { head: fold.head(), ends, standing: (all) => standing(all, goneBy(rewinds)) };
}

function* standing(
  events: Iterable<StoredEvent>,
  isGone: (at: number, seq: number) => boolean,
): Generator<[number, StoredEvent]> {
  let at = 0;
  for (const event of events) {
    if (event.type !== 'rewind' && !isGone(at, event.seq)) yield [at, event];
    at++;
  }
}

/** Whether some later going back leaves out an event; asked in their order. */
function goneBy(rewinds: readonly { at: number; to: number }[]): (at: number, seq: number) => boolean {
  /** How far back those from each on go together. */
  const furthest: number[] = [];
  for (const { to } of rewinds.toReversed()) furthest.unshift(Math.min(to, furthest[0] ?? to));
  let next = 0;
  return (at, seq) => {
    while (next < rewinds.length && rewinds[next]!.at <= at) next++;
    return next < furthest.length && seq >= furthest[next]!;
  };
}
