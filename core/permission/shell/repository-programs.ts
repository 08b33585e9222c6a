/**
 * Programs that git runs by itself when it only looks, because the repository's own settings name them (manual of
 * git-config, gitattributes, githooks). A clone does not bring such settings; an archive or a shared folder does.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Places } from '../paths.ts';
import { repositoryOf, trackedFiles } from './git-index.ts';

/** Subcommands that read the work tree or show content. */
const LOOKING = new Set(
  'status diff log show blame annotate grep whatchanged stash shortlog diff-files diff-index diff-tree difftool range-diff format-patch ls-files describe reflog cherry submodule apply'.split(
    ' ',
  ),
);
/** Bytes of a file of settings. */
const MOST = 1 << 20;
/** Submodules that are looked at, those of submodules too. */
const MOST_REPOSITORIES = 100;
/** Settings whose value is a program, by section and name. */
const PROGRAM =
  /^(?:core\.(?:fsmonitor|alternaterefscommand)|diff\.external|diff\..*\.(?:command|textconv)|diff\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|gpg\.(?:.*\.)?program|include\.path|includeif\..*\.path)$/;
/** What `git lfs install` writes, and what is no program. */
const HARMLESS =
  /^(?:git-lfs (?:clean|smudge)(?: --skip)? -- %f|git-lfs filter-process(?: --skip)?|true|false|yes|no|on|off|0|1|)$/i;

/** Why git may run a program of the repository's choice for this subcommand; undefined where it does not. */
export function runsByItself(subcommand: string, cwd: string, places: Places): string | undefined {
  if (!LOOKING.has(subcommand)) return undefined;
  // Git is run in each submodule to tell whether it was changed, and reads the settings there.
  const folders = [cwd];
  for (let at = 0; at < folders.length; at++) {
    if (at === MOST_REPOSITORIES) return 'the repository has too many submodules to read the settings of each';
    const runs = runsIn(folders[at]!);
    if (runs !== undefined) return runs;
    const { root, files = [] } = trackedFiles(folders[at]!, places) ?? {};
    for (const { path, isRepository } of files)
      if (isRepository && existsSync(join(root!, path, '.git'))) folders.push(join(root!, path));
  }
  return undefined;
}

/** Why git may run a program in the repository that a folder lies in. */
function runsIn(folder: string): string | undefined {
  const repository = repositoryOf(folder);
  if (!repository) return undefined;
  const { gitDir, root } = repository;
  let hooks = `${gitDir}/hooks`;
  for (const file of [`${gitDir}/config`, `${gitDir}/config.worktree`, `${commonOf(gitDir)}/config`]) {
    for (const [key, value] of settingsIn(file)) {
      if (key === 'core.hookspath') hooks = resolve(root, value);
      if (PROGRAM.test(key) && !HARMLESS.test(value))
        return `the repository's own settings let git run a program (${key})`;
    }
  }
  // `git status` writes the index anew.
  if (existsSync(`${hooks}/post-index-change`)) return 'the repository has a hook for when its index changes';
  return undefined;
}

/** Where a work tree of its own keeps what it shares. */
function commonOf(gitDir: string): string {
  try {
    return resolve(gitDir, readFileSync(`${gitDir}/commondir`, 'utf8').trim());
  } catch {
    return gitDir;
  }
}

/** Names in lower case; values without quotes and comments. */
function settingsIn(file: string): [string, string][] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  // Too large to be looked through: nothing is known of it.
  if (text.length > MOST) return [['include.path', file]];
  const found: [string, string][] = [];
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, '').split('\n')) {
    const [, name, sub, rest = line] = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line) ?? [];
    if (name !== undefined) section = `${name}${sub === undefined ? '' : `.${sub}`}`.toLowerCase();
    const [, key, value = 'true'] =
      /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?))?\s*$/.exec(rest.replace(/\s[#;].*$/, '')) ?? [];
    if (key !== undefined) found.push([`${section}.${key.toLowerCase()}`, value.replaceAll('"', '')]);
  }
  return found;
}
