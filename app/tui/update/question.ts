/** Answers to the question in front. */
import { frontQuestion, GUARD } from '../keys.ts';
import { optionOf } from '../question-options.ts';
import { slashLine } from '../slash-line.ts';
import type { Key, Question, State } from '../types.ts';
import type { Update } from '../update.ts';
import { clearDraft, send } from './composer.ts';

/** The option of a number or letter. */
export function answerOption(state: State, now: number, key: Key): Update {
  const question = frontQuestion(state);
  const option = question && optionOf(question.request, key.text);
  return option === undefined ? { state, effects: [] } : answer(state, now, option);
}

export function hasOption(state: State, key: Key): boolean {
  const question = frontQuestion(state);
  return question !== undefined && optionOf(question.request, key.text) !== undefined;
}

export function selectOption(state: State, by: 1 | -1): State {
  const front = frontQuestion(state);
  const count = front?.request.options?.length ?? 0;
  if (!front || count === 0) return state;
  return change(state, front, { selected: (front.selected + by + count) % count });
}

export function takeOption(state: State, now: number): Update {
  const front = frontQuestion(state);
  const option = front?.request.options?.[front.selected];
  return option === undefined ? { state, effects: [] } : answer(state, now, option);
}

/** The draft is the answer, in the person's own words or an option's number; a slash command stays one. */
export function answerText(state: State, now: number): Update {
  const front = frontQuestion(state);
  const text = state.composer.text.trim();
  const goesOn = state.composer.text[state.composer.cursor - 1] === '\\';
  if (!front || text === '' || goesOn || slashLine(text)) return send(state, now);
  // It was written before the question could be read.
  if (now - front.shownAt < GUARD.shown) return { state, effects: [] };
  return answer(clearDraft(state), now, optionOf(front.request, text) ?? text);
}

function answer(state: State, now: number, text: string): Update {
  const front = frontQuestion(state)!;
  const next = change(state, front, { sent: true });
  const after = frontQuestion(next);
  return {
    // The next one has its own moment of quiet.
    state: after ? change(next, after, { shownAt: now }) : next,
    effects: [{ type: 'send', command: { type: 'answer', id: front.request.id, text } }],
  };
}

/** The question in front begins its moment of quiet anew. */
export function guardQuestion(state: State, now: number): State {
  const front = frontQuestion(state);
  return front ? change(state, front, { shownAt: now }) : state;
}

const change = (state: State, question: Question, more: Partial<Question>): State => ({
  ...state,
  questions: state.questions.map((one) => (one === question ? { ...one, ...more } : one)),
});
