/** A search leaves out what a rule denies to read, and says so whether or not it would have found something there. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testContext } from './tool-context.ts';

const context = testContext();
const at = (path: string) => join(context.project, path);
mkdirSync(at('lib'));
for (const path of ['a.ts', 'lib/b.ts', 'lib/c.ts', '.env']) writeFileSync(at(path), 'needle\n');
Object.assign(context, { mayRead: (file: string) => !file.startsWith(at('lib/')) });

it.each([
  [{ pattern: 'needle' }, 'a.ts:1:needle'],
  [{ pattern: 'absent' }, 'No matches.'],
])('%o', async (input, found) => {
  const { output } = await context.call('grep', input);
  expect(output.split('\n')).toEqual([
    found,
    '(1 file that may hold secrets was not searched: .env; to search one, give it as path)',
    '(2 files that a rule forbids to read were not searched: lib/b.ts, lib/c.ts)',
  ]);
});

it('also in the folder itself, and only what the glob means', async () => {
  expect((await context.call('grep', { pattern: 'needle', path: 'lib', glob: 'b*' })).output).toBe(
    'No matches.\n(1 file that a rule forbids to read was not searched: lib/b.ts)',
  );
  expect((await context.call('grep', { pattern: 'needle', glob: 'a*' })).output).toBe('a.ts:1:needle');
});
