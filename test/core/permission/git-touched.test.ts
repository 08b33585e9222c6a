/** A tracked file of secrets needs a question only where a command of git shows it. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';
import { createPermissions } from '../../../core/permission/permission.ts';

let base: string;
const git = (project: string, ...args: string[]) =>
  execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    stdio: 'ignore',
  });

/** `main`: three commits, of which only the first has to do with the secret; `side` is the first, `turned` changes it. */
function makeProject(name: string): string {
  const project = join(base, name);
  mkdirSync(join(project, 'src/deep'), { recursive: true });
  mkdirSync(join(project, 'conf'));
  writeFileSync(join(project, 'src/deep/a.js'), 'x=1\n');
  writeFileSync(join(project, 'conf/.env.test'), 'KEY=abc\n');
  const commit = (text: string) => git(project, 'commit', '-qam', text);
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'add', '.');
  commit('one');
  git(project, 'branch', 'side');
  for (const text of ['two', 'three']) {
    appendFileSync(join(project, 'src/deep/a.js'), `${text}\n`);
    commit(text);
  }
  git(project, 'checkout', '-q', '-b', 'turned');
  writeFileSync(join(project, 'conf/.env.test'), 'KEY=other and longer\n');
  commit('four');
  git(project, 'tag', '-m', 'v1', 'v1');
  git(project, 'checkout', '-q', 'main');
  appendFileSync(join(project, 'src/deep/a.js'), 'z\n');
  return project;
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-touched-')));
  makeProject('loose');
  git(makeProject('packed'), 'gc', '-q');
  appendFileSync(join(makeProject('changed'), 'conf/.env.test'), 'MORE=1\n');
  const staged = makeProject('staged');
  appendFileSync(join(staged, 'conf/.env.test'), 'MORE=1\n');
  git(staged, 'add', '.');
  git(makeProject('forgotten'), 'rm', '-q', '--cached', 'conf/.env.test');
  writeFileSync(join(base, 'forgotten/.env'), 'A=1\n');
  git(join(base, 'forgotten'), 'add', '-f', '.env');
  git(join(base, 'forgotten'), 'commit', '-qm', 'other');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const verdict = async (name: string, command: string) => {
  const project = join(base, name);
  return (await judgeCommand(command, { cwd: project, project, home: join(base, 'home'), mode: 'auto' })).verdict;
};

describe.each(['loose', 'packed'])('a repository whose objects are %s', (name) => {
  test.each([
    'git diff HEAD',
    'git add -A; git diff --cached',
    'git show',
    'git show HEAD~1',
    'git show -w --stat -p main',
    'git log -p -1',
    'git log -n 2 -p --oneline',
    'git diff HEAD~1',
    'git diff side..main',
    'git diff main...HEAD',
    'git diff turned...',
    'git diff HEAD~2 HEAD',
    'git diff HEAD^^..',
    'git diff HEAD | head -50',
    'git diff HEAD > x.patch',
    'git diff turned -- src',
    "git diff turned -- . ':!conf/.env.test'",
    "git grep -n foo -- ':!conf/.env.test'",
    'git grep -l foo -- src | xargs sed -i s/foo/bar/',
    'git diff --name-only | xargs npx eslint',
    'git diff --name-only side..main | xargs cat',
    'git ls-files src | xargs wc -l',
  ])('%s is allowed', async (command) => {
    expect(await verdict(name, command)).toBe('allow');
  });

  test.each([
    'git show side',
    'git show turned',
    'git show v1',
    'git show turned~1 turned',
    'git log -p -3',
    'git log -p',
    'git log -p -1 turned',
    'git log -p --reverse -1',
    'git log -p -1 --grep=one',
    'git diff turned',
    'git diff main..turned',
    'git diff main...turned',
    'git diff turned HEAD',
    'git diff --cached turned',
    'git diff nothing',
    'git diff HEAD@{1}',
    'git grep -n foo',
    'git grep -l foo | xargs cat',
    'git diff --name-only turned | xargs cat',
    'git ls-files | xargs cat',
    'git checkout turned && git show',
    'git checkout -q turned; git diff HEAD~1',
    '(git checkout turned); git show',
    'sleep 1 && git show & git checkout turned',
    'for i in 1 2; do git show; git checkout turned; done',
    'git show | git checkout turned',
    './x.sh; git show',
    "trap 'git show' EXIT; git checkout turned",
    'f() { git show; }; git checkout turned; f',
    'git commit -qam x && git show',
    'git merge turned && git show',
    'git show $(git rev-parse turned)',
    'git show HEAD:conf/.env.test',
    'git add -f conf/.env.test; git diff --cached',
  ])('%s asks', async (command) => {
    expect(await verdict(name, command)).not.toBe('allow');
  });

  test('hashes, whole and shortened', async () => {
    const id = (ref: string) =>
      execFileSync('git', ['-C', join(base, name), 'rev-parse', ref])
        .toString()
        .trim();
    for (const [ref, expected] of [
      ['main', 'allow'],
      ['turned', 'ask'],
    ] as const) {
      expect(await verdict(name, `git show ${id(ref)}`)).toBe(expected);
      expect(await verdict(name, `git show ${id(ref).slice(0, 10)}`)).toBe(expected);
    }
    expect(await verdict(name, `git show ${id('turned:conf/.env.test')}`)).toBe('ask');
    expect(await verdict(name, `git show ${id('turned^{tree}')}`)).toBe('ask');
  });
});

describe('a secret that differs', () => {
  test.each(['git diff', 'git diff HEAD', 'git add -A; git diff --cached', 'git diff HEAD~1', 'git diff HEAD -- conf'])(
    'in the work tree: %s asks',
    async (command) => {
      expect(await verdict('changed', command)).toBe('ask');
    },
  );
  test.each(['git diff --cached', 'git diff HEAD', 'git diff --staged HEAD~1'])(
    'in the index: %s asks',
    async (command) => {
      expect(await verdict('staged', command)).toBe('ask');
    },
  );
  test.each(['git diff HEAD~1', 'git show', 'git diff main~1', 'git diff --cached side'])(
    'one that git knows no more: %s asks',
    async (command) => {
      expect(await verdict('forgotten', command)).toBe('ask');
    },
  );
  test.each(['git show', 'git diff HEAD -- src', 'git diff side main'])('%s does not show it', async (command) => {
    expect(await verdict('changed', command)).toBe('allow');
  });
});

test('the reason says how the search can be had', async () => {
  const project = join(base, 'loose');
  const reasons = async (command: string) =>
    (await judgeCommand(command, { cwd: project, project, home: join(base, 'home'), mode: 'auto' })).reasons.join();
  expect(await reasons('grep -rn foo .')).toContain("--exclude='.env*'");
  expect(await reasons('rg -uu foo')).toContain("-g '!.env*'");
  expect(await reasons('git grep -n foo')).toContain("':!conf/.env.test'");
  expect(await verdict('loose', "grep -rn foo . --exclude='.env*'")).toBe('allow');
  expect(await verdict('loose', "rg -uu foo -g '!.env*'")).toBe('allow');
});

test('a secret that was changed within the second, and to the same length, is changed', async () => {
  const project = makeProject('quick');
  expect(await verdict('quick', 'git diff')).toBe('allow');
  const file = join(project, 'conf/.env.test');
  const { atime, mtime } = statSync(file);
  writeFileSync(file, 'KEY=xyz\n');
  utimesSync(file, atime, mtime);
  expect(await verdict('quick', 'git diff')).not.toBe('allow');
});

test('a file that a rule names is changed, too, where second and size are the same', async () => {
  const project = makeProject('rule');
  const file = join(project, 'src/deep/a.js');
  git(project, 'commit', '-qam', 'clean');
  const permissions = createPermissions({
    project,
    directories: [],
    allow: [],
    ask: [],
    deny: ['read_file(src/deep/a.js)'],
    home: join(base, 'home'),
    adaHome: join(base, 'ada'),
  });
  const access = { kind: 'command', command: 'git diff', cwd: project } as const;
  const judge = async () => (await permissions.judge({ tool: 'bash', access, mode: 'auto', cwd: project })).verdict;
  expect(await judge()).toBe('allow');
  const { atime, mtime, size } = statSync(file);
  writeFileSync(file, 'y'.repeat(size));
  utimesSync(file, atime, mtime);
  expect(await judge()).toBe('deny');
  git(project, 'checkout', '-q', '--', 'src');
  expect(await judge()).toBe('allow');
});
