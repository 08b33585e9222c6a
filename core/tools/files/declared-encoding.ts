/** The encoding that a text file itself says it has, or its project for it. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { globPattern } from '../search/glob-pattern.ts';
import type { TextEncoding } from './text-codec.ts';

export type DeclaredEncoding = Exclude<TextEncoding, 'utf-8-damaged' | `utf-16${string}` | `utf-32${string}`>;

/** By names without case and separators (IANA's, Python's, Vim's and Emacs' all differ in these). */
const NAMES: Readonly<Record<DeclaredEncoding, string>> = {
  'utf-8': 'utf8 utf8bom utf8unix utf8dos u8',
  'latin-1': 'latin1 iso88591 iso885911987 l1 isolatin1',
  'windows-1252': 'windows1252 cp1252 win1252 ansi',
  'windows-1251': 'windows1251 cp1251 win1251',
  'koi8-r': 'koi8r koi8',
  shift_jis: 'shiftjis sjis xsjis mskanji cp932 windows31j ms932 japaneseshiftjis sjisunix sjisdos',
  'euc-jp': 'eucjp xeucjp ujis japaneseiso8bit eucjpunix',
  'euc-kr': 'euckr cp949 uhc ksc56011987 windows949 koreaniso8bit',
  gbk: 'gbk cp936 gb2312 euccn windows936 chineseiso8bit ms936',
  gb18030: 'gb18030',
  big5: 'big5 cp950 big5hkscs big5eten windows950 chinesebig5',
};

const KNOWN = new Map(
  (Object.keys(NAMES) as DeclaredEncoding[]).flatMap((name) => NAMES[name].split(' ').map((alias) => [alias, name])),
);

const known = (name: string | undefined): DeclaredEncoding | undefined =>
  name === undefined ? undefined : KNOWN.get(name.toLowerCase().replace(/[^a-z0-9]/g, ''));

const HEAD = 2048;
const TAIL = 1024;

/** Where the whole of the head may say it: XML, HTML, CSS, the header of gettext's catalogues. */
const IN_HEAD = [
  /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)/,
  /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i,
  /^@charset "([\w.:-]+)";/,
  /^"Content-Type:[^"\n]*\bcharset=([\w.:-]+)/im,
];
/** In the first two lines: Python's cookie (PEP 263, which Ruby reads too), and Emacs'. */
const IN_FIRST_LINES = [/^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/m, /-\*-.*?\bcoding:\s*([-\w.]+)/];
/** In the first and the last lines: Vim's. */
const MODELINE = /(?:^|\s)(?:vim?|ex):.*?\b(?:fileencoding|fenc)=([-\w]+)/m;
/** In the last lines: Emacs' list of variables. */
const VARIABLES = /Local Variables:[\s\S]*?\bcoding:\s*([-\w.]+)/;

const lines = (text: string, from: number, to?: number): string => text.split('\n').slice(from, to).join('\n');

/** What the bytes say of themselves; of a name that is not known nothing. */
export function declaredEncoding(bytes: Buffer): DeclaredEncoding | undefined {
  const head = bytes.toString('latin1', 0, HEAD).replaceAll('\r\n', '\n');
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - TAIL));
  const found = [
    ...IN_HEAD.map((form) => form.exec(head)),
    ...IN_FIRST_LINES.map((form) => form.exec(lines(head, 0, 2))),
    MODELINE.exec(lines(head, 0, 5)),
    MODELINE.exec(lines(tail, -6)),
    VARIABLES.exec(tail),
  ];
  return known(found.find((one) => one !== null)?.[1]);
}

/** What `.editorconfig` says of the file; the nearest that says anything decides, and in it the last section that fits. */
export function configuredEncoding(file: string): DeclaredEncoding | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const config = textOf(join(folder, '.editorconfig'));
    const path = relative(folder, file);
    let fits = false;
    let found: string | undefined;
    for (const line of config.split(/\r?\n/)) {
      const section = /^\s*\[(.+)\]\s*$/.exec(line);
      if (section) fits = globPattern(section[1]!)(path);
      else if (fits) found = /^\s*charset\s*=\s*([\w.-]+)\s*$/i.exec(line)?.[1] ?? found;
    }
    if (found !== undefined) return known(found);
    if (/^\s*root\s*=\s*true\s*$/im.test(config.split('[')[0]!) || dirname(folder) === folder) return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
