/**
 * A folder that is opened once and then acted in, whatever becomes of its path: another process may replace it, or a
 * folder above it, by a link at any moment.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The path of the folder no longer leads where it did. */
export class FolderMoved extends Error {
  constructor(folder: string) {
    super(`${folder} or a folder above it was replaced by another while it was used`);
  }
}

export interface OpenFolder {
  /** The path of an entry, which leads into the opened folder. */
  entry(name: string): string;
  /** The same for another program. */
  entryForOthers(name: string): string;
  /** Throws where the folder is another by now and `entry` goes by its path; called right before a rename. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Linux: only to name the folder; its entries need not be readable. */
const O_PATH = 0o10000000;
const ONLY_FOLDER = constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens `folder`, an absolute path without links, and makes what is missing of it. Throws FolderMoved. */
export async function openFolder(folder: string): Promise<OpenFolder> {
  if (process.platform !== 'linux') return folderByPath(folder);
  const missing: string[] = [];
  let at = folder;
  let handle: FileHandle;
  for (;;) {
    try {
      handle = await open(at, O_PATH | ONLY_FOLDER);
      break;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ELOOP') throw new FolderMoved(at);
      if (code === 'ENOTDIR') {
        // Open says so of a link too.
        if ((await realpath(at).catch(() => at)) !== at) throw new FolderMoved(at);
        throw error;
      }
      if (code !== 'ENOENT' || at === '/') throw error;
      missing.unshift(basename(at));
      at = dirname(at);
    }
  }
  try {
    // Without /proc what is opened cannot be named again.
    const real = await readlink(own(handle)).catch(() => undefined);
    if (real === undefined) {
      await handle.close();
      return await folderByPath(folder);
    }
    if (real !== at) throw new FolderMoved(at);
    for (const name of missing) {
      await mkdir(`${own(handle)}/${name}`).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      const next = await open(`${own(handle)}/${name}`, O_PATH | ONLY_FOLDER).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ELOOP' ? new FolderMoved(folder) : error;
      });
      await handle.close();
      handle = next;
    }
  } catch (error) {
    await handle.close().catch(() => {});
    throw error;
  }
  return {
    entry: (name) => `${own(handle)}/${name}`,
    entryForOthers: (name) => `/proc/${process.pid}/fd/${handle.fd}/${name}`,
    check: async () => {},
    close: () => handle.close(),
  };
}

const own = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

/**
 * Where a folder cannot be acted in by its descriptor: it is looked at before and right before each rename, so that only
 * the moment between that look and the rename is left to another process.
 */
async function folderByPath(folder: string): Promise<OpenFolder> {
  await mkdir(folder, { recursive: true });
  const before = await identity(folder);
  const check = async () => {
    if ((await identity(folder).catch(() => '')) !== before) throw new FolderMoved(folder);
  };
  await check();
  const entry = (name: string) => join(folder, name);
  return { entry, entryForOthers: entry, check, close: async () => {} };
}

async function identity(folder: string): Promise<string> {
  if ((await realpath(folder)) !== folder) throw new FolderMoved(folder);
  const { dev, ino } = await stat(folder);
  return `${dev}:${ino}`;
}
