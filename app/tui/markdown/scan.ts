/**
 * Where growing Markdown can be cut in two that are rendered apart: a small line scanner, far cheaper than a lexer.
 * It knows just enough of CommonMark 0.31 and GFM tables to see that a top-level piece can change no more.
 */

import { graphemes } from '../text/graphemes.ts';

/** What a piece begins inside of, when the one before had to be cut within a long construct. */
export type Open =
  | { kind: 'fence'; marker: string; info: string }
  /** `head`: source of the header and delimiter rows. `origin`: index of the piece that the table begins in. */
  | { kind: 'table'; head: string; origin: number };

/** The end of a finished piece; `open` is what the text after it begins inside of. */
export interface Cut {
  end: number;
  open: Open | null;
}

/** Finished pieces are gathered up to this size, so that their number stays far below the number of chunks. */
export const SMALL = 256;
/** A construct longer than this is cut inside: between lines of code, rows, items, or after a sentence. */
export const LONG = 4096;
/** Where there is no such place, the text is cut anyway: nothing may grow without bound. */
const HUGE = 32_768;

type Mode = 'none' | 'paragraph' | 'quote' | 'fence' | 'list' | 'indented' | 'table';

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])(?:[ \t]|$)/;
const DELIMITER = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const INTERRUPTS = /^ {0,3}(?:[-+*]|1[.)])[ \t]+\S/;
const QUOTE = /^ {0,3}>/;
const INDENTED = /^(?: {4}| {0,3}\t)/;

/** What is open behind `text`, which begins inside `open` and is the piece with this index. */
export function openAfter(text: string, open: Open | null, piece: number): Open | null {
  const scanner = new Scanner(open, piece);
  scanner.read(text);
  return scanner.ending();
}

/**
 * Reads a text that grows at its end and finds the places to cut it at. The text begins inside `open`; `first` is the
 * index that its first piece will have.
 */
export class Scanner {
  readonly #first: number;
  #text = '';
  #found: Cut[] = [];
  #mode: Mode = 'none';
  /** The fence or table that the scanner is in. */
  #open: Open | null;
  /** Everything before has been read: whole lines. */
  #at = 0;
  /** Start of what is not cut off yet. */
  #start = 0;
  /** Last place where it may be cut; `inside`: within `#open`. */
  #soft: { end: number; inside: boolean } | null = null;
  /** Start of the blank lines right before this line; -1 when there are none. */
  #blank = -1;
  #previous = '';
  /** Indentation of the list's first item. */
  #indent = 0;

  constructor(open: Open | null, first: number) {
    this.#first = first;
    this.#open = open;
    if (open) this.#mode = open.kind;
  }

  /** How much of the text has been read: its whole lines. */
  get at(): number {
    return this.#at;
  }

  /** Reads on in the text, which begins with what was read before; all the cuts that are known now. */
  read(text: string): readonly Cut[] {
    this.#text = text;
    for (let feed = text.indexOf('\n', this.#at); feed >= 0; feed = text.indexOf('\n', this.#at)) {
      const at = this.#at;
      this.#at = feed + 1;
      this.#line(text.slice(at, text[feed - 1] === '\r' ? feed - 1 : feed), at, this.#at);
      if (this.#at - this.#start > LONG) this.#shorten(at, this.#at);
    }
    if (text.length - this.#start > LONG) this.#shorten(this.#at, text.length);
    return this.#found;
  }

  /** What the end is inside of, for a text that is one piece whatever its cuts. */
  ending(): Open | null {
    const open = this.#open;
    return open?.kind === 'table' ? { ...open, origin: open.origin < 0 ? this.#first : open.origin } : open;
  }

  #cut(end: number, inside: boolean): void {
    let open = inside ? this.#open : null;
    // A table that is cut for the first time begins in the piece that ends here.
    if (open?.kind === 'table' && open.origin < 0)
      this.#open = open = { ...open, origin: this.#first + this.#found.length };
    this.#found.push({ end, open });
    this.#start = end;
    this.#soft = null;
  }

  /** Everything before `end` is finished, and nothing is open there. */
  #done(end: number): void {
    this.#mode = 'none';
    if (end - this.#start >= SMALL) this.#cut(end, false);
    else this.#softly(end);
    this.#open = null;
  }

  #softly(end: number, inside = false): void {
    if (end > this.#start) this.#soft = { end, inside };
  }

  /** `start`..`end` is a complete line; `line` is it without the line feed. */
  #line(line: string, start: number, end: number): void {
    if (this.#mode === 'fence') this.#inFence(line, end);
    else if (line.trim() === '') {
      if (this.#blank < 0) this.#blank = start;
      // Lists and indented code go on after blank lines: only the next line tells.
      if (this.#mode !== 'none' && this.#mode !== 'list' && this.#mode !== 'indented') this.#done(start);
    } else {
      if (!this.#goesOn(line, start, end)) this.#begin(line, end);
      this.#blank = -1;
    }
    this.#previous = line;
  }

  #inFence(line: string, end: number): void {
    const close = FENCE.exec(line);
    const { marker } = this.#open as Extract<Open, { kind: 'fence' }>;
    if (close && close[1]!.startsWith(marker) && close[2]!.trim() === '') this.#done(end);
    else this.#softly(end, true);
  }

  /** Does the line belong to the construct before it? If not, that one is finished. */
  #goesOn(line: string, start: number, end: number): boolean {
    const lazy = this.#blank < 0 && !startsBlock(line);
    const before = this.#blank < 0 ? start : this.#blank;
    switch (this.#mode) {
      case 'list':
        if (isItem(line, this.#indent)) {
          this.#softly(before);
          return true;
        }
        if (lazy || indentation(line) > this.#indent + 1) return true;
        break;
      case 'indented':
      case 'quote':
        if ((this.#mode === 'indented' ? INDENTED : QUOTE).test(line) || (this.#mode === 'quote' && lazy)) {
          this.#softly(start);
          return true;
        }
        break;
      case 'table':
        if (lazy) {
          this.#softly(end, true);
          return true;
        }
        break;
      case 'paragraph':
        if (UNDERLINE.test(line)) {
          this.#done(end);
          return true;
        }
        if (DELIMITER.test(line) && line.includes('|') && this.#previous.includes('|')) {
          this.#mode = 'table';
          this.#open = { kind: 'table', head: `${this.#previous}\n${line}\n`, origin: -1 };
          this.#soft = null;
          return true;
        }
        if (lazy) {
          // The line before a delimiter row belongs to its table: no cut between the two.
          if (!this.#previous.includes('|')) this.#softly(start);
          return true;
        }
        break;
      default:
        return false;
    }
    this.#done(before);
    return false;
  }

  /** The line begins a new block at top level. */
  #begin(line: string, end: number): void {
    const fence = FENCE.exec(line);
    const item = ITEM.exec(line);
    if (fence && !(fence[1]!.startsWith('`') && fence[2]!.includes('`'))) {
      this.#mode = 'fence';
      this.#open = { kind: 'fence', marker: fence[1]!, info: fence[2]!.trim() };
    } else if (HEADING.test(line) || RULE.test(line)) this.#done(end);
    else if (item) {
      this.#mode = 'list';
      this.#indent = item[1]!.length;
    } else if (QUOTE.test(line)) this.#mode = 'quote';
    else this.#mode = INDENTED.test(line) ? 'indented' : 'paragraph';
  }

  /** What is not cut off is too long; `at`..`end` is the line just seen, complete or not. */
  #shorten(at: number, end: number): void {
    if (this.#soft) this.#cut(this.#soft.end, this.#soft.inside);
    const prose = this.#mode === 'none' || this.#mode === 'paragraph' || this.#mode === 'quote';
    const limit = prose ? LONG : HUGE;
    while (end - this.#start > limit)
      this.#cut(at > this.#start ? at : sentenceEnd(this.#text, this.#start, limit), true);
  }
}

const indentation = (line: string): number => line.length - line.trimStart().length;

/** An item of the list whose first item is indented by `indent`. */
function isItem(line: string, indent: number): boolean {
  const item = ITEM.exec(line);
  return item !== null && item[1]!.length <= indent && !RULE.test(line);
}

/** May the line end a paragraph without a blank line between? */
const startsBlock = (line: string): boolean =>
  INTERRUPTS.test(line) || FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line);

/** Where to break a text without line feeds: after a sentence, else after a word, in the second half of `limit`. */
function sentenceEnd(text: string, start: number, limit: number): number {
  const half = text.slice(start + limit / 2, start + limit);
  const sentence = /^.*[.!?。！？](?:\s+|$)/su.exec(half)?.[0].length ?? half.lastIndexOf(' ') + 1;
  if (sentence > 0) return start + limit / 2 + sentence;
  // The last grapheme before the limit may go on behind it.
  return start + limit - graphemes(text.slice(start + limit - 64, start + limit)).at(-1)!.length;
}
