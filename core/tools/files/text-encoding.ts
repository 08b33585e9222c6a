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
}

const MARK = [0xef, 0xbb, 0xbf];

export async function decodeText(bytes: Buffer): Promise<DecodedText> {
  const whole = (codec: TextCodec, from = 0, text?: string, end = bytes.length): DecodedText => {
    const body = from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end);
    const parts = { mark: bytes.subarray(0, from), body, rest: bytes.subarray(end) };
    return { text: text ?? codec.decode(body), codec, ...parts };
  };
  const wide = wideOrder(bytes);
  if (wide) {
    const from = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) ? 2 : 0;
    return whole(wide === 'utf-16le' ? UTF_16LE : UTF_16BE, from, undefined, bytes.length - (bytes.length % 2));
  }
  const from = MARK.every((byte, i) => bytes[i] === byte) ? 3 : 0;
  const body = bytes.subarray(from);
  if (isUtf8(body)) return whole(UTF_8, from);
  const mended = decodeDamaged(body);
  // More good multi-byte characters than bad bytes: UTF-8 with an accident. Otherwise another encoding.
  if (from > 0 || mended.good > mended.bad) return whole(DAMAGED_UTF_8, from, mended.text);
  const { guessEncoding } = await import('./guess-encoding.ts');
  const guess = guessEncoding(bytes);
  if (guess !== undefined) {
    const { decodesWholly, legacyCodec } = await import('./legacy-codec.ts');
    const codec = await legacyCodec(guess);
    const text = codec.decode(bytes);
    if (decodesWholly(codec, text, bytes)) return whole(codec, 0, text);
  }
  return whole(LATIN_1);
}

/** The bytes of a whole file with this text, in the form of `old`: its byte order mark and its encoding. */
export const encodeText = (text: string, { codec, mark }: Pick<DecodedText, 'codec' | 'mark'>): Buffer => {
  const body = codec.encode(text);
  return mark.length > 0 ? Buffer.concat([mark, body]) : body;
};

const SAMPLE = 1 << 14;

/** UTF-16 by its byte order mark, or by the zero bytes of ordinary text where everything else about it fits too. */
export function wideOrder(bytes: Buffer): Extract<TextEncoding, 'utf-16le' | 'utf-16be'> | undefined {
  if (bytes.length < 2) return undefined;
  const first = (bytes[0]! << 8) | bytes[1]!;
  const utf32 = first === 0xfffe && bytes.length >= 4 && bytes[2] === 0 && bytes[3] === 0;
  if (first === 0xfffe && !utf32) return 'utf-16le';
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

/** What a model must know of the encoding, in front of the lines. */
export function encodingNote(name: TextEncoding): string {
  if (name === 'utf-8') return '';
  if (name === 'utf-8-damaged') return '(some bytes are not valid UTF-8; they are shown as \ufffd)\n';
  return `(encoding: ${name}; edits keep it)\n`;
}
