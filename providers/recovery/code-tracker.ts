import { type Marker, markerAt } from './markers.ts';
import type { ToolTags } from './tool-tags.ts';

/** Where text may be given out up to; `marker` stands there, and `before` is the line up to it. */
export interface Stop {
  at: number;
  marker?: Marker;
  before: string;
}

const TRIGGERS = /[<[`~◁]/;
const STEPS = /[<[`~◁\n]/g;
const INDENTED = /^(?: {4}| {0,3}\t)/;
/** A line's beginning is enough to judge it. */
const LONGEST_LINE = 1_000;

/** Knows of ordinary text whether it stands in a code block or span, where markup is only shown. */
export class CodeTracker {
  line = '';
  /** Backticks that opened the span; 0 outside. */
  span = 0;
  fence: { char: string; count: number } | undefined;
  /** The line before this one is blank or indented code: this one is such code if it is indented. */
  mayIndent = true;
  /** A line that is no such code has passed. */
  hasProse = false;
  /** Finds tags that mean something only where a line begins, in this message. */
  readonly tags: Pick<ToolTags, 'at'> | undefined;

  constructor(tags?: Pick<ToolTags, 'at'>) {
    this.tags = tags;
  }

  /** False for text that can neither begin markup nor open or close code. */
  isTriggeredBy(delta: string): boolean {
    return TRIGGERS.test(delta);
  }

  /** Takes note of text without triggers, or of a single character that is not to mean anything. */
  pass(text: string): void {
    const end = text.lastIndexOf('\n');
    if (end >= 0) {
      for (let from = 0; from <= end; ) {
        const to = text.indexOf('\n', from);
        this.endLine(from === 0 ? this.line + text.slice(0, to) : text.slice(from, to));
        from = to + 1;
      }
      this.line = text.slice(end + 1);
      this.span = 0;
    } else if (this.line.length < LONGEST_LINE) this.line += text;
    else this.line = this.line.slice(-LONGEST_LINE / 2) + text;
  }

  endLine(line: string): void {
    if (line.trim() === '') this.mayIndent = true;
    else if (!(this.mayIndent && INDENTED.test(line))) {
      this.mayIndent = false;
      this.hasProse = true;
    }
  }

  /** The line is one of a block that Markdown shows as code since it is indented; a whole message like that is none. */
  get isIndented(): boolean {
    return this.hasProse && this.mayIndent && INDENTED.test(this.line);
  }

  /** Walks `text` up to the next marker outside code, or to what must wait for more. */
  next(text: string, ended: boolean): Stop {
    let from = 0;
    let at = 0;
    const walk = (to: number): void => {
      if (to > from) this.pass(text.slice(from, to));
      from = to;
    };
    for (;;) {
      STEPS.lastIndex = at;
      const found = STEPS.exec(text);
      if (!found) {
        walk(text.length);
        return { at: text.length, before: this.line };
      }
      at = found.index;
      const char = found[0];
      if (char === '\n') {
        walk(++at);
        continue;
      }
      if (char === '`' || char === '~') {
        let end = at;
        while (text[end] === char) end++;
        if (end >= text.length && !ended) {
          walk(at);
          return { at, before: this.line };
        }
        walk(at);
        this.ticks(char, end - at, text[end] ?? '\n');
        at = end;
        walk(at);
        continue;
      }
      if (!this.fence && !this.span) {
        let marker = markerAt(text, at);
        if (!marker && char === '<' && this.tags) {
          walk(at);
          if (this.line.trim() === '') marker = this.tags.at(text, at);
        }
        if (marker) {
          walk(at);
          if (this.isIndented) marker = undefined;
        }
        if (marker === 'part' && !ended) return { at, before: this.line };
        if (marker && marker !== 'part') return { at, marker, before: this.line };
      }
      at++;
    }
  }

  ticks(char: string, count: number, next: string): void {
    const begins = this.line.trim() === '' || /^\s*(?:[-*+>]|\d+[.)])\s*$/.test(this.line);
    if (this.fence) {
      if (begins && char === this.fence.char && count >= this.fence.count && /\s/.test(next)) this.fence = undefined;
    } else if (count >= 3 && begins && this.span === 0) this.fence = { char, count };
    else if (char === '`') {
      if (this.span === 0) this.span = count;
      else if (this.span === count) this.span = 0;
    }
  }
}
