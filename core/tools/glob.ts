/** `glob`: files whose path fits a pattern. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { ToolContext, ToolOutput } from '../types.ts';
import { defineTool } from './call/define-tool.ts';
import { placesOf } from './files/judged-place.ts';
import { locate, shownPath } from './files/locate.ts';
import { missingFile } from './files/missing-file.ts';
import { fixedFolder, globPattern, hasParent } from './search/glob-pattern.ts';

const MOST_FILES = 200;

interface Input {
  pattern: string;
  path?: string;
}

export const glob = defineTool({
  name: 'glob',
  description: 'Find files by name, e.g. src/**/*.ts.',
  input: z.object({ pattern: z.string(), path: z.optional(z.string()) }),
  kind: 'search',
  gate(input, context) {
    const { root, pattern } = rootOf(input, context.cwd);
    // ripgrep follows no link but one that it is given.
    return { kind: 'read', paths: placesOf(input, [root, join(root, fixedFolder(pattern))], context) };
  },
  title: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
  run,
});

/** Where to look, and the pattern from there. An absolute pattern, or one with `..`, brings its own folder. */
function rootOf({ pattern: given, path }: Input, cwd: string): { root: string; pattern: string } {
  const pattern = given.replace(/^(?:\.\/)+/, '');
  const root = locate(path ?? '', cwd);
  const isOwn = /^(?:\/|~\/)/.test(pattern) || hasParent(fixedFolder(pattern));
  if (!isOwn) return { root, pattern };
  const folder = fixedFolder(pattern.replace(/^\/+/, ''));
  const lead = pattern.startsWith('/') ? `/${folder}` : folder;
  return { root: locate(lead, root), pattern: pattern.slice(lead.length).replace(/^\/+/, '') };
}

async function run(input: Input, context: ToolContext): Promise<ToolOutput> {
  const { root, pattern } = rootOf(input, context.cwd);
  const info = statSync(root, { throwIfNoEntry: false });
  if (!info) return { output: missingFile(root, context.cwd), isError: true };
  if (!info.isDirectory())
    return { output: `${shownPath(root, context.cwd)} is a file, not a directory.`, isError: true };
  const fits = globPattern(pattern);
  const folder = fixedFolder(pattern);
  if (folder && !statSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory()) return nothing(pattern);
  const files: string[] = [];
  const { ripgrep } = await import('./search/ripgrep.ts');
  try {
    await ripgrep({
      args: ['--files', '--null', ...(folder ? ['--', folder] : [])],
      separator: '\0',
      cwd: root,
      signal: context.signal,
      record(path) {
        const relative = path.startsWith('./') ? path.slice(2) : path;
        if (fits(relative)) files.push(relative);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'RipgrepMissing') return { output: error.message, isError: true };
    throw error;
  }
  if (files.length === 0) return nothing(pattern);
  files.sort((a, b) => (a < b ? -1 : 1));
  const shown = files.slice(0, MOST_FILES).map((file) => shownPath(join(root, file), context.cwd));
  const more =
    files.length > MOST_FILES
      ? `\n(${files.length - MOST_FILES} more of ${files.length} files; narrow the pattern)`
      : '';
  return { output: shown.join('\n') + more };
}

const nothing = (pattern: string): ToolOutput => ({
  output: `No file fits ${pattern} (ignored files are not searched).`,
});
