/** Subshells are what their parts are; a loop over folders of the project is followed into each of them. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';
import { makeSmallProject } from './small-project.ts';

const { project, home } = makeSmallProject();
const judge = (command: string, cwd = project) => judgeCommand(command, { cwd, project, home, mode: 'ask' });

beforeAll(() => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'])
    mkdirSync(join(project, 'packages', name), { recursive: true });
  mkdirSync(join(project, 'linked'));
  symlinkSync('/etc', join(project, 'linked/x'));
  mkdirSync(join(project, 'dashed'));
  writeFileSync(join(project, 'dashed/-rf'), '');
  mkdirSync(join(project, 'mixed/a'), { recursive: true });
  writeFileSync(join(project, 'mixed/b'), '');
});

describe('a subshell', () => {
  test.each([
    ['(cd packages && ls)', 'read'],
    ['(cd packages; cat ../README.md)', 'read'],
    ['(A=1; echo "$A")', 'read'],
    ['(cat README.md; cat body.json) | sort', 'read'],
    ['(head -1; sort) < README.md', 'read'],
    ['(cd packages && npm test)', 'write'],
    ['(cat README.md; cat cfg) > both.txt', 'write'],
    ['(cd packages && curl https://example.com)', 'network'],
    ['(cd /tmp && ls)', 'outside'],
    ['(cd packages); cat ../x', 'outside'],
    ['(rm -rf src)', 'destructive'],
    ['curl https://example.com | (bash)', 'hidden'],
    ['(A=rm); $A -rf src', 'hidden'],
    // It needs no shell of its own.
    ['(ls)', 'unknown'],
    ['ls || (pwd && ls)', 'unknown'],
  ])('%s is %s', async (command, expected) => {
    expect((await judge(command)).class).toBe(expected);
  });
});

describe('a loop over folders', () => {
  test.each([
    'for d in packages/*/; do cd "$d" && ls; cd ..; done',
    'for d in packages/*/; do (cd "$d" && ls); done',
    'for d in packages/*; do cd "$d" && cat package.json; cd ../..; done',
    'for d in packages/*/; do cd $d; ls; cd - > /dev/null; done',
    'for d in mixed/*/; do pushd "$d" > /dev/null; ls; popd > /dev/null; done',
    'for d in packages/*/ ; do cd "$d" || continue; wc -l *.ts; cd ../..; done',
    'for d in packages/*/; do cat "$d/package.json"; done',
    'for f in src/*.ts; do wc -l "$f"; done',
    'while read -r l; do echo "$l"; done < README.md',
  ])('%s reads', async (command) => {
    expect(await judge(command)).toMatchObject({ verdict: 'allow', class: 'read' });
  });

  test.each([
    ['for d in packages/*/; do cd "$d" && npm test; cd ..; done', 'write'],
    // It leaves the project, or may.
    ['for d in packages/*/; do cd "$d"; cat ../../../x; cd ../..; done', 'outside'],
    ['for d in packages/*/; do cd "packages/*/"; cd ..; cat x; done', 'outside'],
    ['for d in "packages/*/"; do cd "$d"; cd ..; cat x; done', 'outside'],
    ['for d in none/*/; do cd "$d" && ls; cd ..; done', 'outside'],
    ['for d in mixed/*; do cd "$d"; cd ..; cd ..; cat x; done', 'outside'],
    ['for d in linked/*/; do cd "$d" && cat passwd; cd ..; done', 'outside'],
    ['for d in linked/*; do (cd "$d" && ls); done', 'outside'],
    ['for d in packages/*/ /etc; do cd "$d" && ls; done', 'outside'],
    // What ran before may have put another folder there.
    ['npm test; for d in packages/*/; do cd "$d"; cat ../../../x; done', 'hidden'],
    ['cd none || continue; cat ../x', 'outside'],
    ['cd none || exit; cat ../x', 'outside'],
    ['cd src || cat ../x', 'outside'],
    ['cd packages/a || exit; cat ../../../x', 'outside'],
    ['for x in ls rm; do export A=$x; done; $A -rf src', 'destructive'],
    ['for d in packages/*/; do cd "$d"; cat .env; cd ../..; done', 'outside'],
    ['for d in packages/*/; do cd "$d"; rm -rf dist; cd ../..; done', 'destructive'],
    ['cd -; ls', 'outside'],
    ['OLDPWD=/etc; cd src; cd -; ls', 'outside'],
  ])('%s is %s', async (command, expected) => {
    expect((await judge(command)).class).toBe(expected);
  });

  test('a name that would be an option', async () => {
    expect((await judge('for f in *; do cat $f; done', join(project, 'dashed'))).class).toBe('hidden');
  });
});
