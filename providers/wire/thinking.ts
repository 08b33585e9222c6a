/** Which thinking of earlier messages may go back to a model. */
import type { IRWarning, MessageContent, ReasoningContent } from '../ir.ts';
import { sameModel } from './facts.ts';

/**
 * The reasoning parts that belong to this model and that `fits` accepts. Others stay behind, with one warning in a
 * request however many there are.
 */
export function ownThinking(
  parts: readonly MessageContent[],
  model: string,
  warnings: IRWarning[],
  fits: (part: ReasoningContent) => boolean,
): ReasoningContent[] {
  const all = parts.filter((part): part is ReasoningContent => part.type === 'reasoning');
  const own = all.filter((part) => (part.model === undefined || sameModel(part.model, model)) && fits(part));
  const message = `thinking of earlier messages is not sent back to ${model}`;
  if (own.length < all.length && !warnings.some((warning) => warning.message === message))
    warnings.push({ kind: 'dropped', field: 'messages', message });
  return own;
}
