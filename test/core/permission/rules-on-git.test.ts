/** Rules on paths and on `git push` hold for every command of git that comes to the same. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPermissions } from '../../../core/permission/permission.ts';
import { judgeIn, projectPath } from './judge-projects.ts';

async function byRule(rule: string, command: string) {
  const project = projectPath('clean');
  const home = join(project, 'home');
  const permissions = createPermissions({
    project,
    directories: [],
    allow: [],
    ask: [],
    deny: [rule],
    home,
    adaHome: join(home, '.ada'),
  });
  const access = { kind: 'command' as const, command, cwd: project };
  return (await permissions.judge({ tool: 'bash', access, mode: 'auto', cwd: project })).verdict;
}

beforeAll(() => {
  mkdirSync(join(projectPath('clean'), 'notes'));
  writeFileSync(join(projectPath('clean'), 'notes/a.md'), 'x\n');
});

describe('a rule on a folder that git knows', () => {
  test.each([
    'git mv lib l2',
    'git mv lib/b.js l2.js',
    'git mv src/a.js lib/b.js notes',
    'git archive HEAD',
    'git archive HEAD | tar xO',
    'git archive HEAD lib | tar x -C notes',
    'git fast-export HEAD',
    'git clone . notes/copy',
    'git show HEAD:lib/b.js',
    'git cat-file -p HEAD:lib/b.js',
    'git cat-file -p 0123abcd',
    'git checkout-index -a --prefix=notes/',
    'git worktree add notes/tree',
    'git bundle create b.bundle --all',
    'git format-patch --stdout -1',
    'git stash show -p',
    'git log -p -- lib',
    'git grep x',
  ])('binds %s', async (command) => {
    expect(await byRule('read_file(lib/**)', command)).toBe('deny');
  });

  test.each([
    'git mv src/a.js src/c.js',
    'git archive HEAD src',
    'git grep x -- src',
    'git log -p -- src',
    'git status',
    'git cat-file -p HEAD',
  ])('leaves %s', async (command) => {
    expect(await byRule('read_file(lib/**)', command)).toBe('allow');
  });
});

describe('a rule on git push', () => {
  test.each([
    'git push origin master',
    'git send-pack origin master',
    'git -C . subtree push --prefix lib origin master',
    'git svn dcommit',
    'git p4 submit',
    'git lfs push origin master',
  ])('binds %s', async (command) => {
    expect(await byRule('bash(git push *)', command)).toBe('deny');
  });

  test.each(['git pull', 'git fetch origin', 'git lfs pull', 'git subtree pull -P lib origin master'])(
    'leaves %s',
    async (command) => {
      expect(await byRule('bash(git push *)', command)).not.toBe('deny');
    },
  );

  test('names the other side', async () => {
    expect(await byRule('bash(git push origin *)', 'git send-pack origin master')).toBe('deny');
    expect(await byRule('bash(git push origin *)', 'git send-pack other master')).toBe('allow');
  });
});

test('what only counts for rules changes no class', async () => {
  expect((await judgeIn('clean', 'git archive HEAD src | wc -c', 'ask')).class).toBe('read');
  expect((await judgeIn('clean', 'git mv src/a.js src/c.js', 'ask')).class).toBe('write');
});
