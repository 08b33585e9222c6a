/** A part that cannot be read never hides one that can: what destroys is told beside it. */
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';
import { createPermissions } from '../../../core/permission/permission.ts';

let base: string;
let project: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-unreadable-')));
  project = join(base, 'project');
  mkdirSync(project);
});
const judge = (command: string) => judgeCommand(command, { cwd: project, project, home: '/home/x', mode: 'auto' });

describe('what destroys counts beside what cannot be read', () => {
  test.each([
    ['a control character', 'rm -rf build # \u001b'],
    ['a bell', 'rm -rf build # \u0007'],
    ['an invisible character', 'rm -rf build # \u200b'],
    ['an invisible character inside the program', 'r\u200bm -rf build'],
    ['a space that is none', 'rm\u00a0-rf build'],
    ['a carriage return at the end', 'rm -rf build\r'],
    ['Windows line ends', 'ls\r\nrm -rf build\r\n'],
    ['an open parenthesis', 'rm -rf build; ('],
    ['a closing parenthesis', 'rm -rf build )'],
    ['an open quote', "rm -rf build '"],
    ['an open double quote in front', 'echo "a; rm -rf build'],
    ['an open substitution', 'rm -rf build $('],
    ['an open backquote', 'rm -rf build `'],
    ['an open here-document', 'rm -rf build <<E'],
    ['an open loop', 'for f in a; do rm -rf build'],
    ['an open condition', 'if true; then rm -rf build'],
    ['a variable that is read anew', 'rm -rf build; $' + '{x@P}'],
    ['a variable named by another', 'echo $' + '{!x}; rm -rf build'],
    ['a setting that changes what runs', 'for PATH in .; do ls; done; rm -rf build'],
    ['a known variable', "x=rm; $x -rf build '"],
    ['a quoted program', "'rm' -rf build; ("],
    ['an escaped program', '\\rm -rf build; ('],
    ['another command', "git reset --hard '"],
    ['code of another shell', "bash -c 'rm -rf build' '"],
    ['code that is put together', 'eval "$x; rm -rf build"'],
    ['too many statements', `${':;'.repeat(4_000)} rm -rf build`],
    ['too long a text', `echo ${'x'.repeat(100_001)}; rm -rf build`],
    ['too many commands to look at each', `${': "\n'.repeat(9_000)} rm -rf build`],
    ['too many folders', `${Array.from({ length: 12 }, (_, i) => `cd a${i}`).join(';')}; rm -rf build`],
    ['too deep a nesting', `${'eval '.repeat(9)}rm -rf build`],
    ['too many values', 'rm -rf {a,b}{$x,c}{d,e}{f,g}{h,i} $y'],
    ['an unknown option of a wrapper', 'sudo -Z rm -rf build'],
    ['a wrapper whose options are computed', 'timeout $x rm -rf build'],
    ['a command given as text', "git submodule foreach 'rm -rf build'"],
    ['a list of commands', "parallel 'rm -rf {}' ::: a"],
    ['an argument of env', 'env -S "rm -rf build"'],
  ])('%s', async (_kind, command) => {
    expect(await judge(command)).toMatchObject({ class: 'destructive', destructive: true, verdict: 'ask' });
  });
});

describe('what is only odd stays hidden', () => {
  test.each([
    'ls # \u001b',
    "ls '",
    'ls (',
    'echo "rm -rf build',
    'printf x \u200b',
    'git status; $' + '{x@P}',
    '$x -rf keep',
  ])('%j', async (command) => {
    expect(await judge(command)).toMatchObject({ class: 'hidden', destructive: false, verdict: 'ask' });
  });
});

test('rules that forbid bind what can still be read', async () => {
  const permissions = createPermissions({
    project,
    directories: [],
    allow: [],
    ask: [],
    deny: ['bash(git push *)'],
    home: '/home/x',
    adaHome: join(base, 'ada'),
  });
  const verdict = (command: string) =>
    permissions.judge({ tool: 'bash', access: { kind: 'command', command, cwd: project }, mode: 'auto', cwd: project });
  expect(await verdict('git push origin main; (')).toMatchObject({ verdict: 'deny', by: 'rule' });
  expect(await verdict('git push \u200b')).toMatchObject({ verdict: 'deny', by: 'rule' });
});

test('a hostile text of many odd beginnings is judged, and looked at only once', async () => {
  expect((await judge(`${'rm -rf "$(sudo -Z '.repeat(3_000)}`)).destructive).toBe(true);
});
