/** Whether a backend can serve a request at all, decided before anything is sent. */
import type { AdapterCapabilities } from '../adapter.ts';
import { type AdapterError, ValidationError } from '../errors.ts';
import type { IRChatRequest, IRMessage, IRTool, MessageContent } from '../ir.ts';
import { growing } from '../wire/growing.ts';

/** What a request asks of a model. `tokens` is an estimate of the prompt. */
export interface Needs {
  images: boolean;
  tools: boolean;
  tokens: number;
}

/** Tokens that an image is counted as: what a vision model charges for a screen-sized one, within a factor of two. */
const IMAGE_TOKENS = 1_000;
const CHARS_PER_TOKEN = 4;

export function needsOf(request: IRChatRequest): Needs {
  const { chars, images } = sizeOf(request.messages);
  const tools = request.tools?.length ? toolsSize(request.tools) : 0;
  return {
    images: images > 0,
    tools: tools > 0 && request.toolChoice !== 'none',
    tokens: Math.ceil((chars + tools) / CHARS_PER_TOKEN) + images * IMAGE_TOKENS,
  };
}

interface Size {
  chars: number;
  images: number;
}

const sizeOf = growing<IRMessage, Size>({
  start: () => ({ chars: 0, images: 0 }),
  step: (size, message) => measure(message.content, size),
});

const toolSizes = new WeakMap<readonly IRTool[], number>();

function toolsSize(tools: readonly IRTool[]): number {
  let size = toolSizes.get(tools);
  if (size === undefined) toolSizes.set(tools, (size = JSON.stringify(tools).length));
  return size;
}

function measure(content: IRMessage['content'], sum: Size): void {
  if (typeof content === 'string') sum.chars += content.length;
  else for (const part of content) measurePart(part, sum);
}

function measurePart(part: MessageContent, sum: Size): void {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      sum.chars += part.text.length;
      break;
    case 'image':
      sum.images++;
      break;
    case 'document':
      // Its text is not known here; vendors read a page of it as an image.
      sum.images++;
      break;
    case 'tool_use':
      sum.chars += part.name.length + (part.raw?.length ?? JSON.stringify(part.input).length);
      break;
    case 'tool_result':
      for (const inner of part.content) measurePart(inner, sum);
  }
}

/**
 * Why the request must not be sent to this backend, or undefined when it may. Eyes and the window are hard limits;
 * `tools` is one only for a backend that nobody asked for by name (`strict`), since a model without native calls can
 * still be taught them in the prompt.
 */
export function misfit(
  needs: Needs,
  backend: string,
  capabilities: AdapterCapabilities,
  window: number | null,
  strict: boolean,
): AdapterError | undefined {
  const provenance = { backend };
  if (needs.images && !capabilities.multiModal) {
    return new ValidationError({
      message: `${backend} cannot see images, and the conversation holds some.`,
      provenance,
      validationDetails: [{ field: 'messages', message: 'images for a model without vision' }],
    });
  }
  if (window !== null && needs.tokens > window) {
    return new ValidationError({
      message: `The request is about ${needs.tokens} tokens, more than the window of ${window} that ${backend} serves.`,
      code: 'CONTEXT_OVERFLOW',
      category: 'overflow',
      provenance,
      details: { tokens: needs.tokens, window },
    });
  }
  if (strict && needs.tools && !capabilities.tools) {
    return new ValidationError({ message: `${backend} cannot call tools.`, provenance });
  }
  return undefined;
}
