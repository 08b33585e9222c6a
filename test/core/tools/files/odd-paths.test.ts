import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { coreTools, lateTools } from '../../../../core/tools/index.ts';
import { testContext } from '../tool-context.ts';

const tools = [...coreTools(), ...lateTools({})];
const patch = (body: string) => `*** Begin Patch\n${body}\n*** End Patch`;

it('a path with a NUL, or of a folder, is refused in words', async () => {
  const context = testContext(tools);
  mkdirSync(join(context.project, 'd'));
  for (const [tool, input] of [
    ['read_file', { path: 'a\0b' }],
    ['write_file', { path: 'a\0b', content: '' }],
    ['edit_file', { path: 'a\0b', old: 'a', new: 'b' }],
    ['apply_patch', { patch: patch('*** Add File: a\0b\n+x') }],
  ] as const)
    expect(await context.call(tool, input)).toMatchObject({
      isError: true,
      output: expect.stringContaining('"a\\u0000b" has a NUL character, which no path can have'),
    });
  for (const [tool, input] of [
    ['write_file', { path: 'new/', content: 'x' }],
    ['write_file', { path: 'd/', content: 'x' }],
    ['apply_patch', { patch: patch('*** Add File: new/\n+x') }],
  ] as const) {
    const { output, isError } = await context.call(tool, input);
    expect([output, isError]).toEqual([expect.stringMatching(/folder|directory/), true]);
  }
  expect(existsSync(join(context.project, 'new'))).toBe(false);
});

it('names with line breaks, emoji and 255 bytes are names', async () => {
  const context = testContext(tools);
  for (const path of ['new\nline', '😀 é', 'x'.repeat(255), 'é'.repeat(127)]) {
    expect((await context.call('write_file', { path, content: 'a\n' })).output).toMatch(/^Created/);
    expect((await context.call('edit_file', { path, old: 'a', new: 'b' })).output).toMatch(/^Edited/);
  }
  const long = await context.call('write_file', { path: 'é'.repeat(128), content: '' });
  expect(long).toMatchObject({ isError: true, output: expect.stringContaining('the name is too long') });
});

it('places on one long line are told by their columns, further ones by their lines', async () => {
  const context = testContext(tools);
  writeFileSync(join(context.project, 'long'), `${'a '.repeat(500)}KEY ${'b '.repeat(500)}KEY ${'c '.repeat(500)}\n`);
  const { output } = await context.call('edit_file', { path: 'long', old: 'KEY', new: 'X' });
  expect(output).toMatch(/line 1, column 1001: …(?:a )+KEY b .*\n {2}line 1, column 2005: …(?:b )+KEY c /);
  writeFileSync(join(context.project, 'many'), 'x\n'.repeat(100_000));
  const many = await context.call('edit_file', { path: 'many', old: 'x', new: 'y' });
  expect(many.output).toMatch(/occurs 100000 times:\n {2}line 1: x\n[\s\S]*and 99995 more, in lines 6, 7, .*, 45 …\n/);
  expect(many.output.length).toBeLessThan(600);
  writeFileSync(join(context.project, 'none'), '');
  expect((await context.call('edit_file', { path: 'none', old: 'x', new: 'y' })).output).toContain('is empty');
});
