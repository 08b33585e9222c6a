/** What a log says of its session: read from its head, and from the few of its lines that tell name and costs. */
import { closeSync, openSync, readSync } from 'node:fs';
import { parseLine } from './log-record.ts';
import { costOf } from './served.ts';
import { titleOf } from './session-title.ts';

/** What is shown of a session, and of which state of its log that was read. */
export interface LogFacts {
  /** Ms since the epoch. */
  mtime: number;
  /** Bytes. */
  size: number;
  title: string;
  parent?: string;
  /** US dollars by day (UTC). */
  costs?: Readonly<Record<string, number>>;
}

const HEAD_BYTES = 64 * 1024;

/**
 * A log only grows: what is known of its beginning holds, and only what is new is read. `old`: what was known of it.
 * Throws where the log cannot be read.
 */
export function readLogFacts(
  file: string,
  { mtime, size }: { mtime: number; size: number },
  old: LogFacts | undefined,
): LogFacts {
  const fd = openSync(file, 'r');
  try {
    const grown = old && old.title !== EMPTY && size > old.size && endsLine(fd, old.size);
    const row: LogFacts = grown ? { ...old, mtime, size } : { mtime, size, ...headOf(fd, size) };
    return { ...row, ...factsFrom(fd, grown ? old.size : 0, size, row) };
  } finally {
    closeSync(fd);
  }
}

function endsLine(fd: number, at: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(fd, last, 0, 1, at - 1) === 1 && last[0] === 10;
}

const MARKS = ['"type":"title"', '"type":"done"', '"type":"compaction"', '"type":"notice"'];
const PIECE = 4 << 20;

/** Name and costs that the lines from byte `from` on tell of; most lines are not parsed for it. */
function factsFrom(fd: number, from: number, size: number, row: LogFacts): Partial<LogFacts> {
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
        const event = parseLine(line);
        if (event?.type === 'title') title = titleOf(event.text) || title;
        const cost = event ? costOf(event) : 0;
        if (!event || !cost) continue;
        // Of a record that lost its time, the day is the one that is known of its log.
        const day = new Date(event.time ?? row.mtime).toISOString().slice(0, 10);
        costs[day] = Number(((costs[day] ?? 0) + cost).toFixed(8));
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

function headOf(fd: number, size: number): Pick<LogFacts, 'title' | 'parent'> {
  const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
  const length = readSync(fd, head, 0, head.length, 0);
  let parent: string | undefined;
  for (const line of lines(head.subarray(0, length))) {
    const event = parseLine(line);
    if (event?.type === 'session') parent = event.parent;
    if (event?.type !== 'user') continue;
    return { title: titleOf(event.text) || EMPTY, ...(parent && { parent }) };
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
