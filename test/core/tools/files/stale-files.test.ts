/** A file that somebody else changed since the model read it: only lines that are as they were read are edited. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { coreTools } from '../../../../core/tools/index.ts';
import { testContext } from '../tool-context.ts';

const context = testContext();
const at = join(context.project, 'f');
const text = () => readFileSync(at, 'utf8');
const edit = (old: string, fresh: string) => context.call('edit_file', { path: 'f', old, new: fresh });

async function changed(before: string, after: string): Promise<void> {
  writeFileSync(at, before);
  await context.call('read_file', { path: 'f' });
  writeFileSync(at, after);
}

it.each([
  ['in the line', 'limit = 10\nend\n', 'limit = 100 * scale\nend\n', 'limit = 10', 'limit = 20'],
  ['before it', 'x = 10\n', 'max.x = 10\n', 'x = 10', 'x = 20'],
  ['in the last of its lines', 'a\nb\nc\n', 'a\nb2\nc\n', 'a\nb', 'A\nB'],
  ['to what it is not', 'one\n', 'one\ntwo\n', 'two', '2'],
])(
  'a change %s is not edited over, however often it is tried, until the file is read',
  async (_name, before, after, old, fresh) => {
    await changed(before, after);
    for (let i = 0; i < 2; i++) {
      expect(await edit(old, fresh)).toMatchObject({ isError: true, output: expect.stringContaining('Read it again') });
      expect(text()).toBe(after);
    }
    await context.call('read_file', { path: 'f' });
    expect((await edit(old, fresh)).isError).toBeUndefined();
    expect(text()).toBe(after.replace(old, fresh));
  },
);

it.each([
  ['elsewhere', 'a\nlimit = 10\nz\n', 'new\na\nlimit = 10\nz\nmore\n', 'limit = 10', 'limit = 20'],
  ['to other line ends', 'a\nb\n', 'a\r\nb\r\n', 'b', 'B'],
  ['of the end of the file', 'a\nb', 'a\nb\n', 'b', 'B'],
])('a change %s hinders nothing', async (_name, before, after, old, fresh) => {
  await changed(before, after);
  expect((await edit(old, fresh)).output).toContain('had changed on disk');
  expect(text()).toBe(after.replace(old, fresh));
});

it('write_file is refused until the file is read', async () => {
  await changed('a\n', 'theirs\n');
  for (let i = 0; i < 2; i++) {
    expect((await context.call('write_file', { path: 'f', content: 'mine\n' })).isError).toBe(true);
    expect(text()).toBe('theirs\n');
  }
  await context.call('read_file', { path: 'f' });
  expect((await context.call('write_file', { path: 'f', content: 'mine\n' })).isError).toBeUndefined();
});

it('write_file is refused where the file was made or changed while a person looked at what it would do', async () => {
  const tool = coreTools().find(({ name }) => name === 'write_file')!;
  for (const [before, after] of [
    [undefined, 'theirs\n'],
    ['seen\n', 'theirs\n'],
    ['seen\n', undefined],
  ]) {
    const input = { path: 'shown', content: 'mine\n' };
    const file = join(context.project, 'shown');
    const put = (content: string | undefined) =>
      content === undefined ? rmSync(file, { force: true }) : writeFileSync(file, content);
    put(before);
    tool.gate(input, context);
    expect(await tool.preview!(input, context)).toMatchObject({ kind: 'diff' });
    put(after);
    expect(await tool.run(input, context)).toMatchObject({
      isError: true,
      output: expect.stringContaining('while this waited for an answer'),
    });
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(after);
  }
});

it('write_file writes no mark in the place of a secret', async () => {
  writeFileSync(at, `T=ghp_${'aB3dE6gH9jK2mN5pQ8rS'.repeat(2)}\n`);
  const { output, isError } = await context.call('write_file', {
    path: 'f',
    content: 'T=[redacted: GitHub token]\nx\n',
  });
  expect(isError).toBe(true);
  expect(output).toContain('change the other lines with edit_file');
  expect(text()).toContain('ghp_');
  const fresh = await context.call('write_file', { path: 'g', content: 'T=[redacted: GitHub token]\n' });
  expect(fresh.isError).toBe(true);
});
