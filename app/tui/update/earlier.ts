/** The beginning of a long conversation, which is read only when somebody looks for it. */
import type { StoredEvent } from '../../../core/types.ts';
import { List } from '../list.ts';
import type { Pane, Scroll, State } from '../types.ts';
import { applyEvent } from './events.ts';
import { addNote } from './transcript.ts';

/** Of a conversation with more than twice as many prompts, so many are shown at first. */
const SHOWN_PROMPTS = 100;

/** Number of the event from which a conversation is shown; undefined for all of it. */
export function shownFrom(prompts: readonly { seq: number }[]): number | undefined {
  return prompts.length > 2 * SHOWN_PROMPTS ? prompts.at(-SHOWN_PROMPTS)!.seq : undefined;
}

/** A state without blocks, of a conversation whose beginning is not shown. */
export function withoutBeginning(state: State, from: number, prompts: number): State {
  const text = `${prompts} earlier prompts are read when you scroll up to here`;
  return { ...addNote(state, 'info', text), shownFrom: from };
}

/** Somebody has come to where the beginning is missing. */
export function wantsEarlier({ shownFrom, scroll }: State): boolean {
  const isAtTop = ({ chat, tools, diffs }: State['scroll']) =>
    [chat, tools, diffs].some((place) => !place.follow && place.block === 0);
  return shownFrom !== undefined && isAtTop(scroll);
}

/** The beginning before what is shown; what was being read stays where it is. */
export function showEarlier(state: State, events: readonly StoredEvent[]): State {
  const { shownFrom } = state;
  if (shownFrom === undefined) return state;
  const nothing = List.of<never>();
  let before: State = {
    ...state,
    blocks: nothing,
    prompts: nothing,
    calls: nothing,
    changes: nothing,
    messageAt: null,
    contextUsed: null,
  };
  for (const event of events) if (event.seq < shownFrom) before = applyEvent(before, event, state.now);
  const { blocks } = before;
  // The first block was only a word about them.
  const added = blocks.length - 1;
  const moved = (places: List<number>) => places.from(0).map((at) => at + added);
  // How full the window was before the first of them is known only now.
  const prompts = state.prompts
    .from(0)
    .map((prompt, i) => ({ ...prompt, at: prompt.at + added, ...(i === 0 && { used: before.contextUsed }) }));
  return {
    ...state,
    shownFrom: undefined,
    blocks: blocks.concat(state.blocks.from(1)),
    prompts: before.prompts.concat(prompts),
    calls: before.calls.concat(moved(state.calls)),
    changes: before.changes.concat(moved(state.changes)),
    messageAt: state.messageAt === null ? null : state.messageAt + added,
    scroll: shifted(state.scroll, { chat: added, tools: before.calls.length, todos: 0, diffs: before.changes.length }),
  };
}

function shifted(scroll: State['scroll'], by: Readonly<Record<Pane, number>>): State['scroll'] {
  const move = (place: Scroll, blocks: number): Scroll =>
    place.follow ? place : { ...place, block: Math.max(0, place.block + blocks) };
  const { chat, tools, todos, diffs } = scroll;
  return { chat: move(chat, by.chat), tools: move(tools, by.tools), todos, diffs: move(diffs, by.diffs) };
}
