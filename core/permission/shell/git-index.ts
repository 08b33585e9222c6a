/**
 * The files that git knows, from the index of the repository: names, and whether the file was changed since (git's
 * documentation, "index format", versions 2 to 4).
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Places } from '../paths.ts';

export interface TrackedFile {
  /** From the root of the work tree. */
  path: string;
  /** What the file had when it was last the same: times of content and of the file itself in ns, its number, its size. */
  mtime: bigint;
  ctime: bigint;
  ino: number;
  size: number;
  /** The object that it is in the index. */
  id: string;
  /** A submodule, or a repository that was added as one. */
  isRepository?: true;
}

export interface Tracked {
  root: string;
  /** When the index was written, in ns. */
  written: bigint;
  files: readonly TrackedFile[];
  /** Its form is not known here: any file may be tracked. */
  isUnread?: true;
}

const MAX_BYTES = 64 << 20;
/** ms within which the times of a file do not tell whether it was written again. */
const UNSURE = 50;
const kept = new WeakMap<Places, Map<string, { stamp: string; tracked: Tracked }>>();

/** The root of the work tree that a folder lies in, and where its index is. */
export function repositoryOf(folder: string): { root: string; gitDir: string } | undefined {
  for (let root = folder; ; root = dirname(root)) {
    const dot = `${root}/.git`;
    try {
      const found = statSync(dot, { throwIfNoEntry: false });
      if (found?.isDirectory()) return { root, gitDir: dot };
      // A work tree of its own, or a submodule.
      const named = found?.isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(dot, 'utf8'))?.[1] : undefined;
      if (named !== undefined) return { root, gitDir: resolve(root, named) };
    } catch {}
    if (root === '/' || root === '.') return undefined;
  }
}

/** Undefined where there is no repository, or nothing was ever added: then git has nothing to show either. */
export function trackedFiles(folder: string, places: Places): Tracked | undefined {
  const repository = repositoryOf(folder);
  if (!repository) return undefined;
  const file = `${repository.gitDir}/index`;
  try {
    const { ino, mtimeNs, ctimeNs, size } = statSync(file, { bigint: true });
    let known = kept.get(places);
    if (!known) kept.set(places, (known = new Map()));
    const stamp = `${ino} ${mtimeNs} ${ctimeNs} ${size}`;
    const before = known.get(file);
    if (before?.stamp === stamp) return before.tracked;
    const files = size > MAX_BYTES ? undefined : readIndex(readFileSync(file));
    const tracked: Tracked = files
      ? { root: repository.root, written: mtimeNs, files }
      : { root: repository.root, written: mtimeNs, files: [], isUnread: true };
    // One that was written just now may be written once more within the same tick of the clock.
    if (Date.now() - Number(mtimeNs / 1_000_000n) > UNSURE) known.set(file, { stamp, tracked });
    return tracked;
  } catch {
    return undefined;
  }
}

/** Whether a branch of this name is there. */
export function hasBranch(folder: string, name: string): boolean {
  const repository = repositoryOf(folder);
  if (!repository) return false;
  let { gitDir } = repository;
  try {
    const common = readFileSync(`${gitDir}/commondir`, 'utf8').trim();
    gitDir = resolve(gitDir, common);
  } catch {}
  if (existsSync(`${gitDir}/refs/heads/${name}`)) return true;
  try {
    return readFileSync(`${gitDir}/packed-refs`, 'utf8').includes(` refs/heads/${name}\n`);
  } catch {
    return false;
  }
}

const timeAt = (bytes: Buffer, at: number): bigint =>
  BigInt(bytes.readUInt32BE(at)) * 1_000_000_000n + BigInt(bytes.readUInt32BE(at + 4));

function readIndex(bytes: Buffer): readonly TrackedFile[] | undefined {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  const count = bytes.readUInt32BE(8);
  const files: TrackedFile[] = [];
  let at = 12;
  let last = '';
  for (let index = 0; index < count; index++) {
    const isRepository = bytes.readUInt32BE(at + 24) >>> 12 === 0o16;
    const ctime = timeAt(bytes, at);
    const mtime = timeAt(bytes, at + 8);
    const ino = bytes.readUInt32BE(at + 20);
    const size = bytes.readUInt32BE(at + 36);
    const id = bytes.toString('hex', at + 40, at + 60);
    const flags = bytes.readUInt16BE(at + 60);
    const start = at + 62 + ((flags & 0x4000) !== 0 && version > 2 ? 2 : 0);
    let from = start;
    let path = '';
    if (version === 4) {
      // How many bytes of the name before fall away, as in the offsets of packs.
      let byte = bytes[from++]!;
      let cut = byte & 127;
      while ((byte & 128) !== 0) {
        byte = bytes[from++]!;
        cut = ((cut + 1) << 7) | (byte & 127);
      }
      path = last.slice(0, last.length - cut);
    }
    const end = bytes.indexOf(0, from);
    // Byte by byte, so that what falls away is counted in bytes.
    path += bytes.toString('latin1', from, end);
    last = path;
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8;
    files.push({
      path: /[\x80-\xff]/.test(path) ? Buffer.from(path, 'latin1').toString('utf8') : path,
      mtime,
      ctime,
      ino,
      size,
      id,
      ...(isRepository && { isRepository }),
    });
  }
  // A split index keeps the rest in another file, a sparse one only folders.
  for (; at + 8 <= bytes.length - 20; at += 8 + bytes.readUInt32BE(at + 4))
    if (/^(link|sdir)$/.test(bytes.toString('latin1', at, at + 4))) return undefined;
  return files;
}
