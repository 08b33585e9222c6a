/** Links that lead out of the project: every file tool's gate, judged by the permission engine, asks for the real place. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPermissions } from '../../../core/permission/permission.ts';
import { coreTools, lateTools } from '../../../core/tools/index.ts';
import { testContext } from './tool-context.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'ada-links-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const project = join(root, 'real', 'project');
const outside = join(root, 'outside');
mkdirSync(project, { recursive: true });
mkdirSync(outside);
mkdirSync(join(project, 'src'));
writeFileSync(join(outside, 'victim.md'), 'x\n');
writeFileSync(join(project, 'src/in.ts'), 'x\n');
symlinkSync(outside, join(project, 'out'));
symlinkSync(join(outside, 'victim.md'), join(project, 'notes.md'));
symlinkSync(join(outside, 'not-yet'), join(project, 'dangling'));
symlinkSync('src/in.ts', join(project, 'inside.ts'));
symlinkSync(join(root, 'real'), join(root, 'way'));

const permissions = (at: string) =>
  createPermissions({
    project: at,
    directories: [],
    allow: [],
    ask: [],
    deny: [],
    home: join(root, 'home'),
    adaHome: join(root, 'ada'),
  });

const tools = [...coreTools(), ...lateTools({})];
const patch = (body: string) => ({ patch: `*** Begin Patch\n${body}\n*** End Patch` });

/** Calls that reach `path`, one a tool. */
const calls = (path: string): readonly [string, Record<string, unknown>][] => [
  ['read_file', { path }],
  ['write_file', { path, content: 'y' }],
  ['edit_file', { path, old: 'x', new: 'y' }],
  ['grep', { pattern: 'x', path }],
  ['ls', { path }],
  ['glob', { pattern: '*', path }],
  ['apply_patch', patch(`*** Add File: ${path}\n+y`)],
  ['apply_patch', patch(`*** Update File: src/in.ts\n*** Move to: ${path}`)],
  ['apply_patch', patch(`*** Update File: ${path}\n-x\n+y`)],
  ['apply_patch', patch(`*** Delete File: ${path}`)],
];

async function judge(name: string, input: Record<string, unknown>, cwd: string) {
  const tool = tools.find((candidate) => candidate.name === name)!;
  return permissions(cwd).judge({ tool: name, access: tool.gate(input, { cwd }), mode: 'auto', cwd });
}

describe.each(['out/new.txt', 'out', 'notes.md', 'dangling', 'src/../out/victim.md', '../../outside/victim.md'])(
  '%s',
  (path) => {
    it.each(calls(path))('%s asks', async (name, input) => {
      const verdict = await judge(name, input, project);
      expect([verdict.verdict, verdict.class]).toEqual(['ask', 'outside']);
      expect(verdict.reasons.join()).toContain('outside the project');
    });
  },
);

it.each(calls('inside.ts').filter(([name]) => name !== 'ls' && name !== 'glob'))(
  'a link inside, in a project behind a link: %s may',
  async (name, input) => {
    expect((await judge(name, input, join(root, 'way', 'project'))).verdict).toBe('allow');
  },
);

it.each<[string, Record<string, unknown>]>([
  ['glob', { pattern: 'out/*' }],
  ['glob', { pattern: './out/**/*.md' }],
  ['glob', { pattern: 'src/../out/*' }],
  ['glob', { pattern: 'out/../*/x' }],
  ['glob', { pattern: '../../outside/*' }],
  ['glob', { pattern: join(project, 'out', '*') }],
  ['grep', { pattern: 'x', glob: 'out/*.md' }],
  ['grep', { pattern: 'x', glob: 'out/**' }],
])('%s with a pattern that begins with such a link asks: %o', async (name, input) => {
  const verdict = await judge(name, input, project);
  if (input.pattern === 'out/../*/x') expect(verdict.verdict).toBe('allow');
  else expect([verdict.verdict, verdict.class]).toEqual(['ask', 'outside']);
});

it('a link below the beginning is not followed, and `..` behind one is read as in the path', async () => {
  const context = testContext();
  symlinkSync(outside, join(context.project, 'out'));
  writeFileSync(join(context.project, 'own.md'), 'x\n');
  expect((await context.call('glob', { pattern: '**/*.md' })).output).toBe('own.md');
  expect((await context.call('glob', { pattern: 'o*/*.md' })).output).toContain('No file fits');
  expect((await context.call('glob', { pattern: 'out/../*.md' })).output).toBe('own.md');
  expect((await context.call('grep', { pattern: 'x', glob: 'o*/*.md' })).output).toContain('No matches');
  expect(await context.call('grep', { pattern: 'x', glob: '../*.md' })).toMatchObject({ isError: true });
});
