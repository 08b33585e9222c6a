/** The names that git keeps in its index, in every version of it, and what is changed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';
import { createPlaces } from '../../../core/permission/paths.ts';
import { isIgnored } from '../../../core/permission/shell/git-ignored.ts';
import { hasBranch, trackedFiles } from '../../../core/permission/shell/git-index.ts';

let project: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    stdio: 'ignore',
  });
beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'ada-index-')));
  mkdirSync(join(project, 'deep/er'), { recursive: true });
  for (const file of ['a', 'ab.txt', 'deep/er/grün.txt', 'deep/er/x', `deep/${'l'.repeat(120)}`, '.env'])
    writeFileSync(join(project, file), `${file}\n`);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const places = () => createPlaces({ project, home: '/home/x' });
const judge = (command: string) => judgeCommand(command, { cwd: project, project, home: '/home/x', mode: 'plan' });

describe('the index', () => {
  test.each(['2', '3', '4'])('of version %s is read', (version) => {
    git('update-index', '--index-version', version);
    expect(trackedFiles(join(project, 'deep'), places())?.files.map((file) => file.path)).toEqual(
      ['.env', 'a', 'ab.txt', 'deep/er/grün.txt', 'deep/er/x', `deep/${'l'.repeat(120)}`].sort(),
    );
  });

  test('that is split counts as one that may hold any file', () => {
    git('update-index', '--split-index');
    expect(trackedFiles(project, places())).toMatchObject({ isUnread: true, files: [] });
    git('update-index', '--no-split-index');
  });

  test('tells whether a secret was changed', async () => {
    expect((await judge('git diff')).class).toBe('read');
    writeFileSync(join(project, '.env'), 'KEY=new\n');
    utimesSync(join(project, '.env'), 1_000_000_000, 1_000_000_000);
    expect((await judge('git diff')).class).toBe('outside');
    expect((await judge('git diff -- deep')).class).toBe('read');
    expect((await judge('git diff --stat')).class).toBe('read');
  });
});

test.each(["git diff HEAD -- 'a['", "git show -- ':(glob)**'", "git grep x -- '[a-z'", "git log -p -- '*.[ch]'"])(
  'a pathspec of any form is judged: %s',
  async (command) => expect(['read', 'outside']).toContain((await judge(command)).class),
);

test('branches are found, packed or not', () => {
  git('branch', 'other');
  expect([hasBranch(project, 'other'), hasBranch(project, 'none')]).toEqual([true, false]);
  git('pack-refs', '--all');
  expect([hasBranch(project, 'other'), hasBranch(project, 'none')]).toEqual([true, false]);
});

test('what is ignored is told, and when in doubt it is not', () => {
  writeFileSync(join(project, '.gitignore'), '.env*\n!.env.shared\n/top\nlogs/\n[ab].key\n');
  const ignored = (path: string) => isIgnored(join(project, path), project, join(project, '.git'));
  expect(['.env', 'deep/.env.local', 'top', 'logs/x'].map(ignored)).toEqual([true, true, true, true]);
  expect(['.env.shared', 'deep/top', 'a.key', 'x'].map(ignored)).toEqual([false, false, false, false]);
});

test('a secret that was just added is asked for before it is printed', async () => {
  writeFileSync(join(project, 'id_rsa'), 'k\n');
  const auto = (command: string) => judgeCommand(command, { cwd: project, project, home: '/home/x', mode: 'auto' });
  git('rm', '-q', '--cached', '.env');
  expect((await auto('git add -A && git diff --cached')).verdict).toBe('ask');
  expect((await auto('git add -A && git commit -m x && git show')).verdict).toBe('ask');
  expect((await auto('git stash -u; git show stash@{0}^3')).verdict).toBe('ask');
  expect((await auto('git add -A && git commit -m x')).verdict).toBe('allow');
});
