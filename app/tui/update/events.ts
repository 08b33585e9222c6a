/** What the session says, as blocks and facts of the screen (CONTRACT, "Events"). Unknown types change nothing. */
import { type Event, type EventOf, isStored } from '../../../core/types.ts';
import { detailOf } from '../blocks/call-detail.ts';
import { frontQuestion } from '../keys.ts';
import type { Approval, Block, State } from '../types.ts';
import { setDraft } from './composer.ts';
import { isLoadingRetry, retriedLoading, WAITING } from './loading.ts';
import { discardMessage, endStreaming, storeMessage, streamReasoning, streamText } from './message.ts';
import { guardQuestion } from './question.ts';
import { addNote, append, changeCall, goBack, placeOfCall, withTodos } from './transcript.ts';
import { endText } from './turn-end.ts';

/** Of a running tool's live output this much is kept, in characters; its result brings what there is to see. */
const LIVE_OUTPUT = 20_000;

export function applyEvent(state: State, event: Event, now: number): State {
  // What is read from a log happened then, not now.
  const time = isStored(event) ? event.time : now;
  return fold(state.now === now ? state : { ...state, now }, event, time, now);
}

function fold(state: State, event: Event, time: number, now: number): State {
  switch (event.type) {
    case 'text':
      return doing(streamText(state, event, time), 'writing');
    case 'reasoning':
      return doing(streamReasoning(state, event, time), 'thinking');
    case 'tool_progress':
      return changeCall(state, event.id, ({ output, dropped }) => lastPart(output + event.output, dropped));
    case 'session':
      return { ...state, cwd: event.cwd, model: event.model, mode: event.mode, contextTokens: event.contextTokens };
    case 'user':
      return user(state, event, time);
    case 'assistant':
      return assistant(state, event, time);
    case 'note':
      // The mode, the todos and the person's own command have their place on the screen.
      if (event.about === 'mode' || event.about === 'todos') return state;
      if (event.about === 'shell' && !inTurn(state)) return state;
      return addNote(state, 'info', `the model was told: ${event.text}`);
    case 'tool_call':
      return called(state, event, time);
    case 'approval_request':
      return asked(state, event, now);
    case 'approval':
      return answered(state, event, time, now);
    case 'tool_result':
      return result(state, event, time, now);
    case 'question': {
      // Leaving this machine is chosen by a key of its own, never by an Enter out of habit.
      const selected = event.leave === undefined ? 0 : NONE;
      const question = { request: event, shownAt: now, selected, sent: false };
      return doing({ ...state, questions: [...state.questions, question] }, 'waiting for your answer');
    }
    case 'answer':
      return replied(state, event, now);
    case 'todos':
      return withTodos(state, event.items);
    case 'skill':
      return addNote(state, 'info', `skill ${event.name}`);
    case 'compaction': {
      const { before, after, summary } = event;
      const block: Block = { kind: 'compaction', before, after, text: summary, open: state.expanded };
      return { ...append(endStreaming(state, time), block), contextUsed: after };
    }
    case 'rewind':
      return addNote(goBack(state, event.to), 'info', 'went back to here: what followed is left out');
    case 'title':
      return state;
    case 'activity':
      return activity(state, event, time);
    case 'mode':
      return { ...state, mode: event.value };
    case 'model':
      return { ...addNote(state, 'info', `model: ${event.value}`), model: event.value };
    case 'notice':
      return addNote(state, event.level, event.text);
    case 'retry':
      return retry(state, event, time);
    case 'error':
      return addNote(endStreaming(state, time), 'error', event.message);
    case 'done':
      return done(state, event, time, now);
    default:
      return state;
  }
}

/** The end of a live output, and how many lines were before it. */
function lastPart(output: string, dropped = 0): { output: string; dropped?: number } {
  const cut = output.length - LIVE_OUTPUT;
  if (cut <= 0) return { output, ...(dropped > 0 ? { dropped } : {}) };
  let lines = dropped;
  for (let at = output.indexOf('\n'); at >= 0 && at < cut; at = output.indexOf('\n', at + 1)) lines++;
  return { output: output.slice(cut), dropped: lines };
}

const inTurn = (state: State): boolean => state.running && !state.aside;

const doing = (state: State, activity: string): State =>
  state.activity === activity || !state.running ? state : { ...state, activity };

function user(state: State, event: EventOf<'user'>, time: number): State {
  const images = event.images?.length ?? 0;
  const seen = images === 0 ? '' : `\n(${images} image${images > 1 ? 's' : ''})`;
  const steered = event.steered ?? false;
  const next = append(endStreaming(state, time), {
    kind: 'user',
    text: event.text + seen,
    steered,
    ...(state.expanded && { open: true }),
  });
  const queued = state.queued.slice(1);
  if (steered) return { ...next, queued };
  const { contextUsed: used, todos } = state;
  const prompts = state.prompts.append({ seq: event.seq, at: next.blocks.length - 1, used, todos });
  return { ...next, prompts, queued, running: true, aside: false, runningSince: time, activity: WAITING };
}

/** Beside a turn it is what the turn does; without one it is the whole of what goes on. */
function activity(state: State, { doing: what }: EventOf<'activity'>, time: number): State {
  if (state.running && !state.aside) return { ...state, activity: what ?? WAITING };
  if (what === null) return { ...state, running: false, aside: false, activity: '' };
  return { ...state, running: true, aside: true, runningSince: time, activity: what };
}

/** No option yet. */
const NONE = -1;

function assistant(state: State, event: EventOf<'assistant'>, time: number): State {
  const { usage, served, finish } = event;
  const used = usage?.input == null ? state.contextUsed : usage.input + (usage.output ?? 0);
  // Of a request that failed it is not known who would have served it.
  const local = finish === 'error' || finish === 'aborted' ? state.local : served.local;
  return doing({ ...storeMessage(state, event, time), contextUsed: used, local }, WAITING);
}

function called(state: State, event: EventOf<'tool_call'>, time: number): State {
  // What no turn calls is a command of the person, who wants to see what it says.
  const open = state.expanded || !inTurn(state);
  return doing(append(endStreaming(state, time), toolBlock(event, time, open)), `running ${event.name}`);
}

function toolBlock(event: EventOf<'tool_call'>, time: number, open: boolean): Block {
  const { id, name } = event;
  const detail = detailOf(event);
  const timing = { startedAt: time, endedAt: null };
  return { kind: 'tool', id, name, detail, state: 'running', ...timing, output: '', display: null, open };
}

function asked(state: State, request: EventOf<'approval_request'>, now: number): State {
  const approval: Approval = { request, shownAt: now, offset: 0, reason: null, askedIn: state.mode };
  const waiting = changeCall(state, request.id, () => ({ state: 'waiting' }));
  return doing({ ...waiting, approvals: [...state.approvals, approval] }, 'waiting for your answer');
}

/** Takes an approval from the queue; the one that comes up front then has its own moment of quiet. */
export function withoutApproval(state: State, id: string, now: number): State {
  const left = state.approvals.filter(({ request }) => request.id !== id);
  if (left.length === state.approvals.length) return state;
  const [front, ...rest] = left;
  const isNew = front !== undefined && front !== state.approvals[0];
  return { ...state, approvals: isNew ? [{ ...front, shownAt: now }, ...rest] : left };
}

function answered(state: State, event: EventOf<'approval'>, time: number, now: number): State {
  const next = withoutApproval(state, event.id, now);
  const changed = changeCall(next, event.id, () =>
    event.decision === 'no'
      ? { state: 'denied', endedAt: time, ...(event.by === 'user' && event.reason ? { reason: event.reason } : {}) }
      : { state: 'running', startedAt: time },
  );
  const front = next.approvals.length > 0;
  return doing(
    changed,
    front ? 'waiting for your answer' : event.decision === 'no' ? WAITING : activityOf(changed, event.id),
  );
}

function activityOf(state: State, id: string): string {
  const at = placeOfCall(state, id);
  const block = at < 0 ? undefined : state.blocks.at(at);
  return block?.kind === 'tool' ? `running ${block.name}` : WAITING;
}

function result(state: State, event: EventOf<'tool_result'>, time: number, now: number): State {
  const { output, display = null, isError } = event;
  const next = changeCall(withoutApproval(state, event.id, now), event.id, (block) => ({
    state: block.state === 'denied' ? 'denied' : isError ? 'failed' : 'done',
    endedAt: block.endedAt ?? time,
    output,
    display,
    dropped: undefined,
  }));
  return doing(next, next.approvals.length > 0 ? 'waiting for your answer' : WAITING);
}

/** What was asked is a line of the conversation once it is answered. */
function replied(state: State, { id, text }: EventOf<'answer'>, now: number): State {
  const asked = state.questions.find(({ request }) => request.id === id)?.request.text;
  const noted = addNote(state, 'info', `${asked === undefined ? '' : `asked: ${asked}\n`}answered: ${text}`);
  const questions = state.questions.filter(({ request }) => request.id !== id);
  const next = guardQuestion({ ...noted, questions }, now);
  return doing(next, frontQuestion(next) ? 'waiting for your answer' : WAITING);
}

function retry(state: State, event: EventOf<'retry'>, time: number): State {
  const next = event.discard ? discardMessage(state) : endStreaming(state, time);
  const wait = event.delayMs >= 100 ? ` in ${(event.delayMs / 1000).toFixed(1)} s` : '';
  if (isLoadingRetry(event.reason)) {
    const { state: loading, isNew } = retriedLoading(next);
    return isNew ? addNote(loading, 'info', `the model is still being loaded: ${event.reason}`) : loading;
  }
  // The notice of the move has just said it.
  if (event.moved) return doing(next, 'trying again');
  const noted = addNote(next, 'warning', `trying again${wait} (attempt ${event.attempt}): ${event.reason}`);
  return doing(noted, 'trying again');
}

function done(state: State, event: EventOf<'done'>, time: number, now: number): State {
  let next = endStreaming(state, time);
  for (const { request } of state.approvals) next = withoutApproval(next, request.id, now);
  next = append(next, { kind: 'end', text: endText(event) });
  return returned({ ...next, questions: [], running: false, activity: '' }, event.unsent?.length ?? 0);
}

/** Messages that the ended turn had not taken go back before the draft, as they were typed. */
function returned(state: State, count: number): State {
  const back = state.queued.slice(0, count);
  if (back.length === 0) return state;
  const draft = [...back, state.composer.text].filter((text) => text !== '').join('\n');
  return setDraft({ ...state, queued: state.queued.slice(count) }, draft);
}
