/** Words made of a name that is found only when a command runs: where they may go up, nothing says that they stay inside. */
import { symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeIn, projectPath } from './judge-projects.ts';

beforeAll(() => {
  symlinkSync(tmpdir(), join(projectPath('tracked'), 'lib/out'));
});

describe('a name that is known only when it runs', () => {
  test.each([
    'ls src | xargs -I{} cat src/{}/../x',
    'ls src | xargs -I% cat src/%/../x',
    'ls src | xargs -I{} cat {}/up/../../x',
    'ls | xargs -I{} ls {}/..',
    'ls | xargs -I{} stat {}/../x',
    "find . -maxdepth 0 -exec ls {}. ';'",
    'find . -maxdepth 0 | xargs -I{} ls {}.',
    'ls -d . | xargs -I{} ls -la {}.',
    'ls -d . | xargs -I{} ls .{}',
    'ls -d . | xargs -I{} ls {}{}',
    'ls -a | xargs ls',
    'fd -t d -x ls {//}/../..',
    "find . -exec sh -c 'cat \"$1\"/../x' _ {} ';'",
    "find . -exec sh -c 'cat {}/../x' ';'",
    'for d in $(find . -type d); do ls $d/..; done',
    'git ls-files | while read -r f; do cat "$f/../x"; done',
    'pwd | xargs dirname | xargs dirname | xargs ls',
    'dirname $PWD | xargs ls',
    'which node | xargs ls -l',
  ])('%s is outside', async (command) => {
    expect((await judgeIn('clean', command, 'plan')).class).toBe('outside');
  });

  test('may be that of a link, which some programs follow', async () => {
    expect((await judgeIn('tracked', 'ls lib | xargs -I{} ls lib/{}', 'plan')).class).toBe('outside');
    expect((await judgeIn('tracked', 'find lib | xargs ls', 'plan')).class).toBe('outside');
    expect((await judgeIn('tracked', 'find lib | xargs stat', 'plan')).class).toBe('read');
  });

  test.each([
    'ls src | xargs -I{} cat src/{}',
    'ls | xargs -I{} ls {}/src',
    "find . -name '*.js' | xargs wc -l",
    "find . -name '*.js' -exec ls -la {} ';'",
    "git ls-files '*.js' | xargs wc -l",
    'git diff --name-only | xargs ls -la',
    'find . -name package.json | xargs -n1 dirname | sort -u',
    'for f in $(git ls-files); do wc -l $f; done',
    "find . -name '*.js' | xargs -I{} basename {} .js",
    'ls | xargs -I{} echo {}..',
  ])('%s reads', async (command) => {
    expect((await judgeIn('clean', command, 'plan')).class).toBe('read');
  });

  test('may get an ending', async () => {
    expect((await judgeIn('clean', "find . -name '*.js' | xargs -I{} cp {} {}.bak", 'auto')).class).toBe('write');
  });
});
