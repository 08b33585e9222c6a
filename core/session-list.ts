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
  /** First line of the first prompt. */
  title: string;
  /** Last change, ms since the epoch. */
  mtime: number;
  parent?: string;
}

/** What the head of a log says, and of which state of the file. */
interface Row {
  mtime: number;
  size: number;
  title: string;
  parent?: string;
}

const INDEX = '.index.json';
/** Fewer logs are read as quickly as an index of them. */
const WORTH_AN_INDEX = 50;
const HEAD_BYTES = 64 * 1024;

/** The sessions of a folder, newest first. */
export function listSessions(dir: string): SessionSummary[] {
  if (!existsSync(dir)) return [];
  const known = readIndex(dir);
  const rows = new Map<string, Row>();
  let news = false;
  for (const name of readdirSync(dir)) {
    if (!name.endsWith('.jsonl')) continue;
    const file = join(dir, name);
    try {
      const stat = lstatSync(file);
      // Opening a pipe would wait for ever, and a link may lead anywhere.
      if (!stat.isFile()) continue;
      let row = known.get(name);
      if (row?.mtime !== stat.mtimeMs || row.size !== stat.size) {
        row = { mtime: stat.mtimeMs, size: stat.size, ...headOf(file, stat.size) };
        news = true;
      }
      rows.set(name, row);
    } catch {
      // Deleted while listing: not a session any more.
    }
  }
  if ((news || rows.size !== known.size) && rows.size >= WORTH_AN_INDEX) writeIndex(dir, rows);
  return [...rows]
    .map(([name, { size: _, ...row }]) => ({ id: name.slice(0, -6), file: join(dir, name), ...row }))
    .sort((a, b) => b.mtime - a.mtime || (a.id < b.id ? 1 : -1));
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

function headOf(file: string, size: number): Pick<Row, 'title' | 'parent'> {
  const fd = openSync(file, 'r');
  try {
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
    const length = readSync(fd, head, 0, head.length, 0);
    let parent: string | undefined;
    for (const line of lines(head.subarray(0, length))) {
      const event = parsed(line);
      if (event?.type === 'session') parent = event.parent;
      if (event?.type !== 'user') continue;
      const title = event.text.trim().split('\n', 1)[0]!.slice(0, 80);
      return { title: title || '(empty)', ...(parent && { parent }) };
    }
    return { title: '(empty)', ...(parent && { parent }) };
  } finally {
    closeSync(fd);
  }
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
