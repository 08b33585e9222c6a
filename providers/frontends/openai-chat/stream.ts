/** A streamed answer as chat completion chunks (API reference, "The chat completion chunk object"). */
import type { IRChatStream, IRMetadata, IRStreamChunk } from '../../ir.ts';
import { modelOf, type StreamWriter, writeStream } from '../write-stream.ts';
import { toOpenAIError } from './error.ts';
import { FINISH, reasoningDetail, secondsOf, wireUsage } from './response.ts';

export type OpenAIChatChunk = Record<string, any>;

interface Call {
  index: number;
  /** Some of the arguments were sent. */
  sent: boolean;
}

/** Makes the chunks of one answer. */
function createWriter(metadata: IRMetadata): StreamWriter<OpenAIChatChunk> {
  const withUsage = metadata.custom?.includeUsage === true;
  const calls = new Map<string, Call>();
  let role = false;
  /** The reasoning block that is under way, and its text so far. */
  let block: number | undefined;
  let thought: string[] = [];
  let details = 0;
  const head = {
    id: metadata.requestId,
    object: 'chat.completion.chunk',
    created: secondsOf(metadata),
    model: modelOf(metadata),
  };
  const chunk = (delta: Record<string, any>, finish: string | null = null): OpenAIChatChunk => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    // Where counts were asked for every chunk has the field.
    ...(withUsage && { usage: null }),
  });
  const argumentsChunk = (call: Call, text: string): OpenAIChatChunk => {
    call.sent = true;
    return chunk({ tool_calls: [{ index: call.index, function: { arguments: text } }] });
  };

  return function* (part: IRStreamChunk): Generator<OpenAIChatChunk> {
    if (!role) {
      role = true;
      yield chunk({ role: 'assistant', content: part.type === 'tool_use_start' ? null : '', refusal: null });
    }
    switch (part.type) {
      case 'content':
        yield chunk({ content: part.delta });
        return;
      case 'reasoning': {
        const { delta, index, signature, redacted } = part;
        if (index !== block) thought = [];
        block = index;
        if (delta !== '') thought.push(delta);
        // One detail for each signed block, whole: some readers join details, others keep the last.
        const text = signature === undefined ? '' : thought.join('');
        if (signature !== undefined) thought = [];
        yield chunk({
          ...(delta !== '' && { reasoning_content: delta }),
          ...(signature !== undefined && {
            reasoning_details: [reasoningDetail({ text, signature, redacted }, details++)],
          }),
        });
        return;
      }
      case 'tool_use_start': {
        const call: Call = { index: calls.size, sent: false };
        calls.set(part.id, call);
        const start = {
          index: call.index,
          id: part.id,
          type: 'function',
          function: { name: part.name, arguments: '' },
        };
        yield chunk({ tool_calls: [start] });
        return;
      }
      case 'tool_use_delta': {
        const call = calls.get(part.id);
        if (call) yield argumentsChunk(call, part.delta);
        return;
      }
      case 'tool_use_end': {
        const call = calls.get(part.id);
        // Readers parse the arguments, and an empty text is no JSON.
        if (call && !call.sent) yield argumentsChunk(call, part.raw || JSON.stringify(part.input));
        return;
      }
      case 'done': {
        yield chunk({}, FINISH[part.finishReason]);
        const usage = withUsage ? wireUsage(part.usage) : undefined;
        if (usage) yield { ...head, choices: [], usage };
      }
    }
  };
}

/** The chunks; see `writeStream` for how they end. */
export const toOpenAIChatStream = (stream: IRChatStream): AsyncGenerator<OpenAIChatChunk, void, undefined> =>
  writeStream(stream, { open: createWriter, error: (error) => toOpenAIError(error).body });
