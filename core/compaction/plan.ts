/** Decides what makes room when a conversation gets too long for its window. Pure: sizes in, what to leave out. */
import type { Entry } from '../history.ts';
import { SHORT_RESULT } from './shortened.ts';
import { type Budget, charactersOf, FRAME } from './size.ts';

/** Tokens, estimated. */
export interface Sizes {
  system: number;
  tools: number;
  prompt: number;
  newest: number;
}

export type CompactionPlan =
  | { kind: 'none' }
  /** Leaving out old results is enough. */
  | { kind: 'prune'; before: number; after: number; pruneBefore: number; clip: number }
  /** What lies before event `from` is summarised. */
  | { kind: 'summarise'; before: number; after: number; pruneBefore: number; clip: number; from: number }
  /** What cannot be left out alone is too much. */
  | { kind: 'stuck'; before: number; sizes: Sizes };

/** What is kept word for word: the newest messages, up to this share of the window. */
const NEWEST_SHARE = 1 / 4;
/** Room must be made for more than the next message, or the next one would be compacted again. */
const ENOUGH = 0.7;
/** A request up to this share of the window leaves room for an answer. */
const FULL = 0.95;
/** A summary, estimated; characters. */
const SUMMARY_CHARACTERS = 4_000;

/** `force`: the server found the request too long, or a person asked, whatever was estimated. */
export function planCompaction(entries: readonly Entry[], budget: Budget, force = false): CompactionPlan {
  const { window, limit, tokensPerCharacter, tools } = budget;
  const tokens = (characters: number) => Math.ceil(characters * tokensPerCharacter);
  const sizes = entries.map(({ message }) => charactersOf(message));
  const total = tools + sum(sizes);
  const before = tokens(total);
  if (!force && before <= limit) return { kind: 'none' };
  const share = Math.floor((window * NEWEST_SHARE) / tokensPerCharacter);
  // Where the estimate was wrong, or a person knows better, what is there is the measure.
  const room = force ? Math.min(share, Math.floor(total * NEWEST_SHARE)) : share;
  const most = force ? Math.min(limit, before) : limit;
  const clip = Math.floor(room / 2);
  const first = firstKept(entries, sizes, room, clip);
  const pruneBefore = entries[first]?.seq ?? 0;
  const kept = (entry: Entry, i: number) =>
    entry.from !== 'result' ? sizes[i]! : Math.min(sizes[i]!, i < first ? SHORT_RESULT : clip + FRAME);
  const pruned = tokens(tools + sum(entries.map(kept)));
  if (pruned <= most * ENOUGH) return { kind: 'prune', before, after: pruned, pruneBefore, clip };

  const system = sum(entries.map((entry, i) => (entry.from === 'system' ? sizes[i]! : 0)));
  const lastPrompt = entries.findLast((entry) => entry.from === 'prompt');
  const prompt = lastPrompt ? charactersOf(lastPrompt.message) : 0;
  const stays = entries.map((entry, i) => {
    if (entry.from === 'system' || entry === lastPrompt || entry.from === 'instruction') return sizes[i]!;
    return i < first ? 0 : kept(entry, i);
  });
  const nothingBefore = stays.every((size, i) => i >= first || size > 0);
  const dropped = sum(sizes) - sum(stays);
  const after = tokens(tools + sum(stays) + Math.min(SUMMARY_CHARACTERS, Math.floor(dropped / 3)));
  if (nothingBefore && pruned <= most && pruned < before)
    return { kind: 'prune', before, after: pruned, pruneBefore, clip };
  const fits = Math.floor(window * FULL);
  // Less is not to be had, but it is not too much yet.
  if ((nothingBefore || after >= before) && !force && before <= fits) return { kind: 'none' };
  if (nothingBefore || after >= before || after > fits)
    return {
      kind: 'stuck',
      before,
      sizes: {
        system: tokens(system),
        tools: tokens(tools),
        prompt: tokens(prompt),
        newest: tokens(Math.max(0, sum(stays) - system - prompt)),
      },
    };
  return { kind: 'summarise', before, after, pruneBefore, clip, from: pruneBefore };
}

/** Index of the first message that stays: the newest that fit into `room`, never without the call of a result. */
function firstKept(entries: readonly Entry[], sizes: readonly number[], room: number, clip: number): number {
  let used = 0;
  let first = entries.length;
  for (let i = entries.length - 1; i > 0; i--) {
    used += entries[i]!.from === 'result' ? Math.min(sizes[i]!, clip + FRAME) : sizes[i]!;
    if (used > room && first < entries.length) break;
    if (entries[i]!.from !== 'result') first = i;
    if (used > room) break;
  }
  return first;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
