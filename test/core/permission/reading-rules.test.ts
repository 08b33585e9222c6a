/** What the person lets the reading tool open, commands may read as well; nothing more. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPermissions } from '../../../core/permission/permission.ts';
import type { Mode } from '../../../core/types.ts';

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-rules-')));
  mkdirSync(join(base, 'project/src'), { recursive: true });
  mkdirSync(join(base, 'beside'));
  for (const name of ['.env', '.env.local', 'src/a.js', 'id_rsa']) writeFileSync(join(base, 'project', name), 'A=1\n');
  writeFileSync(join(base, 'beside/x.txt'), 'x\n');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

async function judge(command: string, allow: readonly string[], mode: Mode = 'auto', deny: readonly string[] = []) {
  const project = join(base, 'project');
  const permissions = createPermissions({
    project,
    directories: [],
    allow: allow.map((rule) => rule.replace('BESIDE', join(base, 'beside'))),
    ask: [],
    deny,
    home: join(base, 'home'),
    adaHome: join(base, 'ada'),
  });
  const text = command.replaceAll('BESIDE', join(base, 'beside'));
  return (
    await permissions.judge({
      tool: 'bash',
      access: { kind: 'command', command: text, cwd: project },
      mode,
      cwd: project,
    })
  ).verdict;
}

describe('with a rule that allows to read', () => {
  test.each([
    ['cat .env', 'read_file(.env)'],
    ['grep A .env src/a.js', 'read_file(.env)'],
    ['head -3 .env | wc -l', 'read_file(.env)'],
    ['cat .env .env.local', 'read_file(.env*)'],
    ['wc -l < .env', 'read_file(.env)'],
    ['cat BESIDE/x.txt', 'read_file(BESIDE/**)'],
  ])('%s runs by %s', async (command, rule) => {
    expect(await judge(command, [])).toBe('ask');
    expect(await judge(command, [rule])).toBe('allow');
    expect(await judge(command, [rule], 'plan')).toBe('allow');
    expect(await judge(command, [rule], 'auto', [rule.replace('BESIDE', join(base, 'beside'))])).toBe('deny');
  });

  test.each([
    ['cat .env.local', 'read_file(.env)'],
    ['cat .env id_rsa', 'read_file(.env)'],
    ['cat .env', 'read_file'],
    ['cat .env', 'read_file(*)'],
    ['cat .env', 'read_file(src/**)'],
    ['cat .env', 'edit_file(.env)'],
    ['grep -r A .', 'read_file(.env)'],
    ['cp .env x', 'read_file(.env)'],
    ['echo x > .env', 'read_file(.env)'],
    ['sed -i s/1/2/ .env', 'read_file(.env)'],
    ['rm -f .env', 'read_file(.env)'],
    ['source .env', 'read_file(.env)'],
    ['cat .env $X', 'read_file(.env)'],
    ['cat BESIDE/x.txt /etc/hosts', 'read_file(BESIDE/**)'],
    ['cp src/a.js BESIDE/y', 'read_file(BESIDE/**)'],
    ['echo x > BESIDE/y', 'read_file(BESIDE/**)'],
    ['printenv', 'read_file(.env)'],
  ])('%s does not by %s', async (command, rule) => {
    expect(await judge(command, [rule])).not.toBe('allow');
  });
});
