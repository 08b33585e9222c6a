/** Code as rows of terminal cells: broken exactly at the edge, never at words, so that every character stays. */
import { graphemes, width } from './text/cells.ts';
import { paint, type Style } from './text/style.ts';
import type { Line, State } from './types.ts';

/** A stretch of one style within one line of code; already sanitized. */
export interface Span {
  style: Style | null;
  text: string;
}

/** Rows of at most `columns` cells; an empty line is one empty row. */
export function codeRows(spans: readonly Span[], columns: number): Span[][] {
  const room = Math.max(columns, 1);
  const total = spans.reduce((cells, { text }) => cells + width(text), 0);
  if (total <= room) return [spans.slice()];
  const rows: Span[][] = [];
  let row: Span[] = [];
  let used = 0;
  for (const { style, text } of spans) {
    let part = '';
    for (const grapheme of graphemes(text)) {
      let cells = width(grapheme);
      // What is wider than a whole row cannot be shown at all.
      const shown = cells > room ? '…' : grapheme;
      if (cells > room) cells = 1;
      if (used + cells > room) {
        if (part) row.push({ style, text: part });
        rows.push(row);
        row = [];
        part = '';
        used = 0;
      }
      part += shown;
      used += cells;
    }
    if (part) row.push({ style, text: part });
  }
  rows.push(row);
  return rows;
}

export const paintSpans = (spans: readonly Span[], theme: State['theme']): Line =>
  spans.map(({ style, text }) => (style ? paint(style, text, theme) : text)).join('');
