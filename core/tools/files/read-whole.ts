/** Opens a regular file and reads all of it, in one piece. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

export interface OpenedFile {
  fd: number;
  info: Stats;
}

/** Calls `use` with the open file; whatever became of the path in the meantime, opening it does not block. */
export async function withOpen<T>(file: string, use: (opened: OpenedFile) => T | Promise<T>): Promise<T> {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return await use({ fd, info: fstatSync(fd) });
  } finally {
    closeSync(fd);
  }
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
