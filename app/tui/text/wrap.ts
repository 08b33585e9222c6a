/** Word wrap of styled lines, by cells. */
import type { Line } from '../types.ts';
import { CELLS, codePointClass } from './code-point.ts';
import { closed, restyle, type Tokens, tokens, width } from './line.ts';

// Signs that must not begin a row, and those that must not end one, in scripts that break between any two characters.
const NEVER_FIRST = '、。，．！？：；）」』】〉》〕”’ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ…';
const NEVER_LAST = '（「『【〈《〔“‘';

export interface WrapOptions {
  /** Spaces before every row but a paragraph's first. */
  indent?: number;
}

/**
 * A line as rows of at most `columns` cells: broken at spaces, between wide characters, and inside words that are
 * longer than a row. The spaces at a break are left out and nothing else is. Line feeds break too. Styles go on in the
 * next row. With one column, what needs two cells shows as ….
 */
export function wrap(line: Line, columns: number, options: WrapOptions = {}): Line[] {
  if (!line.includes('\n') && width(line) <= columns) return [closed(line)];
  const indent = Math.min(options.indent ?? 0, Math.max(Math.floor(columns / 2), 0));
  const parts = tokens(line);
  const rows: Line[] = [];
  let active = '';
  let at = 0;
  for (const { start, end, first } of breaks(parts, Math.max(columns, 1), indent)) {
    for (; at < start; at++) if (parts.widths[at]! < 0) active = restyle(active, parts.texts[at]!);
    let row = first ? active : ' '.repeat(indent) + active;
    for (; at < end; at++) {
      row += parts.texts[at]!;
      if (parts.widths[at]! < 0) active = restyle(active, parts.texts[at]!);
    }
    rows.push(closed(row));
  }
  return rows;
}

/** Cells before the words of a plain line, its list sign among them: where the rows after its first begin. */
export const leadOf = (line: string): number => /^ *(?:\d+\. |[-*] )?/.exec(line)![0].length;

/** Whether a grapheme belongs to a script that breaks between any two characters. */
const isWide = (grapheme: string): boolean => (codePointClass(grapheme.codePointAt(0)!) & CELLS) === 2;

interface Row {
  /** Tokens of the row: from `start` to before `end`. */
  start: number;
  end: number;
  /** Whether it begins a paragraph. */
  first: boolean;
}

function breaks({ texts, widths }: Tokens, columns: number, indent: number): Row[] {
  const rows: Row[] = [];
  let first = true;
  let start = 0;
  let used = 0;
  // The last place to break at: the row would end before `end`, the next one start at `next`.
  let end = -1;
  let next = -1;
  // Where the spaces before the current token began, or -1; whether the row holds more than spaces.
  let spaces = -1;
  let content = false;
  let before = '';

  const finish = (rowEnd: number, nextStart: number): void => {
    rows.push({ start, end: rowEnd, first });
    start = nextStart;
    first = false;
    used = 0;
    end = next = spaces = -1;
    content = false;
  };

  for (let at = 0; at < texts.length; at++) {
    const text = texts[at]!;
    if (widths[at]! < 0) continue;
    if (text === '\n') {
      finish(at, at + 1);
      first = true;
      before = '';
      continue;
    }
    const limit = first ? columns : columns - indent;
    if (widths[at]! > limit) {
      texts[at] = '…';
      widths[at] = 1;
    }
    const cells = widths[at]!;
    if (text === ' ') {
      if (used + cells > limit) {
        // The whole run is the break. A row of nothing but spaces is left out.
        const run = spaces < 0 ? at : spaces;
        while (at + 1 < texts.length && (texts[at + 1] === ' ' || widths[at + 1]! < 0)) at++;
        if (content) finish(run, at + 1);
        else {
          start = at + 1;
          used = 0;
          spaces = -1;
        }
        before = '';
        continue;
      }
      if (spaces < 0) spaces = at;
    } else {
      const wide = isWide(text) || before !== '';
      if (content && spaces >= 0) {
        end = spaces;
        next = at;
      } else if (content && wide && !NEVER_FIRST.includes(text) && !NEVER_LAST.includes(before || 'x')) {
        end = next = at;
      }
      spaces = -1;
      if (used + cells > limit && content) {
        // What stood behind the break is read once more: the next row may be shorter.
        const again = next > start ? next : at;
        finish(next > start ? end : at, again);
        at = again - 1;
        before = '';
        continue;
      }
      // Spaces that leave no room for even this are left out.
      if (used + cells > limit) {
        start = at;
        used = 0;
      }
      content = true;
    }
    used += cells;
    before = isWide(text) ? text : '';
  }
  if (content || used > 0 || rows.length === 0 || first) finish(texts.length, texts.length);
  return rows;
}
