/** Turns what an agent left in its work tree into one patch that applies to the base commit. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitError, git } from './git.ts';
import type { Workspace } from './workspace.ts';

export interface PatchOptions {
  env: NodeJS.ProcessEnv;
  /** Files that the instance's test patch touches: they are replaced when it is scored, so changes there only clash. */
  testFiles: readonly string[];
}

export interface ModelPatch {
  /** Without test and scratch files: what is submitted. */
  patch: string;
  /** Everything that changed. */
  full: string;
  /** Paths in `full` that are not in `patch`. */
  stripped: readonly string[];
  /** Paths in `patch`. */
  files: readonly string[];
}

/** New files at the root that an agent makes to try something out. */
const SCRATCH =
  /^(repro|reproduce|reproduction|test|debug|scratch|tmp|temp|demo)([-_.\d].*)?\.(py|js|mjs|cjs|ts|sh|txt|log|out|rb|go|rs)$/i;

/** ada's own files in the project. */
const OWN = ':(top,exclude).ada';

// Nothing in a configuration, of the person or of the repository, may change the text of a patch.
const SAFE = [
  'core.quotepath=off',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.fileMode=true',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'diff.suppressBlankEmpty=false',
];
const DIFF = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--no-relative',
  '--binary',
  '-U3',
  '--inter-hunk-context=0',
  '--diff-algorithm=myers',
  '-O/dev/null',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--ignore-submodules=all',
];

/**
 * The difference between the base commit and the work tree: modified, new, deleted and binary files, committed or not.
 * Ignored files stay out. Works on a temporary index; the repository's own is not touched.
 */
export async function extractPatch(workspace: Workspace, options: PatchOptions): Promise<ModelPatch> {
  const scratch = mkdtempSync(join(tmpdir(), 'ada-patch-'));
  try {
    const attributes = join(scratch, 'attributes');
    writeFileSync(attributes, '');
    // The excludes file is repeated here because the repository's configuration would win over ours.
    const config = [...SAFE, `core.attributesFile=${attributes}`, ...excludes(options.env)].flatMap((pair) => [
      '-c',
      pair,
    ]);
    const env = { ...options.env, GIT_INDEX_FILE: join(scratch, 'index') };
    // An explicit git directory: without its .git the work tree must not be taken for part of a repository around it.
    const at = [`--git-dir=${join(workspace.folder, '.git')}`, `--work-tree=${workspace.folder}`, ...config];
    const run = (args: readonly string[]) => git([...at, ...args], { cwd: workspace.folder, env });

    // From nothing rather than from the real index, whose flags (assume-unchanged, sparse) can hide a change.
    await run(['read-tree', workspace.base]);
    // --ignore-errors: a repository inside that has no commit cannot be added, and the rest must be.
    await run(['add', '-A', '--ignore-errors', '--', '.', OWN]).catch((error: unknown) => {
      const lines =
        error instanceof GitError ? error.result.stderr.split('\n').filter((line) => line.startsWith('error: ')) : [];
      if (lines.length === 0 || !lines.every((line) => line.endsWith('does not have a commit checked out')))
        throw error;
    });

    const status = await run([
      'diff',
      '--cached',
      '--name-status',
      '-z',
      '--no-renames',
      '-O/dev/null',
      '--ignore-submodules=all',
      workspace.base,
      '--',
      '.',
      OWN,
    ]);
    const fields = status.toString('utf8').split('\0');
    const changed: { path: string; isNew: boolean }[] = [];
    for (let index = 0; index + 1 < fields.length; index += 2)
      changed.push({ path: fields[index + 1]!, isNew: fields[index] === 'A' });

    const tests = new Set(options.testFiles);
    const unwanted = ({ path, isNew }: { path: string; isNew: boolean }) =>
      tests.has(path) || (isNew && SCRATCH.test(path));
    const stripped = changed.filter(unwanted).map(({ path }) => path);
    const files = changed.filter((change) => !unwanted(change)).map(({ path }) => path);

    const diff = (paths: readonly string[]) =>
      run(['--literal-pathspecs', 'diff', '--cached', ...DIFF, workspace.base, '--', ...paths]);
    const every = changed.map(({ path }) => path);
    // A patch travels as a JSON string: a file in another encoding can only go as binary.
    if (!isUtf8(await inGroups(every, diff))) {
      for (const { path } of changed) {
        if (!isUtf8(await diff([path]))) writeFileSync(attributes, `${quoteAttribute(path)} -diff\n`, { flag: 'a' });
      }
    }
    const text = async (paths: readonly string[]) =>
      paths.length === 0 ? '' : (await inGroups(paths, diff)).toString('utf8');
    const patch = await text(files);
    return {
      patch,
      full: stripped.length === 0 ? patch : await text(every),
      stripped,
      files,
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function excludes(env: NodeJS.ProcessEnv): string[] {
  const file = env.GIT_CONFIG_GLOBAL && join(env.GIT_CONFIG_GLOBAL, '../gitignore');
  return file ? [`core.excludesFile=${file}`] : [];
}

/** Command lines have a limit, and so one call a few hundred paths. */
async function inGroups(
  paths: readonly string[],
  diff: (paths: readonly string[]) => Promise<Buffer>,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let from = 0; from < paths.length; from += 200) parts.push(await diff(paths.slice(from, from + 200)));
  return Buffer.concat(parts);
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A pattern of a gitattributes file that matches exactly this path. */
const quoteAttribute = (path: string) => JSON.stringify(`/${path.replace(/[\\*?[]/g, '\\$&')}`);
