/** Removes sessions that are older than a person wants to keep them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionsPlace } from './project.ts';
import { listSessions, type SessionSummary } from './session-list.ts';
import { removeSession } from './session-removal.ts';

const DAY = 24 * 60 * 60 * 1000;

/**
 * At most once a day; gives what to tell the person, if anything was removed. `days`: how long a session is kept after its
 * last change; 0 keeps all. `wanted`: a log that is about to be gone on with stays. `now`: ms since the epoch.
 */
export function removeOldSessions(
  { dirs, stateDir, stateDirs }: Pick<SessionsPlace, 'dirs' | 'stateDir' | 'stateDirs'>,
  days: number,
  wanted?: string,
  now = Date.now(),
): string | undefined {
  if (days <= 0) return undefined;
  const stamp = join(stateDir, 'retention');
  if (now - lastTime(stamp) < DAY) return undefined;
  try {
    writeFileSync(stamp, String(now), { mode: 0o600 });
  } catch {
    // What cannot be written here cannot be deleted here either.
    return undefined;
  }
  let removed = 0;
  // Also of those that went on elsewhere while the project took no files.
  for (const [i, dir] of dirs.entries()) {
    const old = listSessions(dir).filter(({ mtime, file }) => file !== wanted && now - mtime > days * DAY);
    removed += old.filter((session) => isRemoved(session, stateDirs[i] ?? stateDir)).length;
  }
  if (removed === 0) return undefined;
  return `removed ${removed} ${removed === 1 ? 'session' : 'sessions'} older than ${days} day${days === 1 ? '' : 's'} (retention in the settings)`;
}

/** One that cannot be deleted stays, and hinders nobody. */
function isRemoved(session: SessionSummary, stateDir: string): boolean {
  try {
    return 'removed' in removeSession(session, [stateDir]);
  } catch {
    return false;
  }
}

function lastTime(stamp: string): number {
  try {
    return Number(readFileSync(stamp, 'utf8')) || 0;
  } catch {
    return 0;
  }
}
