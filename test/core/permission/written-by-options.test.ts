/** Files that are written because an option of a program that looks, packs or waits names them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';

let project: string;
beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'ada-written-')));
  mkdirSync(join(project, 'src'));
  for (const name of ['a.txt', 'x.tar', 'a.yml']) writeFileSync(join(project, name), 'x\n');
  execFileSync('git', ['-C', project, 'init', '-q']);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));
const judged = (command: string, mode: 'plan' | 'auto') =>
  judgeCommand(command, { cwd: project, project, home: '/nonexistent', mode });

const OUTSIDE = [
  'tar -tf x.tar --index-file=../k',
  'tar --index-file=/etc/k -tvf x.tar',
  'tar -tvf x.tar --index-file ../k',
  'tar --index=../k -tvf x.tar',
  'tar --one-top-level=../otl -xf x.tar',
  'tar --listed-incremental=../snap -cf y.tar src',
  'tar -g ../snap -cf y.tar src',
  'tar cgf ../snap y.tar src',
  'tar --volno-file=../volno -cf y.tar -M src',
  'git reflog --output=../k',
  'git reflog show --output=/tmp/k',
  'git reflog --outp=../k',
  'git reflog --output ../k',
  'git stash show --output=../k',
  'git stash list --output=../k',
  'flock ../x ls',
  "yq -s '../x' a.yml",
  'yq --split-exp \'"../x"\' a.yml',
  'unzip -: x.zip',
];

describe('outside of the project', () => {
  it.each(OUTSIDE)('%s', async (command) => {
    for (const mode of ['plan', 'auto'] as const)
      expect((await judged(command, mode)).verdict, mode).toBe(mode === 'plan' ? 'deny' : 'ask');
  });
});

describe('in the project they are changes', () => {
  it.each([
    'tar -tf x.tar --index-file=list',
    'tar --one-top-level=out -xf x.tar',
    'git reflog --output=log.txt',
    'git stash show --output=log.txt',
    'flock lock ls',
  ])('%s', async (command) => {
    expect((await judged(command, 'plan')).verdict).toBe('deny');
    expect((await judged(command, 'auto')).verdict).toBe('allow');
  });

  it('and nowhere of a hook', async () => {
    expect((await judged('git reflog --output=.git/hooks/x', 'auto')).verdict).not.toBe('allow');
  });
});

describe('still only looks', () => {
  it.each([
    'tar -tf x.tar',
    'tar tvf x.tar src',
    'git reflog',
    'git reflog show HEAD',
    'git reflog -5 --date=iso',
    'git stash list',
    'git stash show',
    'git stash show --stat stash@{0}',
    "yq '.a' a.yml",
  ])('%s', async (command) => {
    expect((await judged(command, 'plan')).verdict).toBe('allow');
  });
});
