/** A rule that forbids to read a path binds every way to read whole folders, and nothing beside it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPermissions } from '../../../core/permission/permission.ts';
import type { Access } from '../../../core/types.ts';
import { projectPath } from './judge-projects.ts';

const engine = (deny: readonly string[], ask: readonly string[] = []) => {
  const project = projectPath('clean');
  writeFileSync(join(project, 'secret.txt'), 'x\n');
  return createPermissions({
    project,
    directories: [],
    allow: [],
    ask,
    deny,
    home: join(project, 'home'),
    adaHome: join(project, '../ada'),
  });
};
const judge = async (permissions: ReturnType<typeof engine>, tool: string, access: Access, leavesOut = false) =>
  (await permissions.judge({ tool, access, mode: 'auto', cwd: projectPath('clean'), leavesOut })).verdict;
const run = (permissions: ReturnType<typeof engine>, command: string) =>
  judge(permissions, 'bash', { kind: 'command', command, cwd: projectPath('clean') });
const search = (permissions: ReturnType<typeof engine>, path: string, leavesOut = false) =>
  judge(permissions, 'grep', { kind: 'read', paths: [path] }, leavesOut);

describe.each([
  ['read_file(secret.txt)', '.'],
  ['read_file(./secret.txt)', '.'],
  ['read_file(secret.*)', '.'],
  ['read_file(lib/**)', 'lib'],
  ['read_file(**/b.js)', 'lib'],
])('%s', (rule, folder) => {
  test.each([
    `grep -r x ${folder}`,
    `grep -rn x ${folder}/`,
    `rg x ${folder}`,
    `tar czf a.tgz ${folder}`,
    `tar cf - ${folder} | strings`,
    `cp -r ${folder} copy`,
    `cp -a ${folder} copy`,
    `zip -r a.zip ${folder}`,
    `rsync -a ${folder} copy`,
    `find ${folder} -type f -exec cat {} +`,
    `find ${folder} -type f | xargs cat`,
    `cat ${folder}/*`,
    `for f in $(find ${folder} -type f); do cat "$f"; done`,
    `cd ${folder} && grep -r x .`,
    `bash -c 'grep -r x ${folder}'`,
  ])('binds %s', async (command) => expect(await run(engine([rule]), command)).toBe('deny'));

  test('binds the search tool over the folder that holds it, unless it leaves the file out', async () => {
    const permissions = engine([rule]);
    expect(await search(permissions, folder)).toBe('deny');
    expect(await search(permissions, '.')).toBe('deny');
    expect(await search(permissions, folder, true)).toBe('allow');
  });

  test.each(['grep -r x src', 'rg x src', 'tar czf a.tgz src', 'cp -r src copy', 'ls -la', 'find . -name "*.md"'])(
    'leaves %s alone',
    async (command) => expect(await run(engine([rule]), command)).toBe('allow'),
  );

  test.each(["grep -rn x --include='*.md' .", "find . -name '*.md' | xargs cat", "cat $(git ls-files '*.md')"])(
    'leaves what its names keep away alone: %s',
    async (command) => expect(await run(engine([rule]), command)).toBe('allow'),
  );

  test('leaves a search elsewhere alone', async () => expect(await search(engine([rule]), 'src')).toBe('allow'));
});

test.each(['git grep y', 'git show', 'git log -p', 'git archive HEAD', 'mv lib x', 'cat $(git ls-files)'])(
  'a rule on a folder that git knows binds %s',
  async (command) => expect(await run(engine(['read_file(lib/**)']), command)).toBe('deny'),
);

test.each(['git grep y -- src', 'git show -- src', 'git log --stat', 'git status'])(
  'a rule on a folder that git knows leaves %s alone',
  async (command) => expect(await run(engine(['read_file(lib/**)']), command)).toBe('allow'),
);

test('a rule that asks binds alike', async () => {
  const permissions = engine([], ['read_file(lib/**)']);
  expect(await run(permissions, 'grep -r x .')).toBe('ask');
  expect(await search(permissions, '.')).toBe('ask');
});

test('a rule on what is not there binds nothing', async () => {
  expect(await run(engine(['read_file(none.txt)', 'read_file(none/**)']), 'grep -r x .')).toBe('allow');
});

test('a rule on the name of a secret does not close the search tool, which leaves secrets out', async () => {
  writeFileSync(join(projectPath('clean'), '.env'), 'A=1\n');
  expect(await search(engine(['read_file(.env)']), '.')).toBe('allow');
  expect(await search(engine(['read_file(.env)']), '.env')).toBe('deny');
});

test('says of a file whether a rule forbids to read it', () => {
  const permissions = engine(['read_file(lib/**)', 'read_file(secret.txt)']);
  const path = (name: string) => join(projectPath('clean'), name);
  expect(permissions.forbidsReading(path('lib/b.js'))).toBe(true);
  expect(permissions.forbidsReading(path('src/secret.txt'))).toBe(true);
  expect(permissions.forbidsReading(path('src/a.js'))).toBe(false);
});
