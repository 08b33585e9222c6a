/** The part of a file that is shown: from `offset`, at most `limit` lines and so many characters. */
import { cutBefore } from '../../redact-cut.ts';

export interface WindowOptions {
  /** First line, from 1; below 1 is read as 1. */
  offset?: number;
  limit?: number;
}

const MOST_LINES = 2000;
const MOST_CHARACTERS = 50_000;
const MOST_IN_LINE = 2000;

/** Collects numbered lines. */
export class Window {
  readonly first: number;
  readonly last: number;
  full = false;
  private readonly lines: string[] = [];
  private size = 0;

  constructor({ offset, limit }: WindowOptions) {
    this.first = Math.max(1, offset ?? 1);
    this.last = this.first + Math.max(1, limit ?? MOST_LINES) - 1;
  }

  /** Offers line `number`, which is `text` from `start` to `end`, without its end; `length` when it is longer still. */
  line(number: number, text: string, start: number, end: number, length = end - start): void {
    if (number < this.first || this.full) return;
    const stop = end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    const clipped = stop - start > MOST_IN_LINE;
    // The secrets of what is shown are hidden later: none may be cut to what is none any more.
    const shown = clipped ? text.slice(start, cutBefore(text, start + MOST_IN_LINE)) : text.slice(start, stop);
    const row = `${number}\t${shown}${clipped || length > end - start ? `… (line of ${length} characters, cut)` : ''}`;
    if (number > this.last || (this.size + row.length > MOST_CHARACTERS && this.lines.length > 0)) {
      this.full = true;
      return;
    }
    this.size += row.length + 1;
    this.lines.push(row);
  }

  /** What the model reads; `total` lines in the file, undefined when they were not counted. */
  text(name: string, total: number | undefined): string {
    if (this.lines.length === 0)
      return `(${name} has only ${total ?? 'fewer'} lines; line ${this.first} is behind its end)`;
    const end = this.first + this.lines.length - 1;
    const more = total === undefined ? this.full : end < total;
    if (!more) return this.lines.join('\n');
    const of = total === undefined ? '' : ` of ${total}`;
    return `${this.lines.join('\n')}\n(lines ${this.first}-${end}${of}; go on with offset ${end + 1})`;
  }
}

/** True for bytes that are no text: a NUL, or many control characters. UTF-16 has its own look (`wideOrder`). */
export function looksBinary(head: Buffer): boolean {
  if (head.includes(0)) return true;
  let odd = 0;
  for (const byte of head) if (byte < 32 && (byte < 7 || byte > 13) && byte !== 27) odd++;
  return odd > head.length / 10;
}
