/**
 * Text without halves of surrogate pairs. A half is no character and UTF-8 cannot say it: some servers refuse every
 * request that holds one. Whoever cuts a text between the halves makes two of them, and a model may write one.
 */

/** Every escape of a JSON text, so that none is begun in the middle of another; the group is a half that stands alone. */
const ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[\s\S])/g;

/** The JSON text with U+FFFD for every half that it writes as an escape; two escapes that are a pair stay. */
export function wellFormedJson(json: string): string {
  // Nearly no text holds one, and this is asked of every line of a log.
  if (!json.includes('\\ud') && !json.includes('\\uD')) return json;
  return json.replace(ESCAPE, (written, half) => (half === undefined ? written : '\ufffd'));
}

/** The beginning of a text: `length` UTF-16 units, or one less where a pair would be cut. */
export function beginningOf(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, text.length > length && last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** The end of a text in the same way. */
export function endingOf(text: string, length: number): string {
  const first = text.charCodeAt(text.length - length);
  return text.slice(text.length - length + (text.length > length && first >= 0xdc00 && first <= 0xdfff ? 1 : 0));
}
