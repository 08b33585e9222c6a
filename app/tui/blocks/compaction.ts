/** Where older messages made room: one line, and the summary that stands for them when it is open. */
import { clip } from '../clip.ts';
import { wrap } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Block, Line, State } from '../types.ts';

type CompactionBlock = Extract<Block, { kind: 'compaction' }>;

export function compactionLines(block: CompactionBlock, columns: number, theme: State['theme']): readonly Line[] {
  const { before, after, text, open } = block;
  const sizes = `${before} → ${after} tokens`;
  const what = text === '' ? 'older results were left out' : 'older messages were summarised';
  const sign = text === '' ? '·' : open ? '▾' : '▸';
  const lines: Line[] = [paint('dim', clip(`${sign} ${what} (${sizes})`, columns), theme)];
  if (!open || text === '') return lines;
  const indent = columns < 20 ? '' : '  ';
  for (const row of sanitize(text.trim(), { tabs: 4 }).split('\n'))
    for (const line of wrap(paint('dim', row, theme), columns - indent.length)) lines.push(indent + line);
  return lines;
}
