/** Text whose encoding is declared, damaged, or can only be guessed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../../core/tools/apply-patch.ts';
import { applyEdits } from '../../../../core/tools/edit/apply.ts';
import { decodeText } from '../../../../core/tools/files/text-encoding.ts';
import { coreTools } from '../../../../core/tools/index.ts';
import { testContext } from '../tool-context.ts';

const TOOLS = [...coreTools(), applyPatch];

const nameOf = async (bytes: Buffer) => (await decodeText(bytes)).codec.name;
const after = async (content: Buffer, old: string, fresh: string): Promise<string> => {
  const outcome = await applyEdits(content, [{ old, new: fresh }]);
  return 'refused' in outcome ? outcome.refused : Buffer.concat(outcome.parts).toString('latin1');
};

describe('UTF-8 with bytes that are none', () => {
  it.each([
    ['gr\u00fc\u00dfe', 'bad \xff'],
    ['\u00e9', 'bad \xe9, \xff'],
    ['\u65e5', 'bad \xff \xff \xff'],
    ['# coding: utf-8', 'bad \xe9'],
  ])('%s stays UTF-8', async (good, bad) => {
    const content = Buffer.concat([Buffer.from(`${good}\n`), Buffer.from(`${bad}\nkey = 1\n`, 'latin1')]);
    expect(await nameOf(content)).toBe('utf-8-damaged');
    const wanted = Buffer.concat([Buffer.from(`${good}\n`), Buffer.from(`${bad}\n`, 'latin1'), Buffer.from('κ = 2\n')]);
    expect(await after(content, 'key = 1', 'κ = 2')).toBe(wanted.toString('latin1'));
  });

  it('shows the bytes as U+FFFD, and says why text with it is not there', async () => {
    const context = testContext(TOOLS);
    const content = Buffer.concat([Buffer.from('größe\n'), Buffer.from([0x61, 0xff, 0x62]), Buffer.from('\nend\n')]);
    writeFileSync(join(context.project, 'f'), content);
    const read = await context.call('read_file', { path: 'f' });
    expect(read.output).toBe(
      '(some bytes are not valid UTF-8; they are shown as \ufffd, and edits keep them)\n1\tgröße\n2\ta\ufffdb\n3\tend',
    );
    const edit = await context.call('edit_file', { path: 'f', old: 'a\ufffdb', new: 'ab' });
    expect(edit).toMatchObject({
      isError: true,
      output: expect.stringMatching(/not valid UTF-8 \(line 2\).*beside them/),
    });
    const patch = '*** Begin Patch\n*** Update File: f\n@@\n a\ufffdb\n-end\n+END\n*** End Patch';
    expect((await context.call('apply_patch', { patch })).output).toMatch(/not valid UTF-8 \(line 2\)/);
    expect(readFileSync(join(context.project, 'f'))).toEqual(content);
    expect((await context.call('edit_file', { path: 'f', old: 'end', new: 'END' })).output).toMatch(/^Edited/);
    // The nearest lines are told without halves of characters.
    const near = await context.call('edit_file', { path: 'f', old: 'größe\nab', new: 'x' });
    expect(near.output).not.toMatch(/\p{Surrogate}/u);
  });
});

describe('a declared encoding', () => {
  const word = '終了';
  it.each([
    '<?xml version="1.0" encoding="Shift_JIS"?>',
    '<html><head><meta charset="shift-jis">',
    '<meta http-equiv="Content-Type" content="text/html; charset=Windows-31J">',
    '@charset "Shift_JIS";',
    '#!/usr/bin/python\n# -*- coding: cp932 -*-',
    '# coding=sjis',
    ';; -*- mode: lisp; coding: japanese-shift-jis -*-',
    '/* vim: set fileencoding=cp932 : */',
    '"Content-Type: text/plain; charset=Shift_JIS\\n"',
  ])('%s', async (declaration) => {
    const bytes = iconv.encode(`${declaration}\nx = "${word}"\n`, 'shiftjis');
    const { codec, doubtful, text } = await decodeText(bytes);
    expect([codec.name, doubtful, text.includes(word)]).toEqual(['shift_jis', undefined, true]);
    expect(await after(bytes, word, '開始')).toBe(
      iconv.encode(`${declaration}\nx = "開始"\n`, 'shiftjis').toString('latin1'),
    );
  });

  it('at the end of the file, and for other encodings', async () => {
    const end = '\n'.repeat(40);
    for (const [name, table, text] of [
      ['euc-jp', 'eucjp', `${word}${end}# vim: fenc=euc-jp\n`],
      ['euc-jp', 'eucjp', `${word}${end};; Local Variables:\n;; coding: euc-jp\n;; End:\n`],
      ['gbk', 'gbk', '# coding: gb2312\n爱\n'],
      ['big5', 'big5', '<meta charset=big5>確定\n'],
      ['windows-1251', 'windows1251', '# coding: cp1251\nДа\n'],
      ['windows-1252', 'windows1252', '<meta charset="iso-8859-1">“x”\n'],
    ] as const) {
      const { codec, doubtful } = await decodeText(iconv.encode(text, table));
      expect([codec.name, doubtful]).toEqual([name, undefined]);
    }
  });

  it('means nothing where the bytes do not fit, or are Unicode', async () => {
    expect(await nameOf(Buffer.from('# coding: gbk\ncaf\xe9\n', 'latin1'))).not.toBe('gbk');
    expect(await nameOf(Buffer.from('<meta charset="iso-8859-1">größe\n'))).toBe('utf-8');
    expect(await nameOf(Buffer.from('# coding: gbk\n日本\n'))).toBe('utf-8');
    expect(await nameOf(Buffer.from('# coding: no-such-name\ncaf\xe9\n', 'latin1'))).toBe('latin-1');
    // Two bytes that are both.
    expect(await nameOf(iconv.encode('# coding: gbk\n母\n', 'gbk'))).toBe('gbk');
  });

  it('of the project, in .editorconfig', async () => {
    const context = testContext(TOOLS);
    writeFileSync(
      join(context.project, '.editorconfig'),
      'root = true\n[*]\ncharset = utf-8\n[*.txt]\ncharset = shift_jis\n',
    );
    const bytes = iconv.encode(`x = ${word}\n`, 'shiftjis');
    for (const name of ['a.txt', 'a.md']) writeFileSync(join(context.project, name), bytes);
    const read = async (path: string) => (await context.call('read_file', { path })).output;
    expect(await read('a.txt')).toBe(`(encoding: shift_jis; edits keep it)\n1\tx = ${word}`);
    expect(await read('a.md')).toMatch(/^\(encoding: perhaps/);
    await context.call('edit_file', { path: 'a.txt', old: word, new: '開始' });
    expect(iconv.decode(readFileSync(join(context.project, 'a.txt')), 'shiftjis')).toBe('x = 開始\n');
  });
});

describe('a guess', () => {
  it.each([
    ['shift_jis', 'shiftjis', ['テスト', '設定', 'こんにちは', 'エラー', 'キャンセル']],
    ['euc-jp', 'eucjp', ['テスト', '設定', '終了', 'ユーザー名']],
    ['gbk', 'gbk', ['测试', '你好', '初始化', '确定']],
    ['euc-kr', 'cp949', ['안녕', '한글', '취소']],
    ['big5', 'big5', ['測試', '你好', '取消', '姓名']],
    ['windows-1251', 'windows1251', ['Привет', 'Ошибка', 'Имя']],
    ['koi8-r', 'koi8-r', ['Привет', 'Тест']],
  ] as const)('of few characters: %s', async (name, table, words) => {
    for (const word of words)
      expect([word, await nameOf(iconv.encode(`x = "${word}"\n`, table))]).toEqual([word, name]);
  });

  it('is never sure of what is neither Western text nor clearly another', async () => {
    for (const [word, table] of [
      ['終了', 'shiftjis'],
      ['いいえ', 'eucjp'],
      ['Да', 'windows1251'],
      ['ｶﾀｶﾅ', 'shiftjis'],
    ] as const)
      expect(await decodeText(iconv.encode(word, table))).toHaveProperty('doubtful', true);
    for (const text of [
      'caf\xe9',
      '10 \x80',
      '\xabOui\xbb',
      '\x93a\x94 \x96 b',
      'cr\xe9\xe9e',
      '\xbfQu\xe9?',
      'M\xfcller',
    ])
      expect(await decodeText(Buffer.from(text, 'latin1'))).not.toHaveProperty('doubtful');
  });

  it('says so, and lets only ASCII text be changed that surely is none of its characters', async () => {
    const context = testContext(TOOLS);
    const file = join(context.project, 'f');
    const bytes = iconv.encode('x = 終了\nkey = 1\n', 'shiftjis');
    writeFileSync(file, bytes);
    expect((await context.call('read_file', { path: 'f' })).output).toMatch(/^\(encoding: perhaps latin-1, a guess/);
    const refusals: [string, object][] = [
      ['edit_file', { path: 'f', old: 'key', new: 'schlüssel' }],
      // The second byte of a character is a letter.
      ['edit_file', { path: 'f', old: 'I', new: 'X' }],
      ['apply_patch', { patch: '*** Begin Patch\n*** Update File: f\n@@\n-key = 1\n+é\n*** End Patch' }],
      ['write_file', { path: 'f', content: 'é\n' }],
    ];
    for (const [tool, input] of refusals) {
      const { output, isError } = await context.call(tool, input);
      expect([output, isError]).toEqual([expect.stringMatching(/encoding .*is not certain/), true]);
    }
    expect(readFileSync(file)).toEqual(bytes);
    expect((await context.call('edit_file', { path: 'f', old: 'key = 1', new: 'key = 2' })).isError).toBeUndefined();
    expect(readFileSync(file)).toEqual(iconv.encode('x = 終了\nkey = 2\n', 'shiftjis'));
  });
});

describe('UTF-32 by its byte order mark', () => {
  it.each(['utf-32le', 'utf-32be'] as const)('%s', async (name) => {
    const make = (text: string) => iconv.encode(`\uFEFF${text}`, name, { addBOM: false });
    const context = testContext(TOOLS);
    const file = join(context.project, 'f');
    const rest = Buffer.from([1, 2]);
    const wrong = Buffer.from('ffffffff', 'hex');
    writeFileSync(file, Buffer.concat([make('one 😀\r\ntwo\r\n'), wrong, rest]));
    expect((await context.call('read_file', { path: 'f' })).output).toBe(
      `(encoding: ${name}; edits keep it)\n1\tone 😀\n2\ttwo\n3\t\ufffd`,
    );
    await context.call('edit_file', { path: 'f', old: '😀\ntwo', new: 'é 𝒳\nzwei' });
    expect(readFileSync(file)).toEqual(Buffer.concat([make('one é 𝒳\r\nzwei\r\n'), wrong, rest]));
  });
});

describe('bytes outside of an edit never change, whatever they are', () => {
  const TABLES = ['utf8', 'shiftjis', 'eucjp', 'cp949', 'gbk', 'gb18030', 'big5', 'windows1251', 'koi8-r', 'latin1'];
  const WORDS = ['größe', 'テスト設定', '测试文件', '한글오류', 'Ошибка', 'plain', '“x”'];
  it.each(TABLES)('%s with random bad bytes', async (table) => {
    const noise = fc.uint8Array({ minLength: 0, maxLength: 6 }).map((bytes) => Buffer.from(bytes));
    const part = fc.tuple(fc.constantFrom(...WORDS), noise).map(([word, bad]) => [iconv.encode(word, table), bad]);
    const side = fc.array(part, { maxLength: 6 }).map((parts) => Buffer.concat(parts.flat()));
    await fc.assert(
      fc.asyncProperty(side, side, fc.constantFrom('NEW', '$&', 'ä', ''), async (before, behind, fresh) => {
        const [head, tail] = [Buffer.concat([before, Buffer.from('\n')]), Buffer.concat([Buffer.from('\n'), behind])];
        const content = Buffer.concat([head, Buffer.from('=KEY='), tail]);
        const outcome = await applyEdits(content, [{ old: '=KEY=', new: fresh }]);
        if ('refused' in outcome) {
          // Of plain text only what begins like UTF-16 or UTF-32, which then is no such text.
          const isWide = /^utf-(?:16|32)/.test(await nameOf(content));
          expect(/[^\x00-\x7f]/.test(fresh) || isWide).toBe(true);
          return;
        }
        const all = Buffer.concat(outcome.parts);
        expect(all.subarray(0, head.length).equals(head)).toBe(true);
        expect(all.subarray(all.length - tail.length).equals(tail)).toBe(true);
        const written = all.subarray(head.length, all.length - tail.length);
        expect(fresh === 'ä' || written.equals(Buffer.from(fresh))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
