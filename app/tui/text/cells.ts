/** Lines measured, cut and wrapped in terminal cells. */
import type { Line } from '../types.ts';
import { closed, restyle, tokens, width } from './line.ts';

export { graphemes } from './graphemes.ts';
export { width } from './line.ts';
export { leadOf, wrap } from './wrap.ts';

/** Exactly `columns` cells of a line: padded with spaces, or cut with … as its last cell; styles ended. */
export function fit(line: Line, columns: number): Line {
  if (columns <= 0) return '';
  const cells = width(line);
  if (cells <= columns) return closed(line) + ' '.repeat(columns - cells);
  const { texts, widths } = tokens(line);
  let row = '';
  let used = 0;
  for (let at = 0; at < texts.length; at++) {
    const more = Math.max(widths[at]!, 0);
    if (used + more > columns - 1) break;
    row += texts[at]!;
    used += more;
  }
  return closed(`${row}${' '.repeat(columns - 1 - used)}…`);
}

/**
 * The cells `from` to `from + columns` of a line, at most as many as it has; styles kept and ended. Half of a wide
 * grapheme becomes a space, so that what follows keeps its place.
 */
export function cut(line: Line, from: number, columns: number): Line {
  const end = from + columns;
  const { texts, widths } = tokens(line);
  let row = '';
  let active = '';
  let opened = false;
  let column = 0;
  for (let at = 0; at < texts.length && (column < end || widths[at]! <= 0); at++) {
    const text = texts[at]!;
    const cells = widths[at]!;
    if (cells < 0) {
      active = restyle(active, text);
      if (opened) row += text;
      continue;
    }
    const visible = Math.min(column + cells, end) - Math.max(column, from);
    // Marks without cells belong to the cell before them.
    if (visible > 0 || (cells === 0 && column > from && column <= end)) {
      if (!opened) row += active;
      opened = true;
      row += visible === cells ? text : ' '.repeat(Math.max(visible, 0));
    }
    column += cells;
  }
  return closed(row);
}
