/**
 * The reducer of the screen: everything that happens is an action, and gives the next state and what is to be done
 * outside (`Effect`). Pure; the clock comes with the action.
 */
import { List } from './list.ts';
import type { Action, CommandRow, Effect, State } from './types.ts';
import { attach, offerFiles, openMenu, setDraft } from './update/composer.ts';
import { showEarlier, wantsEarlier } from './update/earlier.ts';
import { applyEvent } from './update/events.ts';
import { recalled, searchFor } from './update/history.ts';
import { applyInput, HOLD_MS, LEAVE_WITHIN, settleHeld } from './update/input.ts';
import { showLoading } from './update/loading.ts';
import { addNote } from './update/transcript.ts';
import { layout } from './view/layout.ts';
import { bottom, top } from './window.ts';

export interface Update {
  state: State;
  effects: readonly Effect[];
}

const NONE: readonly Effect[] = [];

export function update(state: State, action: Action): Update {
  switch (action.type) {
    case 'event':
      return { state: applyEvent(state, action.event, action.now), effects: NONE };
    case 'input':
      return lookingBack(applyInput({ ...state, now: action.now, refused: undefined }, action.input, action.now));
    case 'resize':
      return { state: resize(state, action.size), effects: NONE };
    case 'tick':
      return tick(state, action.now);
    case 'overlay':
      return { state: { ...state, overlay: action.overlay }, effects: NONE };
    case 'say':
      return { state: addNote(state, action.level, action.text), effects: NONE };
    case 'completions':
      return { state: openMenu(state, action.items), effects: NONE };
    case 'files':
      return { state: offerFiles(state, action.files), effects: NONE };
    case 'query':
      return { state: searchFor(state, action.text), effects: NONE };
    case 'recalled':
      return { state: recalled(state, action.prompts, action.wanted), effects: NONE };
    case 'earlier':
      return { state: showEarlier(state, action.events), effects: NONE };
    case 'draft':
      return { state: attach(setDraft(state, action.text), action.images), effects: NONE };
    case 'loading':
      return { state: showLoading(state, action.loading), effects: NONE };
    case 'facts':
      return { state: { ...state, local: action.local, contextTokens: action.contextTokens }, effects: NONE };
  }
}

const lookingBack = (result: Update): Update =>
  wantsEarlier(result.state) ? { ...result, effects: [...result.effects, { type: 'earlier' }] } : result;

/** A pane that the new size does not show cannot keep the focus. */
function resize(state: State, size: State['size']): State {
  const next = { ...state, size };
  return state.focus === null || layout(next).shown.includes(state.focus) ? next : { ...next, focus: null };
}

/** Time passes: the hint that a second Ctrl+C leaves is over, a letter that stayed alone is an answer. */
function tick(state: State, now: number): Update {
  const isOver = state.leaving !== null && now - state.leaving > LEAVE_WITHIN;
  const next = { ...state, now, leaving: isOver ? null : state.leaving };
  return state.held && now - state.held.at >= HOLD_MS ? settleHeld(next, now) : { state: next, effects: NONE };
}

export interface InitialOptions {
  size: State['size'];
  theme: State['theme'];
  model?: string;
  mode?: State['mode'];
  local?: boolean;
  offline?: boolean;
  contextTokens?: number | null;
  /** Slash commands for completion, in the order of the menu. */
  commands?: readonly CommandRow[];
  /** Earlier drafts, oldest first. */
  history?: readonly string[];
  /** Those of earlier conversations are among them. */
  recalled?: boolean;
  draft?: string;
  now?: number;
}

/** The screen before the first event. */
export function initialState(options: InitialOptions): State {
  const {
    size,
    theme,
    model = '',
    mode = 'ask',
    local = true,
    offline,
    contextTokens = null,
    draft = '',
    now = 0,
  } = options;
  const state: State = {
    size,
    theme,
    focused: true,
    pane: 'chat',
    focus: null,
    blocks: List.of(),
    scroll: { chat: bottom, tools: bottom, todos: top, diffs: bottom },
    composer: {
      text: '',
      cursor: 0,
      history: options.history ?? [],
      browsing: null,
      kept: '',
      completions: [],
      completion: 0,
      recalled: options.recalled,
      search: null,
    },
    approvals: [],
    questions: [],
    overlay: null,
    todos: [],
    mode,
    cwd: '',
    model,
    local,
    offline,
    contextUsed: null,
    contextTokens,
    running: false,
    runningSince: 0,
    activity: '',
    leaving: null,
    now,
    commands: options.commands ?? [],
    prompts: List.of(),
    calls: List.of(),
    changes: List.of(),
    messageAt: null,
    expanded: false,
    queued: [],
    typedAt: 0,
    held: null,
  };
  // With its menu: it may be a command that was typed before there was anything to take it.
  return draft === '' ? state : setDraft(state, draft);
}
