/** `grep`: lines that fit a regular expression. */
import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod/mini';
import { linkedSecrets, secretNameOf } from '../permission/hard-links.ts';
import { isSecretName } from '../permission/sensitive-names.ts';
import { knowProjectSecrets } from '../project-secrets.ts';
import { cutBefore } from '../redact-cut.ts';
import type { ToolContext, ToolOutput } from '../types.ts';
import { defineTool } from './call/define-tool.ts';
import { placesOf } from './files/judged-place.ts';
import { locate, shownPath } from './files/locate.ts';
import { missingFile } from './files/missing-file.ts';
import { fixedFolder, globPattern, hasParent } from './search/glob-pattern.ts';
import type { RipgrepResult } from './search/ripgrep.ts';

const DEFAULT_MATCHES = 100;
const MOST_CHARACTERS = 30_000;
const MOST_IN_LINE = 300;
/** So far behind its end a line that is cut is looked at: a secret must not be cut with it. */
const LOOKED_AHEAD = 2000;
/** Beyond this, ripgrep itself must sort, which costs it its parallel search. */
const MOST_COLLECTED = 4 << 20;

interface Input {
  pattern: string;
  path?: string;
  glob?: string;
  context?: number;
  limit?: number;
}

export const grep = defineTool({
  name: 'grep',
  description: 'Search file contents with a regular expression.',
  input: z.object({
    pattern: z.string(),
    path: z.optional(z.string()),
    glob: z.optional(z.string().check(z.describe('e.g. *.ts'))),
    context: z.optional(z.int().check(z.describe('lines around'))),
    limit: z.optional(z.int()),
  }),
  kind: 'search',
  gate(input, context) {
    const root = locate(input.path ?? '', context.cwd);
    // ripgrep follows no link but one that it is given.
    const folder = input.glob?.startsWith('!') ? '' : fixedFolder(input.glob ?? '');
    return { kind: 'read', paths: placesOf(input, [root, join(root, folder)], context) };
  },
  title: ({ pattern, path, glob }) => [pattern, path && `in ${path}`, glob && `(${glob})`].filter(Boolean).join(' '),
  run,
});

/** The lines found in one file, as `12:text` (match) or `11-text` (around it). */
interface FileMatches {
  path: string;
  lines: string[];
}

async function run(input: Input, context: ToolContext): Promise<ToolOutput> {
  const place = locate(input.path ?? '', context.cwd);
  const info = statSync(place, { throwIfNoEntry: false });
  if (!info) return { output: missingFile(place, context.cwd), isError: true };
  if (!info.isFile() && !info.isDirectory())
    return { output: `${input.path} is not a regular file or directory.`, isError: true };
  if (input.pattern === '') return { output: '`pattern` is empty.', isError: true };
  if (hasParent(fixedFolder(input.glob ?? '')))
    return { output: '`glob` must not lead upwards with `..`: give that folder as path.', isError: true };
  const root = info.isDirectory() ? place : dirname(place);
  const file = info.isDirectory() ? undefined : relative(root, place);
  const limit = Math.max(1, input.limit ?? DEFAULT_MATCHES);
  knowProjectSecrets(context.project, { first: true, places: [place] });
  try {
    let note = '';
    // Who names a secret file, or a folder of them, has been asked about just that.
    const hides = !file && !isSecretName(place);
    const [first, secrets] = await Promise.all([
      search(input, root, file, context, false, hides),
      file ? '' : leftOut(input, root, context, hides),
    ]);
    let found = first;
    if (found.result.code === 2 && /regex parse error|error compiling|PCRE2/i.test(found.result.errors)) {
      const why = found.result.errors
        .split('\n')
        .at(-1)!
        .replace(/^error:\s*/, '');
      note = `(not a valid regular expression (${why}); searched as plain text)\n`;
      found = await search(input, root, file, context, true, hides);
    }
    const { files, result } = found;
    if (files.length === 0 && result.code === 2 && result.errors)
      return { output: `grep failed: ${result.errors}`, isError: true };
    const hidden = secrets ? `\n${secrets}` : '';
    if (files.length === 0) return { output: `${note}No matches.${hidden}` };
    return { output: note + show(files, root, context.cwd, limit) + hidden };
  } catch (error) {
    if (error instanceof Error && error.name === 'RipgrepMissing') return { output: error.message, isError: true };
    throw error;
  }
}

/** What to say of the files that the search leaves out and would have gone through. */
async function leftOut({ glob }: Input, root: string, context: ToolContext, hides: boolean): Promise<string> {
  const { secretFiles, describeLeftOut } = await import('./search/secret-files.ts');
  const isLinked = linkedSecrets(context.project).length > 0;
  const all = await secretFiles(
    context.memory,
    root,
    context.signal,
    context.mayRead?.bind(context),
    (file) => isLinked && secretNameOf(file, context.project) !== undefined,
  );
  const negated = glob?.startsWith('!');
  const fits = glob ? globPattern(negated ? glob.slice(1) : glob) : undefined;
  const searched = (files: readonly string[]) =>
    files.filter((path) => !fits || fits(path) !== negated).map((path) => shownPath(join(root, path), context.cwd));
  return describeLeftOut({ secret: hides ? searched(all.secret) : [], denied: searched(all.denied) });
}

async function search(
  input: Input,
  root: string,
  file: string | undefined,
  context: ToolContext,
  fixed: boolean,
  hides: boolean,
) {
  const around = Math.min(20, Math.max(0, input.context ?? 0));
  const { glob } = input;
  const negated = glob?.startsWith('!');
  const fits = glob && !negated ? globPattern(glob) : undefined;
  const folder = glob && !negated && !file ? fixedFolder(glob) : '';
  const args = [
    '--line-number',
    '--no-heading',
    '--with-filename',
    '--null',
    `--max-columns=${MOST_IN_LINE + LOOKED_AHEAD}`,
    '--max-columns-preview',
    fixed ? '--fixed-strings' : '--engine=auto',
    ...(around > 0 ? [`--context=${around}`] : []),
    ...(negated ? ['--glob', glob!] : []),
    // A type, not a glob: globs of ripgrep bring ignored files back.
    ...(fits && !glob!.includes('/') ? ['--type-add', `ada:${glob}`, '--type', 'ada'] : []),
  ];
  const target =
    file ?? (folder && statSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory() ? folder : '.');
  const { ripgrep } = await import('./search/ripgrep.ts');
  const attempt = async (sorted: boolean) => {
    const files: FileMatches[] = [];
    let size = 0;
    let matches = 0;
    let checked = '';
    let isHidden = false;
    const result: RipgrepResult = await ripgrep({
      args: [...args, ...(sorted ? ['--sort=path'] : []), '-e', input.pattern, '--', target],
      separator: '\n',
      cwd: root,
      signal: context.signal,
      record(row) {
        const nul = row.indexOf('\0');
        const last = files.at(-1);
        if (nul < 0) {
          if (row === '--' && !isHidden) last?.lines.push(row);
          return true;
        }
        const path = row.slice(row.startsWith('./') ? 2 : 0, nul);
        if (path !== checked) {
          checked = path;
          const isSecret =
            hides && (isSecretName(path) || secretNameOf(join(root, path), context.project) !== undefined);
          isHidden =
            isSecret || (fits !== undefined && !fits(path)) || (!file && context.mayRead?.(join(root, path)) === false);
        }
        if (isHidden) return true;
        const line = row.slice(nul + 1);
        if (last?.path === path) last.lines.push(line);
        else files.push({ path, lines: [line] });
        size += Math.min(row.length, MOST_IN_LINE);
        if (/^\d+:/.test(line)) matches++;
        return sorted ? matches <= (input.limit ?? DEFAULT_MATCHES) : size < MOST_COLLECTED;
      },
    });
    return { files, result };
  };
  const quick = await attempt(false);
  // Ended early: which files came first was chance.
  if (quick.result.code === null) return attempt(true);
  quick.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return quick;
}

function show(files: readonly FileMatches[], root: string, cwd: string, limit: number): string {
  const rows: string[] = [];
  let matches = 0;
  let size = 0;
  let full = false;
  let total = 0;
  for (const { path, lines } of files) {
    const name = shownPath(join(root, path), cwd);
    for (const [i, line] of lines.entries()) {
      const separator = line === '--';
      const match = !separator && /^\d+:/.test(line);
      if (match) total++;
      if (full || (separator && i === lines.length - 1)) continue;
      if ((match && matches === limit) || size > MOST_CHARACTERS) {
        full = true;
        continue;
      }
      if (match) matches++;
      const clean = line.endsWith('\r') ? line.slice(0, -1) : line;
      const row = separator ? '--' : name + shortened(clean).replace(/^(\d+)([:-])/, match ? ':$1:' : '-$1-');
      size += row.length + 1;
      rows.push(row);
    }
  }
  if (full)
    rows.push(
      `(the first ${matches} of ${total > matches ? `at least ${total}` : 'more'} matches; narrow the search or raise limit)`,
    );
  return rows.join('\n');
}

/** What ripgrep puts behind a line that it has cut. */
const CUT = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/;

/** A row with at most so many characters of its line. A word that goes on behind all that was looked at is left out. */
function shortened(row: string): string {
  const start = /^\d+[:-]/.exec(row)?.[0].length ?? 0;
  if (row.length - start <= MOST_IN_LINE) return row;
  const line = row.slice(start);
  const note = line.length > LOOKED_AHEAD ? CUT.exec(line)?.[0] : undefined;
  const seen = note ? line.slice(0, -note.length) : line;
  let end = cutBefore(seen, MOST_IN_LINE);
  if (note && /^[\w+/=.-]*$/.test(seen.slice(end))) end -= /[\w+/=.-]*$/.exec(seen.slice(0, end))![0].length;
  return `${row.slice(0, start)}${line.slice(0, end)}${note ?? ' [... omitted end of long line]'}`;
}
