/** How many bytes one character has in the encodings that mix one byte and several. None of them keeps a state. */
import type { TextEncoding } from './text-codec.ts';

export type MultiByte = Extract<TextEncoding, 'shift_jis' | 'euc-jp' | 'euc-kr' | 'gbk' | 'gb18030' | 'big5'>;

/** Length of the character at `at`, from its first bytes; one that is cut off counts as whole. */
export function characterLength(encoding: MultiByte, bytes: Buffer, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x81 || lead === 0xff) return 1;
  switch (encoding) {
    case 'shift_jis':
      return (lead >= 0xa0 && lead <= 0xdf) || lead > 0xfc ? 1 : 2;
    case 'euc-jp':
      return lead === 0x8f ? 3 : lead === 0x8e || lead >= 0xa1 ? 2 : 1;
    case 'gb18030': {
      const second = bytes[at + 1] ?? 0;
      return second >= 0x30 && second <= 0x39 ? 4 : 2;
    }
    default:
      return 2;
  }
}

/** UTF-16 units that the character of `length` bytes at `at` becomes: two beyond the basic plane, and for four of Big5. */
export function unitsOf(encoding: MultiByte, bytes: Buffer, at: number, text: string, unit: number): number {
  const code = text.charCodeAt(unit);
  if (code >= 0xd800 && code <= 0xdbff) return 2;
  // A letter and a combining mark in one (HKSCS).
  if (encoding === 'big5' && bytes[at] === 0x88) {
    const trail = bytes[at + 1];
    if (trail === 0x62 || trail === 0x64 || trail === 0xa3 || trail === 0xa5) return 2;
  }
  return 1;
}
