/**
 * Finds out how the bytes of a text file are encoded. What is not Unicode is guessed with care: a wrong guess shows other
 * characters, but never changes a byte, because only what an edit writes is encoded.
 */
import { isUtf8 } from 'node:buffer';
import {
  DAMAGED_UTF_8,
  decodeDamaged,
  LATIN_1,
  type TextCodec,
  type TextEncoding,
  UTF_8,
  UTF_16BE,
  UTF_16LE,
  UTF_32BE,
  UTF_32LE,
} from './text-codec.ts';

export type { TextCodec, TextEncoding } from './text-codec.ts';

export interface DecodedText {
  /** Without the byte order mark. */
  text: string;
  codec: TextCodec;
  /** Where the text stands in the bytes: behind the byte order mark, before a last byte that is no whole UTF-16 unit. */
  body: Buffer;
  mark: Buffer;
  rest: Buffer;
  /** The encoding was guessed from little: other characters may be meant. */
  doubtful?: boolean;
}

type WideEncoding = Extract<TextEncoding, `utf-16${string}` | `utf-32${string}`>;

const WIDE: Readonly<Record<WideEncoding, TextCodec>> = {
  'utf-16le': UTF_16LE,
  'utf-16be': UTF_16BE,
  'utf-32le': UTF_32LE,
  'utf-32be': UTF_32BE,
};

const isWideMark = (bytes: Buffer): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);

const MARK = [0xef, 0xbb, 0xbf];
const MULTI_BYTE: readonly TextEncoding[] = ['shift_jis', 'euc-jp', 'euc-kr', 'gbk', 'gb18030', 'big5'];

/** `file`: the place of the text, for what its project says of it. */
export async function decodeText(bytes: Buffer, file?: string): Promise<DecodedText> {
  const whole = (codec: TextCodec, from = 0, text?: string, end = bytes.length, doubtful = false): DecodedText => {
    const body = from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end);
    const parts = { mark: bytes.subarray(0, from), body, rest: bytes.subarray(end) };
    return { text: text ?? codec.decode(body), codec, ...parts, ...(doubtful && { doubtful }) };
  };
  const wide = wideOrder(bytes);
  if (wide) {
    const unit = wide.startsWith('utf-32') ? 4 : 2;
    const hasMark = unit === 4 || isWideMark(bytes);
    return whole(WIDE[wide], hasMark ? unit : 0, undefined, bytes.length - (bytes.length % unit));
  }
  const from = MARK.every((byte, i) => bytes[i] === byte) ? 3 : 0;
  const body = bytes.subarray(from);
  const isValid = isUtf8(body);
  if (from > 0) return isValid ? whole(UTF_8, from) : whole(DAMAGED_UTF_8, from);
  // Three bytes that are one character by accident are rare; of two bytes, what the file says of itself counts more.
  if (isValid && (!/cod|char/i.test(bytes.toString('latin1', 0, 2048)) || !mayBeTwo(bytes))) return whole(UTF_8);
  const { declaredEncoding, configuredEncoding } = await import('./declared-encoding.ts');
  const inFile = declaredEncoding(bytes);
  const declared = inFile ?? (file === undefined || isValid ? undefined : configuredEncoding(file));
  const asDeclared =
    declared !== undefined && MULTI_BYTE.includes(declared) ? await decodedAs(declared, bytes) : undefined;
  if (asDeclared) return whole(asDeclared.codec, 0, asDeclared.text);
  if (isValid) return whole(UTF_8);
  const mended = decodeDamaged(body);
  // More good multi-byte characters than bad bytes: UTF-8 with an accident. Otherwise another encoding.
  if (mended.good > mended.bad || inFile === 'utf-8') return whole(DAMAGED_UTF_8, 0, mended.text);
  const western = declared === undefined || declared === 'utf-8' ? undefined : await decodedAs(declared, bytes);
  if (western) return whole(western.codec, 0, western.text);
  const { guessEncoding } = await import('./guess-encoding.ts');
  const guess = guessEncoding(bytes);
  const isWestern = guess.encoding === 'latin-1' || guess.encoding === 'windows-1252';
  if ((isWestern || guess.doubtful) && mended.weight > mended.bad) return whole(DAMAGED_UTF_8, 0, mended.text);
  const guessed = await decodedAs(guess.encoding, bytes);
  if (guessed) return whole(guessed.codec, 0, guessed.text, undefined, guess.doubtful);
  return whole(LATIN_1, 0, undefined, undefined, true);
}

/** Undefined where not every byte decodes. */
async function decodedAs(
  name: Exclude<TextEncoding, `utf-${string}`> | 'utf-8',
  bytes: Buffer,
): Promise<{ codec: TextCodec; text: string } | undefined> {
  if (name === 'utf-8') return undefined;
  const { decodesWholly, legacyCodec } = await import('./legacy-codec.ts');
  // What calls itself Latin-1 is Windows-1252 where it uses more than that (as browsers have it).
  const isMore = name === 'latin-1' && bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
  if (name === 'latin-1' && !isMore) return { codec: LATIN_1, text: LATIN_1.decode(bytes) };
  const codec = await legacyCodec(name === 'latin-1' ? 'windows-1252' : name);
  const text = codec.decode(bytes);
  return decodesWholly(codec, text, bytes) ? { codec, text } : undefined;
}

/** True for text that has characters of two bytes in UTF-8, and none of more. */
function mayBeTwo(bytes: Buffer): boolean {
  let found = false;
  for (const byte of bytes) {
    if (byte >= 0xe0) return false;
    if (byte >= 0x80) found = true;
  }
  return found;
}

/** The bytes of a whole file with this text, in the form of `old`: its byte order mark and its encoding. */
export const encodeText = (text: string, { codec, mark }: Pick<DecodedText, 'codec' | 'mark'>): Buffer => {
  const body = codec.encode(text);
  return mark.length > 0 ? Buffer.concat([mark, body]) : body;
};

const SAMPLE = 1 << 14;

/** UTF-32 by its byte order mark; UTF-16 by its own, or by the zero bytes of ordinary text where everything else about it fits too. */
export function wideOrder(bytes: Buffer): WideEncoding | undefined {
  if (bytes.length < 2) return undefined;
  const first = (bytes[0]! << 8) | bytes[1]!;
  if (bytes.length >= 4 && first === 0xfffe && bytes[2] === 0 && bytes[3] === 0) return 'utf-32le';
  if (bytes.length >= 4 && first === 0 && bytes[2] === 0xfe && bytes[3] === 0xff) return 'utf-32be';
  if (first === 0xfffe) return 'utf-16le';
  if (first === 0xfeff) return 'utf-16be';
  if (bytes.length % 2 === 1 || bytes.length < 4) return undefined;
  const sample = bytes.subarray(0, SAMPLE);
  if (!sample.includes(0)) return undefined;
  let even = 0;
  let odd = 0;
  let narrow = 0;
  for (let i = 0; i + 1 < sample.length; i += 2) {
    const [first, second] = [sample[i]!, sample[i + 1]!];
    if (first === 0) even++;
    else if (second === 0) odd++;
    // Two letters or digits side by side, or a line end that is half of something, are rather one byte each.
    else if (isWordByte(first) && isWordByte(second)) narrow++;
    else if (first === 10 || second === 10) return undefined;
  }
  const units = sample.length / 2;
  if (narrow > 0.05 * units) return undefined;
  const order = even === 0 && odd > 0.4 * units ? 'utf-16le' : odd === 0 && even > 0.4 * units ? 'utf-16be' : undefined;
  if (!order) return undefined;
  const text = (order === 'utf-16le' ? UTF_16LE : UTF_16BE).decode(bytes);
  // Control characters, halves of pairs and non-characters are not in texts, but soon in other data.
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffe\uffff]|\p{Surrogate}/u.test(text) ? undefined : order;
}

const isWordByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);

/** How a character is named to a reader, for example `"é" (U+00E9)`. */
export function nameCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return /\p{Surrogate}/u.test(character) ? `half a surrogate pair (U+${code})` : `"${character}" (U+${code})`;
}

/** Text as it may be shown: bytes that no character stands for, and halves of pairs, are U+FFFD. */
export const withoutHalves = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** What a model must know of the encoding, in front of the lines. */
export function encodingNote({ codec: { name }, doubtful }: Pick<DecodedText, 'codec' | 'doubtful'>): string {
  if (name === 'utf-8') return '';
  if (name === 'utf-8-damaged')
    return '(some bytes are not valid UTF-8; they are shown as \ufffd, and edits keep them)\n';
  if (doubtful)
    return `(encoding: perhaps ${name}, a guess from few characters: those outside ASCII may be others; edits keep them, and change only ASCII text)\n`;
  return `(encoding: ${name}; edits keep it)\n`;
}
