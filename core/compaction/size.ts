/** How large messages are, and what that is in tokens. */
import { type IRMessage, type MessageContent, partsOf } from '../../providers/ir.ts';
import type { Entry } from '../history.ts';

export interface Budget {
  /** Tokens that the model is served with. */
  window: number;
  /** Tokens of a request above which room is made. */
  limit: number;
  /** What this model makes of a character; learned from its replies. */
  tokensPerCharacter: number;
  /** Characters of the tools' schemas. */
  tools: number;
  /** How the window is made larger, as half a sentence; undefined where a person cannot. */
  widen?: string;
}

/** The share of the window at which room is made unless a person says otherwise. */
export const USUAL_LIMIT = 0.75;

const IMAGE_CHARACTERS = 4_000;
/** Role, brackets and names around a message. */
export const FRAME = 40;

/** Characters of thinking in these messages. */
export const reasoningOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { message }) => {
    for (const part of partsOf(message.content)) if (part.type === 'reasoning') sum += part.text.length;
    return sum;
  }, 0);

const known = new WeakMap<IRMessage, number>();

/** Characters that a message puts into a request. */
export function charactersOf(message: IRMessage): number {
  let size = known.get(message);
  if (size === undefined) {
    size = FRAME + partsOf(message.content).reduce((all, part) => all + charactersOfPart(part), 0);
    known.set(message, size);
  }
  return size;
}

function charactersOfPart(part: MessageContent): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length;
    case 'tool_use':
      return FRAME + part.name.length + (part.raw?.length ?? JSON.stringify(part.input).length);
    case 'tool_result':
      return part.content.reduce((all, inner) => all + charactersOfPart(inner), 0);
    default:
      return IMAGE_CHARACTERS;
  }
}
