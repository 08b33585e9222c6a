/**
 * What a terminal would show of a program's output, as plain lines: carriage returns and erasures applied, so that a
 * progress bar ends as its last frame; colours and other control sequences gone (ECMA-48). Memory is bounded.
 */

/** Lines that cursor movement can still reach. */
const REACH = 50;
const MOST_ROWS = 400;
/** A line longer than this is passed on in pieces; what was passed on cannot be overwritten. */
const MOST_LINE = 1 << 16;
const MOST_PENDING = 4096;

// CSI, then strings (OSC, DCS, APC, PM, SOS; on one line, so that a stray one takes no more), then short sequences and
// single control characters.
const CONTROL =
  /\x1b\[([0-9;:<=>?]*)[ -/]*([@-~])|\x1b[\]PX^_](?:[^\x07\x1b\n]|\x1b(?!\\))*(?:\x07|\x1b\\)|\x1b[ -/]+[0-~]|\x1b[0-~]?|[\x00-\x09\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;
const ANY_CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const UNFINISHED = /(?:\r|\x1b(?:\[[0-9;:<=>?]*[ -/]*|[\]PX^_](?:[^\x07\x1b\n]|\x1b(?!\\))*|[ -/]*))$/;

export class TerminalText {
  private rows: string[] = [''];
  private row = 0;
  private column = 0;
  private pending = '';
  /** Lines ended so far, and how many of them `liveText` has given. */
  private ended = 0;
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
        if (found[0] === '\t') continue;
        if (found.index > from) this.print(text.slice(from, found.index));
        this.control(found[0], found[1] ?? '', found[2] ?? '');
        from = found.index + found[0].length;
      }
      if (from < text.length) this.print(text.slice(from));
    } else this.print(text);
    if (this.rows.length > MOST_ROWS) this.release(this.rows.length - REACH);
  }

  /** Passes on everything. */
  end(): void {
    const open = this.pending;
    this.pending = '';
    this.print(open.replace(/^\x1b[[\]PX^_]?|\r/, '').replace(/[\x00-\x09\x0b-\x1f]/g, ''));
    const last = this.rows.pop()!;
    this.release(this.rows.length);
    this.sink(last);
    this.rows = [''];
    this.row = 0;
    this.column = 0;
  }

  /**
   * What is new since the last call, for a person who watches: whole lines, then the unfinished one, which begins with a
   * carriage return when it replaces the unfinished one given before. At most `limit` characters; empty when nothing is new.
   */
  liveText(limit: number): string {
    const fresh = Math.min(this.ended - this.shown, this.rows.length - 1);
    const lines = this.rows.slice(this.rows.length - 1 - fresh, -1);
    const partial = this.rows.at(-1)!;
    if (fresh <= 0 && partial === this.shownPartial) return '';
    const back = this.shownPartial === '' ? '' : '\r';
    const text = lines.map((line) => `${line}\n`).join('') + partial;
    this.shown = this.ended;
    this.shownPartial = partial;
    return back + (text.length > limit ? `…${text.slice(-limit)}` : text);
  }

  private print(text: string): void {
    let from = 0;
    for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', from)) {
      if (next > from) this.put(text.slice(from, next));
      this.newLine();
      from = next + 1;
    }
    if (from < text.length) this.put(from === 0 ? text : text.slice(from));
  }

  private put(piece: string): void {
    const line = this.rows[this.row]!;
    if (this.column === line.length) this.rows[this.row] = line + piece;
    else {
      const before = line.length < this.column ? line.padEnd(this.column) : line.slice(0, this.column);
      this.rows[this.row] = before + piece + line.slice(this.column + piece.length);
    }
    this.column += piece.length;
    if (this.column > MOST_LINE && this.row === this.rows.length - 1) {
      const last = this.rows.pop()!;
      this.release(this.rows.length);
      this.sink(last);
      this.rows.push('');
      this.row = 0;
      this.column = 0;
    }
  }

  private newLine(): void {
    this.column = 0;
    if (++this.row < this.rows.length) return;
    this.rows.push('');
    this.ended++;
  }

  private control(whole: string, parameters: string, final: string): void {
    if (whole === '\r') this.column = 0;
    else if (whole === '\b') this.column = Math.max(0, this.column - 1);
    else if (whole === '\f' || whole === '\v') this.newLine();
    if (final === '') return;
    const count = Number.parseInt(parameters, 10) || 0;
    const steps = Math.min(Math.max(1, count), 1000);
    const line = this.rows[this.row]!;
    if (final === 'K') {
      if (count === 0) this.rows[this.row] = line.slice(0, this.column);
      else if (count === 1)
        this.rows[this.row] = ' '.repeat(Math.min(this.column, line.length)) + line.slice(this.column);
      else this.rows[this.row] = '';
    } else if (final === 'J' && count === 0) {
      this.rows[this.row] = line.slice(0, this.column);
      this.rows.length = this.row + 1;
    } else if (final === 'G') this.column = steps - 1;
    else if (final === 'C') this.column += steps;
    else if (final === 'D') this.column = Math.max(0, this.column - steps);
    else if (final === 'A' || final === 'F') {
      this.row = Math.max(0, this.row - steps);
      if (final === 'F') this.column = 0;
    } else if (final === 'B' || final === 'E') {
      this.row = Math.min(this.rows.length - 1, this.row + steps);
      if (final === 'E') this.column = 0;
    }
  }

  /** Passes on the first `count` rows. */
  private release(count: number): void {
    if (count <= 0) return;
    this.sink(`${this.rows.splice(0, count).join('\n')}\n`);
    this.row = Math.max(0, this.row - count);
  }
}
