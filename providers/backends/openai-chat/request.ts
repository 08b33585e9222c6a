/** IR to the body of OpenAI's `POST /chat/completions` (API reference, "Create chat completion"). */
import type { AdapterCapabilities } from '../../adapter.ts';
import type {
  DocumentContent,
  ImageContent,
  IRChatRequest,
  IRParameters,
  IRWarning,
  MessageContent,
  ToolResultContent,
} from '../../ir.ts';
import { sentArguments } from '../../wire/arguments.ts';
import { type CallIdForm, createIdMapper } from '../../wire/call-id.ts';
import { mediaOf, type RepairedMessage, repairHistory } from '../../wire/history.ts';
import { asUrl, documentText, inlined, placeholder, resultText } from '../../wire/media.ts';
import { strictSchema, toolParameters } from '../../wire/schema.ts';
import { ownThinking } from '../../wire/thinking.ts';

/** How a server that speaks this format differs from what most of them understand. */
export interface OpenAIChatQuirks {
  /** Name of the answer's limit; `max_tokens` unless given. OpenAI itself wants the newer name. */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** How effort is asked for; `none`: not at all. `reasoning_effort` unless given. */
  effort?: 'reasoning_effort' | 'reasoning' | 'enable_thinking' | 'none';
  /** False: `stream_options` is not understood. */
  streamUsage?: boolean;
  /** Form of call ids; `short` unless given. Mistral wants `nine`. */
  callIds?: CallIdForm;
  /** Field in which the model's own thinking goes back; left out unless given. */
  reasoningBack?: 'reasoning_content' | 'reasoning';
  /** Role of system messages; `system` unless given. */
  systemRole?: 'system' | 'developer';
  /** Sent as `parallel_tool_calls` where the request does not say; without either the server decides. */
  parallelToolCalls?: boolean;
  /** True: the server knows JSON schemas as response format only as `json_object`. */
  noJsonSchema?: boolean;
  /** True: `cache_control` marks are understood (OpenRouter, for Anthropic's models). */
  cacheControl?: boolean;
  /** True: the model refuses temperature and top_p. */
  noSampling?: boolean;
  /** True: a user message right after results is refused (Mistral). */
  assistantAfterResults?: boolean;
  /** Fields added to every body. */
  extraBody?: Readonly<Record<string, unknown>>;
}

export type OpenAIChatBody = Record<string, any>;

export interface MappedRequest<Body> {
  body: Body;
  warnings: IRWarning[];
}

interface Mapping {
  facts: AdapterCapabilities;
  quirks: OpenAIChatQuirks;
  model: string;
  callId: (id: string) => string;
  warnings: IRWarning[];
}

const ASSISTANT_BETWEEN = 'I have the results.';
const IMAGES_BEHIND = 'Images of the tool results above:';

/** Maps a request; fields that the format lacks are named in the warnings. */
export function toOpenAIChat(
  request: IRChatRequest,
  model: string,
  facts: AdapterCapabilities,
  quirks: OpenAIChatQuirks,
): MappedRequest<OpenAIChatBody> {
  const history = repairHistory(request.messages);
  const warnings: IRWarning[] = [...history.warnings];
  const mapping: Mapping = { facts, quirks, model, callId: createIdMapper(quirks.callIds ?? 'short'), warnings };
  const body: OpenAIChatBody = {
    model,
    messages: history.messages.flatMap((message) => wireMessages(message, mapping)),
  };
  if (request.tools?.length && facts.tools) {
    body.tools = request.tools.map((tool) => ({
      type: 'function',
      function: {
        name: tool.name,
        ...(tool.description !== undefined && { description: tool.description }),
        parameters: toolParameters(tool, warnings),
      },
    }));
    const choice = request.toolChoice;
    if (choice !== undefined && choice !== 'auto')
      body.tool_choice = typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
    const parallel = request.parallelToolCalls ?? quirks.parallelToolCalls;
    if (parallel !== undefined) body.parallel_tool_calls = parallel;
  } else if (request.tools?.length)
    warnings.push({ kind: 'dropped', field: 'tools', message: `${model} cannot call tools` });
  setFormat(body, request, mapping);
  setParameters(body, request.parameters ?? {}, mapping);
  body.stream = true;
  if (quirks.streamUsage !== false) body.stream_options = { include_usage: true };
  if (quirks.assistantAfterResults) body.messages = withAssistantBetween(body.messages);
  if (quirks.cacheControl && request.cache?.length) markCache(body, request.cache);
  Object.assign(body, quirks.extraBody);
  return { body, warnings };
}

function wireMessages(message: RepairedMessage, mapping: Mapping): Record<string, any>[] {
  const { quirks, callId, warnings } = mapping;
  if (message.role === 'tool') return resultMessages(message, mapping);
  const name = message.name === undefined ? {} : { name: message.name };
  if (message.role === 'assistant') {
    const out: Record<string, any> = { role: 'assistant', ...name };
    const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const calls = message.content.flatMap((part) => (part.type === 'tool_use' ? [part] : []));
    out.content = text === '' && calls.length ? null : text;
    const { reasoningBack } = quirks;
    const thinking = ownThinking(message.content, mapping.model, warnings, () => reasoningBack !== undefined);
    if (reasoningBack && thinking.length) out[reasoningBack] = thinking.map((part) => part.text).join('');
    if (calls.length)
      out.tool_calls = calls.map((call) => ({
        id: callId(call.id),
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(sentArguments(call)) },
      }));
    else if (text === '') return [];
    return [out];
  }
  const role = message.role === 'system' ? (quirks.systemRole ?? 'system') : 'user';
  return [{ role, content: userContent(message.content, mapping, message.index), ...name }];
}

/** Results hold only text here, and nothing may stand between two of them: images come behind the last. */
function resultMessages(message: RepairedMessage, { facts, callId, model, warnings }: Mapping): Record<string, any>[] {
  const results = message.content.filter((part): part is ToolResultContent => part.type === 'tool_result');
  const out: Record<string, any>[] = results.map((result) => ({
    role: 'tool',
    tool_call_id: callId(result.toolUseId),
    content: resultText(result, () => facts.multiModal),
  }));
  const images: (ImageContent | DocumentContent)[] = [];
  for (const part of mediaOf(results)) {
    if (part.type === 'image' && facts.multiModal) images.push(part);
    else if (part.type === 'image' || documentText(part) === undefined)
      warnings.push({
        kind: 'dropped',
        field: `messages[${message.index}]`,
        message: `${model} cannot take ${part.type}s in results`,
      });
  }
  if (images.length)
    out.push({ role: 'user', content: [{ type: 'text', text: IMAGES_BEHIND }, ...images.map(imagePart)] });
  return out;
}

/** A string where everything is text: not every server reads parts. */
function userContent(
  parts: readonly MessageContent[],
  mapping: Mapping,
  index: number,
): string | Record<string, any>[] {
  const out: Record<string, any>[] = [];
  for (const part of parts) {
    if (part.type === 'text') out.push({ type: 'text', text: part.text });
    else if (part.type === 'image' && mapping.facts.multiModal) out.push(imagePart(part));
    else if (part.type === 'document' && documentText(part) !== undefined)
      out.push({ type: 'text', text: documentText(part)! });
    else if (part.type === 'document' && mapping.facts.multiModal && inlined(part.source).type === 'base64')
      out.push({ type: 'file', file: { filename: part.name ?? 'document', file_data: asUrl(inlined(part.source)) } });
    else if (part.type === 'image' || part.type === 'document') {
      out.push({ type: 'text', text: placeholder(part) });
      const field = `messages[${index}]`;
      mapping.warnings.push({ kind: 'dropped', field, message: `${mapping.model} cannot take ${part.type}s` });
    }
  }
  return out.every((part) => part.type === 'text') ? out.map((part) => part.text).join('\n') : out;
}

const imagePart = (part: ImageContent | DocumentContent) => ({
  type: 'image_url',
  image_url: { url: asUrl(part.source) },
});

function setFormat(body: OpenAIChatBody, request: IRChatRequest, { quirks, warnings }: Mapping): void {
  const format = request.responseFormat;
  if (!format || format.type === 'text') return;
  if (format.type === 'json' || quirks.noJsonSchema) {
    if (format.type === 'json_schema')
      warnings.push({
        kind: 'downgraded',
        field: 'responseFormat',
        message: 'the schema is not enforced, only JSON is',
      });
    body.response_format = { type: 'json_object' };
    return;
  }
  const schema = format.strict ? strictSchema(format.schema, 'responseFormat.schema', warnings) : format.schema;
  const strict = format.strict === undefined ? {} : { strict: format.strict };
  body.response_format = { type: 'json_schema', json_schema: { name: format.name, schema, ...strict } };
}

function setParameters(body: OpenAIChatBody, parameters: IRParameters, { quirks, warnings }: Mapping): void {
  const { maxTokens, temperature, topP, topK, stopSequences, seed, effort } = parameters;
  if (maxTokens !== undefined) body[quirks.maxTokensField ?? 'max_tokens'] = maxTokens;
  if (!quirks.noSampling) {
    if (temperature !== undefined) body.temperature = temperature;
    if (topP !== undefined) body.top_p = topP;
  } else if (temperature !== undefined || topP !== undefined)
    warnings.push({ kind: 'dropped', field: 'parameters.temperature', message: 'the model does not take it' });
  if (topK !== undefined) warnings.push({ kind: 'dropped', field: 'parameters.topK', message: 'not in this format' });
  if (stopSequences?.length) {
    body.stop = stopSequences.slice(0, 4);
    if (stopSequences.length > 4)
      warnings.push({ kind: 'clamped', field: 'parameters.stopSequences', message: 'only the first four are sent' });
  }
  if (seed !== undefined) body.seed = seed;
  if (parameters.frequencyPenalty !== undefined) body.frequency_penalty = parameters.frequencyPenalty;
  if (parameters.presencePenalty !== undefined) body.presence_penalty = parameters.presencePenalty;
  if (parameters.user !== undefined) body.user = parameters.user;
  if (effort === undefined) return;
  const how = quirks.effort ?? 'reasoning_effort';
  if (how === 'none')
    warnings.push({ kind: 'dropped', field: 'parameters.effort', message: 'not known to this server' });
  else if (how === 'enable_thinking') body.enable_thinking = effort !== 'off';
  else if (how === 'reasoning') body.reasoning = effort === 'off' ? { enabled: false } : { effort };
  else if (effort !== 'off') body.reasoning_effort = effort;
  else body.reasoning_effort = 'none';
}

/**
 * Marks the system prompt, behind which nothing before the messages changes. The newest message is marked by the field
 * of the whole request: a mark inside would move, and the bytes of earlier messages would change.
 */
function markCache(body: OpenAIChatBody, hints: readonly string[]): void {
  const mark = { type: 'ephemeral' };
  const system = body.messages.find((message: { role: string }) => message.role === 'system');
  // The tools stand before the system prompt, so one mark covers both.
  if (typeof system?.content === 'string' && (hints.includes('system') || hints.includes('tools')))
    system.content = [{ type: 'text', text: system.content, cache_control: mark }];
  if (hints.includes('messages')) body.cache_control = mark;
}

/** For servers that want the assistant's word between results and the next user message. */
function withAssistantBetween(messages: readonly Record<string, any>[]): Record<string, any>[] {
  return messages.flatMap((message, index) =>
    message.role === 'user' && messages[index - 1]?.role === 'tool'
      ? [{ role: 'assistant', content: ASSISTANT_BETWEEN }, message]
      : [message],
  );
}
