/** Answers to the approval in front. */
import { choicesOf, noAlways, noAuto } from '../approval-choices.ts';
import { type EditAction, edit } from '../editor.ts';
import type { Approval, Effect, State } from '../types.ts';
import type { Update } from '../update.ts';
import { withoutApproval } from './events.ts';
import { addNote } from './transcript.ts';

type Answer = Omit<Extract<Extract<Effect, { type: 'send' }>['command'], { type: 'approve' }>, 'type' | 'id'>;

/** What the model reads when the person wants a plan instead. */
export const PLAN_FIRST = 'make a plan first; plan mode is on now';

export const answerYes = (state: State, now: number): Update => answer(state, now, { decision: 'yes' });

export function answerAuto(state: State, now: number): Update {
  const approval = front(state);
  if (!approval) return { state, effects: [] };
  if (choicesOf(approval, state.mode).auto) return answer(state, now, { decision: 'all' });
  return { state: tell(state, noAuto(approval.request)), effects: [] };
}

export function answerAlways(state: State, now: number): Update {
  const approval = front(state);
  if (!approval) return { state, effects: [] };
  if (choicesOf(approval, state.mode).always !== null)
    return answer(state, now, { decision: 'yes', remember: 'project' });
  return { state: tell(state, noAlways(approval.request)), effects: [] };
}

/** Once, however often the key is pressed. */
function tell(state: State, text: string): State {
  const last = state.blocks.at(state.blocks.length - 1);
  return last?.kind === 'note' && last.text === text ? state : addNote(state, 'info', text);
}

export function answerPlan(state: State, now: number): Update {
  const denied = answer(state, now, { decision: 'no', reason: PLAN_FIRST });
  const effects: Effect[] = [...denied.effects, { type: 'send', command: { type: 'set', mode: 'plan' } }];
  return { state: { ...denied.state, mode: 'plan' }, effects };
}

/** Opens the line for the reason. */
export const answerNo = (state: State): Update => ({ state: changeFront(state, { reason: '' }), effects: [] });

export function sendReason(state: State, now: number): Update {
  const reason = front(state)?.reason?.trim();
  return answer(state, now, { decision: 'no', ...(reason ? { reason } : {}) });
}

/** Back from the reason to the choice. */
export const closeReason = (state: State, now: number): State => changeFront(state, { reason: null, shownAt: now });

/** An edit of the reason, which has its cursor at its end. */
export function editReason(state: State, action: EditAction): State {
  const text = front(state)?.reason;
  if (text == null) return state;
  return changeFront(state, { reason: edit({ text, cursor: text.length }, action).text });
}

export const changeFront = (state: State, change: Partial<Approval>): State => {
  const [first, ...rest] = state.approvals;
  return first ? { ...state, approvals: [{ ...first, ...change }, ...rest] } : state;
};

const front = (state: State): Approval | undefined => state.approvals[0];

/** The answer leaves the queue at once: a second key press must not reach the next one. */
function answer(state: State, now: number, more: Answer): Update {
  const id = front(state)?.request.id;
  if (id === undefined) return { state, effects: [] };
  const effects: Effect[] = [{ type: 'send', command: { type: 'approve', id, ...more } }];
  return { state: withoutApproval(state, id, now), effects };
}
