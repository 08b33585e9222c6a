/** One row of a terminal's screen, as text, and what can be done to it by cells. */

export interface Row {
  /** What stands in it up to `width`; where `cells` is set, it is void. */
  text: string;
  /** Cells in use. */
  width: number;
  /** True when characters of another width than one cell, or of two UTF-16 units, stand in it. */
  odd: boolean;
  /** One entry a cell, made when the middle of an odd row changes; a wide character's further cells are empty. */
  cells?: string[];
  /** True when it goes on with the row before it, which was full. */
  continues: boolean;
}

export const blankRow = (continues = false): Row => ({ text: '', width: 0, odd: false, continues });

export const rowText = (row: Row): string => (row.cells ? row.cells.join('') : row.text);

/** What may take no cell or more than one, or is half of a pair; the blocks are wider than need be. */
const ODD =
  /\t|\u00ad|[\u0300-\u036f]|[\u0483-\u0489]|[\u0590-\u08ff]|[\u0900-\u115f]|[\u1700-\u1dff]|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u2064]|[\u20d0-\u20f0]|[\u2e80-\ua97f]|[\uaa00-\uffff]/;
const NOTHING = /^(?:\p{Mn}|\p{Me}|\p{Cf})$/u;

/** Whether a text may hold characters that are not one unit in one cell. */
export const isOdd = (text: string): boolean => ODD.test(text);

/** Cells of one character; a tab's reach to the next multiple of eight. */
export function cellsOf(character: string, column: number): number {
  if (character === '\t') return 8 - (column % 8);
  const code = character.codePointAt(0)!;
  if (code < 0x300) return code === 0xad ? 0 : 1;
  if (NOTHING.test(character)) return 0;
  const isWide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf && code !== 0x303f) ||
    (code >= 0xa960 && code <= 0xa97c) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe10 && code <= 0xfe6f) ||
    (code >= 0xff01 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    code >= 0x20000;
  return isWide ? 2 : 1;
}

/** Puts `text`, of which every character is one cell, at a column. */
export function putPlain(row: Row, column: number, text: string): void {
  if (column === row.width && !row.cells) {
    row.text += text;
    row.width += text.length;
  } else if (row.odd) {
    const cells = cellsIn(row);
    open(row, column, column + text.length);
    for (let i = 0; i < text.length; i++) cells[column + i] = text[i]!;
    row.width = cells.length;
  } else {
    const before = row.width < column ? row.text.padEnd(column) : row.text.slice(0, column);
    row.text = before + text + row.text.slice(column + text.length);
    row.width = row.text.length;
  }
}

/** Puts one character of `width` cells at a column; with no width it joins the character before. */
export function putCharacter(row: Row, column: number, character: string, width: number): void {
  row.odd = true;
  if (width === 0) {
    if (row.cells || column !== row.width) {
      const cells = cellsIn(row);
      let at = Math.min(column, cells.length) - 1;
      while (at > 0 && cells[at] === '') at--;
      if (at >= 0) cells[at] += character;
    } else if (column > 0) row.text += character;
    return;
  }
  if (column === row.width && !row.cells) {
    row.text += character;
    row.width += width;
    return;
  }
  const cells = cellsIn(row);
  open(row, column, column + width);
  cells[column] = character;
  for (let i = 1; i < width; i++) cells[column + i] = '';
  row.width = cells.length;
}

/** Blanks the cells from `from` up to `to`. */
export function eraseCells(row: Row, from: number, to: number): void {
  if (from >= row.width || from >= to) return;
  if (row.odd) {
    const cells = cellsIn(row);
    open(row, from, Math.min(to, cells.length));
    if (to >= cells.length) cells.length = from;
    else cells.fill(' ', from, to);
    row.width = cells.length;
  } else {
    const rest = to >= row.width ? '' : ' '.repeat(to - from) + row.text.slice(to);
    row.text = row.text.slice(0, from) + rest;
    row.width = row.text.length;
  }
}

/** Takes `count` cells out at a column (negative: puts blanks in); what follows moves, and what leaves `limit` is gone. */
export function shiftCells(row: Row, column: number, count: number, limit: number): void {
  if (column >= row.width) return;
  const cells = cellsIn(row);
  row.odd = true;
  if (count > 0) {
    open(row, column, Math.min(column + count, cells.length));
    cells.splice(column, count);
  } else {
    open(row, column, column);
    cells.splice(column, 0, ...new Array<string>(-count).fill(' '));
    if (cells.length > limit) {
      open(row, limit, limit);
      cells.length = limit;
    }
  }
  row.width = cells.length;
}

function cellsIn(row: Row): string[] {
  if (row.cells) return row.cells;
  const cells: string[] = [];
  for (const character of row.text) {
    const width = cellsOf(character, cells.length);
    if (width === 0) {
      let at = cells.length - 1;
      while (at > 0 && cells[at] === '') at--;
      if (at >= 0) cells[at] += character;
      continue;
    }
    // A tab at the edge is narrower than its rule says.
    const room = character === '\t' ? Math.max(1, Math.min(width, row.width - cells.length)) : width;
    cells.push(character);
    for (let i = 1; i < room; i++) cells.push('');
  }
  row.text = '';
  row.cells = cells;
  return cells;
}

/** Makes the cells from `from` to `to` free: what of a wide character stays outside becomes blanks. */
function open(row: Row, from: number, to: number): void {
  const cells = row.cells!;
  while (cells.length < from) cells.push(' ');
  for (const edge of [from, to]) {
    if (cells[edge] !== '') continue;
    let start = edge;
    while (start > 0 && cells[start] === '') start--;
    for (let i = start; i < cells.length && (i === start || cells[i] === ''); i++) cells[i] = ' ';
  }
}
