/**
 * A terminal's screen: a cursor, rows of cells and what control functions do to them (ECMA-48 and what xterm adds).
 * Colours and the like change nothing here.
 */
import { COLUMNS, ROWS, TerminalPage } from './terminal-page.ts';
import { cellsOf, eraseCells, isOdd, putCharacter, putPlain, type Row, shiftCells } from './terminal-row.ts';

export class TerminalScreen {
  private page: TerminalPage;
  /** The usual page while a program draws on the alternate one. */
  private usual: TerminalPage | undefined;
  private wraps = true;
  /** The last printed character, if nothing else came since. */
  private lastCharacter = '';
  /** The cursor was just sent to the first cell: to erase from there is to erase the whole screen. */
  private isHome = false;
  private readonly release: (rows: Row[]) => void;

  /** `release` gets rows that cannot change any more. */
  constructor(release: (rows: Row[]) => void) {
    this.release = release;
    this.page = new TerminalPage(release);
  }

  /** The rows that may still change, and those that were not released yet. */
  get rows(): readonly Row[] {
    return this.page.rows;
  }

  /** Releases everything. A program that was ended while it drew: its page comes below what was there before. */
  end(): void {
    if (this.usual) {
      const { rows } = this.usual;
      if (rows.at(-1)!.width === 0) rows.pop();
      this.release(rows);
    }
    this.release(this.page.rows);
    this.usual = undefined;
    this.page = new TerminalPage(this.release);
  }

  /**
   * Releases all rows above the cursor's where text can only be added: the cursor's is the last one, empty, and begins a
   * line. False, and nothing done, where it is not so.
   */
  clearAbove(): boolean {
    return !this.usual && this.wraps && this.page.clearAbove();
  }

  /** Printable characters, tabs and line feeds; a line feed also returns to the first column. */
  print(text: string): void {
    this.isHome = false;
    let from = 0;
    for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', from)) {
      if (next > from) this.put(text.slice(from, next));
      this.page.lineFeed();
      this.page.column = 0;
      this.lastCharacter = '';
      from = next + 1;
    }
    if (from < text.length) this.put(from === 0 ? text : text.slice(from));
  }

  /** Printable characters and tabs. */
  private put(piece: string): void {
    if (isOdd(piece)) {
      for (const character of piece) this.putOdd(character);
      return;
    }
    this.lastCharacter = piece.at(-1)!;
    const { page } = this;
    for (let from = 0; from < piece.length; ) {
      if (page.column >= COLUMNS) this.wrap();
      const part = piece.slice(from, from + COLUMNS - page.column);
      putPlain(page.current(), page.column, part);
      page.column += part.length;
      from += part.length;
    }
  }

  private putOdd(character: string): void {
    const { page } = this;
    let width = cellsOf(character, page.column);
    if (width === 0) {
      putCharacter(page.current(), page.column, character, 0);
      return;
    }
    // A tab that moves over text changes nothing; one at the end of the text is kept as what it is.
    if (character === '\t') {
      if (page.column >= COLUMNS) this.wrap();
      width = Math.min(8 - (page.column % 8), COLUMNS - page.column);
      const row = page.current();
      const isLast = page.column >= row.width;
      if (isLast) putCharacter(row, page.column, character, width);
      page.column = Math.min(page.column + width, isLast ? COLUMNS : COLUMNS - 1);
      return;
    }
    this.lastCharacter = character;
    if (page.column + width > COLUMNS) {
      // A wide character that finds no room takes along what stood in the last cell.
      if (this.wraps) eraseCells(page.current(), page.column, COLUMNS);
      this.wrap();
      if (width === 2 && !this.wraps) return;
    }
    if (width === 1 && character.length === 1) putPlain(page.current(), page.column, character);
    else putCharacter(page.current(), page.column, character, width);
    page.column += width;
  }

  /** Goes on in the next row, or stays on the last cell where wrapping is off. */
  private wrap(): void {
    const { page } = this;
    if (!this.wraps) {
      page.column = COLUMNS - 1;
      return;
    }
    page.column = 0;
    if (page.row === page.region[1]) page.scroll(true);
    else {
      if (page.row < ROWS - 1) page.row++;
      page.current().continues = true;
    }
  }

  /** A single control character, or an escape sequence without parameters. */
  control(whole: string): void {
    const { page } = this;
    this.lastCharacter = '';
    this.isHome = false;
    switch (whole) {
      case '\r':
        page.column = 0;
        return;
      case '\b':
        page.column = Math.max(0, Math.min(page.column, COLUMNS - 1) - 1);
        return;
      case '\v':
      case '\f':
        page.lineFeed();
        return;
      case '\x1bD':
        page.index();
        return;
      case '\x1bE':
        page.column = 0;
        page.index();
        return;
      case '\x1bM':
        page.inside();
        if (page.row === page.region[0]) page.insertRows(page.region[0], 1);
        else if (page.row > 0) page.row--;
        return;
      case '\x1b7':
        page.save();
        return;
      case '\x1b8':
        page.restore();
        return;
      case '\x1bc':
        page.keepShown();
        page.rows.length = page.top;
        page.region = [0, ROWS - 1];
        this.wraps = true;
        page.moveTo(0, 0);
        page.current();
    }
  }

  /** CSI `parameters` `between` `final`. */
  sequence(parameters: string, between: string, final: string): void {
    const { page, lastCharacter: last, isHome } = this;
    this.lastCharacter = '';
    this.isHome = false;
    if (parameters.startsWith('?') && (final === 'h' || final === 'l')) {
      this.mode(parameters, final === 'h');
      return;
    }
    if (between !== '' || (/^[<=>?]/.test(parameters) && final !== 'J' && final !== 'K')) return;
    const [first = 0, second = 0] = parameters
      .replace(/^\?/, '')
      .split(';')
      .map((text) => Number.parseInt(text, 10) || 0);
    const count = Math.min(Math.max(1, first), 1000);
    const { row, column } = page;
    const at = Math.min(column, COLUMNS - 1);
    switch (final) {
      case 'A':
        page.moveTo(Math.max(row >= page.region[0] ? page.region[0] : 0, row - count), at);
        return;
      case 'B':
      case 'e':
        page.moveTo(page.down(count), at);
        return;
      case 'C':
      case 'a':
        page.moveTo(row, at + count);
        return;
      case 'D':
        page.moveTo(row, at - count);
        return;
      case 'E':
        page.moveTo(page.down(count), 0);
        return;
      case 'F':
        page.moveTo(Math.max(row >= page.region[0] ? page.region[0] : 0, row - count), 0);
        return;
      case 'G':
      case '`':
        page.moveTo(row, count - 1);
        return;
      case 'd':
        page.moveTo(count - 1, at);
        return;
      case 'H':
      case 'f':
        page.moveTo(count - 1, Math.max(1, second) - 1);
        this.isHome = count === 1 && second <= 1;
        return;
      case 'J':
        page.eraseScreen(first === 0 && isHome ? 2 : first);
        return;
      case 'K':
        page.eraseRow(first);
        return;
      case 'X':
        page.inside();
        eraseCells(page.current(), at, at + count);
        return;
      case 'P':
        page.inside();
        shiftCells(page.current(), at, count, COLUMNS);
        return;
      case '@':
        page.inside();
        shiftCells(page.current(), at, -Math.min(count, COLUMNS - at), COLUMNS);
        return;
      case 'L':
        page.inside();
        if (row < page.region[0] || row > page.region[1]) return;
        page.insertRows(row, count);
        page.column = 0;
        return;
      case 'M':
        page.inside();
        if (row < page.region[0] || row > page.region[1]) return;
        page.deleteRows(row, count);
        page.column = 0;
        return;
      case 'S':
        page.deleteRows(page.region[0], count);
        return;
      case 'T':
        page.insertRows(page.region[0], count);
        return;
      case 'b':
        if (last !== '') this.put(last.repeat(count));
        this.lastCharacter = '';
        return;
      case 's':
        page.save();
        return;
      case 'u':
        page.restore();
        return;
      case 'r': {
        const bottom = second === 0 || second > ROWS ? ROWS : second;
        if (bottom <= count) return;
        page.region = [count - 1, bottom - 1];
        page.moveTo(0, 0);
      }
    }
  }

  private mode(parameters: string, on: boolean): void {
    const modes = parameters.slice(1).split(';');
    if (modes.includes('7')) this.wraps = on;
    if (!modes.some((mode) => mode === '47' || mode === '1047' || mode === '1049')) return;
    const { page } = this;
    if (on) {
      if (modes.includes('1049')) page.save();
      if (this.usual) return;
      this.usual = page;
      this.page = new TerminalPage();
      this.page.row = page.row;
      this.page.column = page.column;
    } else {
      if (this.usual) {
        const { row, column } = page;
        this.page = this.usual;
        this.usual = undefined;
        page.moveTo(row, column);
      }
      if (modes.includes('1049')) page.restore();
    }
  }
}
