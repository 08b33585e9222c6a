/** The list to choose from: its filter, its selection, its answer. */
import { type EditAction, edit } from '../editor.ts';
import { GUARD } from '../keys.ts';
import type { State } from '../types.ts';
import type { Update } from '../update.ts';
import { pickedItems } from '../view/overlay.ts';

export function editFilter(state: State, action: EditAction): State {
  const { overlay } = state;
  // A question has few answers and no filter.
  if (overlay?.kind !== 'pick' || overlay.unchosen !== undefined) return state;
  const { text } = edit({ text: overlay.filter, cursor: overlay.filter.length }, action);
  const filter = text.replaceAll('\n', ' ');
  return filter === overlay.filter ? state : { ...state, overlay: { ...overlay, filter, selected: 0 } };
}

/** One step wraps around, more of them stop at the ends. */
export function movePick(state: State, by: number): State {
  const { overlay } = state;
  if (overlay?.kind !== 'pick') return state;
  const { length } = pickedItems(overlay);
  if (length === 0) return state;
  const wanted = overlay.selected + by;
  const selected = Math.abs(by) === 1 ? (wanted + length) % length : Math.max(0, Math.min(length - 1, wanted));
  return { ...state, overlay: { ...overlay, selected } };
}

/** The chosen value goes to the list's command; Enter in an empty list does nothing. */
export function takePick(state: State, now: number, close: (state: State, now: number) => State): Update {
  const { overlay } = state;
  const item = overlay?.kind === 'pick' ? pickedItems(overlay)[overlay.selected] : undefined;
  if (overlay?.kind !== 'pick' || !item) return { state, effects: [] };
  if (overlay.shownAt !== undefined && now - overlay.shownAt < GUARD.shown) return { state, effects: [] };
  return { state: close(state, now), effects: [{ type: 'command', name: overlay.command, argument: item.value }] };
}
