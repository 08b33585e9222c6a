/** Whether markup is shown rather than meant: quoted, listed, compared, or in the middle of a sentence. */
import { markerAt } from './markers.ts';

/** What stands before on the line only marks it: a list, a quotation, a comment, a line of a diff or a table. */
const MARK = /^\s*(?:(?:[-+*>|#]|\/\/|\/\*|<!--|\d+[.)])\s*$|(?:[-+*•>|]|#{1,6}|\/\/|\d+[.)])\s+\S)/;
/** An open quote, bracket or tag for code right before. */
const OPENED = /(?:["'“‘«([{`=,;→⇒]|=>|<(?:code|pre|kbd|samp|q|blockquote|li|td)[^<>]*>)\s*$/i;
/** A sentence is over here, so that what follows may be meant. */
const SENTENCE = /[.!?:…。！？：]["')\]]?\s*$/;

/** `before`: the line up to the markup. True when it cannot be meant as a call. */
export function isShown(before: string): boolean {
  if (before.trim() === '') return false;
  return MARK.test(before) || OPENED.test(before);
}

/** `next`: the first character behind the markup, on the same line or not. True when the line goes on around it. */
function isInsideSentence(before: string, next: string, sameLine: boolean): boolean {
  if (!sameLine) return false;
  if (next === '`') return true;
  if (before.trim() === '') return false;
  return !SENTENCE.test(before) || /[.,;:)\]"'”’»?!]/.test(next);
}

/**
 * What the text behind calls says of them. `before`: the line up to them; `at`: the offset behind their closers, `part`
 * while one may still come; `rest`: what is ordinary text again.
 */
export function behindCalls(
  before: string,
  text: string,
  at: number | 'part',
  ended: boolean,
): 'wait' | { meant: boolean; rest: string } {
  if (at === 'part') return 'wait';
  if (at >= text.length) return ended ? { meant: true, rest: '' } : 'wait';
  const marker = markerAt(text, at);
  if (marker === 'part' && !ended) return 'wait';
  if (marker && marker !== 'part') return { meant: true, rest: text.slice(at) };
  const closers = text.slice(0, at);
  if (isInsideSentence(before, text[at]!, !closers.includes('\n'))) return { meant: false, rest: text };
  // The closers are gone, the space is kept.
  return { meant: true, rest: /\s*$/.exec(closers)![0] + text.slice(at) };
}
