/** IR to the body of Anthropic's `POST /v1/messages` (API reference, "Messages"). */
import type { AdapterCapabilities } from '../../adapter.ts';
import type {
  Effort,
  IRChatRequest,
  IRWarning,
  MediaSource,
  MessageContent,
  ReasoningContent,
  ToolResultContent,
} from '../../ir.ts';
import { sentArguments } from '../../wire/arguments.ts';
import { createIdMapper } from '../../wire/call-id.ts';
import { type RepairedMessage, repairHistory } from '../../wire/history.ts';
import { documentText, inlined, placeholder } from '../../wire/media.ts';
import { toolParameters } from '../../wire/schema.ts';
import { ownThinking } from '../../wire/thinking.ts';

export type AnthropicBody = Record<string, any>;

export interface AnthropicMapping {
  model: string;
  facts: AdapterCapabilities;
  /** `adaptive`: the model decides how much and is steered by effort; `budget`: it is given a number of tokens. */
  thinking: 'budget' | 'adaptive';
}

interface Mapping extends AnthropicMapping {
  callId: (id: string) => string;
  warnings: IRWarning[];
}

/** `max_tokens` where neither the request nor the facts say one. */
const DEFAULT_OUTPUT = 8_192;
const LEAST_BUDGET = 1_024;
const BUDGET: Readonly<Record<Exclude<Effort, 'off'>, number>> = { low: 2_048, medium: 8_192, high: 24_576 };
const EPHEMERAL = { type: 'ephemeral' };
const OPENING = '(The conversation begins with the assistant.)';

/**
 * Claude 4.6 and later decide themselves how much they think and are steered by effort; earlier ones want a budget.
 * Source: Anthropic, "Adaptive thinking".
 */
export function thinkingStyle(model: string): 'budget' | 'adaptive' {
  const version = /claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model);
  const major = Number(version?.[1] ?? 0);
  return major > 4 || (major === 4 && Number(version?.[2] ?? 0) >= 6) ? 'adaptive' : 'budget';
}

/** Maps a request; fields that the format lacks are named in the warnings. */
export function toAnthropic(
  request: IRChatRequest,
  options: AnthropicMapping,
): { body: AnthropicBody; warnings: IRWarning[] } {
  const { model, facts } = options;
  const history = repairHistory(request.messages);
  const warnings: IRWarning[] = [...history.warnings];
  const mapping: Mapping = { ...options, callId: createIdMapper('word'), warnings };
  const first = history.messages.findIndex((message) => message.role !== 'system');
  const leading = first < 0 ? history.messages : history.messages.slice(0, first);
  const messages = history.messages.slice(leading.length).flatMap((message) => wireMessage(message, mapping));
  if (messages[0]?.role === 'assistant' || messages.length === 0) {
    messages.unshift({ role: 'user', content: [{ type: 'text', text: OPENING }] });
    warnings.push({ kind: 'repaired', field: 'messages[0]', message: 'the format begins with a user message' });
  }
  const last = messages.at(-1);
  if (last?.role === 'assistant') {
    const tail = last.content.at(-1);
    if (tail.type === 'text') tail.text = tail.text.trimEnd();
  }
  const body: AnthropicBody = {
    model,
    max_tokens: request.parameters?.maxTokens ?? facts.outputTokens ?? DEFAULT_OUTPUT,
  };
  const system = leading.flatMap((message) => message.content.flatMap((part) => (part.type === 'text' ? [part] : [])));
  if (system.length) body.system = system.map((part): Record<string, any> => ({ type: 'text', text: part.text }));
  setTools(body, request, mapping);
  body.messages = messages;
  setParameters(body, request, mapping);
  markCache(body, request);
  body.stream = true;
  return { body, warnings };
}

function wireMessage(message: RepairedMessage, mapping: Mapping): Record<string, any>[] {
  const { role, index } = message;
  if (role === 'tool') {
    const results = message.content.filter((part): part is ToolResultContent => part.type === 'tool_result');
    return [{ role: 'user', content: results.map((result) => wireResult(result, mapping, index)) }];
  }
  if (role === 'system') {
    mapping.warnings.push({
      kind: 'downgraded',
      field: `messages[${index}]`,
      message: 'a system message within the conversation is sent as a user message',
    });
    const content = wireParts(message.content, mapping, index);
    return [{ role: 'user', content: [{ type: 'text', text: '[system]' }, ...content] }];
  }
  if (message.name !== undefined)
    mapping.warnings.push({ kind: 'dropped', field: `messages[${index}].name`, message: 'not in this format' });
  const content = role === 'assistant' ? assistantParts(message, mapping) : wireParts(message.content, mapping, index);
  return content.length ? [{ role, content }] : [];
}

function assistantParts(message: RepairedMessage, mapping: Mapping): Record<string, any>[] {
  // Without a signature of this very model a thinking block is refused.
  const signed = (part: ReasoningContent) => part.signature !== undefined && part.model !== undefined;
  const own = ownThinking(message.content, mapping.model, mapping.warnings, signed);
  const out = message.content.flatMap((part): Record<string, any>[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type === 'tool_use')
      return [{ type: 'tool_use', id: mapping.callId(part.id), name: part.name, input: sentArguments(part) }];
    if (part.type !== 'reasoning' || !own.includes(part)) return [];
    if (part.redacted) return [{ type: 'redacted_thinking', data: part.signature }];
    return [{ type: 'thinking', thinking: part.text, signature: part.signature }];
  });
  // Thinking alone is no message: it came from an answer that was broken off.
  return out.every((part) => part.type === 'thinking' || part.type === 'redacted_thinking') ? [] : out;
}

function wireParts(parts: readonly MessageContent[], mapping: Mapping, index: number): Record<string, any>[] {
  return parts.flatMap((part): Record<string, any>[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type !== 'image' && part.type !== 'document') return [];
    const source = inlined(part.source);
    if (!mapping.facts.multiModal) {
      const field = `messages[${index}]`;
      mapping.warnings.push({ kind: 'dropped', field, message: `${mapping.model} cannot take ${part.type}s` });
      return [{ type: 'text', text: placeholder(part) }];
    }
    if (part.type === 'image') return [{ type: 'image', source: wireSource(source) }];
    const text = documentText(part);
    const title = part.name === undefined ? {} : { title: part.name };
    if (text !== undefined)
      return [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title }];
    return [{ type: 'document', source: wireSource(source), ...title }];
  });
}

const wireSource = (source: MediaSource) =>
  source.type === 'url'
    ? { type: 'url', url: source.url }
    : { type: 'base64', media_type: source.mediaType, data: source.data };

function wireResult(result: ToolResultContent, mapping: Mapping, index: number): Record<string, any> {
  const content = wireParts(
    result.content.filter((part) => part.type !== 'text' || part.text.trim() !== ''),
    mapping,
    index,
  );
  return {
    type: 'tool_result',
    tool_use_id: mapping.callId(result.toolUseId),
    ...(content.length && { content }),
    ...(result.isError && { is_error: true }),
  };
}

function setTools(body: AnthropicBody, request: IRChatRequest, { facts, model, warnings }: Mapping): void {
  if (!request.tools?.length) return;
  if (!facts.tools) {
    warnings.push({ kind: 'dropped', field: 'tools', message: `${model} cannot call tools` });
    return;
  }
  body.tools = request.tools.map(
    (tool): Record<string, any> => ({
      name: tool.name,
      ...(tool.description !== undefined && { description: tool.description }),
      input_schema: toolParameters(tool, warnings),
    }),
  );
  const choice = request.toolChoice;
  const alone = request.parallelToolCalls === false && choice !== 'none';
  if (choice !== undefined && choice !== 'auto')
    body.tool_choice =
      typeof choice === 'object'
        ? { type: 'tool', name: choice.name }
        : { type: choice === 'required' ? 'any' : 'none' };
  if (alone) body.tool_choice = { ...(body.tool_choice ?? { type: 'auto' }), disable_parallel_tool_use: true };
}

function setParameters(body: AnthropicBody, request: IRChatRequest, mapping: Mapping): void {
  const { warnings } = mapping;
  const parameters = request.parameters ?? {};
  const drop = (field: string, why: string) =>
    warnings.push({ kind: 'dropped', field: `parameters.${field}`, message: why });
  if (parameters.stopSequences?.length) body.stop_sequences = [...parameters.stopSequences];
  if (parameters.user !== undefined) body.metadata = { user_id: parameters.user };
  for (const field of ['seed', 'frequencyPenalty', 'presencePenalty'] as const)
    if (parameters[field] !== undefined) drop(field, 'not in this format');
  const thinks = setThinking(body, parameters.effort, mapping);
  for (const [field, name] of [
    ['temperature', 'temperature'],
    ['topP', 'top_p'],
    ['topK', 'top_k'],
  ] as const) {
    const value = parameters[field];
    if (value === undefined) continue;
    if (thinks) drop(field, 'not allowed while the model thinks');
    else if (field === 'temperature' && value > 1) {
      body.temperature = 1;
      warnings.push({ kind: 'clamped', field: 'parameters.temperature', message: `${value} is sent as 1` });
    } else body[name] = value;
  }
  const format = request.responseFormat;
  if (format?.type === 'json_schema')
    body.output_config = { ...body.output_config, format: { type: 'json_schema', schema: format.schema } };
  else if (format?.type === 'json')
    warnings.push({ kind: 'dropped', field: 'responseFormat', message: 'JSON without a schema is not in this format' });
}

/** True when the model will think. */
function setThinking(body: AnthropicBody, effort: Effort | undefined, mapping: Mapping): boolean {
  if (effort === undefined) return false;
  if (!mapping.facts.reasoning) {
    if (effort !== 'off')
      mapping.warnings.push({
        kind: 'dropped',
        field: 'parameters.effort',
        message: `${mapping.model} does not think`,
      });
    return false;
  }
  if (effort === 'off') {
    body.thinking = { type: 'disabled' };
    return false;
  }
  if (mapping.thinking === 'adaptive') {
    body.thinking = { type: 'adaptive' };
    body.output_config = { effort };
  } else {
    const budget = Math.min(BUDGET[effort], body.max_tokens - LEAST_BUDGET);
    if (budget < LEAST_BUDGET) {
      mapping.warnings.push({
        kind: 'dropped',
        field: 'parameters.effort',
        message: 'maxTokens leaves no room to think',
      });
      return false;
    }
    if (budget < BUDGET[effort])
      mapping.warnings.push({
        kind: 'clamped',
        field: 'parameters.effort',
        message: `maxTokens leaves ${budget} tokens to think`,
      });
    body.thinking = { type: 'enabled', budget_tokens: budget };
  }
  if (body.tool_choice?.type === 'any' || body.tool_choice?.type === 'tool') {
    if (body.tool_choice.disable_parallel_tool_use)
      body.tool_choice = { type: 'auto', disable_parallel_tool_use: true };
    else delete body.tool_choice;
    mapping.warnings.push({ kind: 'dropped', field: 'toolChoice', message: 'a thinking model chooses itself' });
  }
  return true;
}

/**
 * Marks at fixed places stay where they are from request to request. The newest message is marked by the field of the
 * whole request: a mark inside would move, and the bytes of earlier messages would change.
 */
function markCache(body: AnthropicBody, request: IRChatRequest): void {
  const hints = request.cache ?? [];
  if (hints.includes('tools') && body.tools?.length) body.tools.at(-1).cache_control = EPHEMERAL;
  if (hints.includes('system') && body.system?.length) body.system.at(-1).cache_control = EPHEMERAL;
  if (hints.includes('messages')) body.cache_control = EPHEMERAL;
}
