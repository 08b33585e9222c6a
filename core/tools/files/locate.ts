/** How a path that a model gives becomes a place on disk, the same for the permission engine and for the tool. */
import { readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of `path`, which is relative to `cwd`, may begin with `~/` or be a `file:` URL. */
export function locate(path: string, cwd: string): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
  if (path.startsWith('file://')) {
    try {
      return fileURLToPath(path);
    } catch {
      // Not a URL of a local file: then it is a name.
    }
  }
  return resolve(cwd, path);
}

/** The path as a person or model reads it: relative inside `cwd`, absolute elsewhere. */
export function shownPath(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path === '' ? '.' : path.startsWith('..') || isAbsolute(path) ? file : path;
}

/** One key for a file, however it is spelled: links resolved, also where what they lead to does not exist yet. */
export const canonical = (file: string): string => resolved(file, 0);

function resolved(file: string, hops: number): string {
  try {
    return realpathSync.native(file);
  } catch {
    const folder = dirname(file);
    if (folder === file) return file;
    const place = join(canonical(folder), basename(file));
    const to = hops < MOST_LINKS ? linkAt(place) : undefined;
    return to === undefined ? place : resolved(resolve(dirname(place), to), hops + 1);
  }
}

/** Longer chains are loops. */
const MOST_LINKS = 40;

function linkAt(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch {
    return undefined;
  }
}

/** Why no file can have this path; undefined for a path like any other. */
export const badPath = (file: string): string | undefined =>
  file.includes('\0') ? `${JSON.stringify(file)} has a NUL character, which no path can have.` : undefined;
