/** The finished pieces of growing Markdown, and what is known of them besides their text. */
import { cuts, LONG, type Open, openAfter, SMALL } from './scan.ts';

/** A line that is longer than this was complete too long ago to be news. */
const NEWS = 64;

/**
 * Pieces of one text in order. It only grows: an array of `settle` and the longer ones made from it share one history,
 * so nothing that was learned or laid out for a piece is lost when the next one is finished.
 */
export interface History {
  readonly texts: readonly string[];
  /** What each piece begins inside of; one longer than `texts`: the last is for the text after them. */
  readonly opens: readonly (Open | null)[];
}

const histories = new WeakMap<readonly string[], { texts: string[]; opens: (Open | null)[] }>();

/** The history of an array of pieces; for one that `settle` did not make, found by reading it. */
export function historyOf(settled: readonly string[]): History {
  const known = histories.get(settled);
  if (known) return known;
  const history = { texts: [...settled], opens: opensOf(settled) };
  histories.set(settled, history);
  return history;
}

/**
 * Moves finished Markdown pieces out of the growing tail. Settled pieces and tail joined are always the exact text.
 * When nothing is finished the same array comes back. Over a stream the cost is linear: the tail stays short, since
 * what is long is cut inside (scan.ts), and it is scanned only when a line has just been completed.
 */
export function settle(settled: readonly string[], tail: string): { settled: readonly string[]; tail: string } {
  if (tail.length < SMALL) return { settled, tail };
  // A piece is found finished by the line after it, so the middle of a line brings nothing new.
  if (tail.length <= LONG && tail.length - tail.lastIndexOf('\n') > NEWS) return { settled, tail };
  const before = historyOf(settled);
  const found = cuts(tail, before.opens[settled.length]!, settled.length);
  if (found.length === 0) return { settled, tail };
  // Another array may have grown out of the same pieces already, and an empty one may be shared by many texts.
  const fresh = settled.length === 0 || before.texts.length > settled.length;
  const history = fresh
    ? { texts: [...settled], opens: before.opens.slice(0, settled.length + 1) }
    : histories.get(settled)!;
  let start = 0;
  for (const { end, open } of found) {
    history.texts.push(tail.slice(start, end));
    history.opens.push(open);
    start = end;
  }
  const next = history.texts.slice();
  histories.set(next, history);
  return { settled: next, tail: tail.slice(start) };
}

function opensOf(settled: readonly string[]): (Open | null)[] {
  const opens: (Open | null)[] = [null];
  for (const [index, text] of settled.entries()) opens.push(openAfter(text, opens[index]!, index));
  return opens;
}
