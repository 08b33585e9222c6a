import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { patchedFiles, readDataset, selectInstances } from '../../../bench/swebench/dataset.ts';
import { put, temporary } from './repository.ts';

const row = (id: string, more: object = {}) => ({
  instance_id: id,
  repo: 'o/n',
  base_commit: 'abc',
  problem_statement: 'p',
  ...more,
});

function read(files: Record<string, string>, path = Object.keys(files)[0]!) {
  const folder = temporary();
  put(folder, files);
  return readDataset(path === '' ? folder : join(folder, path));
}

describe('readDataset', () => {
  it('reads the official form, with lists as text', () => {
    const lines = [
      row('a-1', { FAIL_TO_PASS: '["t::x"]', PASS_TO_PASS: '[]', version: '1.0' }),
      row('a-2', { FAIL_TO_PASS: ['y'] }),
    ];
    const [first, second] = read({ 'd.jsonl': `\uFEFF${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n` });
    expect(first).toMatchObject({
      instance_id: 'a-1',
      FAIL_TO_PASS: ['t::x'],
      PASS_TO_PASS: [],
      test_cmd: null,
      patch: '',
    });
    expect(second!.FAIL_TO_PASS).toEqual(['y']);
  });

  it('reads one object, an array, and a folder by name', () => {
    const pretty = JSON.stringify(row('one'), null, 1);
    expect(read({ 'd.json': pretty }).map((item) => item.instance_id)).toEqual(['one']);
    expect(read({ 'd.jsonl': JSON.stringify(row('one')) }).map((item) => item.instance_id)).toEqual(['one']);
    expect(read({ 'd.json': JSON.stringify([row('a'), row('b')]) }).map((item) => item.instance_id)).toEqual([
      'a',
      'b',
    ]);
    expect(
      read({ 'b.json': JSON.stringify(row('b')), 'a.json': JSON.stringify(row('a')), 'notes.md': '' }, '').map(
        (item) => item.instance_id,
      ),
    ).toEqual(['a', 'b']);
  });

  it.each([
    [`${JSON.stringify(row('a'))}\n{`, /d\.jsonl:2: not JSON/],
    [JSON.stringify({ instance_id: 'a' }), /repo is missing/],
    [JSON.stringify(row('../a')), /cannot name a file/],
    [JSON.stringify(row('..')), /cannot name a file/],
    [JSON.stringify(row('a', { FAIL_TO_PASS: 'x' })), /list of test names/],
    [`${JSON.stringify(row('a'))}\n${JSON.stringify(row('a'))}`, /d\.jsonl:2: a is there twice/],
    ['7', /not an object/],
    ['\n', /no instances/],
  ])('%j', (text, message) => {
    expect(() => read({ 'd.jsonl': text })).toThrow(message);
  });

  it('names a file that is not there', () => {
    expect(() => readDataset('/nowhere/at/all.jsonl')).toThrow(/ENOENT/);
  });
});

describe('selectInstances', () => {
  const all = read({ 'd.json': JSON.stringify([row('a'), row('b'), row('c')]) });
  const ids = (wanted: string[], limit: number | null) =>
    selectInstances(all, wanted, limit).map((item) => item.instance_id);
  it('keeps the order of the data set', () => {
    expect(ids([], null)).toEqual(['a', 'b', 'c']);
    expect(ids(['c', 'a'], null)).toEqual(['a', 'c']);
    expect(ids([], 2)).toEqual(['a', 'b']);
    expect(() => ids(['a', 'x'], null)).toThrow(/no instance x/);
  });
});

describe('patchedFiles', () => {
  it('gives old and new names', () => {
    const patch =
      'diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@\n+diff --git a/no b/no\ndiff --git a/old b/new\nrename from old\n';
    expect(patchedFiles(patch)).toEqual(['x.py', 'old', 'new']);
    expect(patchedFiles('diff --git "a/\\303\\251 x" "b/\\303\\251 x"\n')).toEqual(['é x']);
    expect(patchedFiles('')).toEqual([]);
  });
});
