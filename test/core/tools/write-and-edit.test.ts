import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coreTools } from '../../../core/tools/index.ts';
import { testContext } from './tool-context.ts';

const context = testContext();
const at = (name: string) => join(context.project, name);
const text = (name: string) => readFileSync(at(name), 'utf8');

describe('write_file', () => {
  it('makes folders, says what it made or replaced, and shows the difference', async () => {
    const made = await context.call('write_file', { path: 'a/b/c.txt', content: 'one\ntwo\n' });
    expect(made.output).toBe('Created a/b/c.txt (2 lines, 8 bytes).');
    expect(made.display).toMatchObject({ kind: 'diff', path: 'a/b/c.txt', added: 2, removed: 0 });
    const one = await context.call('write_file', { path: 'one.txt', content: 'x' });
    expect(one.output).toBe('Created one.txt (1 line, 1 byte).');
    writeFileSync(at('old.txt'), '1\n2\n3\n');
    const replaced = await context.call('write_file', { path: 'old.txt', content: '1\n2\nthree' });
    expect(replaced.output).toBe(
      'Wrote old.txt (3 lines, 9 bytes). It replaced 3 lines, 6 bytes, which you had not read.',
    );
    expect(replaced.display).toEqual({
      kind: 'diff',
      path: 'old.txt',
      patch: '--- old.txt\n+++ old.txt\n@@ -1,3 +1,3 @@\n 1\n 2\n-3\n+three\n\\ No newline at end of file\n',
      added: 1,
      removed: 1,
    });
    expect(text('old.txt')).toBe('1\n2\nthree');
    expect(readdirSync(context.project)).not.toContainEqual(expect.stringMatching(/\.tmp$/));
  });

  it('keeps byte order mark, CRLF and encoding of what it replaces', async () => {
    writeFileSync(at('dos.txt'), '\uFEFFa\r\nb\r\n');
    expect((await context.call('write_file', { path: 'dos.txt', content: 'a\nc\n' })).output).toContain(
      'CRLF line ends were kept',
    );
    expect(text('dos.txt')).toBe('\uFEFFa\r\nc\r\n');
    writeFileSync(at('latin.txt'), Buffer.from('caf\xe9', 'latin1'));
    await context.call('write_file', { path: 'latin.txt', content: 'thé' });
    expect(readFileSync(at('latin.txt')).toString('latin1')).toBe('th\xe9');
    const euro = await context.call('write_file', { path: 'latin.txt', content: '€' });
    expect(euro).toMatchObject({ isError: true, output: expect.stringContaining('(latin-1) cannot hold') });
    expect(readFileSync(at('latin.txt')).toString('latin1')).toBe('th\xe9');
  });

  it('answers where it cannot write', async () => {
    mkdirSync(at('folder'));
    expect(await context.call('write_file', { path: 'folder', content: '' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('is a directory'),
    });
    writeFileSync(at('plain'), '');
    expect(await context.call('write_file', { path: 'plain/x', content: '' })).toMatchObject({ isError: true });
    expect(await context.call('write_file', { path: 'x', content: '\ud800' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('surrogate'),
    });
  });
});

describe('what a file is stays', () => {
  it('binary: it is not edited as text', async () => {
    const bytes = Buffer.from([0, 1, 2, 97, 98, 0, 255, 254, 7, 0, 99]);
    writeFileSync(at('data.bin'), bytes);
    const answer = await context.call('edit_file', { path: 'data.bin', old: 'ab', new: 'zz' });
    expect(answer).toMatchObject({ isError: true, output: expect.stringContaining('binary') });
    expect(readFileSync(at('data.bin')).equals(bytes)).toBe(true);
  });

  it('mode', async () => {
    writeFileSync(at('run.sh'), '#!/bin/sh\necho a\n');
    chmodSync(at('run.sh'), 0o755);
    await context.call('edit_file', { path: 'run.sh', old: 'echo a', new: 'echo b' });
    expect(statSync(at('run.sh')).mode & 0o777).toBe(0o755);
    expect(text('run.sh')).toBe('#!/bin/sh\necho b\n');
  });

  it('symbolic link: the target changes', async () => {
    mkdirSync(at('dot'));
    writeFileSync(at('dot/rc'), 'x = 1\n');
    symlinkSync('dot/rc', at('rc'));
    symlinkSync('rc', at('rc2'));
    await context.call('edit_file', { path: 'rc2', old: '1', new: '2' });
    expect(readlinkSync(at('rc'))).toBe('dot/rc');
    expect(lstatSync(at('rc2')).isSymbolicLink()).toBe(true);
    expect(text('dot/rc')).toBe('x = 2\n');
    symlinkSync('dot/later', at('dangling'));
    await context.call('write_file', { path: 'dangling', content: 'now' });
    expect(text('dot/later')).toBe('now');
    expect(lstatSync(at('dangling')).isSymbolicLink()).toBe(true);
    symlinkSync('loop', at('loop'));
    expect(await context.call('write_file', { path: 'loop', content: '' })).toMatchObject({ isError: true });
  });

  it('hard link: every name sees the change', async () => {
    writeFileSync(at('h1'), 'long content one\n');
    linkSync(at('h1'), at('h2'));
    await context.call('edit_file', { path: 'h1', old: 'long content', new: 'short' });
    expect(text('h2')).toBe('short one\n');
    expect(statSync(at('h1')).ino).toBe(statSync(at('h2')).ino);
  });
});

describe('a file that changed since it was read', () => {
  it('is edited when the text to replace is the same', async () => {
    writeFileSync(at('s.txt'), 'a\nb\n');
    await context.call('read_file', { path: 's.txt' });
    writeFileSync(at('s.txt'), 'a\nb\nc\n');
    const { output, isError } = await context.call('edit_file', { path: './s.txt', old: 'b', new: 'B' });
    expect(isError).toBeUndefined();
    expect(output).toContain('had changed on disk');
    expect(text('s.txt')).toBe('a\nB\nc\n');
    // ada's own change is no surprise.
    expect((await context.call('edit_file', { path: at('s.txt'), old: 'c', new: 'C' })).output).not.toContain(
      'changed on disk',
    );
  });

  it('is refused once when it is not, and works after a new read', async () => {
    writeFileSync(at('t.txt'), 'a\nb\n');
    await context.call('read_file', { path: 't.txt' });
    writeFileSync(at('t.txt'), 'a\nx\n');
    expect(await context.call('edit_file', { path: 't.txt', old: 'b', new: 'B' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('Read it again'),
    });
    await context.call('read_file', { path: 't.txt' });
    expect((await context.call('edit_file', { path: 't.txt', old: 'x', new: 'X' })).isError).toBeUndefined();
    writeFileSync(at('t.txt'), 'other\n');
    expect(await context.call('write_file', { path: 't.txt', content: 'mine\n' })).toMatchObject({ isError: true });
    expect(text('t.txt')).toBe('other\n');
    await context.call('read_file', { path: 't.txt' });
    expect((await context.call('write_file', { path: 't.txt', content: 'mine\n' })).isError).toBeUndefined();
  });

  it('is judged by content, not by time', async () => {
    writeFileSync(at('u.txt'), 'a\n');
    await context.call('read_file', { path: 'u.txt' });
    utimesSync(at('u.txt'), 1, 1);
    expect((await context.call('edit_file', { path: 'u.txt', old: 'a', new: 'b' })).output).not.toContain(
      'changed on disk',
    );
  });
});

describe('edit_file', () => {
  it('says what changed and where', async () => {
    writeFileSync(at('e.txt'), Array.from({ length: 50 }, (_, i) => `line ${i + 1}\n`).join(''));
    const { output, display } = await context.call('edit_file', {
      path: 'e.txt',
      edits: [
        { old: 'line 10\n', new: 'TEN\n' },
        { old: 'line 40\n', new: '' },
      ],
    });
    expect(output).toBe('Edited e.txt (+1 -2 near line 10).');
    expect(display).toMatchObject({ kind: 'diff', added: 1, removed: 2 });
    expect((display as { patch: string }).patch.match(/^@@.*$/gm)).toEqual(['@@ -7,7 +7,7 @@', '@@ -37,7 +37,6 @@']);
  });

  it('shows the change before it is made', async () => {
    writeFileSync(at('p.txt'), 'a\n');
    const tool = coreTools().find(({ name }) => name === 'edit_file')!;
    expect(await tool.preview!({ path: 'p.txt', old: 'a', new: 'b' }, context)).toMatchObject({
      kind: 'diff',
      added: 1,
      removed: 1,
    });
    expect(text('p.txt')).toBe('a\n');
  });

  it('answers for a missing file and missing arguments', async () => {
    expect((await context.call('edit_file', { path: 'none.txt', old: 'a', new: 'b' })).output).toContain(
      'use write_file',
    );
    expect(existsSync(at('none.txt'))).toBe(false);
    expect((await context.call('edit_file', { path: 'p.txt', old: 'a' })).output).toContain('`new` is missing');
    expect((await context.call('edit_file', { path: 'p.txt' })).output).toContain('`old` is missing');
  });

  it('makes changes of one file in turn, whatever it is called', async () => {
    writeFileSync(at('q.txt'), Array.from({ length: 20 }, (_, i) => `n${i};\n`).join(''));
    const names = ['q.txt', './q.txt', at('q.txt')];
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        context.call('edit_file', { path: names[i % 3], old: `n${i};`, new: `N${i};` }),
      ),
    );
    expect(text('q.txt')).toBe(Array.from({ length: 20 }, (_, i) => `N${i};\n`).join(''));
  });
});
