/** Takes a stored session away: its log, and what was kept beside it. */
import { rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { removeKept } from './kept-fold.ts';
import { holderOf, holdLog, type LogLock } from './log-lock.ts';
import type { SessionSummary } from './session-list.ts';

/**
 * `stateDirs`: where its state may lie, the first one holds its lock. Names the process that holds the session. Throws
 * where the log stays; `left` says what else of it could not be taken away, one line each.
 */
export function removeSession(
  { id, file }: Pick<SessionSummary, 'id' | 'file'>,
  stateDirs: readonly string[],
): { removed: true; left: readonly string[] } | { held: number } {
  const locks: LogLock[] = [];
  const left: string[] = [];
  const release = () => {
    for (const lock of locks.splice(0)) attempt(lock.release, left);
  };
  try {
    for (const dir of stateDirs) {
      const lock = lockIn(dir, id);
      if (lock && 'held' in lock) return lock;
      if (lock) locks.push(lock);
    }
    removeFile(file);
    attempt(() => removeKept(file), left);
    for (const dir of stateDirs) attempt(() => rmSync(join(dir, id), { recursive: true, force: true }), left);
  } finally {
    release();
  }
  return { removed: true, left };
}

/** Undefined where the folder takes no lock and shows none that holds. */
function lockIn(dir: string, id: string): LogLock | { held: number } | undefined {
  try {
    return holdLog(dir, id);
  } catch {
    const held = holderOf(dir, id);
    return held === undefined ? undefined : { held };
  }
}

/** Not `rmSync`, which takes what may not be deleted for a folder and complains of that. */
function removeFile(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function attempt(remove: () => void, left: string[]): void {
  try {
    remove();
  } catch (error) {
    left.push((error as Error).message);
  }
}
