/** Edits that would need to know what a file does not tell: which characters its bytes are. */
import type { DecodedText } from '../files/text-encoding.ts';
import type { Span } from './types.ts';

const FOREIGN = /[^\x00-\x7f]/;

/** Why an edit cannot be made in a text whose encoding is only guessed; undefined where it can. */
export function needsEncoding({ codec, doubtful }: DecodedText, ...texts: readonly string[]): string | undefined {
  return doubtful && texts.some((text) => FOREIGN.test(text)) ? unsure(codec.name) : undefined;
}

/** The same for a place directly behind a character that is not ASCII: its first byte may belong to that one. */
export function mayCutCharacter(
  { codec, doubtful }: DecodedText,
  text: string,
  places: readonly Span[],
): string | undefined {
  if (!doubtful || !places.some(({ start }) => text.charCodeAt(start - 1) > 0x7f)) return undefined;
  return `the place is directly behind a character outside ASCII, and ${unsure(codec.name)}`;
}

const unsure = (name: string): string =>
  `the encoding of this file is not certain (perhaps ${name}), so that only ASCII text in it can be changed. ` +
  'Leave characters outside ASCII out of `old` and `new`, or convert the file first, for example with iconv -f ENCODING -t UTF-8.';

/** Why `old` is not found in a file with bytes that no character stands for; undefined where that is not the reason. */
export function damagedBytes({ codec, text }: DecodedText, old: string): string | undefined {
  if (codec.name !== 'utf-8-damaged' || !old.includes('\ufffd')) return undefined;
  const lines = text.split('\n').flatMap((line, i) => (/\p{Surrogate}/u.test(line) ? [i + 1] : []));
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ' …' : ''}`;
  return (
    `\`old\` has \ufffd, which in this file stands for bytes that are not valid UTF-8 (${where}). They cannot be given as text. ` +
    'Choose text beside them, or remove them with a command, for example perl or iconv -c.'
  );
}
