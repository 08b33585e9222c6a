/** IR to the body of Ollama's `POST /api/chat` (docs/api.md, "Generate a chat completion"). */
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
import { growing } from '../../wire/growing.ts';
import { mediaOf, type RepairedMessage, repairHistory } from '../../wire/history.ts';
import { documentText, inlined, placeholder, resultText } from '../../wire/media.ts';
import { toolParameters } from '../../wire/schema.ts';
import { ownThinking } from '../../wire/thinking.ts';

export type OllamaBody = Record<string, any>;

export interface OllamaMapping {
  model: string;
  facts: AdapterCapabilities;
  /** The server knows `truncate` and refuses a prompt that is too long in place of cutting it. */
  refusesLongPrompts: boolean;
  keepAlive?: string | number;
}

const IMAGES_BEHIND = 'Images of the tool results above:';

/** Maps a request; fields that the format lacks are named in the warnings. */
export function toOllama(request: IRChatRequest, mapping: OllamaMapping): { body: OllamaBody; warnings: IRWarning[] } {
  const { model, facts } = mapping;
  const history = repairHistory(request.messages);
  const mapped = wireHistory(history.messages, mapping, `${facts.multiModal} ${facts.reasoning} ${model}`);
  const warnings: IRWarning[] = [...history.warnings, ...mapped.warnings];
  const body: OllamaBody = { model, messages: [...mapped.out] };
  const { toolChoice } = request;
  if (request.tools?.length && !facts.tools)
    warnings.push({ kind: 'dropped', field: 'tools', message: `${model} cannot call tools` });
  else if (request.tools?.length && toolChoice !== 'none') {
    body.tools = request.tools.map((tool) => ({
      type: 'function',
      function: { name: tool.name, description: tool.description ?? '', parameters: toolParameters(tool, warnings) },
    }));
    if (toolChoice !== undefined && toolChoice !== 'auto')
      warnings.push({ kind: 'dropped', field: 'toolChoice', message: 'Ollama lets the model choose' });
    if (request.parallelToolCalls === false)
      warnings.push({ kind: 'dropped', field: 'parallelToolCalls', message: 'Ollama lets the model choose' });
  }
  const format = request.responseFormat;
  if (format?.type === 'json') body.format = 'json';
  if (format?.type === 'json_schema') body.format = format.schema;
  const parameters = request.parameters ?? {};
  const keepAlive = parameters.keepAlive ?? mapping.keepAlive;
  if (keepAlive !== undefined) body.keep_alive = keepAlive;
  if (facts.reasoning && parameters.effort !== undefined) body.think = thinkValue(model, parameters.effort);
  else if (parameters.effort !== undefined && parameters.effort !== 'off')
    warnings.push({ kind: 'dropped', field: 'parameters.effort', message: `${model} is not known to think` });
  if (mapping.refusesLongPrompts) body.truncate = false;
  const options = optionsOf(parameters, warnings);
  if (Object.keys(options).length) body.options = options;
  body.stream = !request.whole;
  return { body, warnings };
}

/** gpt-oss knows levels and cannot be switched off; all others know only yes and no. */
function thinkValue(model: string, effort: NonNullable<IRParameters['effort']>): boolean | string {
  if (/(^|\/)gpt-oss\b/i.test(model)) return effort === 'off' ? 'low' : effort;
  return effort !== 'off';
}

function optionsOf(parameters: IRParameters, warnings: IRWarning[]): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  const set = (name: string, value: unknown) => {
    if (value !== undefined) options[name] = value;
  };
  set('num_ctx', parameters.contextTokens);
  set('num_predict', parameters.maxTokens);
  set('temperature', parameters.temperature);
  set('top_p', parameters.topP);
  set('top_k', parameters.topK);
  set('seed', parameters.seed);
  set('frequency_penalty', parameters.frequencyPenalty);
  set('presence_penalty', parameters.presencePenalty);
  if (parameters.stopSequences?.length) options.stop = [...parameters.stopSequences];
  if (parameters.user !== undefined)
    warnings.push({ kind: 'dropped', field: 'parameters.user', message: 'Ollama has no such field' });
  return options;
}

interface Mapped {
  mapping: OllamaMapping;
  out: OllamaBody[];
  warnings: IRWarning[];
}

const wireHistory = growing<RepairedMessage, Mapped, OllamaMapping>({
  start: (mapping) => ({ mapping, out: [], warnings: [] }),
  step({ mapping, out, warnings }, message) {
    out.push(...wireMessages(message, mapping, warnings));
  },
});

function wireMessages(message: RepairedMessage, mapping: OllamaMapping, warnings: IRWarning[]): OllamaBody[] {
  const { facts, model } = mapping;
  const field = `messages[${message.index}]`;
  if (message.role === 'tool') {
    const results = message.content.filter((part): part is ToolResultContent => part.type === 'tool_result');
    const shown = (part: MessageContent) => facts.multiModal && imagesOf([part]).length > 0;
    const images = imagesOf(mediaOf(results).filter(shown));
    const out: OllamaBody[] = results.map((result) => ({
      role: 'tool',
      content: resultText(result, shown),
      ...(result.name !== undefined && { tool_name: result.name }),
      tool_call_id: result.toolUseId,
    }));
    // Templates print the images of user messages, not those of results.
    if (images.length) out.push({ role: 'user', content: IMAGES_BEHIND, images });
    for (const part of mediaOf(results)) if (!taken(part, shown)) warnings.push(lost(part, mapping, field));
    return out;
  }
  if (message.name !== undefined)
    warnings.push({ kind: 'dropped', field: `${field}.name`, message: 'Ollama has no such field' });
  const texts: string[] = [];
  for (const part of message.content) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'document') {
      const text = documentText(part);
      texts.push(text ?? placeholder(part));
      if (text === undefined) warnings.push(lost(part, mapping, field));
    } else if (part.type === 'image' && (!facts.multiModal || imagesOf([part]).length === 0)) {
      texts.push(placeholder(part));
      warnings.push(lost(part, mapping, field));
    }
  }
  const out: OllamaBody = { role: message.role, content: texts.join(message.role === 'assistant' ? '' : '\n') };
  if (message.role !== 'assistant') {
    const images = facts.multiModal ? imagesOf(message.content) : [];
    if (images.length) out.images = images;
    return [out];
  }
  // The model's template decides which thinking the model sees again.
  const thinking = ownThinking(message.content, model, warnings, () => facts.reasoning);
  if (thinking.length) out.thinking = thinking.map((part) => part.text).join('');
  const calls = message.content.flatMap((part) => (part.type === 'tool_use' ? [part] : []));
  if (calls.length)
    out.tool_calls = calls.map((call) => ({
      id: call.id,
      function: { name: call.name, arguments: sentArguments(call) },
    }));
  if (out.content !== '' || calls.length) return [out];
  warnings.push({ kind: 'dropped', field, message: 'a message of nothing but thinking is not sent' });
  return [];
}

const taken = (part: ImageContent | DocumentContent, shown: (image: MessageContent) => boolean): boolean =>
  part.type === 'image' ? shown(part) : documentText(part) !== undefined;

function lost(part: ImageContent | DocumentContent, { facts, model }: OllamaMapping, field: string): IRWarning {
  if (part.type === 'document') return { kind: 'dropped', field, message: 'Ollama takes no documents' };
  const why = facts.multiModal ? 'Ollama takes images only as bytes, not by URL' : `${model} cannot see images`;
  return { kind: 'dropped', field, message: why };
}

/** Inline images as plain base64. */
function imagesOf(parts: readonly MessageContent[]): string[] {
  return parts.flatMap((part) => {
    if (part.type !== 'image') return [];
    const source = inlined(part.source);
    return source.type === 'base64' ? [source.data] : [];
  });
}
