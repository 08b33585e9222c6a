/** The composer: rows of the draft, and where its cursor stands. */
import { type EditorRow, editorPlace, editorRows } from '../editor.ts';
import { frontQuestion } from '../keys.ts';
import { fit, width } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Line, Search, State } from '../types.ts';

const PROMPT = '› ';
const MARGIN = 2;

/** Cells for the text of the draft, behind the prompt. */
export const draftColumns = (columns: number): number => Math.max(2, columns - MARGIN);

let last: { text: string; columns: number; rows: EditorRow[] } | undefined;

/** The rows of a draft; the last answer is kept, as a frame asks more than once. */
function rowsOf(text: string, columns: number): EditorRow[] {
  if (last?.text !== text || last.columns !== columns) last = { text, columns, rows: editorRows(text, columns) };
  return last.rows;
}

/** What the draft's rows show: while prompts are searched, the one that was found. */
function shownText({ text, search, history }: State['composer']): string {
  if (!search) return text;
  return search.at === null ? '' : history[search.at]!;
}

/** How many rows the draft wants. */
export const draftLength = ({ composer, size }: State): number =>
  rowsOf(shownText(composer), draftColumns(size.columns)).length + (composer.search || composer.images?.length ? 1 : 0);

export interface DraftView {
  lines: Line[];
  /** Cell of the cursor within `lines`. */
  cursor: { column: number; row: number };
}

/** The rows of the draft around its cursor, under what goes with it. */
export function draftView(state: State, height: number): DraftView {
  const { composer } = state;
  if (composer.search) return searchView(state, composer.search, height);
  if (!composer.images?.length || height < 2) return textView(state, height);
  const { lines, cursor } = textView(state, height - 1);
  return { lines: [imagesLine(composer.images.length, state), ...lines], cursor: { ...cursor, row: cursor.row + 1 } };
}

function imagesLine(count: number, { size, theme }: State): Line {
  const chip = count === 1 ? '[1 image]' : `[${count} images]`;
  const hint = 'sent with the prompt; Backspace before the text takes it out';
  return fit(`${' '.repeat(MARGIN)}${paint('accent', chip, theme)} ${paint('dim', hint, theme)}`, size.columns);
}

function textView(state: State, height: number): DraftView {
  const { composer, size, theme, running, approvals } = state;
  const prompt = paint(state.focus === null ? 'accent' : 'dim', PROMPT, theme);
  if (composer.text === '') {
    const hint =
      approvals.length > 0
        ? ''
        : frontQuestion(state)
          ? 'Answer in your own words'
          : running
            ? 'Enter steers the running turn'
            : 'Say what to do';
    const lines = [fit(prompt + paint('dim', hint, theme), size.columns)];
    while (lines.length < height) lines.push(' '.repeat(size.columns));
    return { lines, cursor: { column: MARGIN, row: 0 } };
  }
  const columns = draftColumns(size.columns);
  const rows = rowsOf(composer.text, columns);
  const place = editorPlace(rows, composer.text, composer.cursor);
  const first = Math.max(0, place.row - height + 1);
  const lines: Line[] = [];
  for (let row = first; row < first + height; row++) {
    lines.push(fit((row === 0 ? prompt : ' '.repeat(MARGIN)) + (rows[row]?.shown ?? ''), size.columns));
  }
  return { lines, cursor: { column: MARGIN + place.column, row: place.row - first } };
}

const SEARCH_LABEL = 'search: ';

/** The parts of the search's own line; null when nothing is searched, or there is not room for all of them. */
export function searchLine(state: State): { label: Line; value: string; hint: Line } | null {
  const { size, theme, composer } = state;
  const { search } = composer;
  if (!search) return null;
  const value = sanitize(search.query);
  const isMissing = search.at === null && search.query !== '';
  const label = paint('accent', SEARCH_LABEL, theme);
  const hint = paint(isMissing ? 'warning' : 'dim', isMissing ? 'no prompt has this' : SEARCH_HINT, theme);
  if (width(SEARCH_LABEL) + width(value) + width(hint) + 3 <= size.columns) return { label, value, hint };
  return width(SEARCH_LABEL) + width(value) + 2 <= size.columns ? { label, value, hint: '' } : null;
}

const SEARCH_HINT = 'Enter takes it · Ctrl+R older · Esc back';

/** The line of what is looked for, and under it the prompt that was found. */
function searchView(state: State, search: Search, height: number): DraftView {
  const { composer, size, theme } = state;
  const { columns } = size;
  const query = sanitize(search.query);
  const { hint } = searchLine(state) ?? { hint: '' };
  const start = paint('accent', SEARCH_LABEL, theme) + query;
  const gap = Math.max(1, columns - width(start) - width(hint));
  const first = start + ' '.repeat(gap) + hint;
  const rows = rowsOf(shownText(composer), draftColumns(columns));
  const lines = [fit(first, columns)];
  for (let row = 0; row < height - 1; row++) {
    lines.push(fit(' '.repeat(MARGIN) + marked(rows[row]?.shown ?? '', query, theme), columns));
  }
  return { lines, cursor: { column: Math.min(width(start), columns - 1), row: 0 } };
}

/** What was looked for, where a row shows it. */
function marked(row: string, query: string, theme: State['theme']): string {
  const at = query === '' ? -1 : row.toLowerCase().indexOf(query.toLowerCase());
  if (at < 0) return row;
  const end = at + query.length;
  return row.slice(0, at) + paint('accent', row.slice(at, end), theme) + row.slice(end);
}
