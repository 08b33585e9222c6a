/** Removes sessions that are older than a person wants to keep them. */
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionsPlace } from './project.ts';
import { listSessions, type SessionSummary } from './session-list.ts';
import { removeSession } from './session-removal.ts';

const DAY = 24 * 60 * 60 * 1000;

/**
 * At most once a day for each number of days; gives what to tell the person, if anything was removed. `days`: how long a
 * session is kept after its last change; 0 keeps all. `wanted`: a log that is about to be gone on with stays. `now`: ms
 * since the epoch.
 */
export function removeOldSessions(
  { dirs, stateDir, stateDirs }: Pick<SessionsPlace, 'dirs' | 'stateDir' | 'stateDirs'>,
  days: number,
  wanted?: string,
  now = Date.now(),
): string | undefined {
  if (days <= 0) return undefined;
  const stamp = join(stateDir, 'retention');
  const last = lastRun(stamp);
  // A clock that was set back must not keep everything until it is there again.
  if (last.days === days && Math.abs(now - last.time) < DAY) return undefined;
  try {
    writeFileSync(stamp, `${now} ${days}`, { mode: 0o600 });
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

/** One that cannot be deleted stays, and hinders nobody; so does one that somebody went on with since it was listed. */
function isRemoved(session: SessionSummary, stateDir: string): boolean {
  try {
    if (lstatSync(session.file).mtimeMs !== session.mtime) return false;
    return 'removed' in removeSession(session, [stateDir]);
  } catch {
    return false;
  }
}

/** When it ran last, ms since the epoch, and with how many days. */
function lastRun(stamp: string): { time: number; days: number } {
  try {
    const [time, days] = readFileSync(stamp, 'utf8').split(' ').map(Number);
    return { time: time || 0, days: days ?? Number.NaN };
  } catch {
    return { time: 0, days: Number.NaN };
  }
}
