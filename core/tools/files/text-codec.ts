/** One text encoding: bytes to characters and back, and where in the bytes a character stands. */
import { isUtf8 } from 'node:buffer';

/** `utf-8-damaged`: UTF-8 with some invalid bytes, each held as the lone surrogate U+DC00 + byte. */
export type TextEncoding =
  | 'utf-8'
  | 'utf-8-damaged'
  | 'utf-16le'
  | 'utf-16be'
  | 'utf-32le'
  | 'utf-32be'
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

/** What is no character is U+FFFD, one for each four bytes: those that stay are copied, not encoded again. */
const utf32 = (name: 'utf-32le' | 'utf-32be'): TextCodec => {
  const isLittle = name === 'utf-32le';
  return {
    name,
    decode(bytes) {
      const parts: string[] = [];
      for (let at = 0; at + 4 <= bytes.length; at += 4) {
        const code = isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
        parts.push(code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code));
      }
      return parts.join('');
    },
    encode(text) {
      const codes = Array.from(text, (character) => character.codePointAt(0)!);
      const bytes = Buffer.alloc(4 * codes.length);
      for (const [i, code] of codes.entries())
        if (isLittle) bytes.writeUInt32LE(code, 4 * i);
        else bytes.writeUInt32BE(code, 4 * i);
      return bytes;
    },
    length: (text, from, to) => 4 * (to - from - (text.slice(from, to).match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0)),
    missing: loneSurrogate,
  };
};

export const UTF_32LE = utf32('utf-32le');
export const UTF_32BE = utf32('utf-32be');

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

/**
 * `good`: valid sequences of several bytes, `bad`: bytes that belong to none. `weight`: how much the good ones say; three
 * bytes, and those of the accented small letters, hardly ever come together in another encoding of a Western language.
 */
export function decodeDamaged(bytes: Buffer): { text: string; good: number; bad: number; weight: number } {
  const parts: string[] = [];
  let good = 0;
  let bad = 0;
  let weight = 0;
  let start = 0;
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes, i);
    if (length > 1) {
      good++;
      weight += length > 2 || (bytes[i] === 0xc3 && bytes[i + 1]! >= 0xa0) ? 4 : 1;
    }
    if (length === 0) {
      if (i > start) parts.push(bytes.toString('utf8', start, i));
      parts.push(String.fromCharCode(0xdc00 + bytes[i]!));
      bad++;
      start = i + 1;
    }
    i += length || 1;
  }
  parts.push(bytes.toString('utf8', start));
  return { text: parts.join(''), good, bad, weight };
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
