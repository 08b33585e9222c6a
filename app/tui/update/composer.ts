/** The draft: editing, history, the menu of slash commands, sending. */
import { type Buffer, type EditAction, edit } from '../editor.ts';
import { pathItems, pathWord } from '../path-menu.ts';
import { REFUSED } from '../refused.ts';
import { shellLine } from '../shell-line.ts';
import { slashLine } from '../slash-line.ts';
import type { Completion, Composer, ProjectFiles, State } from '../types.ts';
import type { Update } from '../update.ts';
import { draftColumns } from '../view/draft.ts';
import { bottom } from '../window.ts';

const MOST_HISTORY = 500;

/** Applies an edit; `now` is when text was typed, null when the edit is none of the person's typing. */
export function editDraft(state: State, action: EditAction, now: number | null): State {
  const { composer } = state;
  const before: Buffer = composer;
  const after = edit(before, action);
  const focused = state.focus === null ? state : { ...state, focus: null };
  if (after === before) return action.type === 'delete' && action.what === 'back' ? detachLast(focused) : focused;
  const next: Composer = { ...composer, ...after, killed: after.killed, goal: after.goal };
  if (after.text === composer.text) {
    const moved = { ...focused, composer: next };
    // The cursor may have left the name that files are offered for.
    return composer.completions[0]?.cursor === undefined ? moved : withMenu(moved);
  }
  const typed = now === null ? focused : { ...focused, typedAt: now };
  return withMenu({ ...typed, composer: { ...next, browsing: null } });
}

/** Replaces the draft; the cursor goes to its end. */
export const setDraft = (state: State, text: string): State => editDraft(state, { type: 'set', text }, null);

/** Has these go with the draft, in place of others. */
export const attach = (state: State, images: Composer['images']): State =>
  state.composer.images === images ? state : { ...state, composer: { ...state.composer, images } };

/** What goes with the draft stands before its text. */
const detachLast = (state: State): State =>
  state.composer.images?.length ? attach(state, state.composer.images.slice(0, -1)) : state;

/** A row up or down; where there is none, an earlier or later draft. Null: there is no earlier one. */
export function upOrBack(state: State): State | null {
  const moved = vertical(state, 'up');
  if (moved) return moved;
  const { history, browsing, text, kept } = state.composer;
  const place = (browsing ?? history.length) - 1;
  if (place < 0) return null;
  return browse(state, place, history[place]!, browsing === null ? text : kept);
}

export function downOrOn(state: State): State {
  const moved = vertical(state, 'down');
  if (moved) return moved;
  const { history, browsing, kept } = state.composer;
  if (browsing === null) return state;
  const place = browsing + 1;
  return place < history.length ? browse(state, place, history[place]!, kept) : browse(state, null, kept, '');
}

function vertical(state: State, to: 'up' | 'down'): State | undefined {
  const before: Buffer = state.composer;
  const after = edit(before, { type: 'move', to, columns: draftColumns(state.size.columns) });
  if (after === before) return undefined;
  return { ...state, focus: null, composer: { ...state.composer, ...after } };
}

function browse(state: State, browsing: number | null, text: string, kept: string): State {
  // No menu: its own use of the arrow keys would end the browsing.
  const composer = { ...state.composer, text, cursor: text.length, browsing, kept, completions: [], goal: undefined };
  return { ...state, focus: null, composer };
}

/** Offers `items` for the draft as it is. */
export const openMenu = (state: State, items: readonly Completion[]): State => ({
  ...state,
  composer: { ...state.composer, completions: items, completion: 0 },
});

export const closeMenu = (state: State): State => openMenu(state, []);

/** The files of the project are known; what is being named now gets its menu. */
export function offerFiles(before: State, files: ProjectFiles): State {
  const state = { ...before, files };
  const { composer } = state;
  if (composer.browsing !== null || composer.search || !pathWord(composer)) return state;
  const next = withMenu(state);
  // What was selected among those that were known before stays selected.
  const chosen = composer.completions[composer.completion]?.label;
  const place = next.composer.completions.findIndex(({ label }) => label === chosen);
  return place <= 0 ? next : { ...next, composer: { ...next.composer, completion: place } };
}

/** The menu that belongs to the draft: the files that an `@` may mean, or the commands that begin with what was typed. */
function withMenu(state: State): State {
  const paths = state.files && pathItems(state.composer, state.files);
  if (paths) return openMenu(state, paths);
  const typed = /^\/([\w-]*)$/.exec(state.composer.text)?.[1]?.toLowerCase();
  if (typed === undefined) return state.composer.completions.length > 0 ? closeMenu(state) : state;
  const items = state.commands
    .filter(({ name }) => name.startsWith(typed))
    .map(({ name, help, argument }) => ({
      label: argument ? `/${name} ${argument}` : `/${name}`,
      help,
      // An argument in brackets may be left out: Enter runs the command without it.
      insert: argument && !argument.startsWith('[') ? `/${name} ` : `/${name}`,
    }));
  // What is typed whole comes first, so that Enter means it.
  items.sort((a, b) => Number(b.insert.trim() === `/${typed}`) - Number(a.insert.trim() === `/${typed}`));
  return openMenu(state, items);
}

export function selectInMenu(state: State, by: 1 | -1): State {
  const { completions, completion } = state.composer;
  const next = (completion + by + completions.length) % completions.length;
  return { ...state, composer: { ...state.composer, completion: next } };
}

/** Puts the chosen command or path into the draft. */
export function complete(state: State): State {
  const chosen = state.composer.completions[state.composer.completion];
  if (!chosen) return state;
  const next = closeMenu(setDraft(state, chosen.insert));
  return chosen.cursor === undefined ? next : { ...next, composer: { ...next.composer, cursor: chosen.cursor } };
}

/** Enter in the menu: takes what is chosen; a command runs unless it waits for an argument that is not there yet. */
export function runCompletion(state: State, now: number): Update {
  const chosen = state.composer.completions[state.composer.completion];
  if (chosen?.cursor !== undefined) return { state: complete(state), effects: [] };
  const isWhole = chosen !== undefined && chosen.insert.trim() === state.composer.text.trim();
  const next = isWhole ? state : complete(state);
  return isWhole || !chosen?.insert.endsWith(' ') ? send(next, now) : { state: next, effects: [] };
}

/** Enter: a new line behind a backslash, a slash command, or a prompt. */
export function send(state: State, _now: number): Update {
  const { text, cursor, images } = state.composer;
  if (text[cursor - 1] === '\\') {
    const shorter = editDraft(state, { type: 'delete', what: 'back' }, null);
    return { state: editDraft(shorter, { type: 'newline' }, null), effects: [] };
  }
  const prompt = text.trim();
  if (prompt === '') return { state: { ...state, focus: null }, effects: [] };
  const shell = shellLine(prompt);
  if (shell && state.running) return { state: { ...state, refused: REFUSED.busy }, effects: [] };
  const cleared = followed(clearDraft(state));
  const command = slashLine(prompt);
  // What is attached waits for a prompt.
  if (command) return { state: attach(cleared, images), effects: [{ type: 'command', ...command }] };
  const next: State = {
    ...cleared,
    queued: state.running ? [...state.queued, prompt] : state.queued,
  };
  if (shell) return { state: attach(next, images), effects: [{ type: 'send', command: { type: 'shell', ...shell } }] };
  // A prompt steers a running turn and starts one otherwise: whichever holds when it arrives, no word is lost.
  return {
    state: next,
    effects: [{ type: 'send', command: { type: 'prompt', text: prompt, ...(images?.length && { images }) } }],
  };
}

/** What comes of a line is seen, wherever one was reading. */
const followed = (state: State): State => ({ ...state, pane: 'chat', scroll: { ...state.scroll, chat: bottom } });

/** Empties the draft and keeps it in the history. */
export function clearDraft(state: State): State {
  const { composer } = state;
  const text = composer.text.trim();
  const known = text === '' || composer.history[composer.history.length - 1] === text;
  const history = known ? composer.history : [...composer.history, text].slice(-MOST_HISTORY);
  const empty = {
    text: '',
    images: undefined,
    cursor: 0,
    browsing: null,
    kept: '',
    completions: [],
    completion: 0,
    goal: undefined,
    search: null,
  };
  return { ...state, focus: null, typedAt: 0, composer: { ...composer, ...empty, history } };
}
