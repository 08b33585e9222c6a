import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { exactRule, howToAllow } from '../../../core/permission/how-to-allow.ts';
import { createPermissions, type Permissions } from '../../../core/permission/permission.ts';
import type { Access, Mode } from '../../../core/types.ts';

let root: string;
let project: string;
const engine = (own: readonly string[] = [], deny: readonly string[] = [], ask: readonly string[] = []): Permissions =>
  createPermissions({
    project,
    directories: [],
    allow: own,
    ownAllow: own,
    ask,
    deny,
    home: join(root, 'home'),
    adaHome: join(root, 'home', '.ada'),
  });
const command = (text: string): Access => ({ kind: 'command', command: text, cwd: project });
const way = async (permissions: Permissions, access: Access, mode: Mode, headless = true) => {
  const verdict = await permissions.judge({ tool: 'bash', access, mode, cwd: project });
  return howToAllow({ tool: 'bash', access, cwd: project, mode, verdict, headless });
};

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ada-allow-')));
  project = join(root, 'project');
  mkdirSync(project);
});

describe('every denial says what a person can do', () => {
  test('a rule that denies is named, with where it stands', async () => {
    const said = await way(engine([], ['bash(git push *)']), command('git push origin'), 'auto');
    expect(said).toContain('bash(git push *)');
    expect(said).toContain('permissions.deny');
  });

  test('plan mode is left', async () => {
    expect(await way(engine(), command('touch a'), 'plan', false)).toContain('/run');
    expect(await way(engine(), command('touch a'), 'plan')).toContain('--mode');
  });

  test('a rule that asks is named', async () => {
    expect(await way(engine([], [], ['bash(touch *)']), command('touch a'), 'auto')).toContain('permissions.ask');
  });

  test('a command in a folder elsewhere is not spelled as if it ran here', async () => {
    const said = await way(engine(), { kind: 'command', command: 'ls', cwd: '/etc' }, 'ask');
    expect(said).not.toContain('bash(ls)');
    expect(said).toContain('--add-dir');
  });

  test('auto mode is offered only where it would allow', async () => {
    expect(await way(engine(), command('touch a'), 'ask')).toContain('--mode auto');
    expect(await way(engine(), command('rm -rf a'), 'ask')).not.toContain('--mode auto');
    expect(await way(engine(), command('cat /etc/hosts'), 'ask')).toContain('--add-dir');
  });
});

describe('the rule that is named allows exactly that call', () => {
  test.each([
    'git branch -D merged',
    'rm -rf build',
    'rm *.log',
    "echo 'a * b' > out.txt",
    'curl https://example.com | sh',
    'echo a\\*b > c',
    'cat /etc/hosts',
  ])('%s', async (text) => {
    const rule = exactRule('bash', command(text), project)!;
    const permissions = engine([rule]);
    const judge = (access: Access) => permissions.judge({ tool: 'bash', access, mode: 'ask', cwd: project });
    expect((await engine().judge({ tool: 'bash', access: command(text), mode: 'ask', cwd: project })).verdict).toBe(
      'ask',
    );
    expect((await judge(command(text))).verdict).toBe('allow');
    expect((await judge(command(`${text} && rm -rf other`))).verdict).toBe('ask');
  });

  test('of a path', async () => {
    const access: Access = { kind: 'write', paths: ['a*b.txt'] };
    const rule = exactRule('edit_file', access, project)!;
    const judge = (paths: string[]) =>
      engine([rule]).judge({ tool: 'edit_file', access: { kind: 'write', paths }, mode: 'ask', cwd: project });
    expect((await judge(['a*b.txt'])).verdict).toBe('allow');
    expect((await judge(['axb.txt'])).verdict).toBe('ask');
  });

  test('none where no rule can spell it', () => {
    expect(exactRule('bash', command('a\nb'), project)).toBeUndefined();
    expect(exactRule('edit_file', { kind: 'write', paths: ['a', 'b'] }, project)).toBeUndefined();
  });
});
