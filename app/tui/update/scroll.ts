/** Scrolling: of an overlay, of an approval's preview, or of a pane. */
import type { Pane, Scroll, State } from '../types.ts';
import { layout } from '../view/layout.ts';
import { overlayLength } from '../view/overlay.ts';
import { paneBlocks, paneLines } from '../view/pane-content.ts';
import { bottom, scrollBy, top } from '../window.ts';
import { changeFront } from './approval.ts';

/** A distance in lines, in pages, or all the way. */
export type Distance = { lines: number } | { pages: number } | 'top' | 'end';

/** Scrolls what the keys scroll: what is open, else the pane in focus. */
export function scrollFocused(state: State, distance: Distance): State {
  if (state.overlay) return scrollOverlay(state, distance);
  const { approval } = layout(state);
  if (approval && approval.bodyLength > approval.bodyRows) return scrollApproval(state, distance);
  return scrollPane(state, focusedPane(state), distance);
}

/** Scrolls what lies at a place of the screen. */
export function scrollAt(state: State, column: number, row: number, lines: number): State {
  if (state.overlay) return scrollOverlay(state, { lines });
  const { approval, panes } = layout(state);
  if (approval && row >= approval.row && row < approval.row + approval.rows) return scrollApproval(state, { lines });
  const hit = panes.find(
    (box) => column >= box.column && column < box.column + box.columns && row >= box.row && row < box.row + box.rows,
  );
  return scrollPane(state, hit?.pane ?? focusedPane(state), { lines });
}

/** The pane that keys scroll: the one in focus if it can be seen, else the one that is shown first. */
export function focusedPane(state: State): Pane {
  const { panes } = layout(state);
  return panes.find(({ pane }) => pane === state.focus)?.pane ?? panes[0]?.pane ?? 'chat';
}

function scrollPane(state: State, pane: Pane, distance: Distance): State {
  const box = layout(state).panes.find((candidate) => candidate.pane === pane);
  if (!box) return state;
  const scroll = moved(state, pane, distance, box.columns, box.rows);
  return scroll === state.scroll[pane] ? state : { ...state, scroll: { ...state.scroll, [pane]: scroll } };
}

function moved(state: State, pane: Pane, distance: Distance, columns: number, rows: number): Scroll {
  if (distance === 'end') return bottom;
  const blocks = paneBlocks(state, pane);
  const linesOf = paneLines(state, pane, columns);
  // Nothing to scroll: the pane goes on following.
  if (distance === 'top') return scrollBy(blocks, bottom, -1, rows, linesOf).follow ? bottom : top;
  return scrollBy(blocks, state.scroll[pane], inLines(distance, rows), rows, linesOf);
}

/** A page leaves a line of what was seen before. */
const inLines = (distance: { lines: number } | { pages: number }, rows: number): number =>
  'lines' in distance ? distance.lines : distance.pages * Math.max(1, rows - 1);

/** An offset in a text of `length` lines of which `rows` are seen. */
function shifted(offset: number, distance: Distance, length: number, rows: number): number {
  const most = Math.max(0, length - rows);
  if (distance === 'top') return 0;
  if (distance === 'end') return most;
  return Math.max(0, Math.min(most, Math.min(offset, most) + inLines(distance, rows)));
}

function scrollApproval(state: State, distance: Distance): State {
  const { approval } = layout(state);
  const front = state.approvals[0];
  if (!approval || !front) return state;
  return changeFront(state, { offset: shifted(front.offset, distance, approval.bodyLength, approval.bodyRows) });
}

function scrollOverlay(state: State, distance: Distance): State {
  const { overlay } = state;
  if (!overlay || overlay.kind === 'pick') return state;
  const { length, rows } = overlayLength(state);
  return { ...state, overlay: { ...overlay, offset: shifted(overlay.offset ?? 0, distance, length, rows) } };
}
