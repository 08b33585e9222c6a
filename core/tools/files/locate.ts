/** How a path that a model gives becomes a place on disk, the same for the permission engine and for the tool. */
import { realpathSync } from 'node:fs';
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

/** One key for a file, however it is spelled: links resolved, also where the file itself does not exist yet. */
export function canonical(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const folder = dirname(file);
    return folder === file ? file : join(canonical(folder), basename(file));
  }
}
