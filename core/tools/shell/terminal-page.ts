/** One page of a terminal: rows, a cursor, a region that scrolls, and what moves and erases on it. */
import { blankRow, eraseCells, type Row } from './terminal-row.ts';

export const COLUMNS = 200;
export const ROWS = 50;
/** So many rows above the screen are passed on together. */
const RELEASED_AT_ONCE = 200;

export class TerminalPage {
  rows: Row[] = [blankRow()];
  /** The cursor: `row` from the screen's first; `column` is COLUMNS after the last cell was written. */
  row = 0;
  column = 0;
  /** First and last row of what scrolls. */
  region: [number, number] = [0, ROWS - 1];
  /** Index in `rows` of the screen's first row; those before it cannot change any more. */
  top = 0;
  /** Rows that scrolled off the screen so far. */
  private scrolled = 0;
  /** Where the cursor was saved, its row counted with those that had scrolled off, as xterm.js has it. */
  private saved: [number, number] = [0, 0];
  private readonly release: ((rows: Row[]) => void) | undefined;

  /** `release` gets rows that have left the screen; without it they are gone. */
  constructor(release?: (rows: Row[]) => void) {
    this.release = release;
  }

  current(): Row {
    return this.rowAt(this.row);
  }

  rowAt(index: number): Row {
    const { rows, top } = this;
    while (rows.length <= top + index) rows.push(blankRow());
    return rows[top + index]!;
  }

  moveTo(row: number, column: number): void {
    this.row = Math.max(0, Math.min(row, ROWS - 1));
    this.column = Math.max(0, Math.min(column, COLUMNS - 1));
  }

  /** Takes the cursor back from behind the last cell. */
  inside(): void {
    this.column = Math.min(this.column, COLUMNS - 1);
  }

  down(count: number): number {
    const { row, region } = this;
    return Math.min(row <= region[1] ? region[1] : ROWS - 1, row + count);
  }

  save(): void {
    this.saved = [this.scrolled + this.row, this.column];
  }

  restore(): void {
    const { scrolled, saved } = this;
    this.moveTo(saved[0] - scrolled, saved[1]);
  }

  lineFeed(): void {
    // Below what scrolls, the last row is where it ends.
    const stays = this.row === ROWS - 1 && this.row !== this.region[1];
    this.index();
    if (!stays) this.current().continues = false;
  }

  /** One row down, which scrolls at the end. */
  index(): void {
    if (this.row === this.region[1]) this.scroll(false);
    else if (this.row < ROWS - 1) this.row++;
    this.inside();
  }

  /** Moves what scrolls up by one row. */
  scroll(continues: boolean): void {
    const [first, last] = this.region;
    this.rowAt(last);
    this.rows.splice(this.top + last + 1, 0, blankRow(continues));
    if (first > 0) this.rows.splice(this.top + first, 1);
    else if (!this.release) this.rows.shift();
    else {
      this.scrolled++;
      this.top++;
      this.passOn();
    }
  }

  /** Releases the rows above the cursor's and makes it the first, if it is the last and an empty line's. */
  clearAbove(): boolean {
    const { rows, region, row, top } = this;
    const { width, continues } = this.current();
    const isEnd = top + row === rows.length - 1 && width === 0 && this.column === 0 && !continues;
    if (!isEnd || region[0] > 0 || region[1] < ROWS - 1) return false;
    this.release?.(rows.splice(0, rows.length - 1));
    this.top = 0;
    this.row = 0;
    return true;
  }

  eraseRow(what: number): void {
    const row = this.current();
    const { column } = this;
    if (what === 0) eraseCells(row, column, COLUMNS);
    else if (what === 1) eraseCells(row, 0, column + 1);
    else if (what === 2) eraseCells(row, 0, COLUMNS);
    if (what === 2 || (what === 0 && column === 0)) row.continues = false;
  }

  eraseScreen(what: number): void {
    const here = this.top + this.row;
    this.current();
    if (what === 0) {
      this.eraseRow(0);
      this.rows.length = here + 1;
    } else if (what === 1) {
      this.eraseRow(1);
      this.rows[here]!.continues = false;
      if (this.column + 1 >= COLUMNS && this.rows[here + 1]) this.rows[here + 1]!.continues = false;
      for (let at = this.top; at < here; at++) this.rows[at] = blankRow();
    } else if (what === 2) {
      this.keepShown();
      this.rows.length = this.top;
      this.current();
    }
  }

  /** Passes on what the screen shows before it is erased as a whole: a program that begins anew does not unsay it. */
  keepShown(): void {
    if (!this.release || this.region[0] > 0 || this.region[1] < ROWS - 1) return;
    const shown = this.rows.findLastIndex((row) => row.width > 0) + 1 - this.top;
    if (shown <= 0) return;
    this.top += shown;
    this.scrolled += shown;
    this.passOn();
  }

  /** Releases the rows above the screen where they are many. */
  private passOn(): void {
    if (this.top <= RELEASED_AT_ONCE) return;
    this.release?.(this.rows.splice(0, this.top));
    this.top = 0;
  }

  insertRows(at: number, count: number): void {
    const last = this.region[1];
    this.rowAt(last);
    const { rows, top } = this;
    for (let i = Math.min(count, last - at + 1); i > 0; i--) {
      rows.splice(top + last, 1);
      rows.splice(top + at, 0, blankRow());
    }
  }

  deleteRows(at: number, count: number): void {
    const last = this.region[1];
    this.rowAt(last);
    const { rows, top } = this;
    for (let i = Math.min(count, last - at + 1); i > 0; i--) {
      rows.splice(top + at, 1);
      rows.splice(top + last, 0, blankRow());
    }
  }
}
