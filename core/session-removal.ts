/** Takes a stored session away: its log, and what was kept beside it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeKept } from './kept-fold.ts';
import { holdLog } from './log-lock.ts';
import type { SessionSummary } from './session-list.ts';

/** `stateDirs`: where its state may lie, the first one holds its lock. Names the process that holds the session. */
export function removeSession(
  { id, file }: Pick<SessionSummary, 'id' | 'file'>,
  stateDirs: readonly string[],
): { removed: true } | { held: number } {
  const locks = [];
  for (const dir of stateDirs) {
    const lock = holdLog(dir, id);
    if ('held' in lock) {
      for (const { release } of locks) release();
      return lock;
    }
    locks.push(lock);
  }
  try {
    rmSync(file, { force: true });
    removeKept(file);
    for (const dir of stateDirs) rmSync(join(dir, id), { recursive: true, force: true });
  } finally {
    for (const { release } of locks) release();
  }
  return { removed: true };
}
