/** The messages of a Messages request to IR (API reference, "Messages", content blocks). */
import type {
  DocumentContent,
  ImageContent,
  IRMessage,
  IRWarning,
  MediaSource,
  MessageContent,
  TextContent,
  ToolResultContent,
} from '../../ir.ts';
import { inlined } from '../../wire/media.ts';
import type { Row } from '../field-check.ts';
import { leftOut, sourceOfUrl } from '../read-media.ts';

/** What reading the messages finds out on the way. */
export interface MessagesContext {
  model: string;
  warnings: IRWarning[];
  /** Called where a `cache_control` mark stands. */
  marked: (where: 'system' | 'messages', block: Row) => void;
}

type Plain = TextContent | ImageContent | DocumentContent;

/** The system prompt as the first message; none when it is empty. */
export function readSystem(system: string | readonly Row[] | null | undefined, context: MessagesContext): IRMessage[] {
  if (!system?.length) return [];
  if (typeof system === 'string') return [{ role: 'system', content: system }];
  return [{ role: 'system', content: plainParts(system, 'system', 'system', context) }];
}

/** Results of tools become messages of their own, in front of what else the user says. */
export function readMessages(messages: readonly Row[], context: MessagesContext): IRMessage[] {
  return messages.flatMap(({ role, content }, index): IRMessage[] => {
    if (typeof content === 'string') return [{ role, content }];
    const at = `messages[${index}].content`;
    if (role === 'assistant') return [{ role, content: assistantParts(content, at, context) }];
    if (role === 'system') return [{ role, content: plainParts(content, at, 'system', context) }];
    const results: ToolResultContent[] = [];
    const rest: Plain[] = [];
    content.forEach((block: Row, i: number) => {
      const field = `${at}[${i}]`;
      if (block.type !== 'tool_result') {
        rest.push(...plainPart(block, field, 'messages', context));
        return;
      }
      if (rest.length)
        context.warnings.push({ kind: 'moved', field, message: 'results stand in front of what else is said' });
      results.push(resultOf(block, field, context));
    });
    return [
      ...(results.length ? [{ role: 'tool' as const, content: results }] : []),
      ...(rest.length || !results.length ? [{ role: 'user' as const, content: rest }] : []),
    ];
  });
}

function resultOf(block: Row, at: string, context: MessagesContext): ToolResultContent {
  if (block.cache_control) context.marked('messages', block);
  const { content } = block;
  return {
    type: 'tool_result',
    toolUseId: block.tool_use_id,
    content:
      typeof content === 'string'
        ? [{ type: 'text', text: content }]
        : plainParts(content ?? [], `${at}.content`, 'messages', context),
    ...(block.is_error && { isError: true }),
  };
}

function plainParts(
  blocks: readonly Row[],
  at: string,
  where: 'system' | 'messages',
  context: MessagesContext,
): Plain[] {
  return blocks.flatMap((block, i) => plainPart(block, `${at}[${i}]`, where, context));
}

function plainPart(block: Row, at: string, where: 'system' | 'messages', context: MessagesContext): Plain[] {
  const { warnings } = context;
  if (block.cache_control) context.marked(where, block);
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'image') {
    const source = sourceOf(block.source);
    return [source ? { type: 'image', source } : leftOut('an image that is known only by its id', at, warnings)];
  }
  if (block.type === 'document') return documentParts(block, at, context);
  if (block.type === 'search_result') {
    const texts = (block.content ?? []).map((part: Row) => part?.text ?? '');
    warnings.push({ kind: 'downgraded', field: at, message: 'a search result is passed on as text' });
    return [{ type: 'text', text: [`${block.title ?? ''} (${block.source ?? ''})`, ...texts].join('\n') }];
  }
  return [leftOut(String(block.type).replaceAll('_', ' '), at, warnings)];
}

function documentParts(block: Row, at: string, context: MessagesContext): Plain[] {
  const { source, title, context: about, citations } = block;
  const { warnings } = context;
  const name = typeof title === 'string' ? { name: title } : {};
  if (citations?.enabled)
    warnings.push({ kind: 'dropped', field: `${at}.citations`, message: 'citations are not asked for' });
  if (about) warnings.push({ kind: 'dropped', field: `${at}.context`, message: 'this field is not passed on' });
  // A document made of blocks: its parts, in its place.
  if (source.type === 'content') {
    warnings.push({ kind: 'downgraded', field: at, message: 'a document of blocks is passed on as its blocks' });
    if (typeof source.content === 'string') return [{ type: 'text', text: source.content }];
    return plainParts(source.content ?? [], `${at}.source.content`, 'messages', context);
  }
  if (source.type === 'text') {
    const data = Buffer.from(source.data).toString('base64');
    return [{ type: 'document', source: { type: 'base64', mediaType: source.media_type, data }, ...name }];
  }
  const found = sourceOf(source);
  if (!found) return [leftOut('a document that is known only by its id', at, warnings)];
  return [{ type: 'document', source: inlined(found), ...name }];
}

function sourceOf(source: Row): MediaSource | undefined {
  if (source.type === 'base64') return { type: 'base64', mediaType: source.media_type, data: source.data };
  return source.type === 'url' ? sourceOfUrl(source.url) : undefined;
}

function assistantParts(blocks: readonly Row[], at: string, context: MessagesContext): MessageContent[] {
  const { model, warnings } = context;
  return blocks.flatMap((block, i): MessageContent[] => {
    const field = `${at}[${i}]`;
    if (block.cache_control) context.marked('messages', block);
    switch (block.type) {
      case 'text':
        if (block.citations?.length)
          warnings.push({ kind: 'dropped', field: `${field}.citations`, message: 'citations are not passed on' });
        return [{ type: 'text', text: block.text }];
      case 'thinking':
        // An empty signature is what thinking without one has in this format.
        return [
          {
            type: 'reasoning',
            text: block.thinking,
            ...(typeof block.signature === 'string' && block.signature !== '' && { signature: block.signature }),
            model,
          },
        ];
      case 'redacted_thinking':
        return [{ type: 'reasoning', text: '', signature: block.data, redacted: true, model }];
      case 'tool_use':
        return [{ type: 'tool_use', id: block.id, name: block.name, input: block.input }];
      default:
        warnings.push({ kind: 'dropped', field, message: `${block.type} belongs to the provider that ran it` });
        return [];
    }
  });
}
