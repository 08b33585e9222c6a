/** Unified diffs for people: counts, line numbers, colour, and long lines broken with a mark instead of cut. */

import { clip } from './clip.ts';
import { codeRows, paintSpans, type Span } from './code-rows.ts';
import { width, wrap } from './text/cells.ts';
import { sanitize } from './text/sanitize.ts';
import { paint, type Style } from './text/style.ts';
import type { Line, State } from './types.ts';

type Theme = State['theme'];

/** Stands in the place of the sign where a line of the file goes on in the next row. */
const CONTINUED = '⋮';
/** From so many columns on, old and new line numbers have a column each. */
const TWO_NUMBERS = 60;

interface Change {
  kind: 'file' | 'hunk' | 'line' | 'remark';
  sign: ' ' | '+' | '-';
  text: string;
  before: number | null;
  after: number | null;
  added: number;
  removed: number;
}

/**
 * Rows of at most `columns` cells for a patch in unified format (also of several files, with git's extra headers).
 * What a diff changes is judged by a person, so control characters in it show as visible signs. A patch that is none
 * shows as its text.
 */
export function renderDiff(patch: string, columns: number, theme: Theme): Line[] {
  const changes = parse(patch);
  const last = changes.reduce((most, { before, after }) => Math.max(most, before ?? 0, after ?? 0), 0);
  const digits = String(last).length;
  const lines: Line[] = [];
  for (const change of changes) {
    if (change.kind === 'file') {
      if (lines.length > 0) lines.push('');
      lines.push(header(change, columns, theme));
    } else if (change.kind === 'hunk') lines.push(...wrap(paint('hunk', change.text, theme), columns));
    else if (change.kind === 'remark') lines.push(...wrap(paint('dim', change.text, theme), columns));
    else lines.push(...rows(change, digits, columns, theme));
  }
  return lines;
}

/** `+3 −1`, coloured. */
export const counts = (added: number, removed: number, theme: Theme): Line =>
  `${paint('added', `+${added}`, theme)} ${paint('removed', `−${removed}`, theme)}`;

function header({ text, added, removed }: Change, columns: number, theme: Theme): Line {
  const figures = counts(added, removed, theme);
  if (text === '') return clip(figures, columns);
  const room = columns - width(figures) - 2;
  if (room < 8) return clip(`${text}  ${figures}`, columns);
  return `${paint('bold', clip(text, room), theme)}  ${figures}`;
}

function rows({ sign, text, before, after }: Change, digits: number, columns: number, theme: Theme): Line[] {
  const style: Style | null = sign === '+' ? 'added' : sign === '-' ? 'removed' : null;
  const number = (line: number | null) => String(line ?? '').padStart(digits);
  let gutter = columns >= TWO_NUMBERS ? `${number(before)} ${number(after)} ` : `${number(after ?? before)} `;
  // In a very narrow pane the text matters more than its numbers.
  if (columns < gutter.length + 12) gutter = '';
  const blank = ' '.repeat(gutter.length);
  const spans: Span[] = [{ style, text }];
  return codeRows(spans, columns - gutter.length - 2).map((row, index) => {
    const mark = index === 0 ? (style ? paint(style, sign, theme) : sign) : paint('dim', CONTINUED, theme);
    return `${paint('dim', index === 0 ? gutter : blank, theme)}${mark} ${paintSpans(row, theme)}`;
  });
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** What ada's own diffs say of lines that they leave out. */
const LEFT_OUT = /^\\ (\d+) more (removed|added) lines are not shown$/;
const REST = /^\\ the rest of this diff is not shown: (\d+) removed, (\d+) added lines$/;
/** Lines of git's header that say something; the others repeat what is shown anyway. */
const REMARK = /^(new file|deleted file|old mode|new mode|rename|copy|similarity|Binary files|GIT binary)/;
const SILENT = /^(diff |index )/;

function parse(patch: string): Change[] {
  const changes: Change[] = [];
  const change = (kind: Change['kind'], text: string, more: Partial<Change> = {}): Change => {
    const made: Change = { kind, sign: ' ', before: null, after: null, added: 0, removed: 0, ...more, text };
    changes.push(made);
    return made;
  };
  const source = patch.endsWith('\n') ? patch.slice(0, -1) : patch;
  if (source === '') return [];
  const lines = source.split('\n');
  const shown = lineEnds(lines);
  // Folders may be called a and b too: only git's first line, or both prefixes in one header, are git's.
  const isGit = /^diff --git |^--- a\/.*\n\+\+\+ b\//m.test(source);
  let file: Change | null = null;
  let before = 0;
  let after = 0;
  // Lines of the hunk still to come: a removed line may well begin with `-- `.
  let old = 0;
  let fresh = 0;
  /** Lines that are not shown count all the same. */
  const pass = (removed: number, added: number) => {
    old -= removed;
    before += removed;
    fresh -= added;
    after += added;
    if (file) file.removed += removed;
    if (file) file.added += added;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const sign = line[0] ?? ' ';
    if ((old > 0 || fresh > 0) && (sign === ' ' || sign === '+' || sign === '-')) {
      const text = shown(line.slice(1));
      if (sign !== '+') old--;
      if (sign !== '-') fresh--;
      if (file && sign === '+') file.added++;
      if (file && sign === '-') file.removed++;
      change('line', text, { sign, before: sign === '+' ? null : before++, after: sign === '-' ? null : after++ });
      continue;
    }
    const hunk = HUNK.exec(line);
    if (hunk) {
      file ??= change('file', '');
      before = Number(hunk[1]);
      after = Number(hunk[3]);
      old = Number(hunk[2] ?? 1);
      fresh = Number(hunk[4] ?? 1);
      change('hunk', shown(line));
      continue;
    }
    if (line.startsWith('\\')) {
      change('remark', shown(line.slice(1).trim()));
      const [, count, kind] = LEFT_OUT.exec(line) ?? [];
      if (kind === 'removed') pass(Number(count), 0);
      else if (kind) pass(0, Number(count));
      const rest = REST.exec(line);
      if (rest) pass(Number(rest[1]), Number(rest[2]));
      if (rest) old = fresh = 0;
    } else {
      old = fresh = 0;
      if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ')) {
        file = change('file', fileName(line, lines[++at]!, isGit));
      } else if (!SILENT.test(line) && (REMARK.test(line) || line.trim() !== '')) change('remark', shown(line));
    }
  }
  return changes;
}

/** Shows a line's text; its carriage return only where the patch mixes line ends. */
function lineEnds(lines: readonly string[]): (text: string) => string {
  const body = lines.filter((line) => /^[ +-]/.test(line) && !/^(---|\+\+\+) /.test(line));
  const mixed = body.some((line) => line.endsWith('\r')) && body.some((line) => !line.endsWith('\r'));
  return (text) => sanitize(mixed ? text : text.replace(/\r$/, ''), { reveal: true, tabs: 4 }).replaceAll('\n', '␊');
}

/** The file's path from its two header lines; git's a/ and b/ taken off, a created or deleted file said so. */
function fileName(before: string, after: string, isGit: boolean): string {
  const path = (line: string) => line.slice(4).replace(/[\t\r].*$/, '');
  const [from, to] = [path(before), path(after)];
  const bare = (name: string) => (isGit ? name.replace(/^[ab]\//, '') : name);
  const shown = (name: string) => sanitize(bare(name), { reveal: true });
  if (from === '/dev/null') return `${shown(to)} (new)`;
  if (to === '/dev/null') return `${shown(from)} (deleted)`;
  return bare(from) === bare(to) ? shown(to) : `${shown(from)} → ${shown(to)}`;
}
