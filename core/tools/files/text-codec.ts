/** One text encoding: bytes to characters and back, and where in the bytes a character stands. */
import { isUtf8 } from 'node:buffer';

/** `utf-8-damaged`: UTF-8 with some invalid bytes, each held as the lone surrogate U+DC00 + byte. */
export type TextEncoding =
  | 'utf-8'
  | 'utf-8-damaged'
  | 'utf-16le'
  | 'utf-16be'
  | 'latin-1'
  | 'windows-1252'
  | 'windows-1251'
  | 'koi8-r'
  | 'shift_jis'
  | 'euc-jp'
  | 'euc-kr'
  | 'gbk'
  | 'gb18030'
  | 'big5';

export interface TextCodec {
  readonly name: TextEncoding;
  decode(bytes: Buffer): string;
  /** The text must be one that `missing` accepts. */
  encode(text: string): Buffer;
  /** How many bytes of `bytes` make the piece of `text` (which they decode to) from `from` to `to`, whole characters. */
  length(text: string, from: number, to: number, bytes: Buffer, at: number): number;
  /** The first character of new text that this encoding cannot hold; undefined when it holds all. */
  missing(text: string): string | undefined;
}

const loneSurrogate = (text: string): string | undefined => /\p{Surrogate}/u.exec(text)?.[0];

export const UTF_8: TextCodec = {
  name: 'utf-8',
  decode: (bytes) => bytes.toString('utf8'),
  encode: (text) => Buffer.from(text, 'utf8'),
  // As many characters as bytes: all of it is ASCII.
  length: (text, from, to, bytes) =>
    text.length === bytes.length ? to - from : Buffer.byteLength(text.slice(from, to), 'utf8'),
  missing: loneSurrogate,
};

const utf16 = (name: 'utf-16le' | 'utf-16be'): TextCodec => {
  const swapped = name === 'utf-16be';
  return {
    name,
    decode: (bytes) => (swapped ? Buffer.from(bytes).swap16() : bytes).toString('utf16le'),
    encode: (text) => (swapped ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le')),
    length: (_text, from, to) => 2 * (to - from),
    missing: loneSurrogate,
  };
};

export const UTF_16LE = utf16('utf-16le');
export const UTF_16BE = utf16('utf-16be');

export const LATIN_1: TextCodec = {
  name: 'latin-1',
  decode: (bytes) => bytes.toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1'),
  length: (_text, from, to) => to - from,
  missing: (text) => loneSurrogate(text) ?? /[^\u0000-\u00ff]/u.exec(text)?.[0],
};

export const DAMAGED_UTF_8: TextCodec = {
  name: 'utf-8-damaged',
  decode: (bytes) => decodeDamaged(bytes).text,
  encode: encodeDamaged,
  length: (text, from, to) => encodeDamaged(text.slice(from, to)).length,
  missing: loneSurrogate,
};

/** Length of the valid UTF-8 sequence at `at`, or 0. Overlong forms, surrogates and values above U+10FFFF are invalid. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/** `good`: valid sequences of several bytes, `bad`: bytes that belong to none. */
export function decodeDamaged(bytes: Buffer): { text: string; good: number; bad: number } {
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
