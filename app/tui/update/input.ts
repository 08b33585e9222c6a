/** Keys, pastes and the wheel: what they do where the person is now. */

import type { EditAction } from '../editor.ts';
import { type ActionName, findAction, frontQuestion, isArmed, placesOf } from '../keys.ts';
import type { Effect, Input, Key, State } from '../types.ts';
import type { Update } from '../update.ts';
import { layout } from '../view/layout.ts';
import {
  answerAlways,
  answerAuto,
  answerNo,
  answerPlan,
  answerYes,
  changeFront,
  closeReason,
  editReason,
  sendReason,
} from './approval.ts';
import { clearDraft, closeMenu, complete, downOrOn, editDraft, runCompletion, selectInMenu, send } from './composer.ts';
import { closeSearch, editSearch, openSearch, searchOn, stepBack, takeSearch } from './history.ts';
import { editFilter, movePick, takePick } from './pick.ts';
import { answerOption, answerText, guardQuestion, hasOption, selectOption, takeOption } from './question.ts';
import { scrollAt, scrollFocused } from './scroll.ts';
import { expandAll } from './transcript.ts';

/** Ctrl+C again within so many ms leaves. */
export const LEAVE_WITHIN = 2000;
/** A letter that would answer waits so many ms: with another right behind it, it began a text. */
export const HOLD_MS = 150;
/** Not `n`: it answers nothing yet, and its reason may well be typed at once. */
const HELD: ReadonlySet<unknown> = new Set<ActionName>([
  'answer-yes',
  'answer-auto',
  'answer-always',
  'answer-plan',
  'answer-option',
]);

export function applyInput(before: State, input: Input, now: number): Update {
  const { state, effects } = before.held ? unhold(before, input, now) : stay(before);
  const next = take(state, input, now);
  return effects.length === 0 ? next : { state: next.state, effects: [...effects, ...next.effects] };
}

/** What comes after a letter that waits decides what that letter was. */
function unhold(state: State, input: Input, now: number): Update {
  if (input.type === 'wheel' || input.type === 'focus') return stay(state);
  const isText = input.type === 'paste' || input.key.name === 'text';
  if (!isText || now - state.held!.at >= HOLD_MS) return settleHeld(state, now);
  return stay(write({ ...state, held: null }, { type: 'insert', text: state.held!.key.text }, now));
}

/** The letter stayed alone: it answers, if what it answers still waits. */
export function settleHeld(before: State, now: number): Update {
  const { held } = before;
  const state = { ...before, held: null };
  if (!held || held.id !== asking(state)) return stay(state);
  const action = findAction(held.key, [state.approvals.length > 0 ? 'answer' : 'question']);
  return typeof action === 'string' ? ACTIONS[action](state, now, held.key) : stay(state);
}

/** Of the approval or question in front. */
const asking = (state: State): string | undefined => (state.approvals[0] ?? frontQuestion(state))?.request.id;

function take(state: State, input: Input, now: number): Update {
  switch (input.type) {
    case 'key':
      return press(state, input.key, now);
    case 'paste':
      return enter({ ...state, leaving: null }, { type: 'paste', text: input.text }, now);
    case 'wheel':
      return stay(scrollAt(state, input.column, input.row, input.lines));
    case 'focus':
      return stay({ ...state, focused: input.focused });
  }
}

function press(before: State, key: Key, now: number): Update {
  const found = findAction(key, placesOf(before, now));
  // A key that names none of the options is text.
  const action = found === 'answer-option' && !hasOption(before, key) ? undefined : found;
  const state = action === 'clear-or-leave' || before.leaving === null ? before : { ...before, leaving: null };
  if (HELD.has(action)) return stay({ ...state, held: { key, id: asking(state)!, at: now } });
  if (typeof action === 'string') return ACTIONS[action](state, now, key);
  if (action) return enter(state, action.edit, now);
  return key.name === 'text' ? enter(state, { type: 'insert', text: key.text }, now) : stay(state);
}

const stay = (state: State): Update => ({ state, effects: [] });
const effect = (state: State, ...effects: Effect[]): Update => ({ state, effects });

/** Text and edits go to what is being written now. */
const enter = (state: State, action: EditAction, now: number): Update =>
  state.composer.search && !state.overlay ? editSearch(state, action) : stay(write(state, action, now));

function write(state: State, action: EditAction, now: number): State {
  if (state.overlay) {
    if (state.overlay.kind !== 'pick') return state;
    if (state.overlay.overDraft) return editDraft(state, action, now);
    if (!state.overlay.toDraft) return editFilter(state, action);
    return action.type === 'insert' || action.type === 'paste'
      ? write({ ...state, overlay: null }, action, now)
      : state;
  }
  if (state.approvals[0] && state.approvals[0].reason !== null) return editReason(state, action);
  // What is typed while an approval is up belongs to the draft, and keeps the approval from taking the next key.
  const guarded = state.approvals.length > 0 && !isArmed(state, now) ? changeFront(state, { shownAt: now }) : state;
  return editDraft(guarded, action, now);
}

const ACTIONS: Readonly<Record<ActionName, (state: State, now: number, key: Key) => Update>> = {
  send,
  newline: (state, now) => stay(write(state, { type: 'newline' }, now)),
  'history-back': stepBack,
  'history-on': (state) => stay(downOrOn(state)),
  back,
  'clear-or-leave': clearOrLeave,
  leave: (state) => effect(state, { type: 'exit' }),
  'next-mode': nextMode,
  'show-keys': (state) => stay({ ...state, overlay: { kind: 'keys' } }),
  'next-focus': (state) => stay(nextFocus(state)),
  'next-tab': (state) => stay(nextTab(state)),
  expand: (state) => stay(expandAll(state, !state.expanded)),
  repaint: (state) => effect(state, { type: 'repaint' }),
  suspend: (state) => effect(state, { type: 'suspend' }),
  'line-up': (state) => stay(scrollFocused(state, { lines: -1 })),
  'line-down': (state) => stay(scrollFocused(state, { lines: 1 })),
  'page-up': (state) => stay(scrollFocused(state, { pages: -1 })),
  'page-down': (state) => stay(scrollFocused(state, { pages: 1 })),
  'to-top': (state) => stay(scrollFocused(state, 'top')),
  'to-end': (state) => stay(scrollFocused(state, 'end')),
  complete: (state) => stay(complete(state)),
  'run-completion': runCompletion,
  'menu-up': (state) => stay(selectInMenu(state, -1)),
  'menu-down': (state) => stay(selectInMenu(state, 1)),
  close: dismiss,
  'pick-up': (state) => stay(movePick(state, -1)),
  'pick-down': (state) => stay(movePick(state, 1)),
  'pick-page-up': (state) => stay(movePick(state, -10)),
  'pick-page-down': (state) => stay(movePick(state, 10)),
  'pick-take': (state, now) => takePick(state, now, closeOverlay),
  'answer-yes': answerYes,
  'answer-auto': answerAuto,
  'answer-always': answerAlways,
  'answer-plan': answerPlan,
  'answer-no': answerNo,
  'send-reason': sendReason,
  search: openSearch,
  'search-older': (state) => stay(searchOn(state, -1)),
  'search-newer': (state) => stay(searchOn(state, 1)),
  'search-take': (state) => stay(takeSearch(state)),
  'answer-option': answerOption,
  'option-up': (state) => stay(selectOption(state, -1)),
  'option-down': (state) => stay(selectOption(state, 1)),
  'option-take': takeOption,
  'answer-text': answerText,
};

/** An approval that was covered meanwhile has its moment of quiet again. */
function closeOverlay(state: State, now: number): State {
  const from = state.overlay?.kind === 'text' ? state.overlay.from : undefined;
  return changeFront(guardQuestion({ ...state, overlay: from ?? null }, now), { shownAt: now });
}

/** Closes an overlay without a choice, which may be an answer too. */
function dismiss(state: State, now: number): Update {
  const { overlay } = state;
  const closed = closeOverlay(state, now);
  if (overlay?.kind !== 'pick' || overlay.unchosen === undefined) return stay(closed);
  return effect(closed, { type: 'command', name: overlay.command, argument: overlay.unchosen });
}

function back(state: State, now: number): Update {
  if (state.overlay) return dismiss(state, now);
  if (state.composer.search) return stay(closeSearch(state));
  if (state.approvals[0] && state.approvals[0].reason !== null) return stay(closeReason(state, now));
  if (state.composer.completions.length > 0) return stay(closeMenu(state));
  if (!state.running) return stay(state);
  return effect({ ...state, activity: 'stopping' }, { type: 'send', command: { type: 'abort' } });
}

function clearOrLeave(state: State, now: number): Update {
  if (state.overlay) return dismiss(state, now);
  if (state.composer.search) return stay(closeSearch(state));
  if (state.approvals[0] && state.approvals[0].reason !== null) return stay(closeReason(state, now));
  if (state.composer.text !== '' || state.composer.images?.length) return stay({ ...clearDraft(state), leaving: null });
  if (state.leaving !== null && now - state.leaving <= LEAVE_WITHIN) return effect(state, { type: 'exit' });
  return stay({ ...state, leaving: now });
}

const NEXT_MODE = { ask: 'plan', plan: 'auto', auto: 'ask' } as const;

function nextMode(state: State): Update {
  const mode = NEXT_MODE[state.mode];
  // Shown at once: the next press must go on from here.
  return effect({ ...state, mode }, { type: 'send', command: { type: 'set', mode } });
}

/** Composer, then each pane that has something to show, then the composer again. */
function nextFocus(state: State): State {
  const { arrangement, shown } = layout(state);
  const next = shown[state.focus === null ? 0 : shown.indexOf(state.focus) + 1] ?? null;
  return { ...state, focus: next, pane: arrangement === 'tabs' ? (next ?? 'chat') : state.pane };
}

/** The next tab; where there are none, side by side, the focus moves instead. */
function nextTab(state: State): State {
  const { arrangement, shown } = layout(state);
  if (arrangement === 'wide') return nextFocus(state);
  if (arrangement !== 'tabs') return state;
  const pane = shown[(shown.indexOf(state.pane) + 1) % shown.length] ?? 'chat';
  return { ...state, pane, focus: state.focus === null ? null : pane };
}
