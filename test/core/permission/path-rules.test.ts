/** The path policy of rules that allow is the same for every tool. */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPermissions } from '../../../core/permission/permission.ts';

let base: string;
let project: string;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-path-rules-')));
  project = join(base, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  mkdirSync(join(base, 'elsewhere'));
  symlinkSync(join(base, 'elsewhere'), join(project, 'out'));
});

const answer = async (kind: 'read' | 'write', path: string, rule: string, directories: string[] = []) => {
  const tool = kind === 'read' ? 'read_file' : 'write_file';
  const engine = createPermissions({
    project,
    directories,
    allow: [rule],
    ask: [],
    deny: [],
    home: join(base, 'home'),
    adaHome: join(base, 'ada'),
  });
  return (await engine.judge({ tool, access: { kind, paths: [path] }, mode: 'ask', cwd: project })).verdict;
};

describe.each(['write_file(*)', 'write_file', 'write_file(**)', 'write(*)', '*'])('%s', (rule) => {
  test('allows what lies in the project', async () => {
    expect(await answer('write', 'new.ts', rule)).toBe('allow');
  });
  test.each(['../x', '/etc/x', '~/x', 'out/x', '.env', 'src/id_rsa', '.git/config', '.ada/settings.json'])(
    'asks for %s',
    async (path) => expect(await answer('write', path, rule)).toBe('ask'),
  );
});

describe.each(['read_file(*)', 'read_file', 'read_file(**)', 'read_file(**/*)', 'read_file(src/**)'])('%s', (rule) => {
  test.each(['../x', '/etc/hosts', '~/x', 'out/x', '.env', 'src/.env', 'src/id_rsa'])('asks for %s', async (path) =>
    expect(await answer('read', path, rule)).toBe('ask'),
  );
});

describe('what a pattern names, it allows', () => {
  test.each<['read' | 'write', string, string, string]>([
    ['read', '.env', 'read_file(.env)', 'allow'],
    ['read', '.env.local', 'read_file(.env*)', 'allow'],
    ['read', 'src/.env', 'read_file(**/.env)', 'allow'],
    ['read', 'a.pem', 'read_file(*.pem)', 'allow'],
    ['read', '../elsewhere/x', 'read_file(../elsewhere/**)', 'allow'],
    ['read', '../elsewhere/x', 'read_file(./../elsewhere/*)', 'allow'],
    ['read', '../other/x', 'read_file(../elsewhere/**)', 'ask'],
    ['read', '../elsewhere/.env', 'read_file(../elsewhere/**)', 'ask'],
    ['write', '/etc/x', 'write_file(/etc/*)', 'allow'],
    ['write', '~/x', 'write_file(~/*)', 'allow'],
    ['read', '/etc/.env', 'read_file(/**)', 'ask'],
  ])('%s of %s by %s: %s', async (kind, path, rule, expected) => {
    expect(await answer(kind, path, rule)).toBe(expected);
  });
});

test('a rule without an absolute beginning reaches into added directories', async () => {
  for (const rule of ['write_file', 'write_file(*.ts)', 'write_file(**)']) {
    expect(await answer('write', '../elsewhere/a.ts', rule, [join(base, 'elsewhere')])).toBe('allow');
    expect(await answer('write', '../elsewhere/a.ts', rule)).toBe('ask');
  }
});
