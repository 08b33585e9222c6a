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
}

/** Behind a channel's name a sentence begins; a small letter would make it another word. */
const SENTENCE = '[\\p{Lu}\\p{Lo}"“]';
const CHANNEL = new RegExp(`^(assistant)?(?:(analysis|commentary)(?=${SENTENCE})|final(?=[^\\s,.;:)\`'”]))`, 'u');
const NAMES = ['analysis', 'commentary', 'assistantanalysis', 'assistantcommentary', 'assistantfinal'];
const LONGEST = 40;

/** No space was there before the tokens, and nobody quotes the name. */
const before = /^[^\s"'“‘`(]?$/;
const sentence = new RegExp(`^${SENTENCE}`, 'u');

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
  const [all, assistant, kind = 'final'] = found;
  if (kind === 'final' && !assistant) return 'no';
  return { kind: kind as Channel['kind'], end: at + all.length, isCertain: assistant !== undefined };
}

/** Looks for the next message while a text grows: that it comes makes certain what the text is. */
export class SwallowedWatch {
  #read = 0;

  finds(text: string, ended: boolean): boolean {
    const from = Math.max(0, this.#read - LONGEST);
    this.#read = text.length;
    return findCloser(text.slice(from), NEXT_MESSAGE, { before: text[from - 1], ended }) !== undefined;
  }
}
