import { beginningOf } from './well-formed.ts';

const LONGEST = 80;

/** What a session is called after a text: its first line, at most 80 UTF-16 units; empty for an empty text. */
export const titleOf = (text: string): string => beginningOf(text.trim().split('\n', 1)[0]!, LONGEST);
