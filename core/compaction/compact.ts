/** Makes room in a conversation that gets too long for its window. */
import { type IRChatRequest, type IRChatStream, type IRUsage, partsOf } from '../../providers/ir.ts';
import type { Entry } from '../history.ts';
import type { SessionState } from '../state.ts';
import type { Served, StoredBody } from '../types.ts';
import { changedInstructions } from './changed-instructions.ts';
import { lostSkills } from './lost-skills.ts';
import { fixedOf, planCompaction, type Sizes } from './plan.ts';
import { type Budget, FULL } from './size.ts';
import { wholeSummary, writtenIn } from './summary.ts';
import type { SummaryFacts } from './summary-facts.ts';
import { writeSummary } from './write-summary.ts';

/** What compaction needs of its session. */
export interface CompactionPort {
  readonly state: SessionState;
  readonly facts: SummaryFacts;
  entries(): readonly Entry[];
  /** Characters of all messages. */
  characters(): number;
  /** The next request as it is now. */
  request(): IRChatRequest;
  ask(request: IRChatRequest, signal: AbortSignal): IRChatStream;
  /** US dollars, null when the price is unknown. */
  cost(usage: IRUsage, served: Served): number | null;
  append(body: StoredBody): void;
  /** Tells what takes a while, null when it is over. */
  doing(what: 'making room' | null): void;
}

export type CompactionResult =
  /** It was short enough. */
  | { kind: 'none' }
  | { kind: 'done'; before: number; after: number; summarised: boolean }
  | { kind: 'stuck'; before: number; sizes: Sizes }
  /** Nothing was changed. */
  | { kind: 'aborted' }
  /** The model could not be asked for a summary, and there is room to go on without one. */
  | { kind: 'failed'; why: string };

export interface CompactionOptions {
  signal: AbortSignal;
  budget: Budget;
  /** Make room whatever was estimated. */
  force?: boolean;
  /** A person wants it, outside of a turn. */
  asked?: boolean;
  /** What the summary must hold, in a person's words. */
  keep?: string;
}

export async function compact(port: CompactionPort, options: CompactionOptions): Promise<CompactionResult> {
  const { signal, budget, force } = options;
  const entries = [...port.entries()];
  const plan = planCompaction(entries, budget, force);
  if (plan.kind === 'none' || plan.kind === 'stuck') return plan;
  const { before, after, pruneBefore, clip } = plan;
  if (plan.kind === 'prune') {
    port.append({ type: 'compaction', before, after, summary: '', pruneBefore, clip });
    tellWhatHolds(port, entries, budget);
    return { kind: 'done', before, after, summarised: false };
  }
  const last = port.entries().find((entry) => entry.from === 'summary');
  const earlier =
    last &&
    writtenIn(
      partsOf(last.message.content)
        .map((part) => (part.type === 'text' ? part.text : ''))
        .join(''),
    );
  port.doing('making room');
  const { from, room } = plan;
  const { text, usage, failure, isUnasked } = await writeSummary(port, options, { from, room }).finally(() =>
    port.doing(null),
  );
  const paid = { ...(usage && { usage }), ...(options.asked && { asked: true as const }) };
  if (signal.aborted) {
    // What was answered before that is paid for; a turn says itself how it ended.
    if (usage || (options.asked && signal.reason !== 'close'))
      port.append({ type: 'notice', level: 'info', text: INTERRUPTED, ...paid });
    return { kind: 'aborted' };
  }
  // An error is no bad summary: where all of it still fits, nothing is lost for it.
  if (text === undefined && failure && (options.asked || !force) && before <= budget.window * FULL) {
    if (usage) port.append({ type: 'notice', level: 'info', text: FAILED, ...paid });
    return { kind: 'failed', why: failure.message };
  }
  if (text === undefined) {
    const why = failure
      ? `the summary failed (${failure.message})`
      : isUnasked
        ? 'the window is too small to ask for a summary'
        : 'the model gave no summary that will do';
    port.append({ type: 'notice', level: 'warning', text: `${why}: ${INSTEAD}` });
  }
  // Where nothing could be had, what was written the last time is better than nothing.
  const summary = wholeSummary(text ?? earlier, port.facts, from, port.state, room);
  // It was planned with all of the summary's room.
  const spared = Math.floor(Math.max(0, room - summary.length) * budget.tokensPerCharacter);
  const sizes = { before, after: after - spared };
  port.append({ type: 'compaction', ...sizes, summary, from, pruneBefore, clip, ...paid });
  tellWhatHolds(port, entries, budget);
  return { kind: 'done', ...sizes, summarised: true };
}

const INSTEAD = 'what the log knows, your words above all, stands for the older messages';
const FAILED = 'making room failed; nothing was left out';

const INTERRUPTED = 'interrupted: nothing was left out';

/** `before`: the messages as they were. */
function tellWhatHolds(port: CompactionPort, before: readonly Entry[], budget: Budget): void {
  for (const text of lostSkills(before, port.entries(), budget)) port.append({ type: 'note', about: 'skill', text });
  for (const text of changedInstructions(port.entries(), port.state, budget))
    port.append({ type: 'note', about: 'instructions', text });
}

/** What a person should know where the fixed parts take more than half of the window; undefined where they do not. */
export function scarceMessage(entries: readonly Entry[], budget: Budget): string | undefined {
  const { window, tokensPerCharacter, tools, widen } = budget;
  const tokens = (characters: number) => Math.ceil(characters * tokensPerCharacter);
  const system = fixedOf(entries);
  if (tokens(system + tools) <= window / 2) return undefined;
  return [
    `What every request begins with takes more than half of the window of ${window} tokens (system prompt and instructions ${tokens(system)}, tools ${tokens(tools)}): room has to be made often.`,
    `Shorten AGENTS.md, ${widen ? `${widen}, ` : ''}or choose a model with a larger window (/model).`,
  ].join(' ');
}

/** What a person reads when nothing that may be left out is left. */
export function stuckMessage({ before, sizes }: { before: number; sizes: Sizes }, budget: Budget): string {
  const { system, tools, prompt, newest } = sizes;
  const fits = before < budget.window;
  return [
    fits
      ? `The server refused the conversation as too long for a window of ${budget.window} tokens, though it was estimated at ${before}: dense text (data, numbers, other scripts) takes more tokens, or it serves a smaller window.`
      : `The conversation needs about ${before} tokens and the window holds ${budget.window}.`,
    `What cannot be left out: system prompt and instructions ${system}, tools ${tools}, your prompt ${prompt}, newest messages ${newest}.`,
    `${sizes.prompt > sizes.system ? 'Shorten the prompt (what lies in a file can be read in parts)' : 'Shorten AGENTS.md or the prompt'}, ${budget.widen ? `${budget.widen}, ` : ''}or choose a model with a larger window (/model).`,
  ].join(' ');
}
