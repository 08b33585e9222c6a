/**
 * The file of a log that is open. Its descriptor holds the content even where the file was deleted meanwhile
 * (`git clean -fdx`), so what was written is read through it, and can be written again.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { ignoreOwnFiles } from './project.ts';

const PIECE = 1 << 20;

/** All bytes from a place on. */
export function bytesOf(fd: number, from = 0): Buffer {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - from));
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(fd, bytes, length, bytes.length - length, from + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Whether the path still leads to the open file, to nothing, or to another file. */
export function placeOf(fd: number, file: string): 'same' | 'gone' | 'taken' {
  const there = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (!there) return 'gone';
  const open = fstatSync(fd, { bigint: true });
  return there.ino === open.ino && there.dev === open.dev ? 'same' : 'taken';
}

/**
 * Writes all that a deleted file held to its path again and gives the new descriptor; the old one stays open. Throws
 * where that cannot be done, or somebody was quicker: a file that is there is never written over.
 */
export function writeAgain(fd: number, file: string): number {
  const folder = dirname(file);
  // No further up: a project that was deleted is not brought back for its log.
  const inProject = basename(dirname(folder)) === '.ada';
  for (const missing of [dirname(folder), folder]) makeOne(missing, inProject);
  if (inProject) ignoreOwnFiles(dirname(folder));
  const again = openSync(file, 'ax+', 0o600);
  try {
    const piece = Buffer.allocUnsafe(PIECE);
    let at = 0;
    for (let read = readSync(fd, piece, 0, PIECE, at); read > 0; read = readSync(fd, piece, 0, PIECE, at)) {
      writeFileSync(again, piece.subarray(0, read));
      at += read;
    }
    fsyncSync(again);
    return again;
  } catch (error) {
    closeSync(again);
    rmSync(file, { force: true });
    throw error;
  }
}

/** `strict`: a link will not do. A checkout may have brought one that leads anywhere. */
function makeOne(folder: string, strict: boolean): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const look = strict ? lstatSync : statSync;
    if (!look(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
