/** Encodings older than Unicode, through iconv-lite, whose tables are loaded when the first such file is met. */
import { characterLength, type MultiByte, unitsOf } from './character-length.ts';
import type { TextCodec, TextEncoding } from './text-codec.ts';

export type LegacyEncoding = Exclude<TextEncoding, `utf-${string}` | 'latin-1'>;

/** What iconv-lite calls them. */
const TABLES: Readonly<Record<LegacyEncoding, string>> = {
  'windows-1252': 'windows1252',
  'windows-1251': 'windows1251',
  'koi8-r': 'koi8-r',
  shift_jis: 'shiftjis',
  'euc-jp': 'eucjp',
  'euc-kr': 'cp949',
  gbk: 'gbk',
  gb18030: 'gb18030',
  big5: 'big5',
};

const SINGLE_BYTE: readonly LegacyEncoding[] = ['windows-1252', 'windows-1251', 'koi8-r'];

export async function legacyCodec(name: LegacyEncoding): Promise<TextCodec> {
  const { default: iconv } = await import('iconv-lite');
  const table = TABLES[name];
  const decode = (bytes: Buffer) => iconv.decode(bytes, table, { stripBOM: false });
  const encode = (text: string) => iconv.encode(text, table);
  return {
    name,
    decode,
    encode,
    length: SINGLE_BYTE.includes(name)
      ? (_text, from, to) => to - from
      : (text, from, to, bytes, at) => spanLength(name as MultiByte, text, from, to, bytes, at),
    missing(text) {
      const lone = /\p{Surrogate}/u.exec(text);
      if (lone) return lone[0];
      // What has no code is written as another character, which the way back shows.
      if (decode(encode(text)) === text) return undefined;
      for (const character of text) if (decode(encode(character)) !== character) return character;
      // Each alone is held, only together they become something else: the first of them is named.
      return [...text].find((character) => character > '\x7f');
    },
  };
}

/** True when every byte decodes, and to the characters that `characterLength` counts: then places can be found again. */
export function decodesWholly(codec: TextCodec, text: string, bytes: Buffer): boolean {
  if (text.includes('\ufffd')) return false;
  if (SINGLE_BYTE.includes(codec.name as LegacyEncoding)) return text.length === bytes.length;
  return spanLength(codec.name as MultiByte, text, 0, text.length, bytes, 0) === bytes.length;
}

function spanLength(name: MultiByte, text: string, from: number, to: number, bytes: Buffer, start: number): number {
  let at = start;
  for (let unit = from; unit < to && at < bytes.length; ) {
    if (bytes[at]! < 0x80) {
      at++;
      unit++;
      continue;
    }
    unit += unitsOf(name, bytes, at, text, unit);
    at += characterLength(name, bytes, at);
  }
  return at - start;
}
