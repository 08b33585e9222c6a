/** The head and the tail of an output, without reading the rest of it. */
import { wrap } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';

export interface OutputPart {
  /** Lines of the output's beginning and of its end that are shown. */
  head: number;
  tail: number;
  /** Lines before the output that are no longer there. */
  dropped?: number;
}

/** Of one line of output at most so many rows are shown: minified code has one line. */
const MOST_ROWS = 6;

export function outputLines(output: string, columns: number, theme: State['theme'], part: OutputPart): Line[] {
  const text = output.trimEnd();
  if (text === '') return [];
  const headEnd = offsetOfLine(text, part.head);
  const tailStart = Math.max(offsetOfLastLines(text, part.tail), headEnd);
  const head = headEnd > 0 ? text.slice(0, headEnd - (headEnd < text.length ? 1 : 0)) : null;
  const lines: Line[] = head === null ? [] : shown(head, columns);
  if (tailStart > headEnd) {
    lines.push(...gapLines(text.slice(headEnd, tailStart), part.dropped ?? 0, columns, theme));
  } else if (part.dropped) lines.push(...gapLines('', part.dropped, columns, theme));
  if (tailStart < text.length) lines.push(...shown(text.slice(tailStart), columns));
  return lines;
}

/** What a tool puts in the place of output that it did not keep. */
const NOTICE = /^\[… \d+ bytes in (\d+) lines are not shown here(?:; (.+))? …\]$/gm;

/** How many lines stand between head and tail, those too that the tool itself left out; and where they are. */
export function leftOut(middle: string, dropped = 0): { lines: number; where: string } {
  let lines = lineCount(middle, 0, middle.length) + dropped;
  let where = '';
  for (const [, missing, place = ''] of middle.matchAll(NOTICE)) {
    lines += Number(missing) - 1;
    where = place;
  }
  return { lines, where };
}

function gapLines(middle: string, dropped: number, columns: number, theme: State['theme']): Line[] {
  const { lines, where } = leftOut(middle, dropped);
  const text = sanitize(`… ${lines} more ${lines === 1 ? 'line' : 'lines'}${where && `; ${where}`} …`);
  return wrap(paint('dim', text, theme), columns, { indent: 2 });
}

function shown(text: string, columns: number): Line[] {
  return sanitize(text)
    .split('\n')
    .flatMap((line) => {
      const rows = wrap(line.slice(0, columns * MOST_ROWS).trimEnd(), columns);
      return line.length > columns * MOST_ROWS ? [...rows.slice(0, -1), `${rows.at(-1)!.slice(0, -1)}…`] : rows;
    });
}

/** Where line `count` begins; the text's length when there are fewer. */
function offsetOfLine(text: string, count: number): number {
  let at = 0;
  for (let line = 0; line < count; line++) {
    const feed = text.indexOf('\n', at);
    if (feed < 0) return text.length;
    at = feed + 1;
  }
  return at;
}

/** Where the last `count` lines begin. */
function offsetOfLastLines(text: string, count: number): number {
  let at = text.length + 1;
  for (let line = 0; line < count; line++) {
    at = text.lastIndexOf('\n', at - 2) + 1;
    if (at === 0) return 0;
  }
  return Math.min(at, text.length);
}

function lineCount(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
