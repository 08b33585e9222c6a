/**
 * gpt-oss through servers that swallow its tokens: of `<|channel|>analysis<|message|>We look.<|end|><|start|>assistant…`
 * only the names of the channels are left, run into the text: `analysisWe look.assistantfinalThe answer`.
 */
import type { ThinkingCloser } from './family.ts';
import { findCloser } from './thinking-passage.ts';

export interface Channel {
  kind: 'analysis' | 'commentary' | 'final';
  /** Where its text begins. */
  end: number;
  /** False for what an identifier may begin with too. */
  isCertain: boolean;
  /** A small letter follows: whatever model says so, only the next message tells that it is no other word. */
  isWord: boolean;
}

/** Behind a channel's name a sentence begins, as a rule with a capital. */
const SENTENCE = '[\\p{Lu}\\p{Lo}"“]';
const CHANNEL = new RegExp(
  `^(assistant)?(?:(analysis|commentary)(?:(?=${SENTENCE})|(?=(\\p{Ll})))|final(?=[^\\s,.;:)\`'”]))`,
  'u',
);
const NAMES = ['analysis', 'commentary', 'assistantanalysis', 'assistantcommentary', 'assistantfinal'];
const LONGEST = 40;

/** No space was there before the tokens, and nobody quotes the name. */
const before = /^[^\s"'“‘`(]?$/;
/** Glued to both sides the name of a channel is no word of any text. */
const sentence = new RegExp(`^(?:${SENTENCE}|\\p{Ll})`, 'u');

/** The next message of the same answer, which ends the thinking or what was said before a call. */
export const NEXT_MESSAGE: readonly ThinkingCloser[] = [
  { text: 'assistantfinal', before, behind: /^[^,;:)`'”]|^$/ },
  { text: 'assistantcommentary to=functions.', before, keeps: true },
  { text: 'assistant to=functions.', before, keeps: true },
  { text: 'assistantcommentary', before, behind: sentence, keeps: true },
  { text: 'assistantanalysis', before, behind: sentence, keeps: true },
];

export const isGptOss = (family: string | undefined): boolean => /gpt-?oss/i.test(family ?? '');

/** The channel whose name stands at `at`; `maybe` while the text is too short to tell. */
export function channelAt(text: string, at: number, ended: boolean): Channel | 'maybe' | 'no' {
  const head = text.slice(at, at + LONGEST);
  const found = CHANNEL.exec(head);
  if (!found) return !ended && NAMES.some((name) => name.startsWith(head)) ? 'maybe' : 'no';
  const [all, assistant, kind = 'final', small] = found;
  if (kind === 'final' && !assistant) return 'no';
  const isWord = small !== undefined;
  return { kind: kind as Channel['kind'], end: at + all.length, isCertain: assistant !== undefined && !isWord, isWord };
}

/** Looks for the next message while a text grows: that it comes makes certain what the text is. */
export class SwallowedWatch {
  readonly #start: number;
  #read = 0;

  /** `start`: where the text of the first message begins. */
  constructor(start: number) {
    this.#start = start;
  }

  finds(text: string, ended: boolean): boolean {
    const from = Math.max(this.#start, this.#read - LONGEST);
    this.#read = text.length;
    return findCloser(text.slice(from), NEXT_MESSAGE, { before: text[from - 1], ended }) !== undefined;
  }
}
