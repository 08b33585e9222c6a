/** The stored session that a word on the command line or of a slash command means. */
import { findSession } from '../core/find-session.ts';
import { nearest } from '../core/nearest.ts';
import { listSessions, type SessionSummary, sessionLogs } from '../core/session-list.ts';
import { oneLine } from './plain-text.ts';
import { StartError } from './start-error.ts';

const newest = <T extends { mtime: number }>(sessions: T[]): T[] => sessions.sort((a, b) => b.mtime - a.mtime);

/**
 * The log file of it, by the rule of `findSession`; undefined for `latest` where there is no session at all. `listed`:
 * the sessions of these folders, newest first, where they are known already.
 */
export function findStored(
  wanted: string,
  dirs: readonly string[],
  listed?: readonly SessionSummary[],
): string | undefined {
  const sessions = listed ?? newest(dirs.flatMap(sessionLogs));
  if (wanted === 'latest' && sessions.length === 0) return undefined;
  let titled = listed;
  const withTitles = () => (titled ??= newest(dirs.flatMap(listSessions)));
  const found = findSession(wanted, sessions, withTitles);
  if ('one' in found) return found.one.file;
  const { several } = found;
  if (several.length > 0) {
    const names = new Map(withTitles().map(({ file, title }) => [file, title]));
    const some = several.slice(0, 3).map(({ id, file }) => `${id} “${oneLine(names.get(file) ?? '', 30)}”`);
    const more = several.length > some.length ? ' …' : '';
    throw new StartError(`${several.length} sessions are called or begin with ${wanted}: ${some.join(', ')}${more}`);
  }
  const near = nearestOf(wanted.trim(), withTitles());
  throw new StartError(
    `no session ${wanted.trim() || '""'} here${near ? `; the nearest is ${near}` : ''} (ada sessions lists them)`,
  );
}

/** Longer ones are no names. */
const LONGEST = 100;

/** Its id, with the title where that is what is near; undefined where none is near enough to have been meant. */
function nearestOf(wanted: string, sessions: readonly SessionSummary[]): string | undefined {
  if (wanted.length > LONGEST) return undefined;
  const limit = Math.ceil(wanted.length / 3);
  const ids = new Map(sessions.map(({ id }) => [id, id]));
  const byTitle = sessions.map(({ id, title }) => [title, `${id} “${oneLine(title, 40)}”`] as const);
  const names = new Map([...byTitle, ...ids]);
  const near = nearest(wanted, names.keys(), limit);
  return near === undefined ? undefined : names.get(near);
}
