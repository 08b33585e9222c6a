/** Removes sessions that are older than a person wants to keep them. */
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionsPlace } from './project.ts';
import { listSessions, type SessionSummary } from './session-list.ts';
import { removeSession } from './session-removal.ts';

const DAY = 24 * 60 * 60 * 1000;

/** A clock that is so many days ahead of all that is known here is doubted once, least and most. */
const FAR = [7, 30] as const;

/**
 * At most once a day for each number of days; gives what to tell the person, if anything was removed, or nothing was
 * because the clock seems wrong. `days`: how long a session is kept after its last change; 0 keeps all. `wanted`: a log
 * that is about to be gone on with stays. `now`: ms since the epoch.
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
  if ((last.days === days || last.held) && Math.abs(now - last.time) < DAY) return undefined;
  try {
    writeFileSync(stamp, `${now} ${days}`, { mode: 0o600 });
  } catch {
    // What cannot be written here cannot be deleted here either.
    return undefined;
  }
  const found = dirs.map(listSessions);
  const newest = Math.max(last.time, ...found.flatMap((sessions) => sessions[0]?.mtime ?? 0));
  const ahead = (now - newest) / DAY;
  const isFar = ahead > Math.min(Math.max(days, FAR[0]), FAR[1]) && found.some((sessions) => sessions.length > 0);
  // Not twice in a row: who comes here once a month has a long pause each time.
  if (isFar && !(last.held && now > last.time)) {
    writeFileSync(stamp, `${now} ${days} held`, { mode: 0o600 });
    return (
      `no session was removed today: by the clock of this machine it is ${Math.floor(ahead)} days since ada was last used here; ` +
      `if that is right, those older than ${count(days, 'day')} are removed from tomorrow on (retention in the settings)`
    );
  }
  let removed = 0;
  // Also of those that went on elsewhere while the project took no files.
  for (const [i, sessions] of found.entries()) {
    const old = sessions.filter(({ mtime, file }) => file !== wanted && now - mtime > days * DAY);
    removed += old.filter((session) => isRemoved(session, stateDirs[i] ?? stateDir)).length;
  }
  if (removed === 0) return undefined;
  return `removed ${count(removed, 'session')} older than ${count(days, 'day')} (retention in the settings)`;
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** One that cannot be deleted stays, and hinders nobody; so does one that somebody went on with since it was listed. */
function isRemoved(session: SessionSummary, stateDir: string): boolean {
  try {
    if (lstatSync(session.file).mtimeMs !== session.mtime) return false;
    return 'removed' in removeSession(session, [stateDir]);
  } catch {
    return false;
  }
}

/** When it ran last, ms since the epoch, with how many days, and whether it held back for the clock's sake. */
function lastRun(stamp: string): { time: number; days: number; held: boolean } {
  try {
    const [time, days, held] = readFileSync(stamp, 'utf8').split(' ');
    return { time: Number(time) || 0, days: Number(days ?? Number.NaN), held: held === 'held' };
  } catch {
    return { time: 0, days: Number.NaN, held: false };
  }
}
