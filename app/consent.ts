/** Whether a conversation may leave this machine: `routing.fallback`, and what a person says when asked. */
import { type AskPerson, isYes } from '../core/question.ts';
import type { Move } from '../providers/routing/moves.ts';

export interface ConsentOptions {
  ask: AskPerson;
  /** Models that the person agreed to earlier in this conversation. */
  agreed(): readonly string[];
}

/** Asks once a request and once a model: a yes holds for the rest of the conversation, a no for the request. */
export function createConsent({ ask, agreed }: ConsentOptions): (move: Move) => Promise<boolean> {
  let last: string | undefined;
  return async (move) => {
    if (agreed().includes(move.to)) return true;
    // Who said no to one hosted model is not asked for the next; and between hosted ones nothing moves by itself.
    if (last === move.requestId) return false;
    last = move.requestId;
    const answer = await ask({ text: questionText(move), options: ['yes', 'no'], leave: move.to });
    return answer !== undefined && isYes(answer);
  };
}

function questionText({ from, error, to, title, price, tokens }: Move): string {
  const model = to.slice(to.indexOf('/') + 1);
  const cost = price
    ? `$${price.input} in and $${price.output} out per million tokens`
    : 'its price per million tokens is unknown';
  const why = error.length > 300 ? `${error.slice(0, 300)}…` : error;
  return [
    `${from} did not answer: ${why}`,
    `Ask ${model} at ${title} (hosted, ${cost}) instead?`,
    `It would be sent the whole conversation, about ${tokens.toLocaleString('en-US')} tokens. Yes holds for the rest of this conversation.`,
  ].join('\n');
}
