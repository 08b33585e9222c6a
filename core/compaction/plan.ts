/** Decides what makes room when a conversation gets too long for its window. Pure: sizes in, what to leave out. */
import type { Entry } from '../history.ts';
import { SHORT_RESULT } from './shortened.ts';
import { type Budget, charactersOf, FRAME, FULL, isScarce, limitAbove, USUAL_LIMIT } from './size.ts';

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
  /** What lies before event `from` is summarised, in at most `room` characters. */
  | {
      kind: 'summarise';
      before: number;
      after: number;
      pruneBefore: number;
      clip: number;
      from: number;
      room: number;
    }
  /** What cannot be left out alone is too much. */
  | { kind: 'stuck'; before: number; sizes: Sizes };

/** What is kept word for word: the newest messages, up to this share of the window, or of what fixed parts leave of it. */
const NEWEST_SHARE = 1 / 4;
/** Parts of that share, tried in turn: in a small window less may have to do; 0 is the newest message alone. */
const PARTS = [1, 1 / 2, 1 / 4, 0];
/** Room must be made for more than the next message, or the next one would be compacted again. */
const ENOUGH = 0.7;
/** The same of what fixed parts leave; less where they are large. */
const ENOUGH_OF_FREE = 0.6;
const ENOUGH_OF_SCARCE = 0.4;
/** A summary, in characters: at most so many, or this share of a large window; shorter than the least it says nothing. */
const SUMMARY_CHARACTERS = 4_000;
const SUMMARY_SHARE = 1 / 32;
const LEAST_SUMMARY = 400;
/** Rather fewer of the newest messages than a shorter one. */
const GOOD_SUMMARY = 1_200;
/** What the request for a summary adds to the messages, with its answer; characters. */
const ASKING = 1_500;

/** `force`: the server found the request too long, or a person asked, whatever was estimated. */
export function planCompaction(entries: readonly Entry[], budget: Budget, force = false): CompactionPlan {
  const { window, tokensPerCharacter, tools } = budget;
  const tokens = (characters: number) => Math.ceil(characters * tokensPerCharacter);
  const sizes = entries.map(({ message }) => charactersOf(message));
  const total = tools + sum(sizes);
  const before = tokens(total);
  const fixed = tokens(tools + fixedOf(entries));
  const limit = limitAbove(fixed, budget);
  if (!force && before <= limit) return { kind: 'none' };
  // Where room is made far below the window, it is as if that were smaller.
  const counts = Math.min(window, limit / USUAL_LIMIT);
  const scarce = isScarce(fixed, budget);
  const free = scarce ? Math.max(0, counts - fixed) : counts;
  const share = Math.floor((free * NEWEST_SHARE) / tokensPerCharacter);
  // Where the estimate was wrong, or a person knows better, what is there is the measure.
  const room = force ? Math.min(share, Math.floor(total * NEWEST_SHARE)) : share;
  const most = force ? Math.min(limit, before) : limit;
  const fits = Math.floor(window * FULL);
  const ofFree = scarce ? ENOUGH_OF_SCARCE : ENOUGH_OF_FREE;
  const enough = Math.floor(Math.max(most * ENOUGH, fixed + (most - fixed) * ofFree));
  const layouts = PARTS.map((part) => layoutOf(entries, sizes, Math.floor(room * part)));

  const prune = ({ pruneBefore, clip, pruned }: Layout): CompactionPlan => {
    return { kind: 'prune', before, after: tokens(tools + pruned), pruneBefore, clip };
  };
  const summarise = (layout: Layout, target: number, least: number): CompactionPlan | undefined => {
    const { stays, isAllKept, pruneBefore, clip } = layout;
    if (isAllKept) return undefined;
    const left = (tokenCount: number) => Math.floor(tokenCount / tokensPerCharacter) - tools - stays;
    const old = sum(entries.map((entry, i) => (entry.from === 'summary' ? sizes[i]! - FRAME : 0)));
    const wanted = Math.min(
      Math.max(SUMMARY_CHARACTERS, Math.floor((window * SUMMARY_SHARE) / tokensPerCharacter)),
      // Not more than it stands for, and not longer each time.
      Math.max(LEAST_SUMMARY, old, Math.floor((sum(sizes) - stays) / 3)),
    );
    const summary = Math.min(
      wanted,
      // Half of what is left belongs to the messages to come.
      Math.max(LEAST_SUMMARY, Math.floor(left(most) / 2)),
      left(target) - SUMMARY_FRAME,
    );
    const after = tokens(tools + stays + summary + SUMMARY_FRAME);
    if (summary < Math.min(least, wanted) || after >= before) return undefined;
    return { kind: 'summarise', before, after, pruneBefore, clip, from: pruneBefore, room: summary };
  };

  const [usual] = layouts;
  if (tokens(tools + usual!.pruned) <= enough) {
    const space = Math.floor(enough / tokensPerCharacter) - tools;
    return prune(force ? usual! : widened(usual!, entries, sizes, space));
  }
  // A model that cannot read all of it writes no summary: its own words stay where they can.
  const isReadable = before + tokens(ASKING) <= window;
  // What leaves less room than that comes next, and what is over the limit only where it must.
  const targets = [
    [Math.min(enough, fits), GOOD_SUMMARY],
    [Math.min(most, fits), LEAST_SUMMARY],
    ...(force || before > fits ? [[fits, LEAST_SUMMARY] as const] : []),
  ] as const;
  for (const [target, least] of targets)
    for (const layout of layouts) {
      const after = tokens(tools + layout.pruned);
      const pruned = after <= target && after < before ? prune(layout) : undefined;
      const found = isReadable
        ? (summarise(layout, target, least) ?? pruned)
        : (pruned ?? summarise(layout, target, least));
      if (found) return found;
    }
  // Less is not to be had, but it is not too much yet.
  if (!force && before <= fits) return { kind: 'none' };
  const ofKind = (from: Entry['from']) => sum(entries.map((entry, i) => (entry.from === from ? sizes[i]! : 0)));
  const system = ofKind('system');
  const lastPrompt = entries.findLast((entry) => entry.from === 'prompt');
  const prompt = lastPrompt ? charactersOf(lastPrompt.message) : 0;
  return {
    kind: 'stuck',
    before,
    sizes: {
      system: tokens(system),
      tools: tokens(tools),
      prompt: tokens(prompt),
      newest: tokens(Math.max(0, layouts.at(-1)!.stays - system - prompt)),
    },
  };
}

/** Characters of what no compaction leaves out. */
export const fixedOf = (entries: readonly Entry[]): number =>
  entries.reduce(
    (all, { from, message }) => all + (from === 'system' || from === 'instruction' ? charactersOf(message) : 0),
    0,
  );

/** The message around a summary. */
const SUMMARY_FRAME = FRAME + 16;

/** What is left when the newest messages have so much room; characters. */
interface Layout {
  pruneBefore: number;
  clip: number;
  /** All messages, old results in a line each. */
  pruned: number;
  /** Without what a summary would stand for. */
  stays: number;
  /** There is nothing that a summary could stand for. */
  isAllKept: boolean;
}

function layoutOf(entries: readonly Entry[], sizes: readonly number[], room: number): Layout {
  // Several results at once share the room.
  const newest = entries.length - 1 - entries.findLastIndex(({ from }) => from !== 'result');
  const clip = Math.max(SHORT_RESULT, Math.floor(room / Math.max(2, newest)));
  const first = firstKept(entries, sizes, room, clip);
  const kept = entries.map((entry, i) =>
    entry.from !== 'result' ? sizes[i]! : Math.min(sizes[i]!, i < first ? SHORT_RESULT : clip + CLIP_FRAME),
  );
  const lastPrompt = entries.findLast((entry) => entry.from === 'prompt');
  const stays = entries.map((entry, i) =>
    i >= first || entry.from === 'system' || entry.from === 'instruction' || entry === lastPrompt ? kept[i]! : 0,
  );
  return {
    pruneBefore: entries[first]?.seq ?? 0,
    clip,
    pruned: sum(kept),
    stays: sum(stays),
    isAllKept: stays.every((size) => size > 0),
  };
}

/** The same with longer results in so many characters: the newest is mostly one that was just asked for. */
function widened(layout: Layout, entries: readonly Entry[], sizes: readonly number[], space: number): Layout {
  const { pruneBefore, clip, pruned } = layout;
  const isClipped = ({ from, seq }: Entry, i: number) =>
    from === 'result' && seq >= pruneBefore && sizes[i]! > clip + CLIP_FRAME;
  const clipped = sizes.filter((_, i) => isClipped(entries[i]!, i));
  if (!clipped.length) return layout;
  const more = Math.floor((space - pruned) / clipped.length);
  const longer = clipped.map((size) => Math.min(more, size - clip - CLIP_FRAME));
  return { ...layout, clip: clip + more, pruned: pruned + sum(longer) };
}

/** A message with a clipped result, beside what is left of it. */
const CLIP_FRAME = FRAME + 60;

/** Index of the first message that stays: the newest that fit into `room`, at least one, and a result with its call. */
function firstKept(entries: readonly Entry[], sizes: readonly number[], room: number, clip: number): number {
  let used = 0;
  let first = entries.length;
  for (let i = entries.length - 1; i > 0; i--) {
    used += entries[i]!.from === 'result' ? Math.min(sizes[i]!, clip + CLIP_FRAME) : sizes[i]!;
    if (used > room && first < entries.length) break;
    if (entries[i]!.from !== 'result') first = i;
  }
  return first;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
