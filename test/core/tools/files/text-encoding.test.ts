import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../core/tools/edit/apply.ts';
import { decodeText } from '../../../../core/tools/files/text-encoding.ts';
import { testContext } from '../tool-context.ts';

/** Text of each language, the name by which it is recognised, and the table that makes its bytes. */
const TEXTS = {
  'windows-1252': ['windows1252', '// \u201cStra\u00dfe\u201d \u2013 \u20ac 5, d\u00e9j\u00e0 vu\nint x = 1;\n'],
  'latin-1': ['latin1', '// Gr\u00f6\u00dfe, caf\u00e9, ma\u00f1ana, gar\u00e7on\nint x = 1;\n'],
  'windows-1251': ['windows1251', '// Проверка входных данных пользователя\nint x = 1; // Ошибка при чтении\n'],
  'koi8-r': ['koi8-r', '// Проверка входных данных пользователя\nint x = 1; // Ошибка при чтении\n'],
  shift_jis: ['shiftjis', '// 設定ファイルを読み込む。エラーの場合は終了する\nint x = 1; // テスト\n'],
  'euc-jp': ['eucjp', '// 設定ファイルを読み込む。エラーの場合は終了する\nint x = 1; // テスト\n'],
  'euc-kr': ['cp949', '// 사용자 입력을 확인하는 함수입니다\nint x = 1; // 오류가 있으면 종료\n'],
  gbk: ['gbk', '// 读取用户配置文件，如果出错则返回错误信息\nint x = 1; // 测试中文\n'],
  gb18030: ['gb18030', '// 读取用户配置文件，如果出错则返回错误信息 😀\nint x = 1; // 测试中文\n'],
  big5: ['big5', '// 讀取使用者設定檔案，如果發生錯誤就回傳訊息\nint x = 1; // 測試中文\n'],
} as const;

const rows = Object.entries(TEXTS).map(([name, [table, text]]) => ({ name, table, text }));

describe.each(rows)('$name', ({ name, table, text }) => {
  const bytes = iconv.encode(text, table);

  it('is recognised', async () => {
    const decoded = await decodeText(bytes);
    expect([decoded.codec.name, decoded.text]).toEqual([name, text]);
  });

  it('an edit changes no byte outside of it, and what it writes is in the encoding', async () => {
    const words = text.match(/\p{L}{2,}/gu)!;
    const word = fc.constantFrom(...words);
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 12 }),
        fc.array(word, { maxLength: 12 }),
        word,
        async (a, b, fresh) => {
          const [before, after] = [`${text}${a.join(' ')}\r\n`, `\n${b.join(' ')}\n`];
          const content = Buffer.concat([before, 'KEY = <old>;', after].map((part) => iconv.encode(part, table)));
          const outcome = await applyEdits(content, [{ old: '<old>', new: `<${fresh}>` }]);
          const wanted = [before, `KEY = <${fresh}>;`, after].map((part) => iconv.encode(part, table));
          expect('parts' in outcome && Buffer.concat(outcome.parts).equals(Buffer.concat(wanted))).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('finds text of its own, and refuses what it cannot hold', async () => {
    const word = text.match(/[^\x00-\x7f]+/u)![0];
    const outcome = await applyEdits(bytes, [{ old: word, new: 'X' }]);
    expect('after' in outcome ? outcome.after : outcome.refused).toBe(text.replace(word, 'X'));
    const foreign = await applyEdits(bytes, [{ old: 'int', new: 'int \u0e01' }]);
    if (name === 'gb18030') expect(foreign).toHaveProperty('parts');
    else expect(foreign).toMatchObject({ refused: expect.stringContaining(`(${name}) cannot hold`) });
  });

  it('is shown as text, named, and kept when all of the file is written', async () => {
    const context = testContext();
    const file = join(context.project, 'f');
    writeFileSync(file, bytes);
    const { output } = await context.call('read_file', { path: 'f' });
    expect(output).toBe(`(encoding: ${name}; edits keep it)\n1\t${text.split('\n')[0]}\n2\t${text.split('\n')[1]}`);
    const fresh = `${text}int y = 2;\n`;
    expect((await context.call('write_file', { path: 'f', content: fresh })).output).toContain(`(${name}) was kept`);
    expect(readFileSync(file)).toEqual(iconv.encode(fresh, table));
    const foreign = await context.call('write_file', { path: 'f', content: `\u0e01${fresh}` });
    expect(foreign.isError ?? false).toBe(name !== 'gb18030');
  });
});

describe('UTF-16', () => {
  it.each(['utf-16le', 'utf-16be'] as const)('%s with and without a byte order mark', async (name) => {
    const make = (text: string, mark: boolean) => iconv.encode(text, name, { addBOM: mark });
    for (const mark of [true, false]) {
      const text = 'first line\r\nsecond 中文 €\r\nthird\r\n';
      const decoded = await decodeText(make(text, mark));
      expect([decoded.codec.name, decoded.text]).toEqual([name, text]);
      const outcome = await applyEdits(make(text, mark), [{ old: 'first line\nsecond', new: '😀\nb' }]);
      expect('parts' in outcome && Buffer.concat(outcome.parts)).toEqual(make('😀\r\nb 中文 €\r\nthird\r\n', mark));
    }
    // A byte too many at the end stays there.
    const odd = Buffer.concat([make('ab\n', true), Buffer.from([7])]);
    const outcome = await applyEdits(odd, [{ old: 'ab', new: 'cd' }]);
    expect('parts' in outcome && Buffer.concat(outcome.parts)).toEqual(
      Buffer.concat([make('cd\n', true), Buffer.from([7])]),
    );
  });

  it('halves of surrogate pairs are never cut apart', async () => {
    for (const [content, old, fresh, after] of [
      ['a😀b', '😀', '😁', 'a😁b'],
      ['😀', '😀', '😁😀', '😁😀'],
      ['😀😀', '😀😀', '😀😁', '😀😁'],
      ['😀', '😀', '\u{1F680}', '🚀'],
    ] as const) {
      const outcome = await applyEdits(Buffer.from(content), [{ old, new: fresh }]);
      expect('parts' in outcome && Buffer.concat(outcome.parts).toString()).toBe(after);
    }
  });
});

describe('what is not clear stays Western', () => {
  it.each([
    'caf\xe9',
    'na\xefve r\xe9sum\xe9 \xe0 la carte',
    'Gr\xf6\xdfe \xc4\xd6\xdc\xe4\xf6\xfc\xdf',
    'INFORMA\xc7\xc3O, SITUA\xc7\xd5ES, N\xc3O',
    'no\xe9\xe9 cr\xe9\xe9e \xe0 l\xe9\xe9',
    '\xbfQu\xe9? \xa1S\xed, ma\xf1ana!',
    'f\xf8rste \xe5r, bl\xe5b\xe6r',
    '\xa9 2020 \xb1 5 \xb0C \xbd',
  ])('%s', async (text) => {
    expect((await decodeText(Buffer.from(text, 'latin1'))).codec.name).toBe('latin-1');
  });

  it('and binary data stays what it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 200 }), async (a, b) => {
        const content = Buffer.concat([a, Buffer.from('\nKEY\n'), b]);
        const outcome = await applyEdits(content, [{ old: 'KEY', new: 'VALUE' }]);
        if ('refused' in outcome || outcome.notes.length > 0) return;
        expect(Buffer.concat(outcome.parts).equals(Buffer.concat([a, Buffer.from('\nVALUE\n'), b]))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

it('random characters of every encoding survive an edit beside them', async () => {
  for (const { table } of rows) {
    // Every character that the table holds, by the way there and back.
    const held = Array.from({ length: 0x9fff - 0x80 }, (_, i) => String.fromCodePoint(0x80 + i)).filter(
      (character) => iconv.decode(iconv.encode(character, table), table) === character,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...held), { maxLength: 60 }), fc.nat(60), async (characters, at) => {
        const before = iconv.encode(characters.slice(0, at).join(''), table);
        const after = iconv.encode(characters.slice(at).join(''), table);
        const content = Buffer.concat([before, Buffer.from('\n=KEY=\n'), after]);
        // A file that begins with a byte order mark is what the mark says: in KOI8-R “ЪЧ” is one.
        if (/^(?:\xff\xfe|\xfe\xff|\xef\xbb\xbf)/.test(content.toString('latin1'))) return;
        const outcome = await applyEdits(content, [{ old: '=KEY=', new: '=$&=' }]);
        if ('refused' in outcome) throw new Error(outcome.refused);
        expect(Buffer.concat(outcome.parts).equals(Buffer.concat([before, Buffer.from('\n=$&=\n'), after]))).toBe(true);
      }),
      { numRuns: 60 },
    );
  }
});

it('large files are edited in their lines, with the same bytes as small ones', async () => {
  const filler = (end: string) => `const größe = "some text that fills the file";${end}`.repeat(7000);
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.boolean(), fc.nat(2), async (crlf, bom, place) => {
      const end = crlf ? '\r\n' : '\n';
      const sides = [
        ['', filler(end)],
        [filler(end), filler(end)],
        [filler(end), ''],
      ][place]!;
      const mark = bom ? '\uFEFF' : '';
      const content = `${mark}${sides[0]}one${end}two${end}three${end}${sides[1]}`;
      const outcome = await applyEdits(Buffer.from(content), [
        { old: 'one\ntwo\nthr', new: '1\n$&\n2\nthr' },
        { old: 'three', new: 'drei' },
      ]);
      if ('refused' in outcome) throw new Error(outcome.refused);
      const wanted = `${mark}${sides[0]}1${end}$&${end}2${end}drei${end}${sides[1]}`;
      expect(Buffer.concat(outcome.parts).equals(Buffer.from(wanted))).toBe(true);
      expect(outcome.before.length).toBeLessThan(2000);
      expect(outcome.skipped + outcome.before.split('\n').indexOf(`one${crlf ? '\r' : ''}`)).toBe(place > 0 ? 7000 : 0);
    }),
    { numRuns: 12 },
  );
  const twice = `${filler('\n')}x = 1\n${filler('\n')}  x = 1\n`;
  expect(await applyEdits(Buffer.from(twice), [{ old: 'x = 1', new: 'y' }])).toMatchObject({ why: 'ambiguous' });
  const absent = await applyEdits(Buffer.from(twice), [{ old: 'x  =  2', new: 'y' }]);
  expect(absent).toMatchObject({ refused: expect.stringContaining('line 7001') });
});
