/** The messages of a chat completion request to IR (API reference, "Create chat completion", messages). */
import type {
  DocumentContent,
  ImageContent,
  IRMessage,
  IRWarning,
  MessageContent,
  ReasoningContent,
  TextContent,
  ToolUseContent,
} from '../../ir.ts';
import { parseArguments } from '../../wire/arguments.ts';
import type { Row } from '../field-check.ts';
import { leftOut, sourceOfUrl } from '../read-media.ts';

/** What reading the messages finds out on the way. */
export interface MessagesContext {
  model: string;
  warnings: IRWarning[];
  /** Called where a `cache_control` mark stands (OpenRouter's form). */
  marked: (where: 'system' | 'messages') => void;
}

/** One IR message for each message, in order. */
export function readMessages(messages: readonly Row[], context: MessagesContext): IRMessage[] {
  // Calls of the time before ids: a result belongs to the last call of its function.
  const lastCalls = new Map<string, string>();
  return messages.map((message, index): IRMessage => {
    const at = `messages[${index}]`;
    const name = typeof message.name === 'string' && message.role !== 'function' ? { name: message.name } : {};
    switch (message.role) {
      case 'assistant':
        return { role: 'assistant', content: assistantContent(message, index, at, context, lastCalls), ...name };
      case 'tool':
        return { role: 'tool', content: [resultOf(message.tool_call_id, message, at, context)] };
      case 'function': {
        const id = lastCalls.get(message.name) ?? `function_${index}`;
        return { role: 'tool', content: [{ ...resultOf(id, message, at, context), name: message.name }] };
      }
      case 'user':
        return { role: 'user', content: contentOf(message.content, `${at}.content`, 'messages', context), ...name };
      default:
        return { role: 'system', content: contentOf(message.content, `${at}.content`, 'system', context), ...name };
    }
  });
}

type Plain = TextContent | ImageContent | DocumentContent;

function contentOf(
  content: string | readonly Row[],
  at: string,
  where: 'system' | 'messages',
  context: MessagesContext,
): string | Plain[] {
  return typeof content === 'string' ? content : partsOf(content, at, where, context);
}

function partsOf(
  parts: readonly Row[],
  at: string,
  where: 'system' | 'messages',
  { warnings, marked }: MessagesContext,
): Plain[] {
  return parts.map((part, i): Plain => {
    const field = `${at}[${i}]`;
    if (part.cache_control) marked(where);
    if (part.type === 'text') return { type: 'text', text: part.text };
    if (part.type === 'refusal') return { type: 'text', text: part.refusal };
    if (part.type === 'image_url') {
      const { url, detail } = typeof part.image_url === 'string' ? { url: part.image_url } : part.image_url;
      if (detail && detail !== 'auto')
        warnings.push({ kind: 'dropped', field: `${field}.image_url.detail`, message: 'the detail is not passed on' });
      return { type: 'image', source: sourceOfUrl(url) };
    }
    if (part.type !== 'file') return leftOut('audio', field, warnings);
    const { file_data: data, filename } = part.file;
    if (typeof data !== 'string') return leftOut('a file that is known only by its id', field, warnings);
    const source = sourceOfUrl(/^data:|^https?:/.test(data) ? data : `data:application/pdf;base64,${data}`);
    return { type: 'document', source, ...(typeof filename === 'string' && { name: filename }) };
  });
}

function resultOf(toolUseId: string, message: Row, at: string, context: MessagesContext) {
  const content = contentOf(message.content ?? '', `${at}.content`, 'messages', context);
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return { type: 'tool_result' as const, toolUseId, content: parts };
}

function assistantContent(
  message: Row,
  index: number,
  at: string,
  context: MessagesContext,
  lastCalls: Map<string, string>,
): string | MessageContent[] {
  const { content, refusal, tool_calls: calls, function_call: old, audio } = message;
  const reasoning = reasoningOf(message, context.model);
  if (audio) context.warnings.push({ kind: 'dropped', field: `${at}.audio`, message: 'audio cannot be passed on' });
  if (typeof content === 'string' && !reasoning.length && !refusal && !calls?.length && !old) return content;
  const out: MessageContent[] = [...reasoning];
  if (typeof content === 'string') {
    if (content !== '') out.push({ type: 'text', text: content });
  } else if (content) out.push(...partsOf(content, `${at}.content`, 'messages', context));
  if (typeof refusal === 'string' && refusal !== '') out.push({ type: 'text', text: refusal });
  for (const call of calls ?? []) out.push(callOf(call));
  if (old) {
    const id = `function_${index}`;
    lastCalls.set(old.name, id);
    out.push(callOf({ id, function: old }));
  }
  return out;
}

/** A free-form call has text where others have arguments; nothing else here knows such tools. */
function callOf({ id, function: called, custom }: Row): ToolUseContent {
  if (custom) return { type: 'tool_use', id, name: custom.name, input: { input: custom.input } };
  const raw = String(called.arguments ?? '');
  return { type: 'tool_use', id, name: called.name, raw, ...parseArguments(raw) };
}

/**
 * Thinking that the caller sends back: as text under one of the two names in use, or with signatures as
 * `reasoning_details` (OpenRouter, "Preserving reasoning blocks").
 */
function reasoningOf(message: Row, model: string): ReasoningContent[] {
  const details: unknown = message.reasoning_details;
  if (Array.isArray(details) && details.length) {
    return details.flatMap((detail: Row): ReasoningContent[] => {
      if (detail?.type === 'reasoning.encrypted' && typeof detail.data === 'string')
        return [{ type: 'reasoning', text: '', signature: detail.data, redacted: true, model }];
      const text = detail?.text ?? detail?.summary;
      if (typeof text !== 'string') return [];
      const signature = typeof detail.signature === 'string' && detail.signature ? { signature: detail.signature } : {};
      return [{ type: 'reasoning', text, ...signature, model }];
    });
  }
  const text = message.reasoning_content ?? message.reasoning;
  return typeof text === 'string' && text !== '' ? [{ type: 'reasoning', text, model }] : [];
}
