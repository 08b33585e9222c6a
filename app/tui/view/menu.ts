/** The menu of slash commands over the composer. */
import { fit, width } from '../text/cells.ts';
import { revealedLine } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';

/** Exactly `rows` rows, around the selected one. */
export function menuLines({ composer, size, theme }: State, rows: number): Line[] {
  if (rows === 0) return [];
  const { completions, completion } = composer;
  const { columns } = size;
  const first = Math.max(0, Math.min(completion - Math.floor(rows / 2), completions.length - rows));
  const widest = Math.min(
    Math.max(...completions.map(({ label }) => width(revealedLine(label)))),
    Math.floor(columns / 2),
  );
  return completions.slice(first, first + rows).map(({ label, help }, index) => {
    const isChosen = first + index === completion;
    const name = fit(revealedLine(label), widest);
    const isEdge = (index === 0 && first > 0) || (index === rows - 1 && first + rows < completions.length);
    const more = isEdge && !isChosen ? (index === 0 ? '↑ ' : '↓ ') : '  ';
    const row = fit(`${isChosen ? '› ' : more}${name}  ${paint('dim', revealedLine(help), theme)}`, columns);
    return isChosen ? paint('selected', row, theme) : row;
  });
}
