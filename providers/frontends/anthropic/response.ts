/** A whole answer as a message (API reference, "Messages", response). */
import { type FinishReason, type IRChatResponse, type IRUsage, type IRWarning, partsOf } from '../../ir.ts';
import { sentArguments } from '../../wire/arguments.ts';
import { createIdMapper } from '../../wire/call-id.ts';
import { unfinished } from '../http-error.ts';
import { modelOf } from '../write-stream.ts';

export type AnthropicResponse = Record<string, any>;

export const STOP_REASON: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  tool_use: 'tool_use',
  length: 'max_tokens',
  filter: 'refusal',
  aborted: 'end_turn',
  error: 'end_turn',
};

/** True when the format, which wants numbers, is given 0 for a count that nobody knows. */
export const countsMissing = (usage: IRUsage | undefined): boolean =>
  (usage?.promptTokens ?? null) === null || (usage?.completionTokens ?? null) === null;

/** The IR's prompt tokens hold the cached ones, this format's input tokens do not. */
export function wireUsage(usage: IRUsage | undefined): Record<string, number | null> {
  const { promptTokens, completionTokens, cacheReadTokens, cacheWriteTokens } = usage ?? {};
  const cached = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  return {
    input_tokens: Math.max(0, (promptTokens ?? 0) - cached),
    cache_creation_input_tokens: cacheWriteTokens ?? null,
    cache_read_input_tokens: cacheReadTokens ?? null,
    output_tokens: completionTokens ?? 0,
  };
}

/** Throws StreamError for an answer that did not come to its end. */
export function toAnthropicResponse(response: IRChatResponse, warnings: IRWarning[] = []): AnthropicResponse {
  const { finishReason, metadata, usage } = response;
  const failure = unfinished(finishReason);
  if (failure) throw failure;
  const callId = createIdMapper('word');
  const content = partsOf(response.message.content).flatMap((part, i): Record<string, any>[] => {
    const field = `message.content[${i}]`;
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text, citations: null }];
      case 'reasoning':
        return part.redacted
          ? [{ type: 'redacted_thinking', data: part.signature ?? '' }]
          : [{ type: 'thinking', thinking: part.text, signature: part.signature ?? '' }];
      case 'tool_use': {
        if (part.invalid !== undefined)
          warnings.push({ kind: 'repaired', field, message: `arguments as text in an object: ${part.invalid}` });
        return [{ type: 'tool_use', id: callId(part.id), name: part.name, input: sentArguments(part) }];
      }
      default:
        warnings.push({ kind: 'dropped', field, message: `an answer here has no ${part.type}` });
        return [];
    }
  });
  if (countsMissing(usage))
    warnings.push({ kind: 'approximated', field: 'usage', message: 'counts that are not known are written as 0' });
  return {
    id: metadata.providerResponseId ?? metadata.requestId,
    type: 'message',
    role: 'assistant',
    model: modelOf(metadata),
    content,
    stop_reason: STOP_REASON[finishReason],
    stop_sequence: null,
    usage: wireUsage(usage),
  };
}
