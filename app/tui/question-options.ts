/** The options of a question and what a person presses or types for each. */
import type { EventOf } from '../../core/types.ts';

/** Numbers and letters go so far; more options are answered in words. */
export const MOST_KEYS = 9;

/** The option that a number (from 1) or a letter (from a) names, or that is spelled out (`y` and `n` too); undefined: none. */
export function optionOf({ options = [] }: EventOf<'question'>, text: string): string | undefined {
  const word = text.trim().toLowerCase();
  const place = /^[1-9]$/.test(word) ? Number(word) - 1 : /^[a-i]$/.test(word) ? word.charCodeAt(0) - 97 : -1;
  const spelled = options.map((option) => option.trim().toLowerCase());
  const yesOrNo = word === 'y' ? spelled.indexOf('yes') : word === 'n' ? spelled.indexOf('no') : -1;
  return options[place] ?? options[yesOrNo] ?? options[spelled.indexOf(word)];
}
