/** Has the session's model write the summary of older messages, whatever the window holds of them. */
import { AdapterError } from '../../providers/errors.ts';
import type { IRChatRequest, IRChatStream, IRMessage } from '../../providers/ir.ts';
import { servedBy, usageOf } from '../served.ts';
import { addUsage } from '../state.ts';
import type { Usage } from '../types.ts';
import type { CompactionOptions, CompactionPort } from './compact.ts';
import { SHORT_RESULT, shortened } from './shortened.ts';
import { charactersOf } from './size.ts';
import { headingsIn, lacking, summaryRequest } from './summary.ts';
import { transcript } from './transcript.ts';

export interface WrittenSummary {
  /** Undefined where no summary could be had. */
  text: string | undefined;
  /** Of all answers, also of those that are not used. */
  usage: Usage | undefined;
  /** The request failed, and not for its length. */
  failure: Error | undefined;
  /** Nothing could be asked for: what must be told does not fit. */
  isUnasked: boolean;
}

/** `from`: the number of the first event that is not summarised; `room`: characters of the whole summary. */
export interface SummaryPlan {
  from: number;
  room: number;
}

/** A part of what was refused that is hardly refused too. */
const SMALLER = 3 / 4;
/** So many pieces at most: each is a request of its own. */
const PIECES = 4;
/** Of a window, what a piece may fill with all that stands around it. */
const FULL = 0.9;
/** What stands around a piece; characters. */
const AROUND = 1_500;
/** A piece that is smaller tells too little for a request of its own. */
const LEAST_PIECE = 1_000;

/**
 * Asks the session's model, with the same window and behind the same messages, so that a local server reads nothing
 * anew; where these are too many, results are shortened; where that is not enough, what is to be summarised is told as
 * text, in pieces. Nothing is asked for that the window does not hold together with its answer: the server would cut
 * what is to be summarised.
 */
export async function writeSummary(
  port: CompactionPort,
  options: CompactionOptions,
  plan: SummaryPlan,
): Promise<WrittenSummary> {
  const { keep, budget, force, asked } = options;
  const { room } = plan;
  const request = port.request();
  const whole = [...request.messages, { role: 'user' as const, content: summaryRequest(keep, room) }];
  const sizeOf = (messages: readonly IRMessage[]) =>
    messages.reduce((sum, message) => sum + charactersOf(message), budget.tools);
  const isReadable = (messages: readonly IRMessage[]) =>
    (sizeOf(messages) + room / 2) * budget.tokensPerCharacter <= budget.window;
  const isRefused = force && !asked;
  const refused = sizeOf(request.messages);
  // Longer than what was refused, it would be refused too.
  const messages = isRefused || !isReadable(whole) ? whole.map(withShortResults) : whole;
  const writer = new Writer(port, options);
  if (isReadable(messages) && !(isRefused && sizeOf(messages) > refused * SMALLER)) {
    const text = await writer.write({ ...request, messages }, isReadable);
    if (!writer.isTooLong) return written(text, writer);
  }
  const most = Math.floor((budget.window * FULL) / budget.tokensPerCharacter) - room - AROUND;
  const isGuess = isRefused || writer.isTooLong;
  const text = await inPieces(writer, request, port, { ...plan, keep }, isGuess ? Math.min(most, refused / 2) : most);
  return written(text, writer);
}

const written = (text: string | undefined, { usage, failure, isUnasked }: Writer): WrittenSummary => ({
  text,
  usage,
  failure,
  isUnasked,
});

const withShortResults = (message: IRMessage): IRMessage =>
  shortened({ seq: 0, from: 'result', message }, new Map(), SHORT_RESULT).message;

/**
 * The summary of what lies before event `from`, told as text in pieces of at most `limit` characters; each answer goes on
 * from the one before it. Pieces that the server finds too long are halved, once.
 */
async function inPieces(
  writer: Writer,
  request: IRChatRequest,
  port: CompactionPort,
  { from, room, keep }: SummaryPlan & { keep: string | undefined },
  limit: number,
): Promise<string | undefined> {
  const older = port
    .entries()
    .filter((entry) => entry.seq < from && entry.from !== 'system' && entry.from !== 'instruction')
    .map(({ message }) => message);
  for (let length = Math.floor(limit), tries = 0; tries < 2 && length >= LEAST_PIECE; length >>= 1, tries++) {
    const pieces = transcript(older, length, PIECES);
    let summary: string | undefined;
    writer.isTooLong = false;
    for (const [i, piece] of pieces.entries()) {
      const part = pieces.length > 1 ? `Part ${i + 1} of ${pieces.length} of` : 'Here is';
      const content = [
        `${part} a conversation between a user and you, a coding agent, as text:`,
        piece,
        ...(summary ? [`Your summary of the parts before it, which the new one must hold too:\n${summary}`] : []),
        summaryRequest(keep, room),
      ].join('\n\n');
      const { tools: _, cache: __, ...rest } = request;
      summary = (await writer.write({ ...rest, messages: [{ role: 'user', content }] })) ?? summary;
      if (writer.isTooLong || writer.isStopped) break;
    }
    if (!writer.isTooLong || writer.isStopped) return summary;
  }
  return undefined;
}

/** Asks for summaries, and counts what they took. */
class Writer {
  readonly #port: CompactionPort;
  readonly #signal: AbortSignal;
  usage: Usage | undefined;
  /** The last request was refused as too long. */
  isTooLong = false;
  /** The last request failed in another way, or was stopped. */
  isStopped = false;
  /** How it failed. */
  failure: Error | undefined;
  isUnasked = true;

  constructor(port: CompactionPort, { signal }: Pick<CompactionOptions, 'signal'>) {
    this.#port = port;
    this.#signal = signal;
  }

  /** One repair, of which the better answer counts; undefined where no summary could be had. */
  async write(
    request: IRChatRequest,
    isReadable: (messages: readonly IRMessage[]) => boolean = () => true,
  ): Promise<string | undefined> {
    const messages = [...request.messages];
    let best: string | undefined;
    for (let tries = 0; tries < 2 && !this.#signal.aborted && isReadable(messages); tries++) {
      const text = await this.#answer(this.#port.ask({ ...request, messages: [...messages] }, this.#signal));
      if (text === undefined) {
        // What is there will do.
        if (best !== undefined) this.isTooLong = false;
        break;
      }
      const problem = lacking(text);
      if (!problem) return text;
      // A second answer may be worse, and what has no heading is no summary.
      if (headingsIn(text) > headingsIn(best ?? '')) best = text;
      messages.push({ role: 'assistant', content: text || '(nothing)' }, { role: 'user', content: problem });
    }
    return best;
  }

  /** The text of one answer; undefined when there was none. */
  async #answer(stream: IRChatStream): Promise<string | undefined> {
    let text = '';
    this.isUnasked = false;
    for await (const chunk of stream) {
      if (chunk.type === 'content') text += chunk.delta;
      else if (chunk.type === 'retry' && chunk.discard) text = '';
      else if (chunk.type === 'error') {
        this.isTooLong = chunk.error instanceof AdapterError && chunk.error.category === 'overflow';
        this.isStopped = !this.isTooLong;
        if (this.isStopped && !this.#signal.aborted) this.failure = chunk.error;
        return undefined;
      } else if (chunk.type === 'done' && chunk.usage) {
        const served = servedBy(chunk, this.#port.state.model);
        const took = usageOf(chunk.usage, this.#port.cost(chunk.usage, served));
        this.usage = this.usage ? addUsage(this.usage, took) : took;
      }
    }
    this.isStopped = this.#signal.aborted;
    return text;
  }
}
