/** IR to the body of Anthropic's `POST /v1/messages` (API reference, "Messages"). */
import type { AdapterCapabilities } from '../../adapter.ts';
import type {
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
import { type ToolNames, toolNames } from '../../wire/tool-names.ts';
import { setParameters } from './parameters.ts';

export { thinkingStyle } from './parameters.ts';

export type AnthropicBody = Record<string, any>;

export interface AnthropicMapping {
  model: string;
  facts: AdapterCapabilities;
  /** `adaptive`: the model decides how much and is steered by effort; `budget`: it is given a number of tokens. */
  thinking: 'budget' | 'adaptive';
}

export interface Mapping extends AnthropicMapping {
  callId: (id: string) => string;
  names: ToolNames;
  warnings: IRWarning[];
}

/** `max_tokens` where neither the request nor the facts say one. */
const DEFAULT_OUTPUT = 8_192;
/** Source: Anthropic, "Vision". */
const IMAGES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const EPHEMERAL = { type: 'ephemeral' };
const OPENING = '(The conversation begins with the assistant.)';

/** Maps a request; fields that the format lacks are named in the warnings. */
export function toAnthropic(
  request: IRChatRequest,
  options: AnthropicMapping,
): { body: AnthropicBody; warnings: IRWarning[] } {
  const { model, facts } = options;
  const history = repairHistory(request.messages);
  const warnings: IRWarning[] = [...history.warnings];
  const names = toolNames(request);
  for (const [name, sent] of names.changed)
    warnings.push({ kind: 'renamed', field: 'tools', message: `“${name}” is sent as “${sent}”` });
  const mapping: Mapping = { ...options, callId: createIdMapper('word'), names, warnings };
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
    const trimmed = tail.type === 'text' ? tail.text.trimEnd() : undefined;
    if (trimmed !== undefined && trimmed !== tail.text) {
      tail.text = trimmed;
      const field = `messages[${history.messages.at(-1)!.index}]`;
      warnings.push({
        kind: 'repaired',
        field,
        message: 'blanks at the end of the last assistant message are cut off',
      });
    }
  }
  const body: AnthropicBody = {
    model,
    max_tokens: request.parameters?.maxTokens ?? facts.outputTokens ?? DEFAULT_OUTPUT,
  };
  const system = leading.flatMap((message) => message.content.flatMap((part) => (part.type === 'text' ? [part] : [])));
  for (const { name, index } of leading) if (name !== undefined) warnings.push(nameless(index));
  if (system.length) body.system = system.map((part): Record<string, any> => ({ type: 'text', text: part.text }));
  setTools(body, request, mapping);
  body.messages = messages;
  setParameters(body, request, mapping);
  markCache(body, request);
  body.stream = true;
  return { body, warnings };
}

const nameless = (index: number): IRWarning => ({
  kind: 'dropped',
  field: `messages[${index}].name`,
  message: 'not in this format',
});

function wireMessage(message: RepairedMessage, mapping: Mapping): Record<string, any>[] {
  const { role, index } = message;
  if (role === 'tool') {
    const results = message.content.filter((part): part is ToolResultContent => part.type === 'tool_result');
    return [{ role: 'user', content: results.map((result) => wireResult(result, mapping, index)) }];
  }
  if (message.name !== undefined) mapping.warnings.push(nameless(index));
  if (role === 'system') {
    mapping.warnings.push({
      kind: 'downgraded',
      field: `messages[${index}]`,
      message: 'a system message within the conversation is sent as a user message',
    });
    const content = wireParts(message.content, mapping, index);
    return [{ role: 'user', content: [{ type: 'text', text: '[system]' }, ...content] }];
  }
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
      return [
        {
          type: 'tool_use',
          id: mapping.callId(part.id),
          name: mapping.names.sent(part.name),
          input: sentArguments(part),
        },
      ];
    if (part.type !== 'reasoning' || !own.includes(part)) return [];
    if (part.redacted) return [{ type: 'redacted_thinking', data: part.signature }];
    return [{ type: 'thinking', thinking: part.text, signature: part.signature }];
  });
  // Thinking alone is no message: it came from an answer that was broken off.
  if (!out.every((part) => part.type === 'thinking' || part.type === 'redacted_thinking')) return out;
  const field = `messages[${message.index}]`;
  mapping.warnings.push({ kind: 'dropped', field, message: 'a message of nothing but thinking is not sent' });
  return [];
}

function wireParts(parts: readonly MessageContent[], mapping: Mapping, index: number): Record<string, any>[] {
  return parts.flatMap((part): Record<string, any>[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type !== 'image' && part.type !== 'document') return [];
    const source = inlined(part.source);
    const left = (message: string) => {
      mapping.warnings.push({ kind: 'dropped', field: `messages[${index}]`, message });
      return [{ type: 'text', text: placeholder(part) }];
    };
    if (!mapping.facts.multiModal) return left(`${mapping.model} cannot take ${part.type}s`);
    const kind = source.type === 'base64' ? source.mediaType.toLowerCase() : undefined;
    if (part.type === 'image')
      return kind !== undefined && !IMAGES.includes(kind === 'image/jpg' ? 'image/jpeg' : kind)
        ? left(`images of the type ${kind} are not in this format`)
        : [{ type: 'image', source: wireSource(source) }];
    const text = documentText(part);
    if (text === undefined && kind !== undefined && kind !== 'application/pdf')
      return left(`documents of the type ${kind} are not in this format`);
    const title = part.name === undefined ? {} : { title: part.name };
    if (text !== undefined)
      return [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title }];
    return [{ type: 'document', source: wireSource(source), ...title }];
  });
}

const wireSource = (source: MediaSource) =>
  source.type === 'url'
    ? { type: 'url', url: source.url }
    : {
        type: 'base64',
        media_type: source.mediaType.toLowerCase().replace(/^image\/jpg$/, 'image/jpeg'),
        data: source.data,
      };

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

function setTools(body: AnthropicBody, request: IRChatRequest, { facts, model, names, warnings }: Mapping): void {
  if (!request.tools?.length) return;
  if (!facts.tools) {
    warnings.push({ kind: 'dropped', field: 'tools', message: `${model} cannot call tools` });
    return;
  }
  body.tools = request.tools.map(
    (tool): Record<string, any> => ({
      name: names.sent(tool.name),
      ...(tool.description !== undefined && { description: tool.description }),
      input_schema: toolParameters(tool, warnings),
    }),
  );
  const choice = request.toolChoice;
  const alone = request.parallelToolCalls === false && choice !== 'none';
  if (choice !== undefined && choice !== 'auto')
    body.tool_choice =
      typeof choice === 'object'
        ? { type: 'tool', name: names.sent(choice.name) }
        : { type: choice === 'required' ? 'any' : 'none' };
  if (alone) body.tool_choice = { ...(body.tool_choice ?? { type: 'auto' }), disable_parallel_tool_use: true };
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
