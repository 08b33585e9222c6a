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

/** A request up to this share of the window leaves room for an answer. */
export const FULL = 0.95;

/** Of what fixed parts leave, the share that a conversation may fill before room is made; where they are large, more. */
const FREE_SHARE = 2 / 3;
const SCARCE_SHARE = 0.8;

/** What can never be left out (system prompt, instructions, tools) takes more than half of what there is. */
export const isScarce = (fixed: number, { window, limit }: Pick<Budget, 'window' | 'limit'>): boolean =>
  fixed > Math.min(window, limit / USUAL_LIMIT) / 2;

/**
 * Tokens of a request above which room is made, where what can never be left out takes `fixed` of them. A limit that
 * hardly lies above that would be reached again by the next message: then it is a share of what is free.
 */
export function limitAbove(fixed: number, budget: Pick<Budget, 'window' | 'limit'>): number {
  const { window, limit } = budget;
  // Where room is made far below the window, it is as if that were smaller.
  const counts = Math.min(window * FULL, Math.max(limit / USUAL_LIMIT, fixed * 1.5));
  const share = isScarce(fixed, budget) ? SCARCE_SHARE : FREE_SHARE;
  return Math.max(limit, Math.floor(fixed + (counts - fixed) * share));
}

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
