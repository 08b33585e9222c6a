/** Makes a checkout of an instance's base commit, with some history before it and nothing of what came after. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import type { Instance } from './dataset.ts';
import { GitError, git } from './git.ts';

/** Commits before the base that the agent can read with `git log` and `git blame`. */
const HISTORY = 50;

export interface Workspace {
  /** The work tree; its `.git` is its own. */
  folder: string;
  /** Full hash of the base commit. */
  base: string;
}

/** The instance cannot be run here; the reason is for the report. */
export class WorkspaceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WorkspaceError';
  }
}

/**
 * Fetches the base commit alone: no branch, tag or object of later commits comes along, so the solution is not in the
 * repository. Throws WorkspaceError.
 */
export async function makeWorkspace(
  instance: Instance,
  options: { folder: string; repos: string | null; env: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<Workspace> {
  const source = findRepository(instance, options.repos);
  const { folder, env, signal } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const run = (args: readonly string[]) => git(args, { cwd: folder, env, signal });
  try {
    const wanted = `${instance.base_commit}^{commit}`;
    const base = (
      await git(['rev-parse', '--verify', '--quiet', '--end-of-options', wanted], { cwd: source, env, signal }).catch(
        () => {
          throw new WorkspaceError(`${source} has no commit ${instance.base_commit}`);
        },
      )
    )
      .toString()
      .trim();
    await run(['init', '-q']);
    await run(['fetch', '-q', '--no-tags', '--depth', String(HISTORY), source, base]);
    await run(['checkout', '-q', '-B', 'main', base]);
    return { folder, base };
  } catch (error) {
    if (error instanceof GitError) throw new WorkspaceError(`${source} cannot be checked out: ${error.message}`);
    throw error;
  }
}

/** A mirror in `repos` under one of the names in use, or the local path that `repo` itself is. */
export function findRepository(instance: Instance, repos: string | null): string {
  const { repo } = instance;
  const local = isAbsolute(repo) ? repo : resolve(instance.origin, repo);
  if (isRepository(local)) return local;
  const name = basename(repo);
  if (repos !== null) {
    const flat = ['__', '+', '-', '_'].map((joint) => repo.replaceAll('/', joint));
    for (const candidate of [repo, ...flat, name, instance.instance_id]) {
      for (const path of [candidate, `${candidate}.git`]) {
        const folder = resolve(repos, path);
        if (isRepository(folder)) return folder;
        // A cache may keep the repository one folder down, under a hash.
        for (const inner of subfolders(folder)) if (isRepository(inner)) return inner;
      }
    }
    throw new WorkspaceError(`no mirror of ${repo} in ${repos}; git clone --mirror makes one`);
  }
  throw new WorkspaceError(`${repo} is not a local repository; name a folder of mirrors with --repos`);
}

const isRepository = (folder: string) =>
  existsSync(join(folder, '.git')) || (existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects')));

function subfolders(folder: string): string[] {
  try {
    return statSync(folder).isDirectory() ? readdirSync(folder).map((name) => join(folder, name)) : [];
  } catch {
    return [];
  }
}
