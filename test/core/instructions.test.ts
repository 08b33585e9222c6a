import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readInstructions } from '../../core/instructions.ts';

const base = mkdtempSync(join(tmpdir(), 'ada-instructions-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
function fixture(files: Record<string, string>) {
  const root = join(base, String(count++));
  for (const folder of ['home', 'project/a/b']) mkdirSync(join(root, folder), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  const read = (cwd = 'project/a/b') =>
    readInstructions({ project: join(root, 'project'), cwd: join(root, cwd), adaHome: join(root, 'home') });
  return { root, read, texts: (cwd?: string) => read(cwd).files.map(({ text }) => text) };
}

test('the own file first, then from the root down; CLAUDE.md only where there is no AGENTS.md', () => {
  const { texts } = fixture({
    'home/AGENTS.md': 'own',
    'project/AGENTS.md': 'root\n',
    'project/CLAUDE.md': 'not read',
    'project/a/CLAUDE.md': 'deeper',
    'project/a/b/AGENTS.md': '  ',
  });
  expect(texts()).toEqual(['own', 'root', 'deeper']);
  expect(texts('project')).toEqual(['own', 'root']);
});

test('nothing there is nothing read', () => expect(fixture({}).read()).toEqual({ files: [] }));

test('32 kB of all, with a notice, and no broken character', () => {
  const { read } = fixture({
    'project/AGENTS.md': 'a'.repeat(32 * 1024 - 1) + 'é'.repeat(10),
    'project/a/AGENTS.md': 'too late',
  });
  const { files, notice } = read();
  expect(files).toHaveLength(1);
  expect(files[0]!.text).toBe('a'.repeat(32 * 1024 - 1));
  expect(notice).toContain('32 kB');
  expect(notice).toContain('a/AGENTS.md');
});

test('links stay inside the project, and only plain files are read', () => {
  const { root, read, texts } = fixture({ 'project/real.md': 'inside', 'home/secret': 'outside' });
  symlinkSync(join(root, 'home/secret'), join(root, 'project/a/AGENTS.md'));
  symlinkSync('real.md', join(root, 'project/AGENTS.md'));
  execFileSync('mkfifo', [join(root, 'project/a/b/AGENTS.md')]);
  expect(texts()).toEqual(['inside']);
  expect(read().notice).toContain('a/b/AGENTS.md is no plain file');
});
