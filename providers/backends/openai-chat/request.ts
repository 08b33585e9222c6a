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
import { sameModel } from '../../wire/facts.ts';
import { mediaOf, type RepairedMessage, repairHistory } from '../../wire/history.ts';
import { asUrl, documentText, inlined, placeholder, resultText } from '../../wire/media.ts';
import { strictSchema, toolParameters } from '../../wire/schema.ts';

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
  /** False: `parallel_tool_calls` and similar extras are refused. Only sent when true. */
  parallelToolCalls?: boolean;
  /** True: the server knows JSON schemas as response format only as `json_object`. */
  noJsonSchema?: boolean;
  /** True: `cache_control` marks are understood (OpenRouter, for Anthropic's models). */
  cacheControl?: boolean;
  /** True: the model refuses temperature and top_p. */
  noSampling?: boolean;
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
    if (quirks.parallelToolCalls) body.parallel_tool_calls = true;
  } else if (request.tools?.length)
    warnings.push({ kind: 'dropped', field: 'tools', message: `${model} cannot call tools` });
  setFormat(body, request, mapping);
  setParameters(body, request.parameters ?? {}, mapping);
  body.stream = true;
  if (quirks.streamUsage !== false) body.stream_options = { include_usage: true };
  if (quirks.cacheControl && request.cache?.length) markCache(body, request.cache);
  Object.assign(body, quirks.extraBody);
  return { body, warnings };
}

function wireMessages(message: RepairedMessage, mapping: Mapping): Record<string, any>[] {
  const { facts, quirks, callId, warnings } = mapping;
  if (message.role === 'tool') {
    const media = mediaOf(message.content).filter((part) => part.type === 'image');
    const shown = facts.multiModal;
    const results = message.content.filter((part): part is ToolResultContent => part.type === 'tool_result');
    const out: Record<string, any>[] = results.map((result) => ({
      role: 'tool',
      tool_call_id: callId(result.toolUseId),
      content: resultText(result, shown),
    }));
    if (media.length && shown)
      // Results hold only text here, and nothing may stand between two of them.
      out.push({ role: 'user', content: [{ type: 'text', text: IMAGES_BEHIND }, ...media.map(imagePart)] });
    else if (media.length)
      warnings.push({
        kind: 'dropped',
        field: `messages[${message.index}]`,
        message: `${mapping.model} cannot see images`,
      });
    return out;
  }
  const name = message.name === undefined ? {} : { name: message.name };
  if (message.role === 'assistant') {
    const out: Record<string, any> = { role: 'assistant', ...name };
    const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const calls = message.content.flatMap((part) => (part.type === 'tool_use' ? [part] : []));
    out.content = text === '' && calls.length ? null : text;
    const thoughts = message.content.flatMap((part) => (part.type === 'reasoning' ? [part] : []));
    if (thoughts.length) {
      const own = thoughts.filter((part) => part.model === undefined || sameModel(part.model, mapping.model));
      if (quirks.reasoningBack && own.length) out[quirks.reasoningBack] = own.map((part) => part.text).join('');
    }
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

/** Puts a mark on the last part of the system prompt and of the newest message. */
function markCache(body: OpenAIChatBody, hints: readonly string[]): void {
  const mark = { type: 'ephemeral' };
  const put = (message: Record<string, any> | undefined) => {
    if (!message?.content) return;
    if (typeof message.content === 'string') message.content = [{ type: 'text', text: message.content }];
    message.content.at(-1).cache_control = mark;
  };
  // The system prompt stands behind the tools, so one mark there covers both.
  if (hints.includes('system') || hints.includes('tools'))
    put(
      body.messages.findLast((message: { role: string }) => message.role === 'system' || message.role === 'developer'),
    );
  if (hints.includes('messages')) put(body.messages.at(-1));
}
