/** The stored sessions of a folder. What is shown of each comes from its log, or from the index that remembers it. */
import { accessSync, constants, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type LogFacts, readLogFacts } from './log-facts.ts';
import { SessionIndex, writeSessionIndex } from './session-index.ts';

export interface SessionSummary {
  id: string;
  file: string;
  /** The name that it was given, else the first line of its first prompt. */
  title: string;
  /** Last change, ms since the epoch. */
  mtime: number;
  parent?: string;
  /** US dollars by day (UTC, `2026-11-30`); absent where nothing is known to have cost anything. */
  costs?: Readonly<Record<string, number>>;
}

/** Fewer logs are read as quickly as an index of them. */
const WORTH_AN_INDEX = 50;
/** Reading more than this again at every listing would be felt. */
const WORTH_REMEMBERING = 4 << 20;
const SUFFIX = '.jsonl';
/** In place of the title of a log that this person may not read. */
const UNREAD = '(cannot be read)';

/** A session's log, of which nothing was read. */
export type SessionLogFile = Pick<SessionSummary, 'id' | 'file' | 'mtime'> & { size: number };

/** The logs of a folder, newest first. */
export function sessionLogs(dir: string): SessionLogFile[] {
  const logs: SessionLogFile[] = [];
  eachLog(dir, (id, file, { mtimeMs, size }) => logs.push({ id, file, mtime: mtimeMs, size }));
  return logs.sort(newestFirst);
}

/** The sessions of a folder, newest first, with what their logs say of them. */
export function listSessions(dir: string): SessionSummary[] {
  const index = new SessionIndex(dir);
  const found: SessionSummary[] = [];
  const sizes: number[] = [];
  const unread: SessionSummary[] = [];
  let news = false;
  let bytes = 0;
  // What is made and called for each of thousands of logs is what a listing costs.
  eachLog(dir, (id, file, { mtimeMs: mtime, size }) => {
    const at = index.find(id);
    const summary: SessionSummary = { id, file, title: '', mtime };
    if (at >= 0 && index.holds(at, mtime, size)) {
      summary.title = index.title(at);
      const rest = index.rest(at);
      if (rest) Object.assign(summary, rest);
    } else {
      news = true;
      const facts = factsOf(file, { mtime, size }, at < 0 ? undefined : index.facts(at));
      if (!facts) {
        // Deleted while listing: not a session any more. What may not be read now may be tomorrow, and is not remembered.
        if (statOf(file)) unread.push({ ...summary, title: UNREAD });
        return;
      }
      bytes += size;
      const { size: _, ...shown } = facts;
      Object.assign(summary, shown);
    }
    found.push(summary);
    sizes.push(size);
  });
  const worth = found.length >= WORTH_AN_INDEX || bytes >= WORTH_REMEMBERING || index.length > 0;
  if ((news || found.length !== index.length) && worth)
    writeSessionIndex(
      dir,
      found.map((summary, i) => ({ ...summary, size: sizes[i]! })),
    );
  return [...found, ...unread].sort(newestFirst);
}

const newestFirst = (a: SessionLogFile | SessionSummary, b: SessionLogFile | SessionSummary): number =>
  b.mtime - a.mtime || (a.id < b.id ? 1 : -1);

/** In the order of the folder. */
function eachLog(dir: string, take: (id: string, file: string, stat: Stats) => void): void {
  const folder = join(dir, sep);
  for (const name of namesIn(dir)) {
    // Hidden files are others': of editors, and what some systems put beside a copied file.
    if (!name.endsWith(SUFFIX) || name[0] === '.') continue;
    const file = folder + name;
    const stat = statOf(file);
    // Opening a pipe would wait for ever, and a link may lead anywhere.
    if (stat?.isFile()) take(name.slice(0, -SUFFIX.length), file, stat);
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    // None there, or none that this person may read: `folderProblem` tells the two apart.
    return [];
  }
}

/** Why the sessions of a folder that is there cannot be listed, in one line; undefined where they can. */
export function folderProblem(dir: string): string | undefined {
  try {
    if (!statSync(dir).isDirectory()) return `${dir} is no folder`;
    accessSync(dir, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `${dir} cannot be read (${code})`;
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    // Deleted while listing: not a session any more.
    return undefined;
  }
}

function factsOf(file: string, state: { mtime: number; size: number }, old?: LogFacts): LogFacts | undefined {
  try {
    return readLogFacts(file, state, old);
  } catch {
    return undefined;
  }
}
