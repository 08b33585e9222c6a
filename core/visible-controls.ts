/**
 * Characters that command a terminal, that cannot be seen, or that make a line read as another one, and a sign for each.
 * What a person judges or looks up (a command, a name) is shown with these signs wherever it is shown.
 */

/** All but line feed, as a regular expression's source. */
export const CONTROLS = '[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f]';
/**
 * Soft hyphen, marks of direction, joiners, line separators, invisible operators, fillers, annotations, tags, and the
 * selectors of Mongolian, of emoji and of ideographs.
 */
export const INVISIBLE =
  '\\xad|\\u034f|\\u061c|\\u115f|\\u1160|\\u17b4|\\u17b5|[\\u180b-\\u180f]|[\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f]|' +
  '\\u3164|[\\ufe00-\\ufe0f]|\\ufeff|\\uffa0|[\\ufff9-\\ufffb]|[\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}]|[\\u{e0000}-\\u{e0fff}]';
/** A flag of England, Scotland …: an emoji with tags that mean something. */
export const TAGGED_FLAG = '\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{1,6}\\u{e007f}';

// Behind these, joiners and selectors have work to do: emoji, and letters of scripts that join.
const JOINABLE = /[^\x00-\x7f\p{Z}\p{C}]$/u;
const SELECTABLE = /[\p{Emoji}\p{Script=Han}\p{Script=Mongolian}\p{Script=Phags_Pa}\p{Script=Myanmar}\p{Sm}\p{P}]$/u;

const PATTERN = new RegExp(`${TAGGED_FLAG}|${CONTROLS}|${INVISIBLE}|\\p{Cs}`, 'gu');
/** Where none of these is, there is nothing to do. */
const SUSPECT = new RegExp(`${CONTROLS}|${INVISIBLE}|\\p{Cs}`, 'u');

/** A command or a name with a sign for each of them: nothing in it hides the rest. Line feeds and tabs stay. */
export function visibleControls(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(PATTERN, (found, at: number) =>
    found === '\t' || found.startsWith('\u{1f3f4}') ? found : signOf(found, text.slice(Math.max(0, at - 2), at)),
  );
}

/** The sign for one of them; a joiner or selector that emoji and scripts need `before` it stays as it is. */
export function signOf(found: string, before: string): string {
  const code = found.codePointAt(0)!;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  const isPart = code === 0x200c || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f);
  return isPart && hasWork(code, before) ? found : codePointName(code);
}

/** Whether a joiner or a selector changes how the character before it looks. */
export function hasWork(code: number, before: string): boolean {
  if (code === 0x200c || code === 0x200d) return JOINABLE.test(before);
  const isSelector =
    (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef) || (code >= 0x180b && code <= 0x180f);
  return isSelector && SELECTABLE.test(before);
}

export const codePointName = (code: number): string => `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
