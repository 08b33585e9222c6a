/**
 * The log of a session that is open: append-only JSONL, one event a line, each line written whole in one call. What the
 * file holds need not stay in memory.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type KeptFold, keepFold, readKept } from './kept-fold.ts';
import { holdLog } from './log-lock.ts';
import { endFrom, parseLog, readLog } from './parse-log.ts';
import type { SavedFold } from './session-fold.ts';
import type { StoredBody, StoredEvent } from './types.ts';

export interface SessionLog {
  readonly id: string;
  readonly file: string;
  /** Number of the last event that the file held when it was opened; 0 for a new one. */
  readonly openedAt: number;
  /** What the file's older events fold to, where that was kept; `recent` begins behind them. */
  readonly kept?: KeptFold;
  /** The newest events, in memory: at least those since the last `sync`, at first all that the file held. */
  readonly recent: readonly StoredEvent[];
  readonly problem?: string;
  /** Why the newest events are kept in memory only: the disk took no more. Undefined while all is well. */
  readonly failure?: string;
  /** The events from a number on; what is no longer in memory is read from the file again. */
  read(fromSeq?: number): readonly StoredEvent[];
  /** Never throws for the disk's sake: a session goes on in memory and says so. */
  append(body: StoredBody): StoredEvent;
  /** Makes what was appended survive a power cut; what the file holds need not stay in memory. */
  sync(): void;
  /** `fold`: what all events fold to, to be kept where the log is large. */
  close(fold?: SavedFold): void;
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

/** What the file of a log holds: what was kept of it, and the bytes behind that. */
export interface StoredLog {
  readonly file: string;
  readonly kept?: KeptFold;
  readonly rest: Buffer;
}

/** Reads what opening it takes. Throws where the file cannot be read. */
export function lookAt(file: string): StoredLog {
  const kept = readKept(file);
  if (!kept) return { file, rest: readFileSync(file) };
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - kept.size));
    return { file, kept, rest: bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, kept.size)) };
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens a log for appending and holds it; `held` names the process that already does. `stored`: what was seen of the
 * file a moment ago; where it has grown since it is looked at again.
 */
export function openLog(file: string, stateDir: string, stored?: StoredLog): { log: SessionLog } | { held: number } {
  const id = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1).replace(/\.jsonl$/, '');
  const lock = holdLog(stateDir, id);
  if ('held' in lock) return lock;
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) stored = { file, rest: Buffer.alloc(0) };
    else if (!stored || (stored.kept?.size ?? 0) + stored.rest.length !== size) stored = lookAt(file);
    return { log: new FileLog(id, file, stored, lock.release) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Within a turn, so many bytes of events stay in memory at most, about. */
const MOST_RECENT = 16 << 20;

class FileLog implements SessionLog {
  readonly id: string;
  readonly file: string;
  readonly kept?: KeptFold;
  readonly problem?: string;
  failure?: string;
  readonly openedAt: number;
  readonly #release: () => void;
  #recent: StoredEvent[];
  #fd: number | undefined;
  #seq: number;
  #fresh: boolean;
  /** Some of what the file held is not in memory. */
  #forgot = false;
  /** Everything that was appended is in the file. */
  #isWhole = true;
  /** Bytes appended since something was last forgotten. */
  #appended = 0;

  constructor(id: string, file: string, stored: StoredLog, release: () => void) {
    let read = parseLog(stored.rest);
    let { kept } = stored;
    // What does not simply go on behind what was kept has to be sorted in.
    if (kept && (read.problem || (read.events[0]?.seq ?? Number.MAX_VALUE) <= kept.lastSeq)) {
      read = readLog(file);
      kept = undefined;
    }
    this.id = id;
    this.file = file;
    this.kept = kept;
    this.problem = kept ? kept.problem : read.problem;
    this.#recent = read.events;
    this.#seq = read.events.at(-1)?.seq ?? kept?.lastSeq ?? 0;
    this.openedAt = this.#seq;
    this.#fresh = read.endsInNewline;
    this.#release = release;
    this.#fd = openSync(file, 'a', 0o600);
  }

  get recent(): readonly StoredEvent[] {
    return this.#recent;
  }

  read(fromSeq = 1): readonly StoredEvent[] {
    const first = this.#recent[0]?.seq ?? this.#seq + 1;
    // Nearly always the very end is asked for.
    const recent = this.#recent.slice(this.#recent.findLastIndex(({ seq }) => seq < fromSeq) + 1);
    const isHere = fromSeq >= first || (!this.kept && !this.#forgot);
    return isHere ? recent : [...this.#stored(fromSeq).filter(({ seq }) => seq >= fromSeq && seq < first), ...recent];
  }

  #stored(fromSeq: number): StoredEvent[] {
    try {
      return (fromSeq > 1 && endFrom(this.file, fromSeq)) || readLog(this.file).events;
    } catch {
      // Somebody deleted it meanwhile: what is in memory goes on.
      return [];
    }
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
    if (this.failure) this.#isWhole = false;
    this.#seq++;
    this.#recent.push(event);
    this.#appended += line.length;
    if (this.#appended > MOST_RECENT) this.#forget(this.#recent.length >> 1);
    return event;
  }

  sync(): void {
    if (this.#fd === undefined) return;
    try {
      fsyncSync(this.#fd);
    } catch (error) {
      this.failure = (error as Error).message;
    }
    this.#forget(this.#recent.length);
  }

  /** The oldest in memory, unless that is the only place where they are. */
  #forget(count: number): void {
    this.#appended = 0;
    if (!this.#isWhole || count === 0) return;
    this.#recent = this.#recent.slice(count);
    this.#forgot = true;
  }

  close(fold?: SavedFold): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    if (fold && this.#isWhole && this.#fresh)
      keepFold(this.file, { fold, lastSeq: this.#seq, ...(this.problem && { problem: this.problem }) });
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
