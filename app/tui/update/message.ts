/** The message being streamed: blocks that grow with each delta, and the whole message that replaces them. */
import type { EventOf } from '../../../core/types.ts';
import { settle } from '../markdown.ts';
import type { Block, State } from '../types.ts';
import { append, replace, replaceFrom } from './transcript.ts';

type Answer = Extract<Block, { kind: 'answer' }>;
type Reasoning = Extract<Block, { kind: 'reasoning' }>;
const NO_PIECES: readonly string[] = [];

/** A delta of the answer. `at` 0 begins the message's text anew: what was streamed of it before is void. */
export function streamText(state: State, { delta, at }: EventOf<'text'>, now: number): State {
  const before = at === 0 ? dropStreamed(state, 'answer') : state;
  const { at: place, block } = newestOf(before);
  if (block?.kind === 'answer' && block.streaming) return replace(before, place, grow(block, delta));
  const ended = endReasoning(before, now);
  return append(begun(ended), grow({ kind: 'answer', settled: NO_PIECES, tail: '', streaming: true }, delta));
}

/** A delta of the model's thinking. */
export function streamReasoning(state: State, { delta, at }: EventOf<'reasoning'>, now: number): State {
  const before = at === 0 ? dropStreamed(state, 'reasoning') : state;
  const { at: place, block } = newestOf(before);
  if (block?.kind === 'reasoning' && block.streaming)
    return replace(before, place, { ...block, text: block.text + delta });
  const { expanded } = state;
  return append(
    begun(before),
    reasoningBlock(delta, { streaming: true, startedAt: now, endedAt: null, open: expanded }),
  );
}

/** The message as it was stored takes the place of what was streamed of it, exactly. */
export function storeMessage(state: State, event: EventOf<'assistant'>, now: number): State {
  const at = state.messageAt ?? state.blocks.length;
  const streamed = state.blocks.from(at);
  const tail: Block[] = [];
  // Notes that came in between stay in their place; each streamed part is matched with the next stored one of its kind.
  const parts = partsOf(event);
  for (const block of streamed) {
    if (block.kind !== 'answer' && block.kind !== 'reasoning') {
      tail.push(block);
      continue;
    }
    const part = parts[0];
    if (part?.kind !== block.kind) continue;
    parts.shift();
    tail.push(
      part.kind === 'answer'
        ? finishAnswer(block as Answer, part.text)
        : finishReasoning(block as Reasoning, part.text, now),
    );
  }
  for (const { kind, text } of parts) {
    // Nothing was streamed: an old message is read from its log, where how long the thinking took is not told.
    if (kind === 'answer') tail.push({ kind, ...settle(NO_PIECES, text), streaming: false });
    else tail.push(reasoningBlock(text, { streaming: false, startedAt: now, endedAt: now, open: state.expanded }));
  }
  if (streamed.length === 0 && tail.length === 0) return { ...state, messageAt: null };
  return { ...replaceFrom(state, at, tail), messageAt: null };
}

/** Takes back what was streamed of the message. */
export function discardMessage(state: State): State {
  if (state.messageAt === null) return state;
  const kept = state.blocks
    .from(state.messageAt)
    .filter((block) => block.kind !== 'answer' && block.kind !== 'reasoning');
  return { ...replaceFrom(state, state.messageAt, kept), messageAt: null };
}

/** A stream that ended without its message: what it left stands as it is. */
export function endStreaming(state: State, now: number): State {
  if (state.messageAt === null) return state;
  const tail = state.blocks.from(state.messageAt).map((block): Block => {
    if (block.kind === 'answer' && block.streaming) return { ...block, streaming: false };
    if (block.kind === 'reasoning' && block.streaming)
      return { ...block, streaming: false, endedAt: block.endedAt ?? now };
    return block;
  });
  return { ...replaceFrom(state, state.messageAt, tail), messageAt: null };
}

const begun = (state: State): State =>
  state.messageAt === null ? { ...state, messageAt: state.blocks.length } : state;

/** The newest block of the message itself: what is said beside it meanwhile stands behind, and parts no word. */
function newestOf({ blocks, messageAt }: State): { at: number; block?: Answer | Reasoning } {
  for (let at = blocks.length - 1; messageAt !== null && at >= messageAt; at--) {
    const block = blocks.at(at);
    if (block?.kind === 'answer' || block?.kind === 'reasoning') return { at, block };
  }
  return { at: -1 };
}

function dropStreamed(state: State, kind: 'answer' | 'reasoning'): State {
  if (state.messageAt === null) return state;
  const tail = state.blocks.from(state.messageAt);
  if (!tail.some((block) => block.kind === kind)) return state;
  return replaceFrom(
    state,
    state.messageAt,
    tail.filter((block) => block.kind !== kind),
  );
}

const grow = (block: Answer, delta: string): Answer => ({ ...block, ...settle(block.settled, block.tail + delta) });

const reasoningBlock = (text: string, more: Omit<Reasoning, 'kind' | 'text'>): Reasoning => ({
  kind: 'reasoning',
  text,
  ...more,
});

/** Thinking is over when the answer begins. */
function endReasoning(state: State, now: number): State {
  const { at, block } = newestOf(state);
  if (block?.kind !== 'reasoning' || !block.streaming) return state;
  return replace(state, at, { ...block, streaming: false, endedAt: now });
}

function partsOf(event: EventOf<'assistant'>): { kind: 'answer' | 'reasoning'; text: string }[] {
  const parts: { kind: 'answer' | 'reasoning'; text: string }[] = [];
  for (const part of event.content) {
    if (part.type !== 'text' && part.type !== 'reasoning') continue;
    const kind = part.type === 'text' ? 'answer' : 'reasoning';
    const last = parts[parts.length - 1];
    // A stream tells pieces of one kind apart by nothing, so neighbours show as one.
    if (last?.kind === kind) last.text += part.text;
    else parts.push({ kind, text: part.text });
  }
  return parts.filter(({ text }) => text.trim() !== '');
}

/** Keeps the laid-out pieces where the text is as it was streamed. */
function finishAnswer(block: Answer, text: string): Answer {
  if (block.settled.join('') + block.tail === text) return { ...block, streaming: false };
  return { ...block, ...settle(NO_PIECES, text), streaming: false };
}

const finishReasoning = (block: Reasoning, text: string, now: number): Reasoning => ({
  ...block,
  text,
  streaming: false,
  endedAt: block.endedAt ?? now,
});
