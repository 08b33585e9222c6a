/** Which log a session is kept in: one that is gone on with, a copy of it, or a new one. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { copyCheckpoints } from '../core/checkpoint/copy-checkpoints.ts';
import { copied, copyLog } from '../core/copy-log.ts';
import { logInMemory } from '../core/log-in-memory.ts';
import { newerFormat, newerFormatOf } from '../core/log-version.ts';
import { readLog, recordsOf } from '../core/parse-log.ts';
import type { SessionsPlace } from '../core/project.ts';
import {
  type Elsewhere,
  logFile,
  lookAt,
  newSessionId,
  openLog,
  type SessionLog,
  type StoredLog,
} from '../core/store.ts';
import { findStored } from './find-stored.ts';
import { StartError } from './start-error.ts';

/** What the person said of the session. */
export interface LogChoice {
  /** Name of a new session. */
  sessionId?: string;
}

/** The log file that `findStored` finds, where one is wanted. */
export const findResumed = (wanted: string | undefined, dirs: readonly string[]): string | undefined =>
  wanted === undefined ? undefined : findStored(wanted, dirs);

/** Reads what going on with a log takes, once: it may be large. */
export function readStored(file: string): StoredLog {
  try {
    return lookAt(file);
  } catch (error) {
    throw new StartError(`that session cannot be read: ${(error as Error).message}`);
  }
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

/** How many turns of its recorded model a stored session has had; 0 for one with another model. */
export function recordedTurns({ file, kept, rest }: StoredLog, model: string | undefined): number {
  if (!model?.startsWith('replay:')) return 0;
  // Seldom, and small: what was kept of a log does not count them.
  const bytes = kept ? readFileSync(file) : rest;
  const chosen = recordsOf(bytes, 'model').reduce((last, { seq }) => Math.max(last, seq), 0);
  const answers = recordsOf(bytes, 'assistant').filter(
    ({ seq, served }) => seq > chosen && served.backend === 'replay',
  );
  // An attempt that was given up took a turn, too. A record that stands there twice took none.
  const attempts = recordsOf(bytes, 'retry').filter(({ seq }) => seq > chosen);
  return new Set([...answers, ...attempts].map(({ seq }) => seq)).size;
}

/** A log that is open, and where the state of its session lies. */
export interface KeptLog {
  log: SessionLog;
  stateDir: string;
}

/**
 * Opens a stored session. One that another process holds, that cannot be written where it lies, or that a later version
 * wrote is gone on with in a copy. `store`: where new sessions are kept, prepared.
 */
export function goOn(stored: StoredLog, store: SessionsPlace, options: LogChoice, notices: string[]): KeptLog {
  const stateDir = stateDirOf(stored.file, store);
  const opened = openStored(stored, stateDir, store);
  if (typeof opened !== 'string') {
    if (store.notice && dirname(stored.file) === store.dir) notices.push(store.notice);
    return { log: opened, stateDir };
  }
  const why = `that session ${opened}`;
  const kept = startNew(stored.file, store, options, []);
  const { id, file, failure } = kept.log;
  // One line for both: where the copy lies is all that another one would add.
  const where = dirname(file) === dirname(stored.file) ? '' : ` in ${dirname(file)}`;
  notices.push(
    failure === undefined
      ? `${why}; going on in a copy, ${id}${where}`
      : `${why}, nor can a copy of it be saved: ${failure}; it goes on in memory`,
  );
  return kept;
}

/** The log, or why it is not gone on with where it lies. */
function openStored(stored: StoredLog, stateDir: string, store: SessionsPlace): SessionLog | string {
  // What was kept beside a log is this version's.
  const newer = stored.kept ? undefined : newerFormat(stored.rest);
  if (newer) return newer;
  try {
    const opened = openLog(stored.file, stateDir, stored, besides(stored.file, stateDir, store));
    return 'log' in opened ? opened.log : `is open in process ${opened.held}`;
  } catch (error) {
    return `cannot be written where it lies (${(error as Error).message})`;
  }
}

/** Writes a copy of a stored session, to be gone on with later, and gives its id. */
export function forkStored(parent: string, store: SessionsPlace, notices: string[]): string {
  const id = newSessionId();
  for (let place = store; ; ) {
    if (place.inMemory !== undefined)
      throw new StartError(`no copy of ${basename(parent, '.jsonl')} can be kept: ${place.inMemory}`);
    try {
      copyLog(parent, logFile(place.dir, id), id);
      copyStateOf(parent, store, join(place.stateDir, id));
      const newer = newerFormatOf(parent);
      if (newer) notices.push(`${basename(parent, '.jsonl')} ${newer}; the copy is this version's`);
      if (place.notice) notices.push(place.notice);
      return id;
    } catch (error) {
      const next = place.instead((error as Error).message);
      if (!next) throw error;
      place = next;
    }
  }
}

/** A new log, with the events of `parent` where there is one; in memory where no folder takes it. */
export function startNew(
  parent: string | undefined,
  store: SessionsPlace,
  options: LogChoice,
  notices: string[],
): KeptLog {
  const id = checkedName(options.sessionId, store) ?? newSessionId();
  for (let place = store; ; ) {
    try {
      const log = place.inMemory === undefined ? newIn(place, id, parent) : newInMemory(place, id, parent);
      const { stateDir, notice } = place;
      if (parent) copyStateOf(parent, store, join(stateDir, id));
      const newer = parent && newerFormatOf(parent);
      if (newer) notices.push(`that session ${newer}; the copy is this version's`);
      if (log.failure) notices.push(`this session cannot be saved: ${log.failure}; it goes on in memory`);
      else if (notice) notices.push(notice);
      return { log, stateDir };
    } catch (error) {
      const next = error instanceof StartError ? undefined : place.instead((error as Error).message);
      if (!next) throw error;
      place = next;
    }
  }
}

const LONGEST_NAME = 101;

function checkedName(id: string | undefined, { dirs }: SessionsPlace): string | undefined {
  if (id === undefined) return undefined;
  if (!/^\w[\w.-]*$/.test(id)) throw new StartError(`--session-id ${id}: letters, digits, dots and dashes only`);
  if (id.length > LONGEST_NAME)
    throw new StartError(`--session-id: at most ${LONGEST_NAME} characters, and this one has ${id.length}`);
  if (dirs.some((dir) => existsSync(logFile(dir, id))))
    throw new StartError(`--session-id ${id}: there is a session of that name; --resume ${id} goes on with it`);
  return id;
}

/** What undoes the changes of a session goes with its copy. */
const copyStateOf = (file: string, store: SessionsPlace, to: string): void =>
  copyCheckpoints(join(stateDirOf(file, store), basename(file, '.jsonl')), to);

/** Of a log that was found. */
function stateDirOf(file: string, { dirs, stateDir, stateDirs }: SessionsPlace): string {
  return stateDirs[dirs.indexOf(dirname(file))] ?? stateDir;
}

/** Where a log goes on that its own disk takes no more of; what undoes its changes goes with it. */
const besides =
  (file: string, stateDir: string, store: SessionsPlace): Elsewhere =>
  (why) => {
    const next = store.instead(why);
    if (!next || next.inMemory !== undefined || next.dir === dirname(file)) return undefined;
    const id = basename(file, '.jsonl');
    copyCheckpoints(join(stateDir, id), join(next.stateDir, id));
    return next;
  };

function newIn(store: SessionsPlace, id: string, parent: string | undefined): SessionLog {
  const { dir, stateDir } = store;
  const file = logFile(dir, id);
  if (parent) copyLog(parent, file, id);
  try {
    const opened = openLog(file, stateDir, undefined, besides(file, stateDir, store));
    if ('held' in opened) throw new StartError(`session ${id} is open in process ${opened.held}`);
    return opened.log;
  } catch (error) {
    if (parent) rmSync(file, { force: true });
    throw error;
  }
}

function newInMemory({ dir, inMemory = '' }: SessionsPlace, id: string, parent: string | undefined): SessionLog {
  const earlier = parent ? readLog(parent).events.map((event) => copied(event, id)) : [];
  return logInMemory({ id, file: logFile(dir, id) }, earlier, inMemory);
}
