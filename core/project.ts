/** The project of a working directory, and where its sessions and other state are kept (CONTRACT, "Environment and files"). */
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from './make-folder.ts';

export { distrust, isTrusted, trust, trustOf } from './permission/trust.ts';

/**
 * The nearest ancestor of `cwd` that holds `.git` or `.ada`, never the home directory or `/`, else `cwd` itself. Links in
 * `cwd` are followed first, where it exists.
 */
export function findProject(cwd: string, home: string): string {
  const start = real(resolve(cwd));
  const homes = new Set([resolve(home), real(resolve(home))]);
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (homes.has(folder)) continue;
    if (existsSync(join(folder, '.git')) || existsSync(join(folder, '.ada'))) return folder;
  }
  return start;
}

export interface SessionsPlace {
  /** Where new sessions are written. */
  readonly dir: string;
  /** Where sessions of this project may be found, best first. */
  readonly dirs: readonly string[];
  /** Locks, full outputs and other state that is not a log. */
  readonly stateDir: string;
  /** True when the project itself cannot hold them. */
  readonly fallback: boolean;
  /** What a person should know of that, in one line. */
  readonly notice?: string;
  /** Makes the folders and `.ada/.gitignore`, and moves to the fallback when the project refuses. Throws when neither can be had. */
  prepare(): SessionsPlace;
}

/** Finds the folders of a project's sessions; nothing is written before `prepare`. */
export function sessionsDir(options: { project: string; home: string; adaHome: string }): SessionsPlace {
  const { project, home, adaHome } = options;
  const own = join(project, '.ada');
  const hash = createHash('sha256').update(project).digest('hex').slice(0, 16);
  const elsewhere = join(adaHome, 'sessions', hash);
  const isHome = real(resolve(project)) === real(resolve(home)) || project === dirname(project);
  const dirs = [join(own, 'sessions'), elsewhere];

  const inProject: SessionsPlace = {
    dir: dirs[0]!,
    dirs,
    stateDir: join(own, 'state'),
    fallback: false,
    prepare() {
      try {
        makePrivate(own, this.dir, this.stateDir);
        ignoreOwnFiles(own);
        return inProject;
      } catch {
        return outside(`${project} cannot be written`).prepare();
      }
    },
  };
  const outside = (why: string): SessionsPlace => ({
    dir: elsewhere,
    dirs: isHome ? [elsewhere] : [elsewhere, dirs[0]!],
    stateDir: join(adaHome, 'state', hash),
    fallback: true,
    notice: `${why}; its sessions are kept in ${elsewhere}`,
    prepare() {
      makePrivate(adaHome, this.dir, this.stateDir);
      return this;
    },
  });
  if (isHome) return outside('this is no project folder');
  // A checkout may bring `.ada` as a link: what a person says is not written where it points.
  const leads = [own, ...[dirs[0]!, inProject.stateDir].filter(existsSync)].find(
    (path) => existsSync(path) && !within(real(path), real(project)),
  );
  if (leads) return outside(`${leads} leads out of the project`);
  return canWrite(existsSync(own) ? own : project) ? inProject : outside(`${project} cannot be written`);
}

const within = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

function makePrivate(...folders: readonly string[]): void {
  for (const folder of folders) makeFolder(folder, 0o700);
}

/** Keeps ada's own files out of `git status`; what the team commits there (settings, skills …) stays visible. */
export function ignoreOwnFiles(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '/sessions/\n/state/\n/.gitignore\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
