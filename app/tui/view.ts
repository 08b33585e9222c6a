/** The picture of a state: pure, and as large as the screen, neither more nor less. */
import type { Frame, Line, State } from './types.ts';
import { draftView } from './view/draft.ts';
import { layout } from './view/layout.ts';
import { menuLines } from './view/menu.ts';
import { overlayView } from './view/overlay.ts';
import { mainLines } from './view/panes.ts';
import { queuedLines } from './view/queued.ts';
import { ruleLine } from './view/rule.ts';
import { statusLine } from './view/status.ts';
import { tinyFrame } from './view/tiny.ts';

export function view(state: State): Frame {
  const plan = layout(state);
  if (plan.arrangement === 'tiny') return tinyFrame(state);
  const { size, theme, focus } = state;
  const overlay = overlayView(state, plan.main.rows);
  const draft = draftView(state, plan.composer.rows);
  const lines: Line[] = [];
  for (const line of overlay ? overlay.lines : mainLines(state, plan)) lines.push(line);
  if (plan.approval) lines.push(...plan.approval.lines);
  lines.push(...menuLines(state, plan.menu.rows), ...queuedLines(state, plan.queued.rows));
  if (plan.rule !== null)
    lines.push(ruleLine(focus === null && !overlay ? 'active-border' : 'border', size.columns, theme));
  lines.push(...draft.lines, statusLine(state));
  const shift = (place: Frame['cursor'], row: number): Frame['cursor'] => place && { ...place, row: place.row + row };
  const cursor = overlay
    ? shift(overlay.cursor, 0)
    : plan.approval?.cursor
      ? shift(plan.approval.cursor, plan.approval.row)
      : focus === null
        ? shift(draft.cursor, plan.composer.row)
        : null;
  return { lines, cursor, panes: overlay ? [] : plan.panes };
}
