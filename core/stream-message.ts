/** Turns one streamed answer into live events and, at its end, one whole message. */
import { AdapterError } from '../providers/errors.ts';
import type {
  FinishReason,
  IRChatStream,
  IRMetadata,
  IRUsage,
  IRWarning,
  MessageContent,
  MovedTo,
  ReasoningContent,
  ToolUseContent,
} from '../providers/ir.ts';
import { RepeatedText } from './guards/repeated-text.ts';
import type { LiveEvent, StoredBody } from './types.ts';

export interface StreamedMessage {
  content: MessageContent[];
  finish: FinishReason;
  usage?: IRUsage;
  metadata?: IRMetadata;
  error?: Error;
  warnings: readonly IRWarning[];
  /** It was cut because the model said the same over and over. */
  repeats?: true;
}

type Partially = Pick<StreamedMessage, 'error' | 'usage' | 'repeats'>;

export interface MessageSink {
  live(event: LiveEvent): void;
  stored(body: StoredBody): void;
}

/** What has arrived of the message so far, for a reader who joins in the middle. */
export interface Partial {
  text: string;
  reasoning: string;
}

/**
 * Reads the stream to its end. A message that was aborted or broke off keeps its text and loses its calls: a call of
 * an unfinished message is never run.
 */
export async function streamMessage(
  stream: IRChatStream,
  signal: AbortSignal,
  sink: MessageSink,
  partial: Partial,
): Promise<StreamedMessage> {
  let content: MessageContent[] = [];
  const warnings: IRWarning[] = [];
  let metadata: IRMetadata | undefined;
  let said = new RepeatedText();
  let thought = new RepeatedText();
  /** Of the newest attempt: when it began, and its number. */
  let began = Date.now();
  let attempts = 1;
  const message = (finish: FinishReason, more: Partially = {}): StreamedMessage => {
    const isWhole = finish !== 'aborted' && finish !== 'error';
    // What did not come to its end has nobody else who tells this of it.
    const course = { latencyMs: Math.max(0, Date.now() - began), attempts };
    return {
      content: isWhole ? content : content.filter((part) => part.type !== 'tool_use'),
      finish,
      metadata: isWhole || !metadata ? metadata : { ...metadata, custom: { ...course, ...metadata.custom } },
      warnings,
      ...more,
    };
  };
  partial.text = '';
  partial.reasoning = '';
  try {
    for await (const chunk of stream) {
      switch (chunk.type) {
        case 'content': {
          const last = content[content.length - 1];
          const looped = said.add(chunk.delta);
          const delta = chunk.delta.slice(0, looped);
          if (last?.type === 'text') last.text += delta;
          else content.push({ type: 'text', text: delta });
          sink.live({ type: 'text', delta, at: partial.text.length });
          partial.text += delta;
          if (looped !== undefined) return message('aborted', { repeats: true });
          break;
        }
        case 'reasoning': {
          const looped = thought.add(chunk.delta);
          const delta = chunk.delta.slice(0, looped);
          addReasoning(content, { ...chunk, delta });
          if (!delta) break;
          sink.live({ type: 'reasoning', delta, at: partial.reasoning.length });
          partial.reasoning += delta;
          if (looped !== undefined) return message('aborted', { repeats: true });
          break;
        }
        case 'tool_use_start':
          content.push({
            type: 'tool_use',
            id: chunk.id,
            name: chunk.name,
            input: {},
            invalid: 'the call did not end',
          });
          break;
        case 'tool_use_end': {
          const call = content.find((part): part is ToolUseContent => part.type === 'tool_use' && part.id === chunk.id);
          if (!call) break;
          call.input = chunk.input;
          delete call.invalid;
          if (chunk.invalid !== undefined) Object.assign(call, { invalid: chunk.invalid, raw: chunk.raw });
          break;
        }
        case 'warning':
          warnings.push(chunk.warning);
          break;
        case 'retry': {
          const { reason, attempt, delayMs, discard, to } = chunk;
          began = Date.now() + delayMs;
          attempts = Math.max(attempts, attempt);
          if (discard) {
            content = [];
            said = new RepeatedText();
            thought = new RepeatedText();
            partial.text = '';
            partial.reasoning = '';
          }
          if (to)
            sink.stored({ type: 'notice', level: to.local ? 'info' : 'warning', text: `${reason} (${placeOf(to)})` });
          sink.stored({ type: 'retry', reason, attempt, delayMs, discard, ...(to && { moved: placeOf(to) }) });
          break;
        }
        case 'start':
          metadata = chunk.metadata;
          break;
        case 'done':
          metadata = chunk.metadata;
          return message(chunk.finishReason, { usage: chunk.usage });
        case 'error':
          return signal.aborted ? message('aborted') : message('error', { error: chunk.error });
      }
    }
  } catch (error) {
    if (!signal.aborted) return message('error', { error: error as Error });
  } finally {
    partial.text = '';
    partial.reasoning = '';
  }
  if (signal.aborted) return message('aborted');
  return message('error', {
    error: new AdapterError({
      message: 'the answer ended without its last word',
      code: 'STREAM_TRUNCATED',
      category: 'stream',
    }),
  });
}

const placeOf = ({ local }: MovedTo): 'local' | 'hosted' => (local ? 'local' : 'hosted');

function addReasoning(
  content: MessageContent[],
  chunk: { delta: string; index?: number; signature?: string; redacted?: boolean },
): void {
  const last = content[content.length - 1];
  const open = last?.type === 'reasoning' && last.signature === undefined && !chunk.redacted && !last.redacted;
  const part: ReasoningContent = open ? last : { type: 'reasoning', text: '' };
  if (!open) content.push(part);
  part.text += chunk.delta;
  if (chunk.signature !== undefined) part.signature = chunk.signature;
  if (chunk.redacted) part.redacted = true;
}
