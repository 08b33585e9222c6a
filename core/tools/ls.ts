/** `ls`: what is in a directory. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import * as z from 'zod/mini';
import { defineTool } from './call/define-tool.ts';
import { placesOf } from './files/judged-place.ts';
import { locate, shownPath } from './files/locate.ts';
import { missingFile } from './files/missing-file.ts';

const MOST_ENTRIES = 500;

export const ls = defineTool({
  name: 'ls',
  description: 'List a directory.',
  input: z.object({ path: z.optional(z.string()) }),
  kind: 'read',
  gate: (input, context) => ({
    kind: 'read',
    paths: placesOf(input, [locate(input.path ?? '', context.cwd)], context),
  }),
  title: ({ path }) => path ?? '.',
  run: async ({ path }, { cwd }) => {
    const folder = locate(path ?? '', cwd);
    const name = shownPath(folder, cwd);
    const info = statSync(folder, { throwIfNoEntry: false });
    if (!info) return { output: missingFile(folder, cwd), isError: true };
    if (!info.isDirectory()) return { output: `${name} is not a directory (${info.size} bytes).` };
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      return { output: `${name} cannot be listed: ${(error as Error).message}`, isError: true };
    }
    if (entries.length === 0) return { output: `(${name} is empty)` };
    const names = entries.map((entry) => entry.name + mark(entry)).sort((a, b) => (a < b ? -1 : 1));
    const more =
      names.length > MOST_ENTRIES
        ? `\n(${names.length - MOST_ENTRIES} more of ${names.length} entries; use glob to narrow)`
        : '';
    return { output: names.slice(0, MOST_ENTRIES).join('\n') + more };
  },
});

const mark = (entry: Dirent): string => (entry.isDirectory() ? '/' : entry.isSymbolicLink() ? '@' : '');
