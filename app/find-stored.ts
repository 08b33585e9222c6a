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
  const near = nearest(
    wanted,
    sessions.map(({ id }) => id),
  );
  throw new StartError(
    `no session ${wanted.trim() || '""'} here${near ? `; the nearest is ${near}` : ''} (ada sessions lists them)`,
  );
}
