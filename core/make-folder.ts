/**
 * Makes a folder and those above it. Node's own `mkdir -p` asks again for ever where the kernel answers "no such file"
 * for a parent that exists (/proc).
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Throws what the file system says; a folder that is there already is fine. */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    if (statSync(path).isDirectory()) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (dirname(path) !== path) makeFolder(dirname(path), mode);
  }
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Somebody else made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}
