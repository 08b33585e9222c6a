/** Where a patch reads and writes: the disk, or for a preview the disk with the patch's own changes kept in memory. */
import { lstat } from 'node:fs/promises';
import { guardedChange } from '../files/guarded-change.ts';
import { canonical, shownPath } from '../files/locate.ts';
import { missingFile } from '../files/missing-file.ts';
import { type Editable, readForEdit } from '../files/read-for-edit.ts';
import { removeFile, WriteError, writeBytes } from '../files/write-bytes.ts';

export interface Disk {
  read(file: string): Promise<Editable | { refused: string; missing?: true }>;
  /** These two give the reason when they fail. */
  write(file: string, parts: readonly Buffer[], mode?: number): Promise<string | undefined>;
  remove(file: string): Promise<string | undefined>;
}

/**
 * `memory`: of the session whose changes can be taken back; without it nothing is kept. `judged`: where each file led when
 * the patch was allowed.
 */
export const realDisk = (
  cwd: string,
  memory: Map<string, unknown> = new Map(),
  judged: (file: string) => string | undefined = () => undefined,
): Disk => ({
  read: (file) => readForEdit(file, cwd, judged(file)),
  async write(file, parts, mode) {
    try {
      await guardedChange(memory, file, () => writeBytes(file, parts, mode, judged(file)));
      return undefined;
    } catch (error) {
      if (error instanceof WriteError) return error.message;
      throw error;
    }
  },
  async remove(file) {
    const name = shownPath(file, cwd);
    const info = await lstat(file).catch(() => undefined);
    if (!info) return missingFile(file, cwd);
    if (info.isDirectory()) return `${name} is a directory; a patch deletes only files.`;
    return guardedChange(memory, file, () => removeFile(file, judged(file))).then(
      () => undefined,
      (error: Error) => error.message,
    );
  },
});

/** Writes nothing. */
export function previewDisk(cwd: string): Disk {
  const changed = new Map<string, Editable | undefined>();
  const disk = realDisk(cwd);
  const read = async (file: string): ReturnType<Disk['read']> => {
    const key = canonical(file);
    if (!changed.has(key)) return disk.read(file);
    return changed.get(key) ?? { refused: `${shownPath(file, cwd)} does not exist.`, missing: true };
  };
  return {
    read,
    async write(file, parts, mode = 0o644) {
      changed.set(canonical(file), { bytes: Buffer.concat(parts), mode });
      return undefined;
    },
    async remove(file) {
      const old = await read(file);
      if ('refused' in old) return old.refused;
      changed.set(canonical(file), undefined);
      return undefined;
    },
  };
}
