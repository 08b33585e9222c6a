/** The words with each long option that is shortened to a beginning of one of `names` written in full; `flags` are no beginnings. */
export function writtenOut(
  words: readonly string[],
  names: ReadonlySet<string>,
  flags: ReadonlySet<string> = new Set(),
): readonly string[] {
  return words.map((word) => {
    if (!word.startsWith('--') || word.length < 4) return word;
    const equals = word.indexOf('=');
    const written = equals < 0 ? word : word.slice(0, equals);
    if (names.has(written) || flags.has(written)) return word;
    const full = [...names].find((name) => name.startsWith(written));
    return full === undefined ? word : full + (equals < 0 ? '' : word.slice(equals));
  });
}
