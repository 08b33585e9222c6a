/** Where edits before have written, kept in order so that one place is looked up without going through all of them. */
import type { Span, Splice } from './types.ts';

/** In order, and apart from each other. */
export type WrittenSpans = readonly Span[];

/** Whether something of a span lies between the two offsets. */
export function touchesAny(written: WrittenSpans, start: number, end: number): boolean {
  const span = written[firstFrom(written, (one) => one.end > start)];
  return span !== undefined && span.start < end;
}

/** The spans as the changes (in order, apart from each other) move them, and those that the changes write. */
export function afterChanges(written: WrittenSpans, changes: readonly Splice[]): WrittenSpans {
  const fresh: Span[] = [];
  /** By how much what stands behind each change moves. */
  const moves: number[] = [];
  let by = 0;
  for (const { start, end, text } of changes) {
    fresh.push({ start: start + by, end: start + by + text.length });
    moves.push((by += text.length - (end - start)));
  }
  const shift = (offset: number) => offset + (moves[firstFrom(changes, ({ end }) => end > offset) - 1] ?? 0);
  const moved = written.map((span) => {
    const start = shift(span.start);
    return { start, end: Math.max(start, shift(span.end)) };
  });
  return inOrder([...moved, ...fresh]);
}

function inOrder(spans: Span[]): Span[] {
  spans.sort((a, b) => a.start - b.start || a.end - b.end);
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else out.push(span);
  }
  return out;
}

/** The index of the first for which `is` holds, as it does for all behind it; the length when there is none. */
function firstFrom<T>(list: readonly T[], is: (one: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
