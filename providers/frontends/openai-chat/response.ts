/** A whole answer as a chat completion (API reference, "The chat completion object"). */
import {
  type FinishReason,
  type IRChatResponse,
  type IRMetadata,
  type IRUsage,
  type IRWarning,
  partsOf,
  type ReasoningContent,
} from '../../ir.ts';
import { sentArguments } from '../../wire/arguments.ts';
import { unfinished } from '../http-error.ts';
import { modelOf } from '../write-stream.ts';

export type OpenAIChatResponse = Record<string, any>;

export const FINISH: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  tool_use: 'tool_calls',
  length: 'length',
  filter: 'content_filter',
  aborted: 'stop',
  error: 'stop',
};

export const secondsOf = ({ timestamp }: IRMetadata): number => Math.floor(timestamp / 1000);

/** Counts; undefined when nothing is known. A single unknown count is null. */
export function wireUsage(usage: IRUsage | undefined): Record<string, any> | undefined {
  if (!usage || (usage.promptTokens === null && usage.completionTokens === null && usage.totalTokens === null))
    return undefined;
  const { promptTokens, completionTokens, totalTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  const prompt = {
    ...(cacheReadTokens !== null && { cached_tokens: cacheReadTokens }),
    ...(cacheWriteTokens !== null && { cache_write_tokens: cacheWriteTokens }),
  };
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: totalTokens,
    ...(Object.keys(prompt).length && { prompt_tokens_details: prompt }),
    ...(reasoningTokens !== null && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}

/** Signed or hidden thinking in OpenRouter's form, so that a caller can send it back ("Preserving reasoning blocks"). */
export const reasoningDetail = (part: Omit<ReasoningContent, 'type'>, index: number): Record<string, any> =>
  part.redacted
    ? { type: 'reasoning.encrypted', data: part.signature ?? '', index }
    : { type: 'reasoning.text', text: part.text, signature: part.signature ?? null, index };

/** Throws StreamError for an answer that did not come to its end. */
export function toOpenAIChatResponse(response: IRChatResponse, warnings: IRWarning[] = []): OpenAIChatResponse {
  const { finishReason, metadata } = response;
  const failure = unfinished(finishReason);
  if (failure) throw failure;
  const parts = partsOf(response.message.content);
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) => (part.type === 'tool_use' ? [part] : []));
  const reasoning = parts.flatMap((part) => (part.type === 'reasoning' ? [part] : []));
  const thought = reasoning.map((part) => part.text).join('');
  const kept = reasoning.some((part) => part.signature !== undefined);
  for (const [i, part] of parts.entries())
    if (part.type === 'image' || part.type === 'document' || part.type === 'tool_result')
      warnings.push({ kind: 'dropped', field: `message.content[${i}]`, message: `an answer here has no ${part.type}` });
  const message: Record<string, any> = {
    role: 'assistant',
    content: text === '' && calls.length ? null : text,
    refusal: null,
  };
  if (thought !== '') message.reasoning_content = thought;
  if (kept) message.reasoning_details = reasoning.map((part, i) => reasoningDetail(part, i));
  if (calls.length)
    message.tool_calls = calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: argumentsOf(call) },
    }));
  const usage = wireUsage(response.usage);
  return {
    id: metadata.providerResponseId ?? metadata.requestId,
    object: 'chat.completion',
    created: secondsOf(metadata),
    model: modelOf(metadata),
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH[finishReason] }],
    ...(usage && { usage }),
  };
}

/** Text as the model wrote it, broken or not: the caller judges it, as it would that of any server. */
const argumentsOf = (call: { input: Record<string, unknown>; raw?: string; invalid?: string }): string =>
  call.invalid !== undefined && call.raw ? call.raw : JSON.stringify(sentArguments(call));
