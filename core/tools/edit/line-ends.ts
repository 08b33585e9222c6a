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
}

const plain = (text: string): LineEnds => ({ text, toFile: (offset) => offset, restore: (splice) => splice.text });

export function lineEnds(file: string): LineEnds {
  let at = file.indexOf('\r\n');
  if (at < 0) return plain(file);
  /** Offsets in `text` of the line ends that are `\r\n`. */
  const wide: number[] = [];
  for (; at >= 0; at = file.indexOf('\r\n', at + 2)) wide.push(at - wide.length);
  const text = file.replaceAll('\r\n', '\n');

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
  };
}
