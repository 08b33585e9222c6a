/** What each pane shows: its blocks, and their lines at its width. */
import { blockLines, todoLines } from '../blocks.ts';
import type { Block, Line, Pane, State } from '../types.ts';
import type { BlockList, LinesOf } from '../window.ts';

type ToolBlock = Extract<Block, { kind: 'tool' }>;

/** Whether a pane has anything to show; the chat always has. */
export function isShown(state: State, pane: Pane): boolean {
  if (pane === 'chat') return true;
  if (pane === 'todos') return state.todos.length > 0;
  if (pane === 'tools') return state.calls.length > 0;
  return state.changes.length > 0;
}

/** The todos are one block whose lines come from the state. */
const TODOS: readonly Block[] = [{ kind: 'note', level: 'info', text: '' }];

export function paneBlocks({ blocks, calls, changes }: State, pane: Pane): BlockList {
  if (pane === 'chat') return blocks;
  if (pane === 'todos') return TODOS;
  const places = pane === 'tools' ? calls : changes;
  return { length: places.length, at: (index) => blocks.at(places.at(index)!) };
}

const forms = new WeakMap<ToolBlock, { open?: ToolBlock; folded?: ToolBlock }>();

/** The same call, unfolded or folded: one object for each, so that its lines are kept. */
function formOf(block: ToolBlock, open: boolean): ToolBlock {
  if (block.open === open) return block;
  let known = forms.get(block);
  if (!known) forms.set(block, (known = {}));
  return (known[open ? 'open' : 'folded'] ??= { ...block, open });
}

/** Lines of a pane's blocks, each at most `columns` wide. */
export function paneLines(state: State, pane: Pane, columns: number): LinesOf {
  const { theme, now, todos } = state;
  if (pane === 'todos') return () => todoLinesOf(todos, columns, theme);
  return (block) => {
    if (pane === 'chat' || block.kind !== 'tool') return blockLines(block, columns, theme, now);
    // Diffs and todos have a pane of their own.
    const apart = block.display?.kind === 'diff' || block.display?.kind === 'todos';
    return blockLines(formOf(block, pane === 'diffs' || !apart), columns, theme, now);
  };
}

const kept = new WeakMap<State['todos'], { key: string; lines: readonly Line[] }>();

function todoLinesOf(todos: State['todos'], columns: number, theme: State['theme']): readonly Line[] {
  const key = `${columns} ${theme}`;
  const known = kept.get(todos);
  if (known?.key === key) return known.lines;
  const lines = todoLines(todos, columns, theme);
  kept.set(todos, { key, lines });
  return lines;
}
