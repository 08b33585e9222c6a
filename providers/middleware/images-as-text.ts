import type { Middleware } from '../adapter.ts';
import {
  type IRChatRequest,
  type IRChatStream,
  type IRMessage,
  type IRStreamChunk,
  type MessageContent,
  partsOf,
} from '../ir.ts';
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
  const blind = new WeakMap<IRMessage, IRMessage>();
  /** Messages that hold no image: a growing conversation brings the same ones again. */
  const plain = new WeakSet<IRMessage>();
  return (context, next) => {
    const { request } = context;
    if (options.sees(request)) return next();
    if (request.messages.every((message) => plain.has(message))) return next();
    const messages = request.messages.map((message) => {
      if (plain.has(message)) return message;
      if (!partsOf(message.content).some(holdsImage)) {
        plain.add(message);
        return message;
      }
      let text = blind.get(message);
      if (!text) blind.set(message, (text = { ...message, content: partsOf(message.content).map(withoutImage) }));
      return text;
    });
    if (messages.every((message, i) => message === request.messages[i])) return next();
    context.request = { ...request, messages };
    return warned(next(), request.parameters?.model ?? 'the model');
  };
}

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
