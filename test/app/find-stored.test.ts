import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findStored } from '../../app/find-stored.ts';

let root: string;
let dirs: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ada-find-'));
  dirs = [join(root, 'a'), join(root, 'b')];
  for (const dir of dirs) mkdirSync(dir);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (dir: number, id: string, title: string, seconds: number): string => {
  const file = join(dirs[dir]!, `${id}.jsonl`);
  writeFileSync(file, `${JSON.stringify({ type: 'user', text: title, seq: 1, time: 1 })}\n`);
  utimesSync(file, seconds, seconds);
  return file;
};

it('looks in all folders, the newest first', () => {
  expect(findStored('latest', dirs)).toBeUndefined();
  const old = write(0, '2026-a', 'Fix the parser', 1);
  const young = write(1, '2026-b', 'Größe', 2);
  expect(findStored('latest', dirs)).toBe(young);
  expect(findStored('2026-a', dirs)).toBe(old);
  expect(findStored('fix THE', dirs)).toBe(old);
  expect(findStored('GROSSE', dirs)).toBe(young);
  expect(() => findStored('2026', dirs)).toThrow(
    '2 sessions are called or begin with 2026: 2026-b “Größe”, 2026-a “Fix the parser”',
  );
});

it('names what is near enough to have been meant, and nothing else', () => {
  write(0, '2026-a', 'Fix the parser', 1);
  expect(() => findStored('2026-x', dirs)).toThrow('no session 2026-x here; the nearest is 2026-a (');
  expect(() => findStored('fix teh praser', dirs)).toThrow('; the nearest is 2026-a “Fix the parser” (');
  for (const far of ['write a poem', 'x'.repeat(5000), ' '])
    expect(() => findStored(far, dirs)).toThrow(/^no session (?!.*nearest)/);
});
