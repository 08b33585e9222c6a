/** Earlier prompts: stepping back through them beyond this conversation, and searching them. */
import { type EditAction, edit } from '../editor.ts';
import type { RecalledFor, Search, State } from '../types.ts';
import type { Update } from '../update.ts';
import { editDraft, setDraft, upOrBack } from './composer.ts';

/** A step back; past the oldest prompt that is known those of earlier conversations are read, once. */
export function stepBack(state: State): Update {
  const next = upOrBack(state);
  if (next) return { state: next, effects: [] };
  return { state, effects: state.composer.recalled ? [] : [{ type: 'recall', wanted: 'back' }] };
}

/** Earlier conversations' prompts go before what is known; what is known already is not told twice. */
export function recalled(state: State, prompts: readonly string[], wanted: RecalledFor): State {
  const { composer } = state;
  const known = new Set(composer.history);
  const older = prompts.filter((prompt) => !known.has(prompt));
  const next: State = {
    ...state,
    composer: {
      ...composer,
      recalled: true,
      history: [...older, ...composer.history],
      browsing: composer.browsing === null ? null : composer.browsing + older.length,
    },
  };
  return wanted === 'search' ? opened(next) : (upOrBack(next) ?? next);
}

export function openSearch(state: State): Update {
  if (state.composer.recalled) return { state: opened(state), effects: [] };
  return { state, effects: [{ type: 'recall', wanted: 'search' }] };
}

function opened(state: State): State {
  const { composer } = state;
  const { text, cursor } = composer;
  const search: Search = { query: '', at: null, before: { text, cursor } };
  return { ...state, focus: null, composer: { ...composer, search, completions: [], browsing: null } };
}

/** Text goes through the field of the search; deletions are the editor's, which takes whole characters. */
export function editSearch(state: State, action: EditAction): Update {
  const { search } = state.composer;
  if (!search) return { state, effects: [] };
  const typed = action.type === 'insert' || action.type === 'paste';
  const { text } = edit(typed ? { text: '', cursor: 0 } : { text: search.query, cursor: search.query.length }, action);
  const line = text.replace(/\s/g, ' ');
  return typed ? { state, effects: [{ type: 'field', text: line }] } : { state: searchFor(state, line), effects: [] };
}

/** Typing goes on from what was found, as long as it still matches; a deletion begins anew. */
export function searchFor(state: State, query: string): State {
  const { search, history } = state.composer;
  if (!search || query === search.query) return state;
  const from = query.startsWith(search.query) ? (search.at ?? history.length - 1) : history.length - 1;
  return withSearch(state, { ...search, query, at: query === '' ? null : find(history, query, from, -1) });
}

export function searchOn(state: State, step: 1 | -1): State {
  const { search, history } = state.composer;
  if (!search) return state;
  const { query, at } = search;
  const found = find(history, query, (at ?? history.length) + step, step);
  return found === null ? state : withSearch(state, { ...search, at: found });
}

/** What was found becomes the draft, to be changed or sent. */
export function takeSearch(state: State): State {
  const { search, history } = state.composer;
  const found = search?.at == null ? undefined : history[search.at];
  return found === undefined ? closeSearch(state) : setDraft(closed(state), found);
}

/** The draft is as it was before. */
export function closeSearch(state: State): State {
  const before = state.composer.search?.before;
  return before ? editDraft(closed(state), { type: 'set', ...before }, null) : state;
}

const closed = (state: State): State => withSearch(state, null);
const withSearch = (state: State, search: Search | null): State => ({
  ...state,
  composer: { ...state.composer, search },
});

/** The next place from `from` on that holds the query, capital letters apart. */
function find(history: readonly string[], query: string, from: number, step: 1 | -1): number | null {
  const wanted = query.toLowerCase();
  for (let place = from; place >= 0 && place < history.length; place += step)
    if (history[place]!.toLowerCase().includes(wanted)) return place;
  return null;
}
