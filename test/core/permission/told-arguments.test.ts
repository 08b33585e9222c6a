/** Arguments that `xargs` gets from a text which the command itself holds. */
import { describe, expect, test } from 'vitest';
import { createPermissions } from '../../../core/permission/permission.ts';
import { makeSmallProject } from './small-project.ts';

const { project, home, verdict } = makeSmallProject();
const denied = async (rule: string, command: string) => {
  const permissions = createPermissions({
    project,
    directories: [],
    allow: [],
    ask: [],
    deny: [rule],
    home,
    adaHome: `${home}/.ada`,
  });
  const access = { kind: 'command', command, cwd: project } as const;
  return (await permissions.judge({ tool: 'bash', access, mode: 'auto', cwd: project })).verdict;
};

test.each([
  'echo src/a.ts README.md | xargs cat',
  'echo src/a.ts | xargs -n 1 wc -l',
  "printf 'README.md\\ncfg\\n' | xargs -I{} head -1 {}",
  'echo new.txt | xargs touch',
])('is allowed as the command itself would be: %s', async (command) => {
  expect(await verdict(command)).toBe('allow');
});

test.each([
  'echo .env | xargs cat',
  'echo -rf src | xargs rm',
  'echo src | xargs rm -rf',
  'echo /etc/passwd | xargs cat',
  "printf '.env\\n' | xargs -I{} cat {}",
  'echo "$X" | xargs cat',
  'echo a.txt | xargs -a list cat',
  "echo 'a b' | xargs -d, cat",
  'echo ../x | xargs touch',
  "echo 'rm -rf src' | xargs -I{} sh -c {}",
])('asks as the command itself would: %s', async (command) => {
  expect(await verdict(command)).not.toBe('allow');
});

describe('a rule that forbids', () => {
  test.each([
    ['read_file(cfg)', 'echo cfg | xargs cat'],
    ['read_file(cfg)', "printf 'README.md\\ncfg\\n' | xargs -n1 head"],
    ['write_file(cfg)', 'echo cfg | xargs touch'],
    ['bash(rm *)', 'echo cfg | xargs rm'],
    ['bash(rm *)', 'ls | xargs rm'],
  ])('%s binds %s', async (rule, command) => {
    expect(await denied(rule, command)).toBe('deny');
  });
});
