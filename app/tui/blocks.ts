/**
 * What each entry of the transcript looks like. Blocks are immutable, so their lines are kept by identity, width and
 * theme. A blank line is the first line of the blocks that stand apart: user, answer, reasoning.
 */

import { compactionLines } from './blocks/compaction.ts';
import { type BlockLines, joined } from './blocks/pieces.ts';
import { reasoningLines } from './blocks/reasoning.ts';
import { toolLines } from './blocks/tool.ts';
import { markdownReady, streamedMarkdown } from './markdown.ts';
import { leadOf, wrap } from './text/cells.ts';
import { revealedLine, sanitize } from './text/sanitize.ts';
import { paint, type Style } from './text/style.ts';
import type { Block, Line, State } from './types.ts';

export { allLines, type BlockLines } from './blocks/pieces.ts';
export { todoLines } from './blocks/todo-lines.ts';

type Theme = State['theme'];

interface Kept {
  columns: number;
  theme: Theme;
  /** What else the lines depend on: the second for what runs, the lexer for Markdown. */
  version: number;
  lines: BlockLines;
}

/** A block is shown in at most two panes at a time. */
const MOST_KEPT = 2;
const kept = new WeakMap<Block, readonly Kept[]>();

/** Lines of a block, each at most `columns` cells. `now` matters only while the block runs (ms since the epoch). */
export function blockLines(block: Block, columns: number, theme: Theme, now: number): BlockLines {
  const version = versionOf(block, now);
  const known = kept.get(block);
  const same = known?.find((one) => one.columns === columns && one.theme === theme);
  if (same?.version === version) return same.lines;
  const lines = layOut(block, columns, theme, now);
  const others = known?.filter((one) => one !== same).slice(0, MOST_KEPT - 1) ?? [];
  kept.set(block, [{ columns, theme, version, lines }, ...others]);
  return lines;
}

function versionOf(block: Block, now: number): number {
  if (block.kind === 'answer') return markdownReady() ? 1 : 0;
  if (block.kind !== 'reasoning' && block.kind !== 'tool') return 0;
  return block.endedAt === null ? Math.max(0, Math.floor((now - block.startedAt) / 1000)) : 0;
}

function layOut(block: Block, columns: number, theme: Theme, now: number): BlockLines {
  switch (block.kind) {
    case 'user':
      return userLines(block, columns, theme);
    case 'answer':
      if (block.settled.length === 0 && block.tail.trim() === '') return [];
      return joined([[''], streamedMarkdown(block, columns, theme)]);
    case 'reasoning':
      return reasoningLines(block, columns, theme, now);
    case 'tool':
      return toolLines(block, columns, theme, now);
    case 'note':
      return noteLines(block.level, block.text, columns, theme);
    case 'compaction':
      return compactionLines(block, columns, theme);
    case 'end':
      return wrap(paint('dim', `── ${revealedLine(block.text)}`, theme), columns, { indent: 3 });
  }
}

/** Of a prompt with more lines than both and a few, only these are shown until it is unfolded. */
const PROMPT_LINES = { head: 20, tail: 5, spare: 10 };

function userLines({ text, steered, open }: Extract<Block, { kind: 'user' }>, columns: number, theme: Theme): Line[] {
  const bar = paint('user', '▌', theme);
  const { head, tail, spare } = PROMPT_LINES;
  let lines = sanitize(text.trimEnd(), { tabs: 4 }).split('\n');
  const left = lines.length - head - tail;
  if (!open && left > spare)
    lines = [...lines.slice(0, head), paint('dim', `… ${left} more lines (Ctrl+O) …`, theme), ...lines.slice(-tail)];
  const rows = lines.flatMap((line) => wrap(line, columns - 2));
  // A message steered into a running turn says so: the answer above it had not seen it.
  if (steered) rows.unshift(paint('dim', wrap('while it worked:', columns - 2)[0]!, theme));
  return ['', ...rows.map((row) => (row === '' ? bar : `${bar} ${row}`))];
}

const NOTES: Readonly<Record<'info' | 'warning' | 'error', readonly [sign: string, style: Style]>> = {
  info: ['·', 'dim'],
  warning: ['!', 'warning'],
  error: ['✗', 'error'],
};

function noteLines(level: 'info' | 'warning' | 'error', text: string, columns: number, theme: Theme): Line[] {
  const [sign, style] = NOTES[level];
  // Colours hide nothing when they are taken away; the rest of a line could be hidden.
  const lines = sanitize(text.trim().replace(/\x1b\[[\d;:]*m/g, ''), { reveal: true }).split('\n');
  return lines.flatMap((line, index) => {
    const row = `${index === 0 ? sign : ' '} ${line}`;
    return wrap(paint(style, row, theme), columns, { indent: 2 + leadOf(line) });
  });
}
