/**
 * The stored sessions of a folder. What is shown of each comes from the head of its log; an index beside the logs
 * remembers it, so that thousands of them are listed at once. The index is only a memory: it may be deleted at any time.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isStoredEvent } from './event-shape.ts';
import type { StoredEvent } from './types.ts';

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

/** What the head of a log says, and of which state of the file. */
interface Row {
  mtime: number;
  size: number;
  title: string;
  parent?: string;
  costs?: Record<string, number>;
}

const INDEX = '.index.json';
/** Fewer logs are read as quickly as an index of them. */
const WORTH_AN_INDEX = 50;
/** Reading more than this again at every listing would be felt. */
const WORTH_REMEMBERING = 4 << 20;
const HEAD_BYTES = 64 * 1024;

/** A session's log, of which nothing was read. */
export type SessionLogFile = Pick<SessionSummary, 'id' | 'file' | 'mtime'> & { size: number };

/** The logs of a folder, newest first. */
export function sessionLogs(dir: string): SessionLogFile[] {
  if (!existsSync(dir)) return [];
  const logs: SessionLogFile[] = [];
  for (const name of readdirSync(dir)) {
    if (!name.endsWith('.jsonl')) continue;
    const file = join(dir, name);
    try {
      const stat = lstatSync(file);
      // Opening a pipe would wait for ever, and a link may lead anywhere.
      if (stat.isFile()) logs.push({ id: name.slice(0, -6), file, mtime: stat.mtimeMs, size: stat.size });
    } catch {
      // Deleted while listing: not a session any more.
    }
  }
  return logs.sort((a, b) => b.mtime - a.mtime || (a.id < b.id ? 1 : -1));
}

/** The sessions of a folder, newest first, with what their logs say of them. */
export function listSessions(dir: string): SessionSummary[] {
  const logs = sessionLogs(dir);
  if (logs.length === 0) return [];
  const known = readIndex(dir);
  const rows = new Map<string, Row>();
  const found: SessionSummary[] = [];
  let news = false;
  let bytes = 0;
  for (const { id, file, mtime, size } of logs) {
    const name = `${id}.jsonl`;
    try {
      let row = known.get(name);
      if (row?.mtime !== mtime || row.size !== size) {
        bytes += size;
        row = rowOf(file, { mtime, size }, row);
        news = true;
      }
      rows.set(name, row);
      const { size: _, ...shown } = row;
      found.push({ id, file, ...shown });
    } catch {
      // Deleted while listing: not a session any more.
    }
  }
  const worth = rows.size >= WORTH_AN_INDEX || bytes >= WORTH_REMEMBERING || known.size > 0;
  if ((news || rows.size !== known.size) && worth) writeIndex(dir, rows);
  return found;
}

function readIndex(dir: string): Map<string, Row> {
  try {
    const rows: unknown = JSON.parse(readFileSync(join(dir, INDEX), 'utf8'));
    const found = Object.entries(rows as Record<string, Row>);
    return new Map(found.filter(([, row]) => typeof row?.mtime === 'number' && typeof row.title === 'string'));
  } catch {
    return new Map();
  }
}

function writeIndex(dir: string, rows: ReadonlyMap<string, Row>): void {
  const temporary = join(dir, `${INDEX}.${process.pid}`);
  try {
    writeFileSync(temporary, JSON.stringify(Object.fromEntries(rows)), { mode: 0o600 });
    renameSync(temporary, join(dir, INDEX));
  } catch {
    // A folder that cannot be written is listed without one.
  }
}

/** A log only grows: what is known of its beginning holds, and only what is new is read. */
function rowOf(file: string, { mtime, size }: { mtime: number; size: number }, old: Row | undefined): Row {
  const fd = openSync(file, 'r');
  try {
    const grown = old && old.title !== EMPTY && size > old.size && endsLine(fd, old.size);
    const row: Row = grown ? { ...old, mtime, size } : { mtime, size, ...headOf(fd, size) };
    return { ...row, ...factsFrom(fd, grown ? old.size : 0, size, row) };
  } finally {
    closeSync(fd);
  }
}

function endsLine(fd: number, at: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(fd, last, 0, 1, at - 1) === 1 && last[0] === 10;
}

const MARKS = ['"type":"title"', '"type":"done"'];
const PIECE = 4 << 20;

/** Name and costs that the lines from byte `from` on tell of; most lines are not parsed for it. */
function factsFrom(fd: number, from: number, size: number, row: Row): Partial<Row> {
  let { title } = row;
  const costs: Record<string, number> = { ...row.costs };
  let rest: Buffer = Buffer.alloc(0);
  for (let at = from; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - at));
    const length = readSync(fd, piece, 0, piece.length, at);
    if (length === 0) break;
    at += length;
    const bytes = rest.length ? Buffer.concat([rest, piece.subarray(0, length)]) : piece.subarray(0, length);
    const end = at >= size ? bytes.length : bytes.lastIndexOf(10) + 1;
    for (const mark of MARKS)
      for (const line of linesWith(bytes.subarray(0, end), mark)) {
        const event = parsed(line);
        if (event?.type === 'title') title = event.text.trim().split('\n', 1)[0]!.slice(0, 80) || title;
        if (event?.type !== 'done' || !event.usage?.cost || !Number.isFinite(event.time)) continue;
        const day = new Date(event.time).toISOString().slice(0, 10);
        costs[day] = Number(((costs[day] ?? 0) + event.usage.cost).toFixed(8));
      }
    rest = bytes.subarray(end);
  }
  return { title, ...(Object.keys(costs).length ? { costs } : {}) };
}

function* linesWith(bytes: Buffer, mark: string): Generator<string> {
  for (let at = bytes.indexOf(mark); at >= 0; ) {
    const end = bytes.indexOf(10, at);
    yield bytes.toString('utf8', bytes.lastIndexOf(10, at) + 1, end < 0 ? bytes.length : end);
    at = end < 0 ? -1 : bytes.indexOf(mark, end);
  }
}

const EMPTY = '(empty)';

function headOf(fd: number, size: number): Pick<Row, 'title' | 'parent'> {
  const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
  const length = readSync(fd, head, 0, head.length, 0);
  let parent: string | undefined;
  for (const line of lines(head.subarray(0, length))) {
    const event = parsed(line);
    if (event?.type === 'session') parent = event.parent;
    if (event?.type !== 'user') continue;
    const title = event.text.trim().split('\n', 1)[0]!.slice(0, 80);
    return { title: title || EMPTY, ...(parent && { parent }) };
  }
  return { title: EMPTY, ...(parent && { parent }) };
}

function* lines(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    yield bytes.toString('utf8', start, end < 0 ? bytes.length : end);
    if (end < 0) return;
    start = end + 1;
  }
}

function parsed(line: string): StoredEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isStoredEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
