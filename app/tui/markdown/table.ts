/** GFM tables fitted to the width: the columns share it, cells wrap, and where that gets too narrow rows become lists. */
import type { Tokens } from 'marked';
import { width, wrap } from '../text/cells.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';
import { inline } from './inline.ts';

type Theme = State['theme'];

const SEPARATOR = ' │ ';
/** A column that has to give up cells keeps at least so many. */
const NARROWEST = 6;

export interface TableLines {
  lines: Line[];
  /** Cells of each column; null when the rows are shown as lists. */
  widths: Widths;
}
export type Widths = readonly number[] | null;

/** `given`: the widths of this table's earlier part, whose rows and header are shown already. */
export function table(token: Tokens.Table, columns: number, theme: Theme, given?: Widths): TableLines {
  const header = token.header.map((cell) => inline(cell.tokens, theme));
  const rows = token.rows.map((row) => row.map((cell) => inline(cell.tokens, theme)));
  const widths = given === undefined ? fitted(naturalWidths([header, ...rows]), columns) : given;
  if (!widths || widths.length !== header.length)
    return { lines: lists(header, rows, columns, theme, !!given), widths };
  const lines: Line[] = [];
  if (given === undefined) {
    const titles = header.map((cell) => paint('bold', cell, theme));
    lines.push(...row(titles, widths, token.align, theme));
    lines.push(paint('border', widths.map((cells) => '─'.repeat(cells)).join('─┼─'), theme));
  }
  for (const cells of rows) lines.push(...row(cells, widths, token.align, theme));
  return { lines, widths };
}

const naturalWidths = (rows: readonly (readonly string[])[]): number[] =>
  rows[0]!.map((_, column) => Math.max(1, ...rows.map((cells) => width(cells[column] ?? ''))));

/** Shares the width out: narrow columns keep theirs, the wide ones split the rest evenly. Null when it is too little. */
export function fitted(natural: readonly number[], columns: number): number[] | null {
  let room = columns - SEPARATOR.length * (natural.length - 1);
  if (natural.reduce((sum, cells) => sum + cells, 0) <= room) return [...natural];
  const widths = natural.map(() => 0);
  let open = natural.map((_, column) => column);
  for (;;) {
    const share = Math.floor(room / open.length);
    const small = open.filter((column) => natural[column]! <= share);
    for (const column of small) {
      widths[column] = natural[column]!;
      room -= natural[column]!;
    }
    open = open.filter((column) => natural[column]! > share);
    if (small.length > 0) continue;
    if (share < NARROWEST) return null;
    for (const [index, column] of open.entries()) widths[column] = share + (index < room % open.length ? 1 : 0);
    return widths;
  }
}

function row(cells: readonly string[], widths: readonly number[], align: Tokens.Table['align'], theme: Theme): Line[] {
  const wrapped = widths.map((room, column) => wrap(cells[column] ?? '', room));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  const separator = paint('border', SEPARATOR, theme);
  return Array.from({ length: height }, (_, index) =>
    widths
      .map((room, column) =>
        aligned(wrapped[column]![index] ?? '', room, align[column] ?? 'left', column === widths.length - 1),
      )
      .join(separator),
  );
}

function aligned(cell: Line, room: number, align: 'left' | 'center' | 'right', last: boolean): Line {
  if (last && cell === '') return '';
  const free = Math.max(0, room - width(cell));
  const left = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  return ' '.repeat(left) + cell + (last ? '' : ' '.repeat(free - left));
}

/** One `header: value` line a cell, and a blank line between rows. */
function lists(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
  theme: Theme,
  goesOn: boolean,
): Line[] {
  if (rows.length === 0 && !goesOn) return wrap(paint('bold', header.join(' · '), theme), columns);
  const lines: Line[] = [];
  for (const [index, cells] of rows.entries()) {
    if (index > 0 || goesOn) lines.push('');
    for (const [column, cell] of cells.entries()) {
      const name = header[column] || String(column + 1);
      lines.push(...wrap(`${paint('bold', `${name}:`, theme)} ${cell}`, columns, { indent: 2 }));
    }
  }
  return lines;
}
