/**
 * The log of a session: append-only JSONL, one event a line, each line written whole in one call. Reading takes every
 * line that is an event and says what it skipped; a torn last line never swallows the next event.
 */
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isStoredEvent } from './event-shape.ts';
import { holdLog } from './log-lock.ts';
import type { StoredBody, StoredEvent } from './types.ts';

export interface ReadLog {
  events: StoredEvent[];
  /** One line for a person when something was skipped: how many records, the first one's line and byte. */
  problem?: string;
  /** False when the last line is torn: the next append must start on a fresh line. */
  endsInNewline: boolean;
}

export interface SessionLog {
  readonly id: string;
  readonly file: string;
  /** Number of the last event that the file held when it was opened; 0 for a new one. */
  readonly openedAt: number;
  /** What the file held when it was opened, then what was appended. */
  readonly events: readonly StoredEvent[];
  readonly problem?: string;
  /** Why the newest events are kept in memory only: the disk took no more. Undefined while all is well. */
  readonly failure?: string;
  /** Never throws for the disk's sake: a session goes on in memory and says so. */
  append(body: StoredBody): StoredEvent;
  /** Makes what was appended survive a power cut. */
  sync(): void;
  close(): void;
}

const NEWLINE = 10;

/** Splits at line feeds only: U+2028 and friends are ordinary characters inside JSON. */
export function parseLog(bytes: Uint8Array): ReadLog {
  const events: StoredEvent[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seen = new Set<number>();
  let skipped = 0;
  let first = '';
  let line = 0;
  for (let start = 0; start < buffer.length; ) {
    let end = buffer.indexOf(NEWLINE, start);
    if (end < 0) end = buffer.length;
    line++;
    if (end > start) {
      const text = buffer.toString('utf8', start, end);
      const whole = parseLine(text);
      if (!whole && skipped++ === 0) first = `line ${line}, byte ${start}`;
      const event = whole ?? behindTorn(text);
      if (event && seen.has(event.seq)) {
        if (whole && skipped++ === 0) first = `line ${line}, byte ${start} (number ${event.seq} again)`;
      } else if (event) {
        seen.add(event.seq);
        events.push(event);
      }
    }
    start = end + 1;
  }
  const ordered = events.every((event, i) => i === 0 || event.seq > events[i - 1]!.seq);
  if (!ordered) events.sort((a, b) => a.seq - b.seq);
  return {
    events,
    endsInNewline: buffer.length === 0 || buffer[buffer.length - 1] === NEWLINE,
    problem: skipped ? `${skipped} damaged record${skipped > 1 ? 's' : ''} skipped, first at ${first}` : undefined,
  };
}

const RECORD = '{"type":"';
/** Parts of a message look like records too; a line that holds more of them is not looked through. */
const MOST_RECORDS = 200;

/** A whole record behind a torn one, or behind a run of NUL bytes: another program went on where a line had ended early. */
function behindTorn(text: string): StoredEvent | undefined {
  let at = text.indexOf(RECORD, 1);
  for (let tries = 0; at > 0 && tries < MOST_RECORDS; tries++, at = text.indexOf(RECORD, at + 1)) {
    const event = parseLine(text.slice(at));
    if (event) return event;
  }
  return undefined;
}

function parseLine(text: string): StoredEvent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStoredEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const readLog = (file: string): ReadLog => parseLog(readFileSync(file));

/** The whole lines of one type, in the order of the file; others are not even parsed, so a large log costs little. */
export function recordsOf<T extends StoredEvent['type']>(bytes: Uint8Array, type: T): (StoredEvent & { type: T })[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wanted = Buffer.from(`${RECORD}${type}"`);
  const found: (StoredEvent & { type: T })[] = [];
  for (let start = 0; start < buffer.length; ) {
    let end = buffer.indexOf(NEWLINE, start);
    if (end < 0) end = buffer.length;
    if (end - start > wanted.length && buffer.compare(wanted, 0, wanted.length, start, start + wanted.length) === 0) {
      const event = parseLine(buffer.toString('utf8', start, end));
      if (event?.type === type) found.push(event as StoredEvent & { type: T });
    }
    start = end + 1;
  }
  return found;
}

/** Where the sessions of a folder's project live, and their ids: the file name without `.jsonl`. */
export const logFile = (dir: string, id: string): string => join(dir, `${id}.jsonl`);

/** An id that sorts by time: `20261130-142233-1f3c9a`. */
export function newSessionId(now = new Date()): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${Math.floor(Math.random() * 0x1000000)
    .toString(16)
    .padStart(6, '0')}`;
}

/**
 * Opens a log for appending and holds it; `held` names the process that already does. `bytes`: what the file held a
 * moment ago, for who has read it already; a log that has grown since is read again.
 */
export function openLog(file: string, stateDir: string, bytes?: Uint8Array): { log: SessionLog } | { held: number } {
  const id = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1).replace(/\.jsonl$/, '');
  const lock = holdLog(stateDir, id);
  if ('held' in lock) return lock;
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    const read = parseLog(size === undefined ? new Uint8Array() : bytes?.length === size ? bytes : readFileSync(file));
    const fd = openSync(file, 'a', 0o600);
    return { log: new FileLog(id, file, fd, read, lock.release) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

class FileLog implements SessionLog {
  readonly id: string;
  readonly file: string;
  readonly events: StoredEvent[];
  readonly problem?: string;
  failure?: string;
  readonly openedAt: number;
  readonly #release: () => void;
  #fd: number | undefined;
  #seq: number;
  #fresh: boolean;

  constructor(id: string, file: string, fd: number, read: ReadLog, release: () => void) {
    this.id = id;
    this.file = file;
    this.events = read.events;
    this.problem = read.problem;
    this.#fd = fd;
    this.#release = release;
    this.#seq = read.events.at(-1)?.seq ?? 0;
    this.openedAt = this.#seq;
    this.#fresh = read.endsInNewline;
  }

  append(body: StoredBody): StoredEvent {
    if (this.#fd === undefined) throw new Error('the session is closed');
    const event = { ...body, seq: this.#seq + 1, time: Date.now() } as StoredEvent;
    const line = Buffer.from(`${this.#fresh ? '' : '\n'}${JSON.stringify(event)}\n`);
    try {
      const written = writeSync(this.#fd, line);
      // A full disk may take part of a line; the next one must not continue it.
      this.#fresh = written === line.length;
      this.failure = this.#fresh ? undefined : `the disk took ${written} of ${line.length} bytes`;
    } catch (error) {
      this.failure = (error as Error).message;
    }
    this.#seq++;
    this.events.push(event);
    return event;
  }

  sync(): void {
    if (this.#fd === undefined) return;
    try {
      fsyncSync(this.#fd);
    } catch (error) {
      this.failure = (error as Error).message;
    }
  }

  close(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    this.#release();
  }
}

/** Writes a copy of a log under a new id; its `session` event names the original as `parent`. */
export function copyLog(from: string, to: string, id: string): void {
  const lines = readLog(from).events.map((event) =>
    JSON.stringify(event.type === 'session' ? { ...event, id, parent: event.id } : event),
  );
  writeFileSync(to, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
}
