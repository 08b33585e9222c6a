/** "Always" for several commands at once: a rule for each of them, or one that spells the whole. */
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPermissions } from '../../../core/permission/permission.ts';
import { ruleInWords } from '../../../core/permission/rule-in-words.ts';

const adaHome = realpathSync(mkdtempSync(join(tmpdir(), 'ada-always-')));
const engine = () =>
  createPermissions({ project: '/repo', directories: [], allow: [], ask: [], deny: [], home: '/home/x', adaHome });
const judge = (permissions: ReturnType<typeof engine>, command: string) =>
  permissions.judge({ tool: 'bash', access: { kind: 'command', command, cwd: '/repo' }, mode: 'ask', cwd: '/repo' });

describe('what is offered', () => {
  test.each([
    ['git add . && git commit -m x', 'bash(git add *)\nbash(git commit *)'],
    ['git add . && npm test', 'bash(git add *)\nbash(npm test *)'],
    ['git add a && git add b', 'bash(git add *)'],
    ['git status && npm test', 'bash(npm test *)'],
    ['(cd sub && npm test)', 'bash(npm test *)'],
    ['cargo test 2>&1 | tail -5', 'bash(cargo test *)'],
    ['npm test', 'bash(npm test *)'],
    // Of one of them not all forms are alike: the whole.
    ['git add . && ./deploy.sh', 'bash(git add . && ./deploy.sh)'],
    ['git add . && npm run build', 'bash(git add . && npm run build)'],
    ['npm test && node -e "x()"', 'bash(npm test && node -e "x()")'],
    ['npm test && curl https://example.com', 'bash(npm test && curl https://example.com)'],
    ['npm test > out.txt', 'bash(npm test > out.txt)'],
    ['npm test && cat /etc/hosts', 'bash(npm test && cat /etc/hosts)'],
    // Never.
    ['git add . && rm -rf src', undefined],
    ['git add . && eval "$x"', undefined],
  ])('%s', async (command, rule) => {
    const verdict = await judge(engine(), command);
    expect(verdict).toMatchObject({ verdict: 'ask', by: 'mode' });
    expect(verdict.rule).toBe(rule);
  });
});

test('is said, saved, listed and taken back rule by rule', async () => {
  const permissions = engine();
  const { rule } = await judge(permissions, 'git add . && git commit -m x');
  expect(ruleInWords(rule!)).toBe(
    'git add with any arguments, in this project; git commit with any arguments, in this project',
  );
  permissions.remember(rule!, 'project');
  const found = ['bash(git add *)', 'bash(git commit *)'].map((one) => ({ rule: one, scope: 'project' }));
  expect(permissions.listRemembered()).toEqual(found);
  const again = engine();
  for (const command of ['git add b', 'git commit -m "y z"', 'git commit -am x && git add c && git status'])
    expect((await judge(again, command)).verdict).toBe('allow');
  expect((await judge(again, 'git add . && npm test')).verdict).toBe('ask');
  expect(again.forget('bash(git add *)')).toBe(true);
  expect((await judge(again, 'git add b')).verdict).toBe('ask');
  expect((await judge(again, 'git commit -m x')).verdict).toBe('allow');
});
