/** Block tokens as lines. Blank lines are where the source has them, never two in a row. */
import type { MarkedToken, Token, Tokens } from 'marked';
import { codeRows, paintSpans } from '../code-rows.ts';
import { highlight } from '../highlight.ts';
import { wrap } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';
import { inline } from './inline.ts';
import { table, type Widths } from './table.ts';

type Theme = State['theme'];

/** Below this width nothing is indented any more. */
const NARROW = 12;

/** What the first table of a text takes over from its earlier part, and what its last table leaves for its next. */
export interface Carry {
  given?: Widths;
  widths?: Widths;
}

export function blockTokens(tokens: readonly Token[], columns: number, theme: Theme, carry: Carry = {}): Line[] {
  const lines: Line[] = [];
  let feeds = 0;
  for (const token of tokens as readonly MarkedToken[]) {
    if (token.type === 'space') {
      feeds += lineFeeds(token.raw);
      continue;
    }
    const more = block(token, columns, theme, carry);
    if (more.length > 0) {
      if (feeds > 1 && lines.length > 0) lines.push('');
      for (const line of more) lines.push(line);
      feeds = 0;
    }
    feeds += lineFeeds(/\s*$/.exec(token.raw)![0]);
  }
  return lines;
}

const lineFeeds = (text: string): number => text.split('\n').length - 1;

function block(token: MarkedToken, columns: number, theme: Theme, carry: Carry): Line[] {
  switch (token.type) {
    case 'heading':
      return wrap(paint('heading', headingMark(token.depth, theme) + inline(token.tokens, theme), theme), columns);
    case 'paragraph':
      return wrap(inline(token.tokens, theme), columns);
    case 'text':
      return wrap(inline(token.tokens ?? [token], theme), columns);
    case 'code':
      return [
        ...codeLabel(token.lang ?? '', columns, theme),
        ...codeLines(codeOf(token), token.lang ?? '', columns, theme),
      ];
    case 'list':
      return list(token, columns, theme, carry);
    case 'blockquote':
      return quote(token.tokens, columns, theme, carry);
    case 'table': {
      const { lines, widths } = table(token, columns, theme, carry.given);
      carry.given = undefined;
      carry.widths = widths;
      return lines;
    }
    case 'hr':
      return [paint('border', '─'.repeat(Math.max(columns, 1)), theme)];
    case 'html':
      return wrap(token.text.trimEnd(), columns);
    case 'def':
    case 'checkbox':
      return [];
    default:
      return wrap(token.raw.trimEnd(), columns);
  }
}

/** Where weight alone would not show the level, its signs do. */
const headingMark = (depth: number, theme: Theme): string =>
  theme === 'none' || depth > 2 ? `${'#'.repeat(depth)} ` : '';

function list({ items, ordered, start, raw }: Tokens.List, columns: number, theme: Theme, carry: Carry): Line[] {
  const lines: Line[] = [];
  const sign = /^\s*\d+([.)])/.exec(raw)?.[1] ?? '.';
  let loose = false;
  for (const [index, item] of items.entries()) {
    const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
    const bullet = ordered ? `${Number(start) + index}${sign} ` : item.task ? '' : '• ';
    const mark = bullet + box;
    const room = columns - mark.length;
    const body = blockTokens(item.tokens, room < NARROW ? columns : room, theme, carry);
    if (loose) lines.push('');
    loose = /\n[ \t]*\n\s*$/.test(item.raw);
    const painted = item.checked ? paint('ok', mark, theme) : paint('accent', mark, theme);
    if (room < NARROW) lines.push(painted.trimEnd(), ...body);
    else {
      const indent = ' '.repeat(mark.length);
      lines.push(painted + (body[0] ?? ''));
      for (const line of body.slice(1)) lines.push(line === '' ? '' : indent + line);
    }
  }
  return lines;
}

function quote(tokens: readonly Token[], columns: number, theme: Theme, carry: Carry): Line[] {
  if (columns < NARROW) return blockTokens(tokens, columns, theme, carry);
  const bar = paint('border', '│ ', theme);
  return blockTokens(tokens, columns - 2, theme, carry).map((line) => bar + paint('quote', line, theme));
}

const codeIndent = (columns: number): string => (columns < NARROW ? '' : '  ');

export function codeLabel(info: string, columns: number, theme: Theme): Line[] {
  const name = sanitize(/^\S*/.exec(info)![0]);
  return name ? [codeIndent(columns) + wrap(paint('dim', name, theme), Math.max(columns - 2, 1))[0]] : [];
}

/** Code, coloured and indented; lines longer than the width go on in the next row. */
export function codeLines(code: string, info: string, columns: number, theme: Theme): Line[] {
  const indent = codeIndent(columns);
  return highlight(code, info).flatMap((spans) =>
    codeRows(spans, columns - indent.length).map((row) => (row.length > 0 ? indent + paintSpans(row, theme) : '')),
  );
}

/** The code itself. A fence that is still open ends with the line feed of its last line, which is no empty line. */
function codeOf({ text, raw, codeBlockStyle }: Tokens.Code): string {
  if (codeBlockStyle === 'indented') return text.trimEnd();
  return /\n[ \t]*(?:`{3,}|~{3,})\s*$/.test(raw) ? text : text.replace(/\n$/, '');
}
