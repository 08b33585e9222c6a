/**
 * Writes a whole file so that it is old or new at every moment, and stays what it was: mode, owner, links.
 * A temporary file in the same folder is filled, synced and renamed over the target; where a hard link, a mount or the
 * folder's permissions forbid that, the file is rewritten in place, and restored when that fails half-way. All of it
 * happens inside the folder that was opened first: a link that takes its place meanwhile leads nothing astray.
 */
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, open, readlink, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { copyAttributes } from './copy-attributes.ts';
import { canonical } from './locate.ts';
import { FolderMoved, type OpenFolder, openFolder } from './open-folder.ts';

/** Larger files are data rather than what people put access lists on, and starting a program costs most in their case. */
const MOST_WITH_ATTRIBUTES = 4 << 20;

export interface WriteResult {
  created: boolean;
  /** True when the file had to be rewritten in place. */
  inPlace: boolean;
}

/** A file that cannot be written, in words for the model. */
export class WriteError extends Error {}

/** The target of a change: a name in a folder that is open. */
interface Target {
  folder: OpenFolder;
  name: string;
}

/**
 * Writes the content that `parts` make together. Throws WriteError with the reason. Makes missing folders. `mode`:
 * permissions of a file that is created. `judged`: where `file` led when it was allowed; nothing else is written.
 */
export async function writeBytes(
  file: string,
  parts: readonly Uint8Array[],
  mode?: number,
  judged?: string,
): Promise<WriteResult> {
  const target = await followLinks(file);
  const place = join(canonical(dirname(target)), basename(target));
  if (judged !== undefined && place !== judged) throw new WriteError(`${file} ${ELSEWHERE}`);
  return inPlace(file, 'written', place, async (target) => {
    const path = target.folder.entry(target.name);
    const existing = await statOf(path);
    if (existing?.isSymbolicLink()) throw new WriteError(`${file} ${ELSEWHERE}`);
    if (existing && !existing.isFile()) {
      throw new WriteError(existing.isDirectory() ? `${file} is a directory` : `${file} is not a regular file`);
    }
    if (existing) await access(path, constants.W_OK);
    // The other names of a hard link must see the change too.
    if (existing && existing.nlink > 1) await rewrite(path, parts);
    else if (await replace(target, parts, existing, mode)) return { created: !existing, inPlace: false };
    else await rewrite(path, parts);
    return { created: !existing, inPlace: true };
  });
}

/** Takes a name away; of a link the link. Throws WriteError. `judged`: where `file` led when that was allowed. */
export async function removeFile(file: string, judged?: string): Promise<void> {
  const place = join(canonical(dirname(file)), basename(file));
  await inPlace(file, 'deleted', place, async ({ folder, name }) => {
    const isLink = (await lstat(folder.entry(name))).isSymbolicLink();
    if (judged !== undefined && (isLink ? canonical(place) : place) !== judged)
      throw new WriteError(`${file} ${ELSEWHERE}`);
    await folder.check();
    await unlink(folder.entry(name));
  });
}

const ELSEWHERE = 'was left alone: it leads elsewhere than when it was allowed';

/** Opens the folder of `place` and acts in it. */
async function inPlace<T>(file: string, done: string, place: string, act: (target: Target) => Promise<T>): Promise<T> {
  try {
    const folder = await openFolder(dirname(place));
    try {
      return await act({ folder, name: basename(place) });
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (error instanceof WriteError) throw error;
    throw new WriteError(`${file} cannot be ${done}: ${reason(error)}`);
  }
}

/** The file behind a chain of links, also when it does not exist: then it is made and the link stays. */
async function followLinks(file: string): Promise<string> {
  let at = file;
  for (let hops = 0; hops < 40; hops++) {
    const link = await lstat(at).catch(() => undefined);
    if (!link?.isSymbolicLink()) return at;
    at = resolve(canonical(dirname(at)), await readlink(at));
  }
  throw new WriteError(`${file} is a loop of symbolic links`);
}

const statOf = (file: string): Promise<Stats | undefined> => lstat(file).catch(() => undefined);

/** False when this place does not allow it; then nothing has changed. */
async function replace(
  { folder, name }: Target,
  parts: readonly Uint8Array[],
  existing: Stats | undefined,
  mode: number | undefined,
): Promise<boolean> {
  const random = Math.random().toString(36).slice(2, 10);
  const made = `.${name.slice(0, 100)}.${process.pid}${random}.tmp`;
  const temporary = folder.entry(made);
  let handle: FileHandle | undefined;
  try {
    handle = await open(temporary, 'wx', existing ? 0o600 : 0o666);
    try {
      if (existing && existing.size <= MOST_WITH_ATTRIBUTES)
        await copyAttributes(folder.entryForOthers(name), folder.entryForOthers(made));
      let done = 0;
      for (const piece of inPieces(parts)) done = await writeAt(handle, piece, done);
      if (existing) {
        const own = await handle.stat();
        if (own.uid !== existing.uid || own.gid !== existing.gid) await handle.chown(existing.uid, existing.gid);
        // After chown, which clears set-user-ID bits.
        await handle.chmod(existing.mode & 0o7777);
      } else if (mode !== undefined) await handle.chmod(mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await folder.check();
    await rename(temporary, folder.entry(name));
    return true;
  } catch (error) {
    if (handle) await unlink(temporary).catch(() => {});
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // A full disk must not be met by truncating the only copy.
    if (existing && ['EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'EROFS', 'ENAMETOOLONG'].includes(code)) return false;
    throw error;
  }
}

const PIECE = 1 << 20;

/** Small parts together: each write costs. */
function* inPieces(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let open: Uint8Array[] = [];
  let size = 0;
  for (const part of parts) {
    if (size > 0 && size + part.length > PIECE) {
      yield Buffer.concat(open, size);
      open = [];
      size = 0;
    }
    if (part.length >= PIECE) yield part;
    else {
      open.push(part);
      size += part.length;
    }
  }
  if (size > 0) yield Buffer.concat(open, size);
}

async function rewrite(target: string, parts: readonly Uint8Array[]): Promise<void> {
  const bytes = Buffer.concat(parts);
  const handle = await open(target, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const before = await handle.readFile();
    try {
      // What is longer than before goes first: where the disk is full, nothing has been overwritten yet.
      await writeAt(handle, bytes.subarray(before.length), before.length);
      await writeAt(handle, bytes.subarray(0, before.length), 0);
      await handle.truncate(bytes.length);
      await handle.sync();
    } catch (error) {
      await handle.truncate(before.length).catch(() => {});
      await writeAt(handle, before, 0).catch(() => {});
      throw error;
    }
  } finally {
    await handle.close();
  }
}

/** Gives the position behind what was written. */
async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  return position + bytes.length;
}

function reason(error: unknown): string {
  if (error instanceof FolderMoved) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EFBIG: 'the file would be larger than is allowed here',
    ENOTDIR: 'a part of its path is a file, not a directory',
    EEXIST: 'a part of its path is a file, not a directory',
    ENAMETOOLONG: 'the name is too long',
  };
  return words[code ?? ''] ?? message;
}
