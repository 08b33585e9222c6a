/** Changes of the transcript that keep what points into it right: scroll anchors, places of calls. */
import { List } from '../list.ts';
import type { Block, State } from '../types.ts';

type ToolBlock = Extract<Block, { kind: 'tool' }>;

/** Adds a block at the end. */
export function append(state: State, block: Block): State {
  const calls = block.kind === 'tool' ? state.calls.append(state.blocks.length) : state.calls;
  return { ...state, blocks: state.blocks.append(block), calls };
}

/** Puts another block in the place of one. */
export const replace = (state: State, at: number, block: Block): State => ({
  ...state,
  blocks: state.blocks.with(at, block),
});

export const addNote = (state: State, level: 'info' | 'warning' | 'error', text: string): State =>
  append(state, { kind: 'note', level, text });

/** Replaces the blocks from `from` to the end; no tool calls may be among the old or new ones. */
export function replaceFrom(state: State, from: number, tail: readonly Block[]): State {
  let blocks = state.blocks.take(from);
  for (const block of tail) blocks = blocks.append(block);
  const { chat } = state.scroll;
  if (chat.follow || chat.block < blocks.length) return { ...state, blocks };
  // What was being read is gone: the nearest that is left.
  const scroll = { ...state.scroll, chat: { follow: false as const, block: Math.max(0, blocks.length - 1), line: 0 } };
  return { ...state, blocks, scroll };
}

/** The place of a call's block; -1 when the call is not known. Newest first: ids are unique, but calls are many. */
export function placeOfCall(state: State, id: string): number {
  for (let index = state.calls.length - 1; index >= 0; index--) {
    const at = state.calls.at(index)!;
    if ((state.blocks.at(at) as ToolBlock).id === id) return at;
  }
  return -1;
}

/** Changes a call's block. */
export function changeCall(state: State, id: string, change: (block: ToolBlock) => Partial<ToolBlock>): State {
  const at = placeOfCall(state, id);
  if (at < 0) return state;
  const block = state.blocks.at(at) as ToolBlock;
  const changed = { ...block, ...change(block) };
  const isChange = changed.display?.kind === 'diff' && block.display?.kind !== 'diff';
  return {
    ...replace(state, at, changed),
    changes: isChange ? state.changes.append(at) : state.changes,
  };
}

/** Unfolds or folds every tool output and every piece of reasoning. */
export function expandAll(state: State, open: boolean): State {
  const blocks: Block[] = [];
  for (const block of state.blocks) blocks.push('open' in block || block.kind === 'user' ? { ...block, open } : block);
  return { ...state, blocks: List.of(blocks), expanded: open };
}

/** The list of the todos; an empty one has no pane to be in. */
export const withTodos = (state: State, todos: State['todos']): State => ({
  ...state,
  todos,
  focus: state.focus === 'todos' && todos.length === 0 ? null : state.focus,
});

/** The transcript before the prompt of this event's number, and what pointed behind it. */
export function goBack(state: State, seq: number): State {
  let count = state.prompts.length;
  while (count > 0 && state.prompts.at(count - 1)!.seq >= seq) count--;
  const prompt = state.prompts.at(count);
  if (prompt?.seq !== seq) return state;
  const upTo = (places: List<number>) => List.of([...places].filter((at) => at < prompt.at));
  const scroll = {
    ...state.scroll,
    chat: { follow: true as const },
    tools: { follow: true as const },
    diffs: { follow: true as const },
  };
  return {
    ...withTodos(state, prompt.todos),
    blocks: state.blocks.take(prompt.at),
    prompts: state.prompts.take(count),
    calls: upTo(state.calls),
    changes: upTo(state.changes),
    messageAt: null,
    contextUsed: prompt.used,
    scroll,
  };
}
