/** A streamed answer as events (API reference, "Streaming messages"). */
import type { IRChatStream, IRMetadata, IRStreamChunk } from '../../ir.ts';
import { createIdMapper } from '../../wire/call-id.ts';
import { modelOf, type StreamWriter, writeStream } from '../write-stream.ts';
import { toAnthropicError } from './error.ts';
import { STOP_REASON, wireUsage } from './response.ts';

export type AnthropicEvent = Record<string, any>;

/**
 * A block of the answer. Only one is open on the wire at a time; what belongs to a later one waits until those before
 * it have ended.
 */
interface Block {
  kind: 'text' | 'thinking' | 'redacted' | 'call';
  /** Which reasoning block of the IR it is. */
  source?: number | undefined;
  /** The IR's id of the call. */
  id?: string;
  start: Record<string, any>;
  waiting: Record<string, any>[];
  opened: boolean;
  /** Calls end when they are said to; everything else when another block begins. */
  ended: boolean;
  signed: boolean;
  /** Some of the arguments were sent. */
  sent: boolean;
}

/** Makes the events of one answer. */
function createWriter(metadata: IRMetadata): StreamWriter<AnthropicEvent> {
  const callId = createIdMapper('word');
  const queue: Block[] = [];
  let index = 0;
  let begun = false;

  function add(kind: Block['kind'], start: Record<string, any>, more: Partial<Block> = {}): Block {
    const last = queue.at(-1);
    if (last && last.kind !== 'call') last.ended = true;
    const block = { kind, start, waiting: [], opened: false, ended: false, signed: false, sent: false, ...more };
    queue.push(block);
    return block;
  }

  function take(chunk: IRStreamChunk): void {
    const last = queue.at(-1);
    switch (chunk.type) {
      case 'content': {
        const block = last?.kind === 'text' ? last : add('text', { type: 'text', text: '', citations: null });
        block.waiting.push({ type: 'text_delta', text: chunk.delta });
        return;
      }
      case 'reasoning': {
        if (chunk.redacted) {
          add('redacted', { type: 'redacted_thinking', data: chunk.signature ?? '' });
          return;
        }
        const same = last?.kind === 'thinking' && last.source === chunk.index && !(last.signed && chunk.delta !== '');
        const start = { type: 'thinking', thinking: '', signature: '' };
        const block = same ? last : add('thinking', start, { source: chunk.index });
        if (chunk.delta !== '') block.waiting.push({ type: 'thinking_delta', thinking: chunk.delta });
        if (chunk.signature === undefined) return;
        block.signed = true;
        block.waiting.push({ type: 'signature_delta', signature: chunk.signature });
        return;
      }
      case 'tool_use_start':
        add('call', { type: 'tool_use', id: callId(chunk.id), name: chunk.name, input: {} }, { id: chunk.id });
        return;
      case 'tool_use_delta': {
        const block = queue.find((open) => open.id === chunk.id);
        if (!block) return;
        block.sent = true;
        block.waiting.push({ type: 'input_json_delta', partial_json: chunk.delta });
        return;
      }
      case 'tool_use_end': {
        const block = queue.find((open) => open.id === chunk.id);
        if (!block) return;
        const whole = chunk.raw || JSON.stringify(chunk.input);
        if (!block.sent && whole !== '{}') block.waiting.push({ type: 'input_json_delta', partial_json: whole });
        block.ended = true;
      }
    }
  }

  /** Everything that may be sent now. */
  function* flush(): Generator<AnthropicEvent> {
    for (let block = queue[0]; block; block = queue[0]) {
      if (!block.opened) {
        block.opened = true;
        yield { type: 'content_block_start', index, content_block: block.start };
      }
      for (const delta of block.waiting) yield { type: 'content_block_delta', index, delta };
      block.waiting = [];
      if (!block.ended) return;
      yield { type: 'content_block_stop', index: index++ };
      queue.shift();
    }
  }

  function* head(): Generator<AnthropicEvent> {
    if (begun) return;
    begun = true;
    const message = {
      id: metadata.requestId,
      type: 'message',
      role: 'assistant',
      model: modelOf(metadata),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      // The format wants numbers; the true counts follow with `message_delta` and replace these.
      usage: wireUsage(undefined),
    };
    yield { type: 'message_start', message };
  }

  return function* (piece: IRStreamChunk): Generator<AnthropicEvent> {
    yield* head();
    if (piece.type !== 'done') {
      take(piece);
      yield* flush();
      return;
    }
    for (const block of queue) block.ended = true;
    yield* flush();
    const delta = { stop_reason: STOP_REASON[piece.finishReason], stop_sequence: null };
    yield { type: 'message_delta', delta, usage: wireUsage(piece.usage) };
    yield { type: 'message_stop' };
  };
}

/** The events; see `writeStream` for how they end. */
export const toAnthropicStream = (stream: IRChatStream): AsyncGenerator<AnthropicEvent, void, undefined> =>
  writeStream(stream, { open: createWriter, error: (error) => toAnthropicError(error).body });
