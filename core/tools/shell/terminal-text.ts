/**
 * What a terminal would show of a program's output, as plain text: carriage returns, cursor movement and erasures
 * applied (ECMA-48 and what xterm adds), so that a progress display ends as its last frame; wrapped rows are one line
 * again, colours and other control sequences gone. Memory is bounded: what has left the screen is passed on.
 */

import { cutBehind } from '../../redact-cut.ts';
import { COLUMNS } from './terminal-page.ts';
import { type Row, rowText } from './terminal-row.ts';
import { TerminalScreen } from './terminal-screen.ts';

const MOST_PENDING = 4096;
/** So many characters of text that only adds lines are held before most of them are passed on, past the screen. */
const MOST_AHEAD = 64 << 10;
/** From so many on it is worth the search when they are to be put on the screen. */
const ENOUGH = 4096;
/** So many lines of them are held back: what the screen and the live output reach. */
const LINES_KEPT = 250;

// CSI, then strings (OSC, DCS, APC, PM, SOS; on one line, so that a stray one takes no more), then short sequences and
// single control characters.
const CONTROL =
  /\x1b\[([0-9;:<=>?]*)([ -/]*)([@-~])|\x1b[\]PX^_](?:[^\x07\x1b\n]|\x1b(?!\\))*(?:\x07|\x1b\\)|\x1b[ -/]+[0-~]|\x1b[0-~]?|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;
/** Colours, and erasing to the end of a line: they change nothing where text is only added. */
const MILD = /\x1b\[(?:[0-9;:<=>?]*m|0?K)/g;
/** Characters without a cell of their own that find none to join. */
const LOST = /\n[\p{Mn}\p{Me}\p{Cf}]+/gu;
const ANY_CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const UNFINISHED = /(?:\r|\x1b(?:\[[0-9;:<=>?]*[ -/]*|[\]PX^_](?:[^\x07\x1b\n]|\x1b(?!\\))*|[ -/]*))$/;

export class TerminalText {
  private readonly screen = new TerminalScreen((rows) => this.release(rows));
  private pending = '';
  /** Text that only adds lines and is not on the screen yet: a flood of it never needs to be. */
  private ahead = '';
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
    let text = (this.pending + chunk).replace(/\r\n/g, '\n');
    this.pending = '';
    if (!ANY_CONTROL.test(text)) {
      this.append(text);
      return;
    }
    const open = UNFINISHED.exec(text);
    if (open && open[0].length <= MOST_PENDING) {
      this.pending = open[0];
      text = text.slice(0, open.index);
    }
    if (ANY_CONTROL.test(text.replace(MILD, ''))) {
      this.catchUp();
      this.draw(text);
    } else this.append(text);
  }

  private draw(text: string): void {
    let from = 0;
    for (const found of text.matchAll(CONTROL)) {
      if (found.index > from) this.screen.print(text.slice(from, found.index));
      if (found[3] !== undefined) this.screen.sequence(found[1]!, found[2]!, found[3]);
      else this.screen.control(found[0]);
      from = found.index + found[0].length;
    }
    if (from < text.length) this.screen.print(text.slice(from));
  }

  private append(text: string): void {
    this.ahead += text;
    if (this.ahead.length > MOST_AHEAD && !this.passMost()) this.catchUp();
  }

  /** Puts on the screen what is held. */
  private catchUp(): void {
    if (this.ahead.length > ENOUGH) this.passMost();
    const text = this.ahead;
    this.ahead = '';
    this.draw(text);
  }

  /**
   * Passes on what is held but its last lines; false when that cannot be. The first line ends what stands on the screen.
   * Where all rows would then scroll away, the text in the middle is what they would give, and no saved cursor can point
   * at one any more.
   */
  private passMost(): boolean {
    const text = this.ahead;
    let end = text.length;
    for (let lines = 0; lines <= LINES_KEPT && end > 0; lines++) end = text.lastIndexOf('\n', end - 1);
    const start = text.indexOf('\n') + 1;
    if (end <= start) return false;
    this.draw(text.slice(0, start));
    this.ahead = text.slice(start);
    if (!this.screen.clearAbove()) return false;
    const raw = `\n${text.slice(start, end)}`;
    const middle = raw.includes('\x1b') ? raw.replace(MILD, '') : raw;
    const isAscii = Buffer.byteLength(middle) === middle.length;
    this.sink(isAscii ? middle : middle.replace(LOST, '\n'));
    this.ahead = text.slice(end + 1);
    return true;
  }

  /** Passes on everything. */
  end(): void {
    const open = this.pending;
    this.pending = '';
    this.catchUp();
    this.screen.print(open.replace(/^\x1b[[\]PX^_]?|\r/, '').replace(/[\x00-\x09\x0b-\x1f]/g, ''));
    this.screen.end();
    this.isFirst = true;
  }

  /** What was not passed on yet. */
  view(): string {
    this.catchUp();
    return joined(this.screen.rows, this.isFirst);
  }

  /**
   * What is new since the last call, for a person who watches: whole lines, then the unfinished one, which begins with a
   * carriage return when it replaces the unfinished one given before. At most `limit` characters; empty when nothing is new.
   */
  liveText(limit: number): string {
    this.catchUp();
    const { rows } = this.screen;
    const last = this.released + rows.length - 1;
    const partial = rowText(rows.at(-1)!);
    if (last <= this.shown && partial === this.shownPartial) return '';
    const from = Math.max(0, Math.min(this.shown, last) - this.released);
    const text = joined(rows.slice(from), true);
    const back = this.shownPartial === '' ? '' : '\r';
    this.shown = last;
    this.shownPartial = partial;
    return back + (text.length > limit ? `…${text.slice(cutBehind(text, text.length - limit))}` : text);
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
