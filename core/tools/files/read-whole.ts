/** Opens a regular file and reads all of it, in one piece. */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats, statSync } from 'node:fs';
import { canonical } from './locate.ts';

export interface OpenedFile {
  fd: number;
  info: Stats;
}

/**
 * Calls `use` with the open file; whatever became of the path in the meantime, opening it does not block. `judged`: where
 * the path led when it was allowed; throws when what was opened is another file.
 */
export async function withOpen<T>(
  file: string,
  use: (opened: OpenedFile) => T | Promise<T>,
  judged?: string,
): Promise<T> {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const info = fstatSync(fd);
    if (judged !== undefined && !isAt(fd, info, judged)) throw new Error('it leads elsewhere than when it was allowed');
    return await use({ fd, info });
  } finally {
    closeSync(fd);
  }
}

function isAt(fd: number, info: Stats, place: string): boolean {
  if (process.platform === 'linux') {
    try {
      if (readlinkSync(`/proc/self/fd/${fd}`) === place) return true;
    } catch {
      // Without /proc, as elsewhere.
    }
  }
  // Also for a file that was replaced in its place by another since, which is still the file that was allowed.
  const now = statSync(place, { throwIfNoEntry: false });
  return canonical(place) === place && now?.ino === info.ino && now.dev === info.dev;
}

/** The content of an open file of about `size` bytes. */
export function readWhole(fd: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const count = readSync(fd, buffer, done, size - done, done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}
