/** A horizontal rule, with words in it at its left and right where they fit. */
import { width } from '../text/cells.ts';
import { paint, type Style } from '../text/style.ts';
import type { Line, State } from '../types.ts';

export function ruleLine(style: Style, columns: number, theme: State['theme'], left = '', right = ''): Line {
  const words = (text: string): string => (text === '' ? '' : ` ${text} `);
  let [start, end] = [words(left), words(right)];
  if (width(start) + width(end) + 4 > columns) end = '';
  if (width(start) + 4 > columns) start = '';
  const line = '─'.repeat(Math.max(0, columns - 2 - width(start) - width(end) - 2));
  return paint(style, `──${start}${line}${end}──`, theme);
}
