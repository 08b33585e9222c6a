/**
 * Turns the bytes of a text file into a string and back without losing one: encode(decode(bytes)) gives equal bytes for
 * every input. Unknown 8-bit encodings are read as Latin-1, where each byte is one character.
 */
import { isUtf8 } from 'node:buffer';

/** `utf-8-damaged`: UTF-8 with some invalid bytes, each held as the lone surrogate U+DC00 + byte. */
export type TextEncoding = 'utf-8' | 'utf-8-damaged' | 'utf-16le' | 'utf-16be' | 'latin-1';

export interface DecodedText {
  /** Without the byte order mark. */
  text: string;
  encoding: TextEncoding;
  /** The file began with a byte order mark. */
  bom: boolean;
  /** A last byte that is no whole UTF-16 unit. */
  rest: Buffer;
}

const NONE = Buffer.alloc(0);
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

export function decodeText(bytes: Buffer): DecodedText {
  const wide = bytes.length >= 2 && (bytes[0]! << 8) | bytes[1]!;
  if (wide === 0xfffe || wide === 0xfeff) {
    const end = bytes.length - (bytes.length % 2);
    const units = wide === 0xfffe ? bytes.subarray(2, end) : Buffer.from(bytes.subarray(2, end)).swap16();
    const encoding = wide === 0xfffe ? 'utf-16le' : 'utf-16be';
    return { text: units.toString('utf16le'), encoding, bom: true, rest: bytes.subarray(end) };
  }
  const bom = bytes.length >= 3 && bytes.subarray(0, 3).equals(BOM);
  const body = bom ? bytes.subarray(3) : bytes;
  if (isUtf8(body)) return { text: body.toString('utf8'), encoding: 'utf-8', bom, rest: NONE };
  const mended = decodeDamaged(body);
  // More good multi-byte characters than bad bytes: UTF-8 with an accident. Otherwise another encoding.
  if (bom || mended.good > mended.bad) return { text: mended.text, encoding: 'utf-8-damaged', bom, rest: NONE };
  return { text: body.toString('latin1'), encoding: 'latin-1', bom, rest: NONE };
}

/** The bytes of `decoded` with its text replaced. The text must be one that `unencodable` accepts. */
export function encodeText(text: string, decoded: Omit<DecodedText, 'text'>): Buffer {
  const { encoding, bom, rest } = decoded;
  if (encoding === 'utf-8') return bom ? Buffer.concat([BOM, Buffer.from(text, 'utf8')]) : Buffer.from(text, 'utf8');
  if (encoding === 'latin-1') return Buffer.from(text, 'latin1');
  if (encoding === 'utf-8-damaged') return Buffer.concat([bom ? BOM : NONE, encodeDamaged(text)]);
  const units = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return Buffer.concat([encoding === 'utf-16be' ? units.swap16() : units, rest]);
}

/** The first character of new text that a file in `encoding` cannot hold; undefined when it holds all. */
export function unencodable(text: string, encoding: TextEncoding): string | undefined {
  const lone = /\p{Surrogate}/u.exec(text);
  if (lone) return lone[0];
  return encoding === 'latin-1' ? /[^\u0000-\u00ff]/u.exec(text)?.[0] : undefined;
}

/** How a character is named to a reader, for example `"é" (U+00E9)`. */
export function nameCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return /\p{Surrogate}/u.test(character) ? `half a surrogate pair (U+${code})` : `"${character}" (U+${code})`;
}

/** Length of the valid UTF-8 sequence at `at`, or 0. Overlong forms, surrogates and values above U+10FFFF are invalid. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

function decodeDamaged(bytes: Buffer): { text: string; good: number; bad: number } {
  const parts: string[] = [];
  let good = 0;
  let bad = 0;
  let start = 0;
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes, i);
    if (length > 1) good++;
    if (length === 0) {
      if (i > start) parts.push(bytes.toString('utf8', start, i));
      parts.push(String.fromCharCode(0xdc00 + bytes[i]!));
      bad++;
      start = i + 1;
    }
    i += length || 1;
  }
  parts.push(bytes.toString('utf8', start));
  return { text: parts.join(''), good, bad };
}

function encodeDamaged(text: string): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  for (const found of text.matchAll(/[\uDC80-\uDCFF]/gu)) {
    parts.push(
      Buffer.from(text.slice(start, found.index), 'utf8'),
      Buffer.from([text.charCodeAt(found.index) - 0xdc00]),
    );
    start = found.index + 1;
  }
  parts.push(Buffer.from(text.slice(start), 'utf8'));
  return Buffer.concat(parts);
}
