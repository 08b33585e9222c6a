/**
 * Where a path really is: symbolic links are followed as the kernel follows them, also those that point nowhere yet,
 * and a path counts as inside only when every way to read it ends inside.
 */
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { secretNameOf } from './hard-links.ts';
import { pathGlob } from './path-glob.ts';
import { isGuardedName, isSecretName } from './sensitive-names.ts';

const MAX_LINKS = 40;

/** The folders that count as inside, links already followed, and what is guarded in them. */
export interface Places {
  project: string;
  roots: readonly string[];
  home: string;
  adaHome?: string;
  guarded: readonly RegExp[];
  /** The PATH of commands. */
  path?: string | undefined;
}

export interface PlacesOptions {
  project: string;
  directories?: readonly string[];
  home: string;
  adaHome?: string;
  /** Path patterns, relative to the project, absolute, or from `~`. */
  protectedPaths?: readonly string[];
  /** The PATH that commands run with. */
  path?: string | undefined;
}

/** A path and what the policy says of it. */
export interface Placed {
  /** Absolute, as written. */
  path: string;
  /** After links; absent when it cannot be found out (too many links, no right to look). */
  real?: string;
  inside: boolean;
  /** Its content needs a yes before a model reads it. */
  secret: boolean;
  /** Never written unasked. */
  guarded: boolean;
}

/** Prepares the folders once, so that each path costs only its own look-ups. */
export function createPlaces(options: PlacesOptions): Places {
  const { home, project } = options;
  const real = (path: string) => realPath(absolute(path, project, home)) ?? normalize(absolute(path, project, home));
  const guarded = (options.protectedPaths ?? []).map((pattern) => {
    const full = absolute(pattern.replace(/\/$/, '/**'), real(project), home);
    return pathGlob(pattern.includes('/') ? full : `/**/${pattern}`);
  });
  const adaHome = options.adaHome === undefined ? undefined : real(options.adaHome);
  return {
    project: real(project),
    roots: [real(project), ...(options.directories ?? []).map(real)],
    home,
    adaHome,
    guarded,
    path: options.path,
  };
}

/** A path made absolute, `~` read as the home directory; `..` is kept, since what it means depends on links. */
export function absolute(path: string, cwd: string, home: string): string {
  if (path === '~') return home;
  if (path.startsWith('~/')) return `${home}/${path.slice(2)}`;
  if (path.startsWith('/')) return path;
  return `${cwd}/${path}`;
}

/**
 * Follows every link of an absolute path, also a final or dangling one; what does not exist yet is kept as written.
 * Undefined when the way cannot be followed.
 */
export function realPath(path: string): string | undefined {
  if (path.includes('\0')) return undefined;
  try {
    // What is there the system follows itself, at a fraction of the cost.
    if (existsSync(path)) return realpathSync.native(path);
  } catch {}
  const todo = path.split('/').reverse();
  let current = '';
  let links = 0;
  let missing = false;
  while (todo.length > 0) {
    const name = todo.pop()!;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      current = current === '' ? '' : dirname(current) === '/' ? '' : dirname(current);
      missing = false;
      continue;
    }
    const next = `${current}/${name}`;
    if (!missing) {
      try {
        const found = lstatSync(next, { throwIfNoEntry: false });
        if (!found) missing = true;
        else if (found.isSymbolicLink()) {
          if (++links > MAX_LINKS) return undefined;
          const target = readlinkSync(next);
          if (target.startsWith('/')) current = '';
          todo.push(...target.split('/').reverse());
          continue;
        }
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        if (code !== 'ENOENT' && code !== 'ENOTDIR') return undefined;
        missing = true;
      }
    }
    current = next;
  }
  return current === '' ? '/' : current;
}

/** True when `path` is `root` or below it. Both absolute, links followed. */
export function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root === '/' ? '/' : `${root}/`);
}

/** Says where a path is, for a call whose relative paths start at `cwd`. */
export function placePath(path: string, cwd: string, places: Places): Placed {
  const written = absolute(path, cwd, places.home);
  const real = realPath(written);
  const lexical = normalize(written);
  // Programs that shorten `a/..` before they look end elsewhere than the kernel when `a` is a link: both must be inside.
  const second = lexical === written ? real : realPath(lexical);
  const inside = real !== undefined && second !== undefined && withinAny(real, places) && withinAny(second, places);
  // A name like `~bob` is another person's home.
  const foreignHome = path.startsWith('~') && path !== '~' && !path.startsWith('~/');
  // Nearly always one and the same.
  const names = [...new Set([lexical, real, second])].filter((name) => name !== undefined);
  return {
    path: lexical,
    ...(real === undefined ? {} : { real }),
    inside: inside && !foreignHome,
    secret: names.some(isSecretName) || (inside && secretNameOf(real, places.roots) !== undefined),
    guarded: names.some((name) => isGuarded(name, places)),
  };
}

function withinAny(path: string, places: Places): boolean {
  return places.roots.some((root) => isWithin(path, root));
}

function isGuarded(path: string, places: Places): boolean {
  if (places.adaHome !== undefined && isWithin(path, places.adaHome)) return true;
  const root = places.roots.find((candidate) => isWithin(path, candidate));
  // The names above a root are no business of the policy: a project may itself live below a folder named .git.
  const below = root === undefined ? path : path.slice(root.length);
  return isGuardedName(below) || places.guarded.some((pattern) => pattern.test(path));
}
