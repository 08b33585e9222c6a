/** IR to the body of OpenAI's `POST /chat/completions` (API reference, "Create chat completion"). */
import type { AdapterCapabilities } from '../../adapter.ts';
import type {
  DocumentContent,
  Effort,
  ImageContent,
  IRChatRequest,
  IRParameters,
  IRWarning,
  MessageContent,
  ToolResultContent,
} from '../../ir.ts';
import { sentArguments } from '../../wire/arguments.ts';
import { type CallIdForm, createIdMapper } from '../../wire/call-id.ts';
import { formatName, strictSchema } from '../../wire/fitted-schema.ts';
import { mediaOf, type RepairedMessage, repairHistory } from '../../wire/history.ts';
import { asUrl, documentText, inlined, placeholder, resultText } from '../../wire/media.ts';
import { toolParameters } from '../../wire/schema.ts';
import { ownThinking } from '../../wire/thinking.ts';
import { type ToolNames, toolNames } from '../../wire/tool-names.ts';
import { isPlainModel, isReasoningModel, leastEffort, refusesSampling } from './known-models.ts';

/** How a server that speaks this format differs from what most of them understand. */
export interface OpenAIChatQuirks {
  /** Name of the answer's limit; unless given `max_tokens`, but the newer name for OpenAI's reasoning models. */
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
  /** True: the models refuse temperature, top_p, stop sequences and penalties; by the model's name unless given. */
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
  names: ToolNames;
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
  const names = toolNames(request);
  for (const [name, sent] of names.changed)
    warnings.push({ kind: 'renamed', field: 'tools', message: `“${name}” is sent as “${sent}”` });
  const callId = createIdMapper(quirks.callIds ?? 'short');
  const mapping: Mapping = { facts, quirks, model, names, callId, warnings };
  const body: OpenAIChatBody = {
    model,
    messages: history.messages.flatMap((message) => wireMessages(message, mapping)),
  };
  if (request.tools?.length && facts.tools) {
    body.tools = request.tools.map((tool) => ({
      type: 'function',
      function: {
        name: names.sent(tool.name),
        ...(tool.description !== undefined && { description: tool.description }),
        parameters: toolParameters(tool, warnings),
      },
    }));
    const choice = request.toolChoice;
    if (choice !== undefined && choice !== 'auto')
      body.tool_choice =
        typeof choice === 'string' ? choice : { type: 'function', function: { name: names.sent(choice.name) } };
    const parallel = request.parallelToolCalls ?? quirks.parallelToolCalls;
    if (parallel !== undefined) body.parallel_tool_calls = parallel;
  } else if (request.tools?.length)
    warnings.push({ kind: 'dropped', field: 'tools', message: `${model} cannot call tools` });
  setFormat(body, request, mapping);
  setParameters(body, request.parameters ?? {}, mapping);
  body.stream = !request.whole;
  if (body.stream && quirks.streamUsage !== false) body.stream_options = { include_usage: true };
  if (quirks.assistantAfterResults) body.messages = withAssistantBetween(body.messages);
  if (quirks.cacheControl && request.cache?.length) markCache(body, request.cache);
  Object.assign(body, quirks.extraBody);
  return { body, warnings };
}

function wireMessages(message: RepairedMessage, mapping: Mapping): Record<string, any>[] {
  const { quirks, callId, names, warnings } = mapping;
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
        function: { name: names.sent(call.name), arguments: JSON.stringify(sentArguments(call)) },
      }));
    else if (text === '') {
      const field = `messages[${message.index}]`;
      warnings.push({ kind: 'dropped', field, message: 'a message of nothing but thinking is not sent' });
      return [];
    }
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
  const fitted = format.strict ? strictSchema(format.schema, 'responseFormat.schema', warnings) : undefined;
  const strict = format.strict === undefined ? {} : { strict: fitted !== undefined };
  const name = formatName(format.name, warnings);
  body.response_format = { type: 'json_schema', json_schema: { name, schema: fitted ?? format.schema, ...strict } };
}

function setParameters(body: OpenAIChatBody, parameters: IRParameters, mapping: Mapping): void {
  const { quirks, model, warnings } = mapping;
  const { maxTokens, temperature, topK, seed, effort } = parameters;
  const drop = (field: string, message: string) =>
    warnings.push({ kind: 'dropped', field: `parameters.${field}`, message });
  const limit = isReasoningModel(model) ? 'max_completion_tokens' : 'max_tokens';
  if (maxTokens !== undefined) body[quirks.maxTokensField ?? limit] = maxTokens;
  const refused = quirks.noSampling ?? refusesSampling(model, effort);
  for (const [field, name] of SAMPLING) {
    const value = field === 'stopSequences' && parameters[field]?.length === 0 ? undefined : parameters[field];
    if (value === undefined) continue;
    if (refused) drop(field, `${model} does not take it`);
    else body[name] = value;
  }
  if (body.temperature > 2 || body.temperature < 0) {
    body.temperature = body.temperature > 2 ? 2 : 0;
    const message = `${temperature} is sent as ${body.temperature}`;
    warnings.push({ kind: 'clamped', field: 'parameters.temperature', message });
  }
  if (body.stop?.length > 4)
    warnings.push({ kind: 'clamped', field: 'parameters.stopSequences', message: 'only the first four are sent' });
  if (body.stop) body.stop = body.stop.slice(0, 4);
  if (topK !== undefined) drop('topK', 'not in this format');
  if (seed !== undefined) body.seed = seed;
  if (parameters.user !== undefined) body.user = parameters.user;
  if (effort !== undefined) setEffort(body, effort, mapping);
}

/** Fields that steer the choice of words, and their names in the format. */
const SAMPLING = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['stopSequences', 'stop'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['presencePenalty', 'presence_penalty'],
] as const;

function setEffort(body: OpenAIChatBody, effort: Effort, { facts, quirks, model, warnings }: Mapping): void {
  const how = quirks.effort ?? 'reasoning_effort';
  const field = 'parameters.effort';
  if (how === 'none') warnings.push({ kind: 'dropped', field, message: 'not known to this server' });
  else if (!facts.reasoning || isPlainModel(model)) {
    if (effort !== 'off') warnings.push({ kind: 'dropped', field, message: `${model} does not reason` });
  } else if (how === 'enable_thinking') body.enable_thinking = effort !== 'off';
  else if (how === 'reasoning') body.reasoning = effort === 'off' ? { enabled: false } : { effort };
  else if (effort !== 'off') body.reasoning_effort = effort;
  else {
    body.reasoning_effort = leastEffort(model);
    if (body.reasoning_effort !== 'none')
      warnings.push({
        kind: 'clamped',
        field,
        message: `${model} always reasons; asked for “${body.reasoning_effort}”`,
      });
  }
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
