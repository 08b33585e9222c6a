import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dir, find, type Said, start, turn } from '../../scripted-session.ts';

const write = (path: string): Said => ({ calls: [['write_file', { path, content: 'made\n' }]] });

it('a link whose target does not exist yet is written through, and stays a link', async () => {
  symlinkSync('notes/later.md', join(dir, 'NOTES.md'));
  const { session } = start([write('NOTES.md'), { text: 'Done.' }]);
  session.send({ type: 'set', mode: 'auto' });
  const events = await turn(session, 'write it');
  expect(find(events, 'tool_result')[0]).toMatchObject({ isError: false });
  expect(readFileSync(join(dir, 'notes/later.md'), 'utf8')).toBe('made\n');
  expect(lstatSync(join(dir, 'NOTES.md')).isSymbolicLink()).toBe(true);
});

it('one that leads out of the project is judged by where it leads, over several links', async () => {
  const outside = `${dir}-outside`;
  mkdirSync(join(dir, 'sub'));
  symlinkSync('sub/second', join(dir, 'first'));
  symlinkSync(join(outside, 'victim'), join(dir, 'sub/second'));
  const { session } = start([write('first'), { text: 'Done.' }], { headless: true });
  session.send({ type: 'set', mode: 'auto' });
  const events = await turn(session, 'write it');
  const result = find(events, 'tool_result')[0]!;
  expect(result.isError).toBe(true);
  expect(result.output).toMatch(/outside/);
  expect(existsSync(outside)).toBe(false);
});
