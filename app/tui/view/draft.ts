/** The composer: rows of the draft, and where its cursor stands. */
import { type EditorRow, editorPlace, editorRows } from '../editor.ts';
import { fit } from '../text/cells.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';

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

/** How many rows the draft wants. */
export const draftLength = ({ composer, size }: State): number =>
  rowsOf(composer.text, draftColumns(size.columns)).length;

export interface DraftView {
  lines: Line[];
  /** Cell of the cursor within `lines`. */
  cursor: { column: number; row: number };
}

/** The rows of the draft around its cursor. */
export function draftView(state: State, height: number): DraftView {
  const { composer, size, theme, running, approvals } = state;
  const prompt = paint(state.focus === null ? 'accent' : 'dim', PROMPT, theme);
  if (composer.text === '') {
    const hint = approvals.length > 0 ? '' : running ? 'Enter steers the running turn' : 'Say what to do';
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
