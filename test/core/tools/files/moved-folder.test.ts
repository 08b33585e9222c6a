/** Another process replaces folders by links while tools use them: nothing outside is read, written or left behind. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyPatch } from '../../../../core/tools/apply-patch.ts';
import { removeFile, writeBytes } from '../../../../core/tools/files/write-bytes.ts';
import { coreTools } from '../../../../core/tools/index.ts';
import type { Access, ToolOutput } from '../../../../core/types.ts';
import { testContext } from '../tool-context.ts';

const tools = [...coreTools(), applyPatch];
const context = testContext(tools);
const project = join(context.project, 'project');
const outside = join(context.project, 'outside');
const folder = join(project, 'd');
context.cwd = project;

beforeEach(() => {
  mkdirSync(folder, { recursive: true });
  mkdirSync(outside);
});
afterEach(() => {
  for (const path of [project, outside]) rmSync(path, { recursive: true, force: true });
});

const flip = () => {
  renameSync(folder, join(project, 'was'));
  symlinkSync(outside, folder);
};

function begin(name: string, input: Record<string, unknown>): { access: Access; run(): Promise<ToolOutput> } {
  const tool = tools.find((one) => one.name === name)!;
  return { access: tool.gate(input, context), run: () => tool.run(input, context) };
}

const patch = (body: string) => ({ patch: `*** Begin Patch\n${body}\n*** End Patch` });

describe('a folder that became a link after the call was allowed', () => {
  it.each<[string, Record<string, unknown>]>([
    ['write_file', { path: 'd/new', content: 'x' }],
    ['write_file', { path: 'd/deep/new', content: 'x' }],
    ['write_file', { path: 'd/f', content: 'x' }],
    ['edit_file', { path: 'd/f', old: 'outside', new: 'x' }],
    ['read_file', { path: 'd/f' }],
    ['apply_patch', patch('*** Add File: d/new\n+x')],
    ['apply_patch', patch('*** Update File: d/f\n-outside\n+x')],
    ['apply_patch', patch('*** Delete File: d/f')],
  ])('%s %o is refused', async (name, input) => {
    writeFileSync(join(folder, 'f'), 'inside\n');
    writeFileSync(join(outside, 'f'), 'outside\n');
    const { run } = begin(name, input);
    flip();
    const { output, isError } = await run();
    expect(isError, output).toBe(true);
    expect(output).not.toContain('outside\n');
    expect(readdirSync(outside)).toEqual(['f']);
    expect(readFileSync(join(outside, 'f'), 'utf8')).toBe('outside\n');
  });

  it('is judged by where it leads when it is one already', () => {
    flip();
    expect(begin('write_file', { path: 'd/new', content: '' }).access).toEqual({
      kind: 'write',
      paths: [join(folder, 'new'), join(outside, 'new')],
    });
  });
});

it('a file with a second name is judged by the one that may hold secrets', () => {
  writeFileSync(join(project, '.env'), 'A=1\n');
  linkSync(join(project, '.env'), join(folder, 'plain'));
  expect(begin('read_file', { path: 'd/plain' }).access).toEqual({
    kind: 'read',
    paths: [join(folder, 'plain'), join(project, '.env')],
  });
});

it('what flips all the time leads no write astray', async () => {
  mkdirSync(join(project, 'real'));
  rmSync(folder, { recursive: true });
  const script = `const fs = require('fs'); const end = Date.now() + 20000;
    while (Date.now() < end) {
      try { fs.renameSync('real', 'd'); fs.renameSync('d', 'real'); } catch {}
      try { fs.symlinkSync(${JSON.stringify(outside)}, 'd'); fs.unlinkSync('d'); } catch {}
    }`;
  const flipper = spawn(process.execPath, ['-e', script], { cwd: project, stdio: 'ignore' });
  let refused = 0;
  for (let i = 0; i < 150; i++) {
    const file = join(folder, `f${i}`);
    const allowed = join(project, 'd', `f${i}`);
    await writeBytes(file, [Buffer.from('x')], undefined, allowed).catch(() => refused++);
    await removeFile(file, allowed).catch(() => refused++);
  }
  const ended = new Promise((resolve) => flipper.once('exit', resolve));
  flipper.kill('SIGKILL');
  await ended;
  expect(readdirSync(outside)).toEqual([]);
  expect(refused).toBeGreaterThan(0);
  for (const name of ['d', 'real']) {
    const path = join(project, name);
    if (existsSync(path)) expect(readdirSync(path).filter((one) => one.endsWith('.tmp'))).toEqual([]);
  }
}, 30_000);
