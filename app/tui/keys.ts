/** The keys of the screen: one table. A binding is a row; the overlay of `?` and the hints are made from it. */
import type { EditAction } from './editor.ts';
import type { Key, Question, State } from './types.ts';

/**
 * Where a row counts. Several hold at once, the narrower ones first (`placesOf`): `pick` and `overlay` a list or text
 * over the screen, `search` the search through prompts, `reason` typing why not, `answer` an approval that takes keys,
 * `approval` any that is up, `question` a question that takes keys, `reply` one while the draft holds text, `menu`
 * completions are shown, `pane` a pane has the focus, `draft` and `empty` the composer with and without text.
 */
export type Place =
  | 'pick'
  | 'overlay'
  | 'search'
  | 'question'
  | 'reply'
  | 'reason'
  | 'answer'
  | 'approval'
  | 'menu'
  | 'pane'
  | 'draft'
  | 'empty'
  | 'composer'
  | 'any';

export type ActionName =
  | 'send'
  | 'newline'
  | 'history-back'
  | 'history-on'
  | 'back'
  | 'clear-or-leave'
  | 'leave'
  | 'next-mode'
  | 'show-keys'
  | 'next-focus'
  | 'next-tab'
  | 'expand'
  | 'repaint'
  | 'suspend'
  | 'line-up'
  | 'line-down'
  | 'page-up'
  | 'page-down'
  | 'to-top'
  | 'to-end'
  | 'complete'
  | 'run-completion'
  | 'menu-up'
  | 'menu-down'
  | 'close'
  | 'pick-up'
  | 'pick-down'
  | 'pick-page-up'
  | 'pick-page-down'
  | 'pick-take'
  | 'answer-yes'
  | 'answer-auto'
  | 'answer-always'
  | 'answer-plan'
  | 'answer-no'
  | 'send-reason'
  | 'search'
  | 'search-older'
  | 'search-newer'
  | 'search-take'
  | 'answer-option'
  | 'option-up'
  | 'option-down'
  | 'option-take'
  | 'answer-text';

export interface KeyRow {
  /** As a person writes them: `Ctrl+C`, `Shift+Enter`, `PgUp`, `?`. */
  keys: readonly string[];
  where: Place;
  action: ActionName | { edit: EditAction };
  /** For a person; '' where another row already says it. */
  help: string;
  /** In place of the keys, where they are many. */
  label?: string;
}

const row = (keys: string, where: Place, action: KeyRow['action'], help = ''): KeyRow => ({
  keys: keys.split(' '),
  where,
  action,
  help,
});
const move = (to: Extract<EditAction, { type: 'move' }>['to']): KeyRow['action'] => ({ edit: { type: 'move', to } });
const erase = (what: Extract<EditAction, { type: 'delete' }>['what']): KeyRow['action'] => ({
  edit: { type: 'delete', what },
});

export const keyTable: readonly KeyRow[] = [
  row('Enter', 'composer', 'send', 'send; while a turn runs, steer it'),
  row('Shift+Enter Alt+Enter Ctrl+J', 'composer', 'newline', 'new line (so does \\ before Enter)'),
  {
    ...row('', 'composer', 'send', 'runs a shell command of yours; !! without telling the model'),
    keys: [],
    label: '!',
  },
  row('Esc', 'any', 'back', 'close what is open, else interrupt the turn'),
  row('Ctrl+C', 'any', 'clear-or-leave', 'clear the draft; twice when it is empty: leave'),
  row('Ctrl+D', 'empty', 'leave', 'leave, when the draft is empty'),
  row('Shift+Tab', 'any', 'next-mode', 'next mode: ask, plan, auto'),
  row('?', 'empty', 'show-keys', 'these keys, when the draft is empty'),
  row('Tab', 'menu', 'complete', 'complete a /command or @file'),
  row('Tab', 'empty', 'next-focus', 'next pane, when the draft is empty'),
  row('Tab', 'pane', 'next-focus'),
  row('Ctrl+T', 'any', 'next-tab', 'next tab'),
  row('Ctrl+O', 'any', 'expand', 'unfold or fold tool output and reasoning'),
  row('PgUp', 'any', 'page-up', 'scroll the pane in focus, as PgDn and the wheel do'),
  row('PgDn', 'any', 'page-down'),
  row('Home', 'empty', 'to-top', 'to its top, as End to its end, when the draft is empty'),
  row('End', 'empty', 'to-end'),
  row('Home', 'pane', 'to-top'),
  row('End', 'pane', 'to-end'),
  row('Up', 'pane', 'line-up'),
  row('Down', 'pane', 'line-down'),
  row('Ctrl+L', 'any', 'repaint', 'paint the screen anew'),
  row('Ctrl+Z', 'any', 'suspend', 'suspend'),

  row('Up', 'menu', 'menu-up'),
  row('Down', 'menu', 'menu-down'),
  row('Enter', 'menu', 'run-completion'),
  row('Up Ctrl+P', 'composer', 'history-back', 'line up; in the first line, earlier drafts'),
  row('Down Ctrl+N', 'composer', 'history-on', 'line down; in the last line, later drafts'),
  row('Ctrl+R', 'composer', 'search', 'search earlier prompts; again: an older one'),
  row('Left Ctrl+B', 'composer', move('left')),
  row('Right Ctrl+F', 'composer', move('right')),
  row('Ctrl+Left Alt+Left Alt+B', 'composer', move('word-left'), 'a word to the left'),
  row('Ctrl+Right Alt+Right Alt+F', 'composer', move('word-right'), 'a word to the right'),
  row('Ctrl+A Home', 'draft', move('line-start'), 'start of the line'),
  row('Ctrl+E End', 'draft', move('line-end'), 'end of the line'),
  row('Ctrl+Home', 'draft', move('start')),
  row('Ctrl+End', 'draft', move('end')),
  row('Backspace Shift+Backspace Ctrl+H', 'composer', erase('back')),
  row('Delete', 'composer', erase('forward')),
  row('Ctrl+D', 'draft', erase('forward')),
  row('Ctrl+W Alt+Backspace Ctrl+Backspace', 'composer', erase('word-back'), 'delete a word'),
  row('Alt+D Ctrl+Delete Alt+Delete', 'composer', erase('word-forward')),
  row('Ctrl+U', 'composer', erase('to-line-start'), 'delete to the start of the line'),
  row('Ctrl+K', 'composer', erase('to-line-end'), 'delete to the end of the line'),
  row('Ctrl+Y', 'composer', { edit: { type: 'yank' } }, 'put back what was deleted'),

  row('y', 'answer', 'answer-yes', 'approval: yes'),
  row('a', 'answer', 'answer-auto', 'approval: yes, and auto mode from now on'),
  row('r', 'answer', 'answer-always', 'approval: yes, always (saves the rule shown)'),
  row('p', 'answer', 'answer-plan', 'approval: no, and plan mode'),
  row('n', 'answer', 'answer-no', 'approval: no, with a reason for the model'),
  row('Up', 'approval', 'line-up'),
  row('Down', 'approval', 'line-down'),
  row('Home', 'approval', 'to-top'),
  row('End', 'approval', 'to-end'),
  row('Enter', 'reason', 'send-reason'),
  row('Backspace Shift+Backspace Ctrl+H', 'reason', erase('back')),
  row('Ctrl+W Alt+Backspace Ctrl+Backspace', 'reason', erase('word-back')),
  row('Ctrl+U', 'reason', erase('to-line-start')),

  {
    ...row('1 2 3 4 5 6 7 8 9 a b c d e f g h i y n', 'question', 'answer-option', 'question: answer with this option'),
    label: '1–9, a–i',
  },
  row('Up', 'question', 'option-up'),
  row('Down', 'question', 'option-down'),
  row('Enter', 'question', 'option-take'),
  row('Enter', 'reply', 'answer-text'),

  row('Ctrl+R Up Ctrl+P', 'search', 'search-older'),
  row('Ctrl+S Down Ctrl+N', 'search', 'search-newer'),
  row('Enter Tab', 'search', 'search-take'),
  row('Backspace Shift+Backspace Ctrl+H', 'search', erase('back')),
  row('Ctrl+W Alt+Backspace Ctrl+Backspace', 'search', erase('word-back')),
  row('Ctrl+U', 'search', erase('to-line-start')),

  row('Up k', 'overlay', 'line-up'),
  row('Down j', 'overlay', 'line-down'),
  row('Home g', 'overlay', 'to-top'),
  row('End G', 'overlay', 'to-end'),
  row('Enter q ?', 'overlay', 'close'),
  row('Up Ctrl+P Shift+Tab', 'pick', 'pick-up'),
  row('Down Ctrl+N Tab', 'pick', 'pick-down'),
  row('PgUp', 'pick', 'pick-page-up'),
  row('PgDn', 'pick', 'pick-page-down'),
  row('Enter', 'pick', 'pick-take'),
  row('Backspace Shift+Backspace Ctrl+H', 'pick', erase('back')),
  row('Ctrl+W Alt+Backspace Ctrl+Backspace', 'pick', erase('word-back')),
  row('Ctrl+U', 'pick', erase('to-line-start')),
];

const NAMES: Readonly<Record<string, string>> = {
  enter: 'Enter',
  escape: 'Esc',
  tab: 'Tab',
  backspace: 'Backspace',
  delete: 'Delete',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  pageup: 'PgUp',
  pagedown: 'PgDn',
};

/** A key as the table writes it. */
export function keyName(key: Key): string {
  if (key.name === 'text') return key.text;
  const modifiers = `${key.ctrl ? 'Ctrl+' : ''}${key.alt ? 'Alt+' : ''}${key.shift ? 'Shift+' : ''}`;
  return modifiers + (key.name === 'chord' ? key.text.toUpperCase() : NAMES[key.name]);
}

const index = new Map<string, KeyRow['action']>();
for (const { keys, where, action } of keyTable) for (const key of keys) index.set(`${where} ${key}`, action);

/** What a key does where `places` hold, the narrowest first; undefined: nothing, or it is text. */
export function findAction(key: Key, places: readonly Place[]): KeyRow['action'] | undefined {
  const name = keyName(key);
  for (const place of places) {
    const action = index.get(`${place} ${name}`);
    if (action !== undefined) return action;
  }
  return undefined;
}

/** After an approval comes up, and after the draft was emptied, so long must be still before a key answers, in ms. */
export const GUARD = { shown: 300, typing: 1000 } as const;

/**
 * Whether the approval in front takes keys as its answer. Keys typed ahead never do, nor any while the draft holds
 * text: they go on into the draft.
 */
export function isArmed(state: State, now: number): boolean {
  const approval = state.approvals[0];
  if (!approval || approval.reason !== null || state.composer.text !== '') return false;
  return isQuiet(state, approval.shownAt, now);
}

/** The question that waits in front, once no approval does. */
export const frontQuestion = (state: State): Question | undefined =>
  state.approvals.length > 0 ? undefined : state.questions.find(({ sent }) => !sent);

/** Whether the question in front takes keys as its answer, by the same rule as an approval. */
export function takesOption(state: State, now: number): boolean {
  const question = frontQuestion(state);
  if (!question?.request.options?.length || state.composer.text !== '') return false;
  return isQuiet(state, question.shownAt, now);
}

const isQuiet = (state: State, shownAt: number, now: number): boolean =>
  now - shownAt >= GUARD.shown && now - state.typedAt >= GUARD.typing;

/** The places that hold now, the narrowest first. */
export function placesOf(state: State, now: number): readonly Place[] {
  if (state.overlay) return [state.overlay.kind === 'pick' ? 'pick' : 'overlay', 'any'];
  const [approval] = state.approvals;
  if (approval && approval.reason !== null) return ['reason', 'any'];
  if (state.composer.search) return ['search', 'any'];
  const places: Place[] = [];
  const isEmpty = state.composer.text === '';
  if (approval) {
    if (isArmed(state, now)) places.push('answer');
    if (isEmpty) places.push('approval');
  }
  if (takesOption(state, now)) places.push('question');
  if (state.composer.completions.length > 0) places.push('menu');
  if (!isEmpty && frontQuestion(state)) places.push('reply');
  if (state.focus !== null) places.push('pane');
  places.push(isEmpty ? 'empty' : 'draft', 'composer', 'any');
  return places;
}
