/** A rule on a host binds the tool that fetches, and the programs that reach it from a shell. */
import { describe, expect, test } from 'vitest';
import { createPermissions } from '../../../core/permission/permission.ts';

const engine = createPermissions({
  project: '/repo',
  directories: [],
  allow: [],
  ask: [],
  deny: ['web_fetch(evil.example.com)', 'web_fetch(*.bad.example)'],
  home: '/home/x',
  adaHome: '/nonexistent',
});
const judge = async (command: string) =>
  (
    await engine.judge({
      tool: 'bash',
      access: { kind: 'command', command, cwd: '/repo' },
      mode: 'auto',
      cwd: '/repo',
    })
  ).verdict;

describe('denied', () => {
  test.each([
    'curl https://evil.example.com/x',
    'curl -sL evil.example.com',
    'curl --url=http://user:pw@EVIL.example.com:8080/x',
    'wget https://www.evil.example.com/x',
    'http evil.example.com/x a=1',
    'ls && curl https://evil.example.com./',
    'curl "https://evil%2eexample.com/"',
    'xargs curl https://a.bad.example/x',
    'H=evil.example.com; curl "https://$H/x"',
    'git clone https://evil.example.com/a/b',
    'git clone git@evil.example.com:a/b',
    '(cd src && curl evil.example.com)',
  ])('%s', async (command) => expect(await judge(command)).toBe('deny'));
});

test.each(['curl "https://$H/x"', 'wget "$(cat url)"'])('%s, which may be it, is asked', async (command) => {
  expect(await judge(command)).toBe('ask');
});

describe('let alone', () => {
  test.each([
    'curl https://example.com/x',
    'curl https://example.com/evil.example.com',
    'curl https://notevil.example.com',
    'grep -rn evil.example.com src',
    'echo https://evil.example.com',
  ])('%s', async (command) => expect(await judge(command)).toBe('allow'));
});
