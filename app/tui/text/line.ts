/**
 * A line taken apart and measured in terminal cells: text without control characters, plus SGR sequences of our own
 * renderer, which take no cells and end with a full reset.
 */
import type { Line } from '../types.ts';
import { CELLS, codePointClass, JOINS } from './code-point.ts';
import { graphemes, graphemeWidth } from './graphemes.ts';

/** Ends all styles. */
export const RESET = '\x1b[0m';
const SGR = /(\x1b\[[\d;:]*m)/;

/** Cells that a text takes; SGR sequences, control characters and combining marks take none. */
export function width(text: string): number {
  let cells = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) {
      cells++;
    } else if (code === 0x1b) {
      at = sgrEnd(text, at) - 1;
    } else if (code >= 0xa0) {
      const whole = text.codePointAt(at)!;
      const kind = codePointClass(whole);
      // Rare: then cells belong to whole graphemes, not to code points.
      if (kind & JOINS) return clusteredWidth(text);
      cells += kind & CELLS;
      if (whole > 0xffff) at++;
    }
  }
  return cells;
}

/** Where the SGR sequence that starts at an ESC ends; just behind the ESC when it is none. */
function sgrEnd(text: string, at: number): number {
  if (text.charCodeAt(at + 1) !== 0x5b) return at + 1;
  for (let end = at + 2; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x6d) return end + 1;
    if (code < 0x30 || code > 0x3b) break;
  }
  return at + 1;
}

const clusteredWidth = (text: string): number =>
  tokens(text).widths.reduce((sum, cells) => sum + Math.max(cells, 0), 0);

/** A line as graphemes and SGR sequences; the width of a sequence is -1. */
export interface Tokens {
  texts: string[];
  widths: number[];
}

export function tokens(line: Line): Tokens {
  const texts: string[] = [];
  const widths: number[] = [];
  const parts = line.includes('\x1b') ? line.split(SGR) : [line];
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) {
      texts.push(part);
      widths.push(-1);
      continue;
    }
    for (const grapheme of graphemes(part)) {
      texts.push(grapheme);
      widths.push(graphemeWidth(grapheme));
    }
  }
  return { texts, widths };
}

/** The SGR sequences in force after one more of them. */
export const restyle = (active: string, sgr: string): string => (/^\x1b\[0*m$/.test(sgr) ? '' : active + sgr);

/** The line with its styles ended. */
export function closed(line: Line): Line {
  const last = line.lastIndexOf('\x1b[');
  return last < 0 || line.startsWith(RESET, last) ? line : line + RESET;
}
