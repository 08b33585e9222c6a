/** The project of a working directory, and where its sessions and other state are kept (CONTRACT, "Environment and files"). */
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
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
  /** The same for the sessions in `dirs`, in their order. */
  readonly stateDirs: readonly string[];
  /** True when the project itself cannot hold them. */
  readonly fallback: boolean;
  /** What a person should know of that, in one line. */
  readonly notice?: string;
  /** Why a session here is kept in memory alone; undefined where it is written. */
  readonly inMemory?: string;
  /** Makes the folders and `.ada/.gitignore`, and moves to the next best place when one refuses. Never throws. */
  prepare(): SessionsPlace;
  /** The next best place, for a reason that showed later; undefined where there is none. */
  instead(why: string): SessionsPlace | undefined;
}

/** Finds the folders of a project's sessions; nothing is written before `prepare`. */
export function sessionsDir(options: { project: string; home: string; adaHome: string }): SessionsPlace {
  const { project, home, adaHome } = options;
  const own = join(project, '.ada');
  const hash = createHash('sha256').update(project).digest('hex').slice(0, 16);
  const elsewhere = join(adaHome, 'sessions', hash);
  const isHome = real(resolve(project)) === real(resolve(home)) || project === dirname(project);
  const inside = [join(own, 'sessions'), elsewhere];
  const insideState = [join(own, 'state'), join(adaHome, 'state', hash)];

  const inProject: SessionsPlace = {
    dir: inside[0]!,
    dirs: inside,
    stateDir: insideState[0]!,
    stateDirs: insideState,
    fallback: false,
    prepare() {
      const why = refusal([own, this.dir, this.stateDir], () => ignoreOwnFiles(own));
      return why === undefined ? this : outside(why).prepare();
    },
    instead: (why) => outside(why).prepare(),
  };
  const outside = (why: string): SessionsPlace => ({
    dir: elsewhere,
    dirs: isHome ? [elsewhere] : inside.toReversed(),
    stateDir: insideState[1]!,
    stateDirs: isHome ? [insideState[1]!] : insideState.toReversed(),
    fallback: true,
    notice: `${why}; its sessions are kept in ${elsewhere}`,
    prepare() {
      const further = refusal([adaHome, this.dir, this.stateDir]);
      return further === undefined ? this : this.instead(further)!;
    },
    instead(further) {
      const memory: SessionsPlace = {
        ...this,
        stateDir: passing(),
        notice: undefined,
        inMemory: `${why}, and ${further}`,
        prepare: () => memory,
        instead: () => undefined,
      };
      return memory;
    },
  });
  if (isHome) return outside('this is no project folder');
  const lost = [own, inProject.dir, inProject.stateDir].find(leadsNowhere);
  if (lost) return outside(`${lost} is a link that leads nowhere`);
  // A checkout may bring `.ada` as a link: what a person says is not written where it points.
  const leads = [own, ...[inProject.dir, inProject.stateDir].filter(existsSync)].find(
    (path) => existsSync(path) && !within(real(path), real(project)),
  );
  if (leads) return outside(`${leads} leads out of the project`);
  const holder = existsSync(own) ? own : project;
  if (!isFolder(holder)) return outside(`${holder} is no folder`);
  return canWrite(holder) ? inProject : outside(`${holder} cannot be written`);
}

/** Makes private folders, and says in one line why one of them takes no files. */
function refusal(folders: readonly string[], further?: () => void): string | undefined {
  for (const folder of folders) {
    try {
      makeFolder(folder, 0o700);
    } catch {
      // What of its path is in the way, or else refuses.
      const lost = upwards(folder).find(leadsNowhere);
      if (lost !== undefined) return `${lost} is a link that leads nowhere`;
      const there = upwards(folder).find(existsSync);
      return there === undefined || isFolder(there) ? `${there ?? folder} cannot be written` : `${there} is no folder`;
    }
  }
  const closed = folders.slice(1).find((folder) => !canWrite(folder));
  if (closed) return `${closed} cannot be written`;
  try {
    further?.();
    return undefined;
  } catch {
    return `${folders[0]} cannot be written`;
  }
}

/** A link to what does not exist. */
function leadsNowhere(path: string): boolean {
  if (existsSync(path)) return false;
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function upwards(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...upwards(parent)];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A folder that goes with the process; where even that cannot be had, one that nothing can be written to. */
function passing(): string {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'ada-state-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    return folder;
  } catch {
    return join(tmpdir(), 'ada-state');
  }
}

const within = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

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
