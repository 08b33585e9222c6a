/** Where the number of spaces inside a line says nothing: in code, never in text that a program would print. */

/** Strings, characters and patterns on one line: quotes, slashes, literals such as `%w(a  b)`. */
const QUOTED = /["'`/\u2018-\u201f]|%[a-zA-Z]?[([{<|!]/;

/** What may hold text over several lines: quotes of three, backticks, here-documents, long brackets, YAML's blocks. */
const OPENS_TEXT = /"""|'''|`|<<|\[=*\[|(?:^|[\s:])[|>][-+\d]*[ \t]*$|\\$/m;

/** A line with one space for each run of them; one that may hold a literal only without those at its ends. */
export const oneSpaced = (line: string): string =>
  QUOTED.test(line) ? line.trim() : line.trim().replace(/[ \t]+/g, ' ');

/** True when no literal of the text can go over a line's end. */
export const isPlainCode = (text: string): boolean =>
  !OPENS_TEXT.test(text) && text.split('\n').every((line) => isEven(line, '"') && isEven(line, "'"));

const isEven = (line: string, quote: string): boolean => line.split(quote).length % 2 === 1;
