/** A copy of a project that may be changed at will. */

import { chmodSync, constants, type Dirent, readdirSync, rmSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, readlink, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Larger files are left out and named: data sets and images of disks are no source. */
const LARGEST = 100 * 1024 * 1024;

/**
 * Copies all of it, what git ignores too: tests and builds need what was installed there. Left out are ada's own
 * sessions and state, files over 100 MB, what cannot be read, and what is no file, folder or link. Files share their blocks where the disk
 * can do that. Links into the project lead into the copy. Gives what was left out, one line each.
 */
export async function copyProject(from: string, to: string): Promise<string[]> {
  const left: string[] = [];
  const closed: string[] = [];
  await copyFolder('');
  // The copy is a project of its own, whatever lies around it.
  await mkdir(join(to, '.ada'), { recursive: true, mode: 0o700 });
  // What could not be written there cannot be written here. Inner ones first.
  for (const path of closed.reverse()) await chmod(join(to, path), 0o555);
  return left;

  async function copyFolder(path: string): Promise<void> {
    await mkdir(join(to, path), { recursive: true });
    if (((await lstat(join(from, path))).mode & 0o200) === 0 && path !== '.ada') closed.push(path);
    for (const entry of await entriesOf(path)) {
      const inner = join(path, entry.name);
      if (inner === '.ada/sessions' || inner === '.ada/state') continue;
      // The repository of a linked work tree is elsewhere: commits in the copy would arrive in it.
      if (entry.name === '.git' && !entry.isDirectory()) left.push(`${inner}: its repository lies elsewhere`);
      else if (entry.isDirectory()) await copyFolder(inner);
      else if (entry.isSymbolicLink()) await copyLink(inner).catch((error: unknown) => unreadable(inner, error));
      else if (entry.isFile()) await copyOne(inner).catch((error: unknown) => unreadable(inner, error));
    }
  }

  /** What may not be read may not have been read then either. */
  async function entriesOf(path: string): Promise<Dirent[]> {
    try {
      return await readdir(join(from, path), { withFileTypes: true });
    } catch (error) {
      if (path === '') throw error;
      return unreadable(path, error);
    }
  }

  function unreadable(path: string, error: unknown): [] {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOENT') throw error;
    // What is gone by now is no loss.
    if (code !== 'ENOENT') left.push(`${path}: it cannot be read`);
    return [];
  }

  async function copyOne(path: string): Promise<void> {
    const { size, mode, atime, mtime } = await lstat(join(from, path));
    if (size > LARGEST) {
      left.push(`${path}: ${Math.round(size / 1024 / 1024)} MB`);
      return;
    }
    const copy = join(to, path);
    await copyFile(join(from, path), copy, constants.COPYFILE_FICLONE);
    await chmod(copy, mode & 0o777);
    // What builds skip because it is not newer, they skip here too.
    await utimes(copy, atime, mtime);
  }

  async function copyLink(path: string): Promise<void> {
    const target = await readlink(join(from, path));
    const inside = target === from || target.startsWith(`${from}/`);
    await symlink(inside ? `${to}${target.slice(from.length)}` : target, join(to, path));
  }
}

/** Removes a folder with all that is in it, also where something in it took the right to write away. */
export function removeCopy(folder: string): void {
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    rmSync(folder, options);
  } catch {
    open(folder);
    rmSync(folder, options);
  }
}

function open(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) open(join(folder, entry.name));
}
