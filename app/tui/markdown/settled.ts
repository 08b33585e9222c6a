/** The finished pieces of growing Markdown, and what is known of them besides their text. */
import { type Open, openAfter, Scanner, SMALL } from './scan.ts';

/**
 * Pieces of one text in order. It only grows: an array of `settle` and the longer ones made from it share one history,
 * so nothing that was learned or laid out for a piece is lost when the next one is finished.
 */
export interface History {
  readonly texts: readonly string[];
  /** What each piece begins inside of; one longer than `texts`: the last is for the text after them. */
  readonly opens: readonly (Open | null)[];
}
interface Growing extends History {
  texts: string[];
  opens: (Open | null)[];
}

const histories = new WeakMap<readonly string[], Growing>();

/** The history of an array of pieces; for one that `settle` did not make, found by reading it. */
export const historyOf = (settled: readonly string[]): History => growing(settled);

function growing(settled: readonly string[]): Growing {
  const known = histories.get(settled);
  if (known) return known;
  const history = { texts: [...settled], opens: opensOf(settled) };
  histories.set(settled, history);
  return history;
}

/** How far the growing text behind an array has been read. */
const readings = new WeakMap<readonly string[], { scanner: Scanner; read: string }>();

/**
 * Moves finished Markdown pieces out of the growing tail. Settled pieces and tail joined are always the exact text.
 * When nothing is finished the same array comes back. Over a stream the cost is linear: each line is read once, and
 * the tail stays short, since what is long is cut inside (scan.ts).
 */
export function settle(settled: readonly string[], tail: string): { settled: readonly string[]; tail: string } {
  if (tail.length < SMALL) return { settled, tail };
  const before = growing(settled);
  let reading = readings.get(settled);
  // Comparing a slice is many times faster than startsWith, which goes character by character.
  if (!reading || tail.slice(0, reading.read.length) !== reading.read)
    reading = { scanner: new Scanner(before.opens[settled.length]!, settled.length), read: '' };
  const found = reading.scanner.read(tail);
  if (found.length === 0) {
    if (reading.scanner.at > reading.read.length) reading.read = tail.slice(0, reading.scanner.at);
    readings.set(settled, reading);
    return { settled, tail };
  }
  readings.delete(settled);
  // Another array may have grown out of the same pieces already, and an empty one may be shared by many texts.
  const shared = settled.length === 0 || before.texts.length > settled.length;
  const history = shared ? { texts: [...settled], opens: before.opens.slice(0, settled.length + 1) } : before;
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
