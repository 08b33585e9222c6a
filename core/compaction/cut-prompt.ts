/** Whether a server read less than it was sent, told by what it counted: few of them say so. */

/** Of servers that choose it themselves; what is left of a cut prompt is hardly less. */
const SMALLEST_WINDOW = 1_000;
/** Fewer tokens that were added say little about a count. */
export const NOTICEABLE = 100;
/** Tokens per character: no tokenizer makes less of text, padding and rules of dashes left aside. */
export const LEAST = 0.08;

/** What a server counted of a request, and what was expected. In tokens where nothing else is said. */
export interface CountedPrompt {
  counted: number;
  /** Of all of it, as far as is known; `lean`: without thinking, which templates leave out in later turns. */
  lean: () => number;
  /** The figure comes from what this server counted. */
  isLearned: boolean;
  /** What came to it since the request before it; null for the first one. */
  news: {
    grown: number;
    added: number;
    addedCharacters: number;
    leanCharacters: () => number;
    tokensPerCharacter: number;
  } | null;
  before: { counted: number; addedCharacters: number; isBehind: boolean } | null;
  /** Earlier counts that held all of a conversation and followed what was added to it. */
  whole: number;
}

/** `isBehind`: the conversation grew and the count did hardly, which is proof only when it stays so. */
export interface Verdict {
  isCut: boolean;
  isBehind: boolean;
}

/** Some servers count only what they had to read anew. `isWell`: it is known what this server makes of a text. */
export const couldBeNew = (counted: number, added: number, isWell = false): boolean =>
  isWell
    ? counted > added * 0.75 && counted < added * 1.25 + 100
    : counted > added * 0.6 && counted < added * 1.6 + 200;

/** It is just what the whole conversation was expected to take, and not what was new in it. */
export const isWhole = (counted: number, before: number, added: number): boolean =>
  Math.abs(counted - before - added) < (before + added) * 0.1 && counted > added * 1.25 + 100;

/** Judges one count. Exact in neither way: what is added may be denser or thinner than what was learned. */
export function judgeCount(prompt: CountedPrompt): Verdict {
  const { counted, lean } = prompt;
  if (!prompt.news || !prompt.before) {
    const isCut =
      (isRound(counted, 64) && lean() > counted * 1.7) ||
      (isUsualWindow(counted) && lean() > counted * 1.05) ||
      (prompt.isLearned && isRound(counted, 8) && lean() > counted * 1.2);
    return { isCut, isBehind: false };
  }
  const { before, isLearned, whole } = prompt;
  const { grown, added, leanCharacters, tokensPerCharacter } = prompt.news;
  if (grown >= added * 0.8) return { isCut: isRound(counted, 64) && lean() > counted * 1.7, isBehind: false };
  const characters = leanCharacters();
  const newest = characters * tokensPerCharacter;
  const isLarge = counted >= SMALLEST_WINDOW;
  const isMore = added >= NOTICEABLE && isLarge;
  const isBehind = newest >= NOTICEABLE && isLarge && grown < newest / 2;
  const isNew = couldBeNew(counted, newest, whole > 0);
  const isExplained = isNew && whole < 2;
  // A cache that kept a part looks like it, until the server has shown that it counts all.
  const isUnclear = whole === 0 && counted < before.counted * 0.75 && !isUsualWindow(before.counted);
  const isMoreThanNew = isLarge && counted > 2 * added + 200 && !isUnclear;
  const tellsAll = whole > 1 || (!isNew && (whole > 0 || counted < newest * 0.6));
  const isCut =
    (isBehind && isLearned && tellsAll && (before.isBehind || grown < characters * LEAST)) ||
    (isRound(counted, 64) && !isExplained && lean() > counted * 1.7) ||
    (isUsualWindow(counted) && lean() > counted * 1.05) ||
    (grown < added / 2 && isMoreThanNew && lean() > counted * 1.25) ||
    // The very same number of prompts that grew by different lengths, or by more than that number.
    (grown === 0 &&
      isMore &&
      (isMoreThanNew ||
        Math.abs(prompt.news.addedCharacters - before.addedCharacters) > prompt.news.addedCharacters / 4)) ||
    (grown <= 0 && isMore && isMoreThanNew && !isExplained && isLearned && lean() > counted * 1.08) ||
    // A part of it is missing, and what is left is a window.
    (isLearned && !isExplained && isRound(counted, 8) && grown < added * 0.7 && lean() > counted * 1.2);
  return { isCut, isBehind };
}

/** Exactly a window that servers choose by themselves: hardly a chance. */
const isUsualWindow = (counted: number): boolean => counted >= 2_048 && Number.isInteger(Math.log2(counted));

/** A number of tokens as windows are, or up to so many less. */
function isRound(counted: number, less: number): boolean {
  const beside = counted % 1024;
  return counted >= 2_000 && (beside <= 8 || beside >= 1024 - less);
}
