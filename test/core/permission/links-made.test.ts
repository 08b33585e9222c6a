/** Where a command goes through links: by their names or by where they lead, and links that it makes, moves or copies itself. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-links-')));
  const project = join(base, 'project');
  for (const folder of ['a/b', 'src/deep', 'lib', 'packages/one', 'logs'])
    mkdirSync(join(project, folder), { recursive: true });
  for (const file of ['a/f.txt', 'src/x.js', 'package.json']) writeFileSync(join(project, file), '{}\n');
  symlinkSync('..', join(project, 'a/b/up'));
  symlinkSync('../../elsewhere.txt', join(project, 'src/deep/l'));
  writeFileSync(join(base, 'outside.txt'), 'x\n');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

async function classOf(command: string, cwd = join(base, 'project')) {
  const options = { cwd, project: join(base, 'project'), home: join(base, 'home'), mode: 'auto' } as const;
  return (await judgeCommand(command, options)).class;
}

describe('a directory that is reached by where links lead', () => {
  test.each([
    'cd a/b/up && cd -P .. && cd -P .. && cat outside.txt',
    'cd -P a/b/up && cd .. && cd .. && touch x',
    'cd -P -- a/b/up && cd .. && cd .. && touch x',
    'cd -LP a/b/up && cd ../.. && touch x',
    'cd -e -P a/b/up && cd ../.. && touch x',
    'set -P; cd a/b/up; cd ..; cd ..; touch x',
    'set -eP; cd a/b/up; cd ..; cd ..; touch x',
    'set -o physical; cd a/b/up; cd ..; cd ..; touch x',
    'set -P; pushd a/b/up; pushd ..; pushd ..; touch x',
    'f() { cd -P a/b/up; }; f; cd ..; cd ..; touch x',
    "eval 'cd -P a/b/up'; cd ..; cd ..; touch x",
    'command cd -P a/b/up; cd ../..; touch x',
    "bash -c 'cd -P a/b/up; cd ..; cd ..; touch x'",
    'cd a/b/up && D=$(pwd -P) && cd $D/.. && cd .. && cat outside.txt',
    'cd a/b/up && set -P && D=$(pwd) && cat $D/../../outside.txt',
    'cd a/b/up/missing/.. ; cd -P ../..; cat outside.txt',
  ])('%s is outside', async (command) => {
    expect(await classOf(command)).toBe('outside');
  });

  test.each([
    "bash -o physical -c 'cd a/b/up; cd ..; cd ..; touch x'",
    "bash -P -c 'cd a/b/up; cd ..; cd ..; touch x'",
  ])('%s is hidden', async (command) => {
    expect(await classOf(command)).toBe('hidden');
  });

  test.each([
    'cd a/b/up && ls',
    'cd a/b/up && cd .. && cd .. && ls',
    'cd -P a/b/up && cd .. && ls',
    'cd -P src && ls && cd - && ls',
    'cd src/deep && cat ../x.js && cd ../.. && cat package.json',
    'set -eu; set -o pipefail; cd src && cd .. && ls',
    'cd "$(pwd -P)" && ls',
  ])('%s reads', async (command) => {
    expect(await classOf(command)).toBe('read');
  });
});

describe('a directory outside the project', () => {
  test('is left by going back', async () => {
    expect(await classOf('ls', base)).toBe('outside');
    expect(await classOf(`cd ${base}/project && ls`, base)).toBe('read');
    expect(await classOf(`cd '${base}/project'; cat package.json`, base)).toBe('read');
  });

  test.each(['cd PROJECT && ls && cd - && npm test', 'cd PROJECT & ls', 'cd PROJECT || ls', 'cd PROJECT/missing; ls'])(
    '%s stays there, or may',
    async (command) => {
      expect(await classOf(command.replace('PROJECT', `${base}/project`), base)).toBe('outside');
    },
  );
});

describe('links that the command makes, moves or copies', () => {
  test.each([
    'mkdir -p c/d; ln -s .. c/d/up; echo w > c/d/up/../../escaped.txt',
    'mkdir -p c/d && ln -sfn .. c/d/up && cat c/d/up/../../outside.txt',
    'mkdir -p c/d && nice ln -s .. c/d/up && cat c/d/up/../../outside.txt',
    "mkdir -p c/d; bash -c 'ln -s .. c/d/up'; cat c/d/up/../../outside.txt",
    'ln -s . here; ln -s here/.. there; cat there/outside.txt',
    'mkdir -p c/d; ln -s .. c/d/up; cd c/d/up && cd -P ../.. && cat outside.txt',
    'mkdir -p c/d; cd c/d; ln -s .. up; cat up/../../outside.txt',
    'mv src/deep/l l2 && echo hi > l2',
    'mv src/deep/* . && echo hi > l',
    'mv -t . src/deep/l && cat l',
    'env mv src/deep/l l2 && cat l2',
    'git mv src/deep/l l2 && cat l2',
    'cp -P src/deep/l l2 && echo hi > l2',
    'cp -d src/deep/l l2 && echo hi > l2',
    'cp -a src/deep x && echo hi > x/l',
    'cp -r src/deep/. . && cat l',
    'ln src/deep/l l2 && cat l2',
    'rsync -a src/deep/ . && cat l',
    'mv src/deep d2 && mv d2/l . && cat l',
    'mkdir -p q/w && ln -s ../../elsewhere.txt q/w/l && mv q/w/l l2 && echo hi > l2',
    'for f in src/deep/*; do mv "$f" .; done; echo hi > l',
    "find src/deep -type l -exec mv {} . ';' && echo hi > l",
  ])('%s is outside', async (command) => {
    expect(await classOf(command)).toBe('outside');
  });

  test.each([
    'mkdir -p c/d && ln -s .. c/d/up && cat c/d/up/f',
    'ln -s src/deep lnk && cd lnk && cd .. && cat package.json',
    'ln -s ../src lib/src && cat lib/src/x.js',
    'ln -s "$(pwd)/a" link && cat link/f.txt',
    'mv src/x.js lib/ && cat lib/x.js',
    'mv src s2 && cat s2/x.js',
    'git mv src/x.js src/y.js && cat src/y.js',
    'cp -r src dist && cat dist/x.js && ls dist/deep',
    'mkdir -p dist && cp -r src/* dist/ && cat dist/x.js',
    'cp package.json p2.json && cat p2.json',
    "find . -name '*.log' -exec mv {} logs/ ';' && ls logs",
    'mkdir -p build && cd build && cmake .. && make -j4 && cd ..',
  ])('%s writes', async (command) => {
    expect(await classOf(command)).toBe('write');
  });
});

describe('a folder that is not there yet', () => {
  test.each([
    ['npm create vite@latest app -- --template react && cd app && npm install && cd ..', 'network'],
    ['make app && cd app && npm test && cd .. && npm test', 'write'],
    ['make app; cd app; npm test; cd ..; touch x', 'outside'],
    ['make app && cd app && cd ../.. && touch x', 'outside'],
    ['make app && cd app && npm test; cd .. && touch x', 'outside'],
  ])('%s is %s', async (command, expected) => {
    expect(await classOf(command)).toBe(expected);
  });
});
