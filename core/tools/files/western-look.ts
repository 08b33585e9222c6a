/** How much the bytes of a text look like Windows-1252, of which Latin-1 is a part. */

/** Quotes, dashes, signs of money, number and law, which stand beside words. */
const SIGNS = new Set([
  0x80, 0x82, 0x84, 0x85, 0x8b, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9b, 0xa0, 0xa1, 0xa2, 0xa3, 0xa7,
  0xa9, 0xab, 0xae, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb7, 0xb9, 0xba, 0xaa, 0xbb, 0xbc, 0xbd, 0xbe, 0xbf, 0xd7,
]);
const OTHER_LETTERS = new Set([0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f]);
/** Letters that are words, or stand alone, in French, Portuguese, Swedish …: À É Ó à é ó ö å æ ø y. */
const WORDS = new Set([0xc0, 0xc9, 0xd3, 0xc5, 0xd6, 0xe0, 0xe9, 0xf3, 0xf6, 0xe5, 0xe6, 0xf8, 0xfd]);

const isLetter = (byte: number): boolean => (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) || OTHER_LETTERS.has(byte);
const isUpper = (byte: number): boolean => (byte >= 0xc0 && byte <= 0xde) || [0x8a, 0x8c, 0x8e, 0x9f].includes(byte);
const isLatin = (byte: number | undefined): boolean =>
  byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

/** From 0, as no text in a Western language has them, to 1; the average over the bytes that are not ASCII. */
export function westernLook(sample: Buffer): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < sample.length; ) {
    if (sample[at]! < 0x80) {
      at++;
      continue;
    }
    const start = at;
    while (at < sample.length && sample[at]! >= 0x80) at++;
    sum += lookOfRun(sample.subarray(start, at), sample[start - 1], sample[at]) * (at - start);
    count += at - start;
  }
  return count === 0 ? 1 : sum / count;
}

/** A run of such bytes between two that are none. */
function lookOfRun(run: Buffer, before: number | undefined, after: number | undefined): number {
  let from = 0;
  let to = run.length;
  while (from < to && SIGNS.has(run[from]!)) from++;
  while (to > from && SIGNS.has(run[to - 1]!)) to--;
  const signs = run.length - (to - from);
  if (from === to) return signs <= 2 ? 1 : signs <= 4 && new Set(run).size === 1 ? 0.8 : 0.3;
  const letters = run.subarray(from, to);
  if (!letters.every(isLetter)) return 0;
  const joined = (from === 0 && isLatin(before)) || (to === run.length && isLatin(after));
  // A capital inside a word of small letters.
  const previous = from === 0 && isLatin(before) ? before! : undefined;
  const lower = [previous !== undefined && previous > 0x60, ...[...letters].map((byte) => !isUpper(byte))];
  const isMixed = lower.some((small, i) => small && i + 1 < lower.length && !lower[i + 1]);
  if (isMixed) return 0.1;
  const isCapitals = letters.length < 4 && letters.every(isUpper);
  const several = joined ? 0.9 : isCapitals ? 0.65 : 0.4;
  const base = letters.length > 1 ? several : joined || WORDS.has(letters[0]!) ? 1 : 0.7;
  const long = letters.length < 3 ? 1 : letters.length === 3 ? (isCapitals ? 0.95 : 0.8) : 0.4;
  return base * long * (signs > 2 ? 0.5 : 1);
}
