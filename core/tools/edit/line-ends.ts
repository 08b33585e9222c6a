/**
 * A text seen with `\n` for every line end, as models write it, and the way back to the places and ends of the file.
 * A lone carriage return is a character like any other.
 */
import type { Splice } from './types.ts';

export interface LineEnds {
  /** The text with `\n` where the file has `\r\n`. */
  readonly text: string;
  /** Offset in the file's text for an offset in `text`. */
  toFile(offset: number): number;
  /** The replacement with the line ends of its surroundings. */
  restore(splice: Splice): string;
  /** The same of the file after `changes`, whose offsets are those of the file: `before` became `now`. */
  after(before: string, changes: readonly Splice[], now: string): LineEnds;
}

const plain = (text: string): LineEnds => ({
  text,
  toFile: (offset) => offset,
  restore: (splice) => splice.text,
  after: (_before, _changes, now) => lineEnds(now),
});

export function lineEnds(file: string): LineEnds {
  let at = file.indexOf('\r\n');
  if (at < 0) return plain(file);
  /** Offsets in `text` of the line ends that are `\r\n`. */
  const wide: number[] = [];
  for (; at >= 0; at = file.indexOf('\r\n', at + 2)) wide.push(at - wide.length);
  return withWide(file.replaceAll('\r\n', '\n'), Uint32Array.from(wide));
}

function withWide(text: string, wide: Uint32Array): LineEnds {
  /** How many of `wide` lie before `offset`. */
  const before = (offset: number): number => {
    let low = 0;
    let high = wide.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (wide[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const isWide = (newline: number): boolean => wide[before(newline)] === newline;

  return {
    text,
    toFile: (offset) => offset + before(offset),
    restore({ start, end, text: replacement }) {
      if (!replacement.includes('\n')) return replacement;
      // The ends that are replaced decide, else the end of the line they are in, else of the line before.
      let model = text.indexOf('\n', start);
      if (model < 0 || (model >= end && text[start - 1] === '\n' && start === end)) {
        const previous = start > 0 ? text.lastIndexOf('\n', start - 1) : -1;
        if (previous >= 0) model = previous;
      }
      return model >= 0 && isWide(model) ? replacement.replace(/(?<!\r)\n/g, '\r\n') : replacement;
    },
    after(file, changes, now) {
      // Where a lone carriage return comes to stand before a line end, the two become one: then all is looked at anew.
      if (changes.some(({ start, text: put }) => file[start - 1] === '\r' || put.endsWith('\r'))) return lineEnds(now);
      return withWide(...moved(text, wide, changes));
    },
  };
}

/** The plain text and its wide line ends after the changes, in one pass. */
function moved(text: string, wide: Uint32Array, changes: readonly Splice[]): [string, Uint32Array] {
  const parts: string[] = [];
  const more = changes.reduce((sum, { text: put }) => sum + put.length, 0);
  const kept = new Uint32Array(wide.length + more);
  let count = 0;
  /** The next line end, and by how much what follows moves in the plain text. */
  let next = 0;
  let by = 0;
  let at = 0;
  const keepUntil = (place: number) => {
    for (; next < wide.length && wide[next]! + next < place; next++) kept[count++] = wide[next]! + by;
  };
  for (const { start, end, text: put } of changes) {
    keepUntil(start);
    const from = start - next;
    parts.push(text.slice(at, from));
    const fresh = put.replaceAll('\r\n', '\n');
    parts.push(fresh);
    let found = 0;
    for (let one = put.indexOf('\r\n'); one >= 0; one = put.indexOf('\r\n', one + 2))
      kept[count++] = from + by + one - found++;
    while (next < wide.length && wide[next]! + next < end) next++;
    at = end - next;
    by += fresh.length - (at - from);
  }
  keepUntil(Number.POSITIVE_INFINITY);
  parts.push(text.slice(at));
  return [parts.join(''), kept.subarray(0, count)];
}
