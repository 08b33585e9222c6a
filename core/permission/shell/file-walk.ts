/** The files below some folders, nearest first, and which of them a command reads. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { normalize } from 'node:path';
import { pathGlob } from '../path-glob.ts';

/** Whether a file is read: by its path from the folder that is searched. */
export type Fits = (path: string) => boolean;

export interface Search {
  /** Absolute. */
  folder: string;
  /** Absent: every file is read. */
  fits?: Fits | undefined;
}

/** Mostly too large to look through, and no place of the project's own secrets. */
const SKIPPED = new Set(['.git', 'node_modules']);

interface WalkOptions {
  /** `.git` and `node_modules` are left out. */
  skips: boolean;
  /** Is told how many names were seen. */
  counted?: (names: number) => void;
}

/** The files of the searches, nearest first; after `most` names it ends. */
export function* walk(
  searches: readonly Search[],
  most: number,
  options: WalkOptions = { skips: true },
): Generator<{ path: string; isLink: boolean }> {
  const queue = searches.map((search) => ({ ...search, root: search.folder }));
  let seen = 0;
  for (let at = 0; at < queue.length && seen < most; at++) {
    const { folder, root, fits } = queue[at]!;
    for (const entry of entriesOf(folder)) {
      options.counted?.(++seen);
      if (options.skips && SKIPPED.has(entry.name)) continue;
      const path = folder === '/' ? `/${entry.name}` : `${folder}/${entry.name}`;
      if (entry.isDirectory()) queue.push({ folder: path, root, fits });
      else if (!fits || fits(path.slice(root.length + 1)))
        yield { path: normalize(path), isLink: entry.isSymbolicLink() };
    }
  }
}

/** None for what is no folder, also for a link to one. */
function entriesOf(folder: string) {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
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
  const wanted = only.map(loose);
  // What is left out must be left out for sure: a pattern with a set of characters may match less than it seems.
  const left = without.filter((pattern) => !/[[{\\]/.test(pattern)).map((pattern) => pathGlob(pattern));
  return (path) =>
    (wanted.length === 0 ||
      wanted.some((pattern) => pattern === undefined || pattern.test(baseName(path).toLowerCase()))) &&
    !left.some((pattern) => pattern.test(baseName(path)));
}

/** Undefined: may match anything. */
function loose(pattern: string): RegExp | undefined {
  const name = baseName(pattern).toLowerCase();
  return /[\\{!]|\*\*/.test(name) || name === '' ? undefined : pathGlob(name.replace(/\[[^\]]*\]/g, '?'));
}
