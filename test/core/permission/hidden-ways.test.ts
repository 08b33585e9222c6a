/** Ways to run code, write or send that look like reading: each stands for its kind. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';

let project: string;
beforeAll(() => {
  project = join(realpathSync(mkdtempSync(join(tmpdir(), 'ada-hidden-'))), 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
});
const judge = (command: string, mode: 'ask' | 'plan' = 'ask') =>
  judgeCommand(command, { cwd: project, project, home: '/home/x', mode });

describe.each([
  [
    'a variable that changes what runs, set by whatever means',
    [
      'for PATH in .; do ls; done',
      'select PATH in .; do ls; done',
      'read PATH <<< .; ls',
      ': $' + '{PATH:=.}; ls',
      '((PATH=1)); ls',
      'for LD_PRELOAD in ./x; do export LD_PRELOAD; ls; done',
      "MANPAGER='touch p' man ls",
      'GOFLAGS=-toolexec=./x go list',
      'RUSTC=./x cargo metadata',
      'RSYNC_RSH=./x rsync -n a b',
      'OPENSSL_CONF=x node --version',
      'LUA_INIT=@x lua -v',
      'KUBECONFIG=./x kubectl get pods',
    ],
  ],
  [
    'a trap that changes later commands',
    ["x=ls; trap 'x=touch' DEBUG; $x p", "trap 'x=touch' USR1", "x=ls; trap 'cd /etc' ERR; cat passwd"],
  ],
  [
    'an option that runs a program',
    [
      'go list -toolexec=./x',
      'go list -toolexec ./x',
      'cargo --config build.rustc=./x metadata',
      'cargo metadata --config x',
      'cargo +x metadata',
      'npm ls --userconfig=x',
      'pip --python ./x list',
      'tar tf host:x',
      'tar -tzf user@host:x.tgz',
      'tar -t --file=host:x',
      'git help -w log',
    ],
  ],
  [
    'an option that writes',
    [
      'pip list --log=x',
      'pip list --log x',
      'rsync -n --log-file=x a b',
      'rsync -n --write-batch=x a b',
      'git fsck --lost-found',
      'go list -export',
      'flock x ls',
    ],
  ],
  ['the code of the project', ['bundle list', 'composer show']],
  ['paths that a file names', ['find -files0-from x', 'less -t tag', 'tar -t --file=/etc/x', 'cd - && cat x']],
  [
    'constructs that run what stands in them',
    [
      'coproc bash <<< "touch p"',
      'coproc N { touch p; }',
      'coproc N if ls; then touch p; fi',
      'select x in touch; do $x p; done',
      'select x in ls; do $REPLY p; done',
      'case x in a) ls;& b) touch p;; esac',
      'x=ls; case $y in a) ls;& b) x=touch;; esac; $x p',
      'x=ls; case $y in a) ls;;& b) x=touch;; esac; $x p',
      'cat <<A <<B\na\nA\n$(touch p)\nB',
      'bash <<A <<B\nls\nA\ntouch p\nB',
      'cat <<X && touch p\na\nX',
      'cat <<X\na\nX\ntouch p',
      'cat <<X\n$' + '{x:=$(touch p)}\nX',
      'ls # \\\ntouch p',
      'to\\\nuch p',
      'echo "$(echo "$(touch p)")"',
      'f() { ls; }; f() { touch p; }; f',
      '[[ a ]] > x',
      '(( 1 )) > x',
      'ls > >(cat > x)',
      'a=($(touch p))',
      'while read -r x; do $x; done < y',
    ],
  ],
])('%s is not read-only', (_kind, commands) => {
  test.each(commands)('%j', async (command) => {
    expect((await judge(command)).verdict).not.toBe('allow');
    expect((await judge(command, 'plan')).verdict).toBe('deny');
  });
});

describe('what only looks like it stays allowed', () => {
  test.each([
    'x=ls; x=touch ls; $x p',
    "trap 'rm -f x' EXIT; ls".replace('rm -f x', 'echo done'),
    "trap 'echo stopped' INT; ls",
    'cat <<A <<B\na\nA\nb\nB',
    'cat <<X\na\nX \ntouch p\nX',
    'case x in a) ls;& b) pwd;; esac',
    'coproc ls',
    'coproc N { cat; }',
    'tar -tf x.tar --force-local',
    'tar tzf x.tgz',
    'pip list',
    'go list ./...',
    'git fsck',
    'yarn list',
    'cd src; cd - && ls',
    'for f in a b; do echo "$f"; done',
    'AWESOME=1 ls',
  ])('%j', async (command) => expect((await judge(command)).verdict).toBe('allow'));
});

test('a yarn that the project replaces is a program of the project', async () => {
  writeFileSync(join(project, '.yarnrc.yml'), 'yarnPath: ./x.cjs\n');
  expect((await judge('yarn --version')).class).toBe('unknown');
  expect((await judge('yarn list')).class).toBe('unknown');
});
