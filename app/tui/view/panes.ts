/** The panes: the chat, and beside it or as tabs the tools, the todos and the diffs. */
import { cut, fit, width } from '../text/cells.ts';
import { paint } from '../text/style.ts';
import type { Line, Pane, State } from '../types.ts';
import { visibleLines } from '../window.ts';
import { greeting } from './greeting.ts';
import type { Layout } from './layout.ts';
import { paneBlocks, paneLines } from './pane-content.ts';
import { ruleLine } from './rule.ts';

/** The rows of the main area, each exactly as wide as the screen. */
export function mainLines(state: State, plan: Layout): readonly Line[] {
  const { main, panes, tabs } = plan;
  const [first, ...right] = panes;
  if (!first) return [];
  const left = paneRows(state, first.pane, first.columns, first.rows);
  if (right.length === 0) return tabs === null ? left : [tabBar(state, plan), ...left];
  const { theme } = state;
  const column: Line[] = [];
  const columns = right[0]!.columns;
  for (const box of right) {
    const style = state.focus === box.pane ? 'active-border' : 'border';
    column.push(fit(ruleLine(style, columns, theme, box.pane), columns));
    column.push(...paneRows(state, box.pane, columns, box.rows));
  }
  const border = paint(state.focus === 'chat' ? 'active-border' : 'border', ' │ ', theme);
  return Array.from({ length: main.rows }, (_, row) => `${left[row]}${border}${column[row] ?? ' '.repeat(columns)}`);
}

/** Nothing was said yet. */
const isNew = ({ blocks }: State): boolean => blocks.length < 20 && blocks.from(0).every(({ kind }) => kind === 'note');

function paneRows(state: State, pane: Pane, columns: number, rows: number): Line[] {
  const blocks = paneBlocks(state, pane);
  const linesOf = paneLines(state, pane, columns);
  const head = pane === 'chat' && isNew(state) ? [...greeting(state, columns), ''] : [];
  const said = visibleLines(blocks, state.scroll[pane], rows, linesOf);
  const seen = head.length + said.length <= rows ? [...head, ...said] : said;
  return Array.from({ length: rows }, (_, row) => fit(seen[row] ?? '', columns));
}

function tabBar(state: State, { shown, panes }: Layout): Line {
  const { columns } = state.size;
  const names = shown.map((pane) => {
    const isOpen = panes[0]?.pane === pane;
    const name = isOpen ? `[${pane}]` : ` ${pane} `;
    return paint(isOpen ? (state.focus === pane ? 'active-border' : 'bold') : 'dim', name, state.theme);
  });
  const bar = names.join(' ');
  const hint = paint('dim', 'Ctrl+T', state.theme);
  const gap = columns - width(bar) - width(hint);
  return fit(gap > 1 ? bar + ' '.repeat(gap) + hint : cut(bar, 0, columns), columns);
}
