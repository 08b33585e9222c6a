/** Which log a session is kept in: one that is gone on with, a copy of it, or a new one. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { copyCheckpoints } from '../core/checkpoint/copy-checkpoints.ts';
import { nearest } from '../core/nearest.ts';
import { recordsOf } from '../core/parse-log.ts';
import type { SessionsPlace } from '../core/project.ts';
import { sessionLogs } from '../core/session-list.ts';
import { copyLog, logFile, newSessionId, openLog, type SessionLog, type StoredLog } from '../core/store.ts';
import { StartError } from './start-error.ts';

/** What the person said of the session. */
export interface LogChoice {
  /** Name of a new session. */
  sessionId?: string;
}

/** The log file that an id, the beginning of one, or `latest` means; undefined when there is no session at all. */
export function findStored(wanted: string, dirs: readonly string[]): string | undefined {
  const sessions = dirs.flatMap(sessionLogs).sort((a, b) => b.mtime - a.mtime);
  if (wanted === 'latest') return sessions[0]?.file;
  const exact = sessions.find(({ id, file }) => id === wanted || file === wanted);
  const starts = exact ? [exact] : sessions.filter(({ id }) => id.startsWith(wanted));
  if (starts.length === 1) return starts[0]!.file;
  if (starts.length > 1)
    throw new StartError(`${starts.length} sessions begin with ${wanted}: ${starts[0]!.id}, ${starts[1]!.id} …`);
  const near = nearest(
    wanted,
    sessions.map(({ id }) => id),
  );
  throw new StartError(`no session ${wanted} here${near ? `; the nearest is ${near}` : ''} (ada sessions lists them)`);
}

/** The model that the session of this log had last, and its window. */
export function storedModel({ kept, rest }: StoredLog): { model: string; contextTokens: number | null } | undefined {
  // Before the log is opened and read as a whole: only what names a model.
  const first = kept?.fold.opening ?? recordsOf(rest, 'session')[0];
  const last = recordsOf(rest, 'model')
    .sort((a, b) => a.seq - b.seq)
    .at(-1);
  return first && { model: last?.value ?? kept?.fold.state.model ?? first.model, contextTokens: first.contextTokens };
}

/** Opens a stored session; one that another process holds is gone on with in a copy. */
export function goOn(stored: StoredLog, store: SessionsPlace, options: LogChoice, notices: string[]): SessionLog {
  const opened = openLog(stored.file, store.stateDir, stored);
  if ('log' in opened) return opened.log;
  const log = startNew(stored.file, store, options);
  notices.push(`that session is open in process ${opened.held}; going on in a copy, ${log.id}`);
  return log;
}

/** A new log, with the events of `parent` where there is one. */
export function startNew(parent: string | undefined, { dir, stateDir }: SessionsPlace, options: LogChoice): SessionLog {
  const id = options.sessionId ?? newSessionId();
  if (!/^[\w][\w.-]{0,100}$/.test(id))
    throw new StartError(`--session-id ${id}: letters, digits, dots and dashes only`);
  const file = logFile(dir, id);
  if (existsSync(file))
    throw new StartError(`--session-id ${id}: there is a session of that name; --resume ${id} goes on with it`);
  if (parent) {
    copyLog(parent, file, id);
    copyCheckpoints(join(stateDir, basename(parent, '.jsonl')), join(stateDir, id));
  }
  const opened = openLog(file, stateDir);
  if ('held' in opened) throw new StartError(`session ${id} is open in process ${opened.held}`);
  return opened.log;
}
