/** One piece of Markdown as lines, laid out apart from the others. */
import { wrap } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import type { Line, State } from '../types.ts';
import { blockTokens, type Carry, codeLines } from './blocks.ts';
import { lexed } from './lexer.ts';
import type { Open } from './scan.ts';
import type { Widths } from './table.ts';

type Theme = State['theme'];

export interface PieceLines {
  lines: Line[];
  /** Of the last table: what its part in the next piece goes on with. */
  widths?: Widths;
}

/**
 * Lines of a piece that begins inside `open`; `given` are the columns of the table that goes on. Blank lines before
 * its text become one blank line, which the caller takes off at the beginning of an answer.
 */
export function pieceLines(text: string, open: Open | null, columns: number, theme: Theme, given?: Widths): PieceLines {
  const source = sanitize(text, { tabs: 4 });
  if (open?.kind === 'fence') return insideFence(source, open, columns, theme);
  if (open?.kind === 'table') {
    const tokens = lexed(open.head + source);
    if (tokens?.[0]?.type === 'table') {
      const carry: Carry = { given, widths: given };
      return { lines: blockTokens(tokens, columns, theme, carry), widths: carry.widths };
    }
  }
  return markdown(source, columns, theme);
}

function markdown(source: string, columns: number, theme: Theme): PieceLines {
  const blank = /^[ \t]*\n/.test(source) && source.trim() !== '' ? [''] : [];
  const carry: Carry = {};
  const tokens = lexed(source);
  const lines = tokens ? blockTokens(tokens, columns, theme, carry) : paragraphs(source, columns);
  return { lines: [...blank, ...lines], widths: carry.widths };
}

/** Text without markup: its own lines, wrapped; blank lines become one. */
function paragraphs(source: string, columns: number): Line[] {
  const text = source.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  if (text === '') return [];
  return text
    .replace(/\n[ \t]*(?:\n[ \t]*)+(?=\n)/g, '\n')
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [''] : wrap(line.trimEnd(), columns)));
}

function insideFence(
  source: string,
  { marker, info }: Extract<Open, { kind: 'fence' }>,
  columns: number,
  theme: Theme,
): PieceLines {
  const close = new RegExp(`^ {0,3}${marker}${marker[0]}*[ \\t]*$`, 'm').exec(source);
  const code = (close ? source.slice(0, close.index) : source).replace(/\n$/, '');
  // The closing fence may be all that is left of it.
  const lines = close?.index === 0 ? [] : codeLines(code, info, columns, theme);
  if (!close) return { lines };
  const rest = markdown(source.slice(close.index + close[0].length).replace(/^\n/, ''), columns, theme);
  return { lines: [...lines, ...rest.lines], widths: rest.widths };
}
