import type { Middleware } from '../adapter.ts';
import {
  type IRChatRequest,
  type IRChatStream,
  type IRMessage,
  type IRStreamChunk,
  type MessageContent,
  partsOf,
} from '../ir.ts';
import { growing } from '../wire/growing.ts';
import { placeholder } from '../wire/media.ts';

export interface ImagesAsTextOptions {
  /** True when the model of the request has eyes. */
  sees(request: IRChatRequest): boolean;
}

/**
 * Puts a line of text in the place of each image for a model that cannot see, and says so in a warning. Without it such
 * a request is refused, and with it every later one of the conversation. The same message becomes the same again.
 */
export function createImagesAsTextMiddleware(options: ImagesAsTextOptions): Middleware {
  return (context, next) => {
    const { request } = context;
    if (options.sees(request)) return next();
    const { messages, found } = blind(request.messages);
    if (!found) return next();
    context.request = { ...request, messages: [...messages] };
    return warned(next(), request.parameters?.model ?? 'the model');
  };
}

const blind = growing<IRMessage, { messages: IRMessage[]; found: boolean }>({
  start: () => ({ messages: [], found: false }),
  step(state, message) {
    const parts = partsOf(message.content);
    const holds = parts.some(holdsImage);
    state.messages.push(holds ? { ...message, content: parts.map(withoutImage) } : message);
    state.found ||= holds;
  },
});

const holdsImage = (part: MessageContent): boolean =>
  part.type === 'image' || (part.type === 'tool_result' && part.content.some(holdsImage));

function withoutImage(part: MessageContent): MessageContent {
  if (part.type === 'image') return { type: 'text', text: placeholder(part) };
  if (part.type !== 'tool_result') return part;
  return { ...part, content: part.content.map((inner) => withoutImage(inner) as typeof inner) };
}

async function* warned(stream: IRChatStream, model: string): AsyncGenerator<IRStreamChunk, void, undefined> {
  for await (const chunk of stream) {
    yield chunk;
    if (chunk.type !== 'start') continue;
    const warning = { kind: 'dropped', field: 'messages', message: `${model} cannot see images` } as const;
    // Renumbered by `composeMiddleware`.
    yield { sequence: chunk.sequence + 1, type: 'warning', warning };
  }
}
