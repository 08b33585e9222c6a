/**
 * What a terminal would show of a program's output, as plain text: carriage returns, cursor movement and erasures
 * applied (ECMA-48 and what xterm adds), so that a progress display ends as its last frame; wrapped rows are one line
 * again, colours and other control sequences gone. Memory is bounded: what has left the screen is passed on.
 */

import { COLUMNS } from './terminal-page.ts';
import { type Row, rowText } from './terminal-row.ts';
import { TerminalScreen } from './terminal-screen.ts';

const MOST_PENDING = 4096;

// CSI, then strings (OSC, DCS, APC, PM, SOS; on one line, so that a stray one takes no more), then short sequences and
// single control characters.
const CONTROL =
  /\x1b\[([0-9;:<=>?]*)([ -/]*)([@-~])|\x1b[\]PX^_](?:[^\x07\x1b\n]|\x1b(?!\\))*(?:\x07|\x1b\\)|\x1b[ -/]+[0-~]|\x1b[0-~]?|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;
const ANY_CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const UNFINISHED = /(?:\r|\x1b(?:\[[0-9;:<=>?]*[ -/]*|[\]PX^_](?:[^\x07\x1b\n]|\x1b(?!\\))*|[ -/]*))$/;

export class TerminalText {
  private readonly screen = new TerminalScreen((rows) => this.release(rows));
  private pending = '';
  private isFirst = true;
  /** Rows passed on so far, and the number of the first one that `liveText` has not given. */
  private released = 0;
  private shown = 0;
  private shownPartial = '';
  private readonly sink: (text: string) => void;

  /** `sink` gets the text once it can no longer change. */
  constructor(sink: (text: string) => void) {
    this.sink = sink;
  }

  write(chunk: string): void {
    let text = this.pending + chunk;
    this.pending = '';
    if (ANY_CONTROL.test(text)) {
      const open = UNFINISHED.exec(text);
      if (open && open[0].length <= MOST_PENDING) {
        this.pending = open[0];
        text = text.slice(0, open.index);
      }
      text = text.replaceAll('\r\n', '\n');
      let from = 0;
      for (const found of text.matchAll(CONTROL)) {
        if (found.index > from) this.screen.print(text.slice(from, found.index));
        if (found[3] !== undefined) this.screen.sequence(found[1]!, found[2]!, found[3]);
        else this.screen.control(found[0]);
        from = found.index + found[0].length;
      }
      if (from < text.length) this.screen.print(text.slice(from));
    } else this.screen.print(text);
  }

  /** Passes on everything. */
  end(): void {
    const open = this.pending;
    this.pending = '';
    this.screen.print(open.replace(/^\x1b[[\]PX^_]?|\r/, '').replace(/[\x00-\x09\x0b-\x1f]/g, ''));
    this.screen.end();
    this.isFirst = true;
  }

  /** What was not passed on yet. */
  view(): string {
    return joined(this.screen.rows, this.isFirst);
  }

  /**
   * What is new since the last call, for a person who watches: whole lines, then the unfinished one, which begins with a
   * carriage return when it replaces the unfinished one given before. At most `limit` characters; empty when nothing is new.
   */
  liveText(limit: number): string {
    const { rows } = this.screen;
    const last = this.released + rows.length - 1;
    const partial = rowText(rows.at(-1)!);
    if (last <= this.shown && partial === this.shownPartial) return '';
    const from = Math.max(0, Math.min(this.shown, last) - this.released);
    const text = joined(rows.slice(from), true);
    const back = this.shownPartial === '' ? '' : '\r';
    this.shown = last;
    this.shownPartial = partial;
    return back + (text.length > limit ? `…${text.slice(-limit)}` : text);
  }

  private release(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    this.released += rows.length;
    const text = joined(rows, this.isFirst);
    this.isFirst = false;
    this.sink(text);
  }
}

/** Rows as text; every row that does not go on with the one before it begins a line. */
function joined(rows: readonly Row[], isFirst: boolean): string {
  let text = '';
  for (const [i, row] of rows.entries()) {
    if (!row.continues && !(isFirst && i === 0)) text += '\n';
    text += rowText(row);
    // A row that another one continues was full once; a wide character may have found no room in its last cell.
    if (rows[i + 1]?.continues && row.width < COLUMNS - 1) text += ' '.repeat(COLUMNS - row.width);
  }
  return text;
}
