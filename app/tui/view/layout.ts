/** Where everything stands on the screen: the one place that shares out rows and columns. */

import { allLines } from '../blocks/pieces.ts';
import { frontQuestion } from '../keys.ts';
import type { Box, Pane, State } from '../types.ts';
import { type ApprovalView, approvalView } from './approval.ts';
import { draftLength } from './draft.ts';
import { isShown, paneBlocks, paneLines } from './pane-content.ts';
import { questionView } from './question.ts';

/** Under this nothing useful can be drawn. */
export const SMALLEST = { columns: 20, rows: 6 } as const;
/** From so many columns the panes stand side by side. */
const WIDE = 120;
/** Under so many columns or rows there is the chat alone. */
const NARROW = 80;
const LOW = 12;
/** Under so many rows there are no rules between the regions. */
const BARE = 10;
const MOST_MENU = 8;

export interface Layout {
  arrangement: 'tiny' | 'chat' | 'tabs' | 'wide';
  /** Panes that have something to show, in the order in which the focus moves. */
  shown: readonly Pane[];
  /** Row of the tab bar, if there is one. */
  tabs: number | null;
  /** Text areas of the panes that can be seen; a title stands in the row above those of the right column. */
  panes: readonly (Box & { pane: Pane })[];
  /** All of the panes together, with their titles. */
  main: Box;
  approval: (ApprovalView & { row: number; rows: number }) | null;
  menu: { row: number; rows: number };
  queued: { row: number; rows: number };
  rule: number | null;
  composer: { row: number; rows: number };
  status: number;
}

const layouts = new WeakMap<State, Layout>();

/** What waits for the person: approvals first. */
const askedView = (...of: Parameters<typeof approvalView>): ApprovalView | null =>
  approvalView(...of) ?? questionView(...of);

/** The layout of a state, made once. */
export function layout(state: State): Layout {
  let made = layouts.get(state);
  if (!made) {
    made = arrange(state);
    layouts.set(state, made);
  }
  return made;
}

function arrange(state: State): Layout {
  const { columns, rows } = state.size;
  const tiny = columns < SMALLEST.columns || rows < SMALLEST.rows;
  const bare = rows < BARE;
  const status = rows - 1;
  const mostDraft =
    (state.approvals.length > 0 || frontQuestion(state)) && !state.overlay
      ? Math.min(3, Math.floor(rows / 6))
      : Math.floor(rows / 3);
  const draft = tiny ? 1 : Math.min(draftLength(state), Math.max(1, mostDraft));
  let free = status - draft - (bare ? 0 : 1);
  const queuedRows = bare ? 0 : Math.min(state.queued.length + (state.refused ? 1 : 0), 3);
  free -= queuedRows;
  const view =
    state.overlay || tiny ? null : askedView(state, columns, free - Math.min(4, Math.floor(free / 5)), !bare);
  free -= view?.lines.length ?? 0;
  const menuRows = state.overlay
    ? 0
    : Math.max(0, Math.min(state.composer.completions.length, MOST_MENU, Math.floor(free / 2)));
  free -= menuRows;
  const main: Box = { column: 0, row: 0, columns, rows: Math.max(0, free) };
  const shown = (['chat', 'tools', 'todos', 'diffs'] as const).filter((pane) => isShown(state, pane));
  const arrangement = tiny ? 'tiny' : columns < NARROW || rows < LOW ? 'chat' : columns < WIDE ? 'tabs' : 'wide';
  let row = main.rows;
  const place = (height: number): { row: number; rows: number } => {
    row += height;
    return { row: row - height, rows: height };
  };
  const approval = view ? { ...view, ...place(view.lines.length) } : null;
  return {
    arrangement,
    shown: arrangement === 'tiny' || arrangement === 'chat' ? ['chat'] : shown,
    ...panesOf(state, arrangement, shown, main),
    main,
    approval,
    menu: place(menuRows),
    queued: place(queuedRows),
    rule: bare ? null : place(1).row,
    composer: place(draft),
    status,
  };
}

function panesOf(
  state: State,
  arrangement: Layout['arrangement'],
  shown: readonly Pane[],
  main: Box,
): Pick<Layout, 'tabs' | 'panes'> {
  if (arrangement === 'tiny') return { tabs: null, panes: [] };
  if (arrangement === 'wide' && shown.length > 1) return { tabs: null, panes: sideBySide(state, shown, main) };
  if (arrangement !== 'tabs' || shown.length === 1 || main.rows < 2)
    return { tabs: null, panes: [{ ...main, pane: 'chat' }] };
  const pane = shown.includes(state.pane) ? state.pane : 'chat';
  return { tabs: main.row, panes: [{ ...main, row: main.row + 1, rows: Math.max(0, main.rows - 1), pane }] };
}

/** Columns between chat and right column. */
export const GUTTER = 3;

/** The chat to the left, the others stacked to the right: a rule between, a title over each. */
function sideBySide(state: State, shown: readonly Pane[], main: Box): Layout['panes'] {
  const columns = Math.min(80, Math.floor(main.columns * 0.38));
  const column = main.columns - columns;
  const stacked = shown.filter((pane) => pane !== 'chat').slice(0, Math.floor(main.rows / 2));
  const chat = { ...main, columns: stacked.length > 0 ? column - GUTTER : main.columns, pane: 'chat' as const };
  const heights = share(state, stacked, columns, main.rows - stacked.length);
  let row = main.row;
  return [
    chat,
    ...stacked.map((pane, index) => {
      const box = { column, row: row + 1, columns, rows: heights[index]!, pane };
      row += 1 + heights[index]!;
      return box;
    }),
  ];
}

/** Shares rows out: what wants less than its part gets what it wants, the others share what is left. */
function share(state: State, panes: readonly Pane[], columns: number, rows: number): number[] {
  const wanted = panes.map((pane) => wantedRows(state, pane, columns, rows));
  const given = panes.map(() => 0);
  let open = panes.map((_, index) => index);
  let left = rows;
  while (open.length > 0) {
    const part = Math.floor(left / open.length);
    const content = open.filter((index) => wanted[index]! <= part);
    for (const index of content.length > 0 ? content : open) {
      given[index] = content.length > 0 ? wanted[index]! : part;
      left -= given[index]!;
    }
    if (content.length === 0) break;
    open = open.filter((index) => !content.includes(index));
  }
  // What nobody asked for, and the rest of a division, belongs to the last.
  if (given.length > 0) given[given.length - 1]! += left;
  return given;
}

/** Rows that all of a pane would take, counted from its end and no further than needed. */
function wantedRows(state: State, pane: Pane, columns: number, most: number): number {
  const blocks = paneBlocks(state, pane);
  const linesOf = paneLines(state, pane, columns);
  let rows = 0;
  for (let at = blocks.length - 1; at >= 0 && rows < most; at--) rows += allLines(linesOf(blocks.at(at)!)).length;
  return Math.min(rows, most);
}
