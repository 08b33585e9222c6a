/** A model's thinking: one line when folded, its text when open. */
import { clip } from '../clip.ts';
import { wrap } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Block, Line, State } from '../types.ts';
import { elapsed, noticeable } from './duration.ts';

type Theme = State['theme'];
type ReasoningBlock = Extract<Block, { kind: 'reasoning' }>;

export function reasoningLines(block: ReasoningBlock, columns: number, theme: Theme, now: number): readonly Line[] {
  const { startedAt, endedAt, open, text } = block;
  const said = endedAt === null ? `thinking … ${elapsed(now - startedAt)}` : thought(noticeable(endedAt - startedAt));
  const title = `${open ? '▾' : '▸'} ${said}`;
  const lines: Line[] = ['', paint('reasoning', clip(title, columns), theme)];
  const body = text.trim();
  if (!open || body === '') return lines;
  const indent = columns < 20 ? '' : '  ';
  for (const row of grown(body, columns - indent.length, theme)) lines.push(row === '' ? '' : indent + row);
  return lines;
}

const thought = (time: string): string => (time === '' ? 'thought' : `thought for ${time}`);

/** Whole lines of the text that was laid out last: the same thinking, a little longer, is most often asked for next. */
let last = { source: '', columns: 0, theme: 'none' as Theme, rows: [] as Line[] };

function grown(text: string, columns: number, theme: Theme): readonly Line[] {
  const same = last.source !== '' && last.columns === columns && last.theme === theme && text.startsWith(last.source);
  if (!same) last = { source: '', columns, theme, rows: [] };
  const whole = text.lastIndexOf('\n') + 1;
  if (whole > last.source.length) {
    const more = text.slice(last.source.length, whole - 1);
    last = { ...last, source: text.slice(0, whole), rows: last.rows.concat(rows(more, columns, theme)) };
  }
  return whole < text.length ? last.rows.concat(rows(text.slice(whole), columns, theme)) : last.rows;
}

const rows = (text: string, columns: number, theme: Theme): Line[] =>
  sanitize(text, { tabs: 4 })
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [''] : wrap(paint('reasoning', line.trimEnd(), theme), columns)));
