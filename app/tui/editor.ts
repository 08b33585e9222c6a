/** The text editor of the composer: one pure function over text and cursor, and the rows that it shows. */

import { graphemes, graphemeWidth } from './text/graphemes.ts';
import { width } from './text/line.ts';
import { sanitize } from './text/sanitize.ts';

export interface Buffer {
  text: string;
  /** Offset in UTF-16 units, always at a grapheme boundary. */
  cursor: number;
  /** What the last deletion of more than a character took; `yank` puts it back. */
  killed?: string;
  /** Column in cells that a run of up and down keeps to; gone after any other action. */
  goal?: number;
}

export type Motion =
  | 'left'
  | 'right'
  | 'word-left'
  | 'word-right'
  | 'line-start'
  | 'line-end'
  | 'up'
  | 'down'
  | 'start'
  | 'end';
export type Deletion = 'back' | 'forward' | 'word-back' | 'word-forward' | 'to-line-start' | 'to-line-end';

export type EditAction =
  | { type: 'insert' | 'paste'; text: string }
  | { type: 'newline' }
  /** Up and down move by rows of `columns` cells, or by lines without it. */
  | { type: 'move'; to: Motion; columns?: number }
  | { type: 'delete'; what: Deletion }
  /** Replaces everything; the cursor goes to the end unless given. */
  | { type: 'set'; text: string; cursor?: number }
  | { type: 'yank' };

/**
 * Applies one action. What cannot do anything (left at the start, up in the first row) gives back the same object, so
 * that the caller can give the key another meaning.
 */
export function edit(buffer: Buffer, action: EditAction): Buffer {
  const { text, cursor } = buffer;
  switch (action.type) {
    case 'insert':
    case 'paste':
      return replace(buffer, cursor, cursor, cleanInput(action.text));
    case 'newline':
      return replace(buffer, cursor, cursor, '\n');
    case 'yank':
      return replace(buffer, cursor, cursor, buffer.killed ?? '');
    case 'set': {
      const whole = cleanInput(action.text);
      return moved({ ...buffer, text: whole }, snap(whole, clamp(action.cursor ?? whole.length, whole.length)));
    }
    case 'move':
      if (action.to === 'up' || action.to === 'down') return vertical(buffer, action.to, action.columns);
      return moved(buffer, target(text, cursor, action.to));
    case 'delete':
      return erase(buffer, action.what);
  }
}

/** Text as the composer takes it: line feeds, tabs and what can be seen; CR and CRLF are line feeds. */
function cleanInput(text: string): string {
  if (!/[^\x20-\x7e\n]/.test(text)) return text;
  const feeds = text.replace(/\r\n?/g, '\n');
  return feeds.includes('\t')
    ? feeds
        .split('\t')
        .map((part) => sanitize(part))
        .join('\t')
    : sanitize(feeds);
}

const clamp = (value: number, end: number): number => Math.max(0, Math.min(value, end));

function moved(buffer: Buffer, cursor: number): Buffer {
  if (cursor === buffer.cursor && buffer.goal === undefined) return buffer;
  const { goal: _, ...rest } = buffer;
  return { ...rest, cursor };
}

function replace(buffer: Buffer, from: number, to: number, inserted: string, killed = buffer.killed): Buffer {
  if (from === to && inserted === '') return buffer;
  const text = buffer.text.slice(0, from) + inserted + buffer.text.slice(to);
  // What is now side by side may have joined into one grapheme.
  const next: Buffer = { text, cursor: snap(text, from + inserted.length) };
  return killed === undefined ? next : { ...next, killed };
}

function erase(buffer: Buffer, what: Deletion): Buffer {
  const { text, cursor } = buffer;
  const back = what === 'back' || what === 'word-back' || what === 'to-line-start';
  const motion = {
    back: 'left',
    forward: 'right',
    'word-back': 'word-left',
    'word-forward': 'word-right',
    'to-line-start': 'line-start',
    'to-line-end': 'line-end',
  } as const;
  let other = target(text, cursor, motion[what]);
  // At the end of a line the line break goes, as in Emacs.
  if (other === cursor && (what === 'to-line-start' || what === 'to-line-end'))
    other = target(text, cursor, back ? 'left' : 'right');
  const [from, to] = back ? [other, cursor] : [cursor, other];
  const kills = what !== 'back' && what !== 'forward' && from < to;
  return replace(buffer, from, to, '', kills ? text.slice(from, to) : buffer.killed);
}

function target(text: string, cursor: number, to: Exclude<Motion, 'up' | 'down'>): number {
  switch (to) {
    case 'left':
      return previous(text, cursor);
    case 'right':
      return next(text, cursor);
    case 'word-left':
      return wordLeft(text, cursor);
    case 'word-right':
      return wordRight(text, cursor);
    case 'line-start':
      return lineStart(text, cursor);
    case 'line-end':
      return lineEnd(text, cursor);
    case 'start':
      return 0;
    case 'end':
      return text.length;
  }
}

const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);
function lineEnd(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed;
}

const plain = (code: number): boolean => code >= 0x20 && code < 0x7f;

/** The first grapheme boundary at or after an offset. No grapheme of the buffer reaches over a line feed. */
function snap(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (at <= 0 || at >= text.length || before === 10 || after === 10 || (plain(before) && plain(after))) return at;
  let boundary = lineStart(text, at);
  for (const grapheme of graphemes(text.slice(boundary, lineEnd(text, at)))) {
    if (boundary >= at) break;
    boundary += grapheme.length;
  }
  return boundary;
}

function previous(text: string, at: number): number {
  if (at <= 1) return 0;
  if (plain(text.charCodeAt(at - 1)) && plain(text.charCodeAt(at - 2))) return at - 1;
  const start = lineStart(text, at);
  if (start === at) return at - 1;
  return at - graphemes(text.slice(start, at)).at(-1)!.length;
}

function next(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (text.charCodeAt(at) === 10) return at + 1;
  if (plain(text.charCodeAt(at)) && (at + 1 === text.length || plain(text.charCodeAt(at + 1)))) return at + 1;
  return at + graphemes(text.slice(at, lineEnd(text, at)))[0]!.length;
}

const WORD = /^[\p{L}\p{N}_]/u;

/** To the start of the word before the cursor, over line breaks too. */
function wordLeft(text: string, cursor: number): number {
  let at = cursor;
  let inWord = false;
  for (;;) {
    for (const grapheme of [...graphemes(text.slice(lineStart(text, at), at))].reverse()) {
      if (inWord && !WORD.test(grapheme)) return at;
      inWord ||= WORD.test(grapheme);
      at -= grapheme.length;
    }
    if (inWord || at === 0) return at;
    at--;
  }
}

/** To the end of the word after the cursor, over line breaks too. */
function wordRight(text: string, cursor: number): number {
  let at = cursor;
  let inWord = false;
  for (;;) {
    for (const grapheme of graphemes(text.slice(at, lineEnd(text, at)))) {
      if (inWord && !WORD.test(grapheme)) return at;
      inWord ||= WORD.test(grapheme);
      at += grapheme.length;
    }
    if (inWord || at === text.length) return at;
    at++;
  }
}

function vertical(buffer: Buffer, to: 'up' | 'down', columns = Number.POSITIVE_INFINITY): Buffer {
  const { text, cursor } = buffer;
  const rows = editorRows(text, columns);
  const place = editorPlace(rows, text, cursor);
  const goal = buffer.goal ?? place.column;
  const row = rows[place.row + (to === 'up' ? -1 : 1)];
  if (!row) return buffer;
  let at = row.start;
  let column = 0;
  for (const grapheme of graphemes(text.slice(row.start, row.end))) {
    const cells = grapheme === '\t' ? TAB.length : graphemeWidth(grapheme);
    // The end of a row that goes on in the next one is already the start of that.
    if (column + cells > goal || (at + grapheme.length === row.end && row.goesOn)) break;
    column += cells;
    at += grapheme.length;
  }
  return { ...buffer, cursor: at, goal };
}

/** How a tab of the draft shows. */
const TAB = '    ';

export interface EditorRow {
  /** Offsets in the text; a line feed belongs to no row. */
  start: number;
  end: number;
  /** What to show: the slice with its tabs as spaces. */
  shown: string;
  /** The line was too long and continues in the next row. */
  goesOn: boolean;
}

/**
 * The rows of a text in `columns` cells: broken behind spaces where that is possible, else inside the word. Nothing is
 * left out, so that every offset has a place.
 */
export function editorRows(text: string, columns: number): EditorRow[] {
  const limit = Math.max(columns, 2);
  const rows: EditorRow[] = [];
  let lineAt = 0;
  for (const line of text.split('\n')) {
    let start = 0;
    let used = 0;
    let at = 0;
    // Behind the last space of the row, and the cells up to there.
    let breakAt = 0;
    let breakUsed = 0;
    const finish = (end: number, goesOn: boolean): void => {
      const shown = line.slice(start, end).replaceAll('\t', TAB);
      rows.push({ start: lineAt + start, end: lineAt + end, shown, goesOn });
      start = end;
    };
    // Short lines of plain characters, which are nearly all.
    const whole = line.length < limit && !/[^\x20-\x7e]/.test(line);
    for (const grapheme of whole ? [] : graphemes(line)) {
      const cells = grapheme === '\t' ? TAB.length : graphemeWidth(grapheme);
      if (used + cells > limit && at > start) {
        if (breakAt > start) {
          finish(breakAt, true);
          used -= breakUsed;
        }
        if (used + cells > limit && at > start) {
          finish(at, true);
          used = 0;
        }
      }
      used += cells;
      at += grapheme.length;
      if (grapheme === ' ') {
        breakAt = at;
        breakUsed = used;
      }
    }
    // Behind a full last cell the cursor needs a row of its own.
    if (used >= limit) finish(line.length, true);
    finish(line.length, false);
    lineAt += line.length + 1;
  }
  return rows;
}

/** Row and column of an offset, from 0, among the rows of a text. */
export function editorPlace(rows: readonly EditorRow[], text: string, cursor: number): { row: number; column: number } {
  let row = 0;
  while (row + 1 < rows.length && rows[row + 1]!.start <= cursor) row++;
  return { row, column: width(text.slice(rows[row]!.start, cursor).replaceAll('\t', TAB)) };
}
