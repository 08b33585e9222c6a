/** The files below some folders, nearest first, and which of them a command reads. */
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { normalize } from 'node:path';
import { pathGlob } from '../path-glob.ts';
import { realPath } from '../paths.ts';

/** Whether a file is read: by its path from the folder that is searched. */
export type Fits = (path: string) => boolean;

export interface Search {
  /** Absolute. */
  folder: string;
  /** Absent: every file is read. */
  fits?: Fits | undefined;
  /** Hidden files and folders are left out. */
  isVisible?: true;
}

/** Mostly too large to look through, and no place of the project's own secrets. */
const SKIPPED = new Set(['.git', 'node_modules']);

interface WalkOptions {
  /** `.git` and `node_modules` are left out. */
  skips: boolean;
  /** Is told how many names were seen. */
  counted?: (names: number) => void;
  /** Links to folders are followed; those that lead out of `within` are only told. */
  within?: (path: string) => boolean;
}

export interface Found {
  path: string;
  isLink: boolean;
  /** A link that is told because it is followed; its name is none that is searched. */
  isPassed?: true;
}

/** The files of the searches, nearest first; after `most` names it ends. */
export function* walk(
  searches: readonly Search[],
  most: number,
  options: WalkOptions = { skips: true },
): Generator<Found> {
  const queue: (Search & { root: string; onlyLinks?: boolean })[] = searches.map((search) => ({
    ...search,
    root: search.folder,
  }));
  const { within } = options;
  const followed = new Set<string>();
  let seen = 0;
  for (let at = 0; at < queue.length && seen < most; at++) {
    const { folder, root, fits, isVisible, onlyLinks } = queue[at]!;
    for (const entry of entriesOf(folder, within !== undefined)) {
      options.counted?.(++seen);
      const path = folder === '/' ? `/${entry.name}` : `${folder}/${entry.name}`;
      const isLink = entry.isSymbolicLink();
      if (isVisible && entry.name.startsWith('.')) continue;
      if (options.skips && SKIPPED.has(entry.name)) {
        // Packages that are linked lie right there; what lies below them does not lead elsewhere.
        if (within && entry.name === 'node_modules') queue.push({ folder: path, root, fits, onlyLinks: true });
        continue;
      }
      if (onlyLinks && !isLink) {
        if (entry.name.startsWith('@')) queue.push({ folder: path, root, fits, onlyLinks });
        continue;
      }
      if (entry.isDirectory()) {
        queue.push({ folder: path, root, fits, isVisible });
        continue;
      }
      const isNamed = !fits || fits(path.slice(root.length + 1));
      if (isNamed || (isLink && within))
        yield { path: normalize(path), isLink, ...(isNamed ? {} : { isPassed: true }) };
      const real = isLink && within && !onlyLinks ? realPath(path) : undefined;
      if (real === undefined || followed.has(real) || !within!(real)) continue;
      followed.add(real);
      queue.push({ folder: path, root, fits });
    }
  }
}

/** None for what is no folder, also for a link to one unless links are followed. */
function entriesOf(folder: string, follows: boolean) {
  try {
    return (follows ? statSync : lstatSync)(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

/** Most projects have a `.npmrc` that only sets options: a search through the project need not ask for it. */
export function isPlainNpmrc(path: string): boolean {
  if (!path.endsWith('/.npmrc')) return false;
  try {
    return lstatSync(path).size <= 64 * 1024 && !/_auth|password|token/i.test(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Files whose name matches one of `only`, where there are any, and none of `without`. Sets of characters match any. */
export function nameFilter(only: readonly string[], without: readonly string[]): Fits | undefined {
  if (only.length === 0 && without.length === 0) return undefined;
  const wanted = only.flatMap(withoutBraces).map(loose);
  // What is left out must be left out for sure: a pattern with a set of characters may match less than it seems.
  const left = without.filter((pattern) => !/[[{\\]/.test(pattern)).map((pattern) => pathGlob(pattern));
  return (path) =>
    (wanted.length === 0 ||
      wanted.some((pattern) => pattern === undefined || pattern.test(baseName(path).toLowerCase()))) &&
    !left.some((pattern) => pattern.test(baseName(path)));
}

/** `*.{ts,js}` as two patterns; what is nested stays as it is. */
function withoutBraces(pattern: string): string[] {
  const [, before, list, after] = /^([^{}\\]*)\{([^{}\\]*)\}([^{}\\]*)$/.exec(pattern) ?? [];
  return list === undefined ? [pattern] : list.split(',').map((one) => `${before}${one}${after}`);
}

/** Undefined: may match anything. */
function loose(pattern: string): RegExp | undefined {
  const name = baseName(pattern).toLowerCase();
  return /[\\{!]|\*\*/.test(name) || name === '' ? undefined : pathGlob(name.replace(/\[[^\]]*\]/g, '?'));
}
