/**
 * Whether PATH leads a name to a program that the project or anybody else could have put there: a folder in the project,
 * one for temporary files, one that all may write, or one that depends on the working directory.
 */
import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isWithin, type Places, realPath } from '../paths.ts';
import type { Scene } from './scene.ts';

interface Entry {
  folder: string;
  isSafe: boolean;
}

const entriesOf = new WeakMap<Places, readonly Entry[]>();

/** The folder of the program that would run instead of the one of the system; undefined when it is that one. */
export function shadowingFolder(name: string, { places, cwds }: Scene): string | undefined {
  if (places.path === undefined) return undefined;
  let entries = entriesOf.get(places);
  if (!entries) entriesOf.set(places, (entries = readEntries(places.path, places)));
  // Nearly always every folder is safe: nothing is looked up then.
  if (entries.every((entry) => entry.isSafe)) return undefined;
  for (const { folder, isSafe } of entries) {
    const places = folder.startsWith('/') ? [folder] : cwds.map((cwd) => `${cwd}/${folder}`);
    if (places.some((place) => existsSync(`${place}/${name}`))) return isSafe ? undefined : folder || '.';
  }
  return undefined;
}

function readEntries(path: string, places: Places): readonly Entry[] {
  const temporary = ['/tmp', '/var/tmp', '/dev/shm', tmpdir()].map((folder) => realPath(folder) ?? folder);
  return path.split(':').map((folder) => {
    if (!folder.startsWith('/')) return { folder, isSafe: false };
    const real = realPath(folder);
    const isOwn = real === undefined || [...places.roots, ...temporary].some((root) => isWithin(real, root));
    return { folder, isSafe: !isOwn && !isWritableByAll(folder) };
  });
}

function isWritableByAll(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o002) !== 0;
  } catch {
    // A folder that is not there may appear; whoever may make it may also fill a safe one.
    return false;
  }
}
