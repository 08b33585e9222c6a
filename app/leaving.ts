/**
 * A conversation that was local and is gone on with where the model is not local any more (its server is gone, or has
 * another address): that is a move too, and it is made only as `routing.fallback` says.
 */
import type { IRChatRequest, IRChatStream, IRStreamChunk, IRUsage } from '../providers/ir.ts';
import type { Fallback, Move } from '../providers/routing/moves.ts';

export interface Leaving {
  /** Explicit id of the model that would be asked. */
  to: string;
  fallback: Fallback;
  mayLeave(move: Move): Promise<boolean>;
  /** US dollars of one answer, null when the price is unknown. */
  cost(backend: string, model: string, usage: IRUsage): number | null;
  /** The error of a request that is not sent. */
  refused(message: string): Error;
}

const CHARACTERS_PER_TOKEN = 4;
const MILLION = 1_000_000;
const usageOf = (promptTokens: number, completionTokens: number): IRUsage => ({
  promptTokens,
  completionTokens,
  totalTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
});

/** The stream of `send`, once the conversation may leave; else its one chunk is an error, and nothing is sent. */
export async function* whereItMayLeave(
  { to, fallback, mayLeave, cost, refused }: Leaving,
  request: IRChatRequest,
  send: () => IRChatStream,
): AsyncGenerator<IRStreamChunk, void, undefined> {
  const vendor = to.slice(0, to.indexOf('/'));
  const priceOf = (promptTokens: number, completionTokens: number) =>
    cost(vendor, to.slice(vendor.length + 1), usageOf(promptTokens, completionTokens));
  const [input, output] = [priceOf(MILLION, 0), priceOf(0, MILLION)];
  const may =
    fallback === 'always' ||
    (fallback === 'ask' &&
      (await mayLeave({
        requestId: request.metadata.requestId,
        from: 'The local model of this conversation',
        error: 'it cannot be reached now, and the conversation was local until here',
        to,
        title: vendor,
        price: input === null || output === null ? null : { input, output },
        tokens: Math.ceil(JSON.stringify(request.messages).length / CHARACTERS_PER_TOKEN),
      })));
  if (may) return yield* send();
  const message = `This conversation was local, and ${to} is not on this machine or network: nothing was sent. Start the local server again, or name the model (-m ${to}, /model ${to}) to send it there.`;
  yield { type: 'error', sequence: 0, error: refused(message) };
}
