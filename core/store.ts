/**
 * The log of a session that is open: append-only JSONL, one event a line, each line written whole in one call. What the
 * file holds need not stay in memory.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type KeptFold, keepFold, readKept } from './kept-fold.ts';
import { bytesOf, placeOf, writeAgain } from './log-file.ts';
import { holdLog, type LogLock } from './log-lock.ts';
import { endFrom, parseLog, readLog } from './parse-log.ts';
import type { SavedFold } from './session-fold.ts';
import type { StoredBody, StoredEvent } from './types.ts';
import { wellFormedJson } from './well-formed.ts';

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
  /** Why the newest events outlive no end of the process: the disk took no more, or the file is another's. Undefined while all is well. */
  readonly failure?: string;
  /** The events from a number on; what is no longer in memory is read from the file again. */
  read(fromSeq?: number): readonly StoredEvent[];
  /**
   * Gives what was stored: the event, and before it a notice where the disk begins to refuse. Never throws for the
   * disk's sake: a session goes on elsewhere or in memory, and what could not be written is written once there is room.
   * The event has U+FFFD for every half of a surrogate pair in `body`, in memory as in the file.
   */
  append(body: StoredBody): readonly StoredEvent[];
  /**
   * Makes what was appended survive a power cut; what the file holds need not stay in memory. A file that was deleted
   * meanwhile is written again. What a person should hear of that: nearly always nothing.
   */
  sync(): readonly string[];
  /** The same look at its file, without waiting for the disk: what is to be heard of it comes before the end of a turn. */
  stay(): readonly string[];
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
    return { file, kept, rest: bytesOf(fd, kept.size) };
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens a log for appending and holds it; `held` names the process that already does. `stored`: what was seen of the
 * file a moment ago; where it has grown since it is looked at again. `elsewhere`: asked once, when the disk refuses.
 */
export function openLog(
  file: string,
  stateDir: string,
  stored?: StoredLog,
  elsewhere?: Elsewhere,
): { log: SessionLog } | { held: number } {
  const id = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1).replace(/\.jsonl$/, '');
  const lock = holdLog(stateDir, id);
  if ('held' in lock) return lock;
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) stored = { file, rest: Buffer.alloc(0) };
    else if (!stored || (stored.kept?.size ?? 0) + stored.rest.length !== size) stored = lookAt(file);
    return { log: new FileLog(id, file, stored, lock, elsewhere) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Another place for a log that its own disk takes no more of; undefined where there is none. */
export type Elsewhere = (why: string) => { dir: string; stateDir: string } | undefined;

/** Within a turn, so many bytes of events stay in memory at most, about. */
const MOST_RECENT = 16 << 20;

const NO_FLUSH: ReadonlySet<string> = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

const WRITTEN_AGAIN = 'the log of this session was deleted while it was open; it was written again';

class FileLog implements SessionLog {
  readonly id: string;
  file: string;
  readonly kept?: KeptFold;
  readonly problem?: string;
  failure?: string;
  readonly openedAt: number;
  #locks: LogLock[];
  #elsewhere: Elsewhere | undefined;
  #recent: StoredEvent[];
  #fd: number | undefined;
  #seq: number;
  #fresh: boolean;
  /** Why what the descriptor takes cannot be found under the log's path. */
  #displaced: string | undefined;
  /** Something was written since the disk was last waited for. */
  #isWaiting = false;
  /** Why the disk did not keep what it took. */
  #unkept: string | undefined;
  /** Some of what the file held is not in memory. */
  #forgot = false;
  /** Lines that the file does not hold yet, the oldest first. */
  readonly #unsaved: Buffer[] = [];
  /** A person knows that the disk refuses. */
  #hasTold = false;
  /** Bytes appended since something was last forgotten. */
  #appended = 0;

  constructor(id: string, file: string, stored: StoredLog, lock: LogLock, elsewhere?: Elsewhere) {
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
    this.#locks = [lock];
    this.#elsewhere = elsewhere;
    this.#fd = openSync(file, 'a+', 0o600);
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

  #stored(fromSeq: number): readonly StoredEvent[] {
    const fd = this.#fd;
    try {
      // The path may lead nowhere by now, or to another file.
      if (fd === undefined) return readLog(this.file).events;
      return (fromSeq > 1 && endFrom(fd, fromSeq)) || parseLog(bytesOf(fd)).events;
    } catch {
      // The disk gives it no more: what is in memory goes on.
      return [];
    }
  }

  append(body: StoredBody): readonly StoredEvent[] {
    if (this.#fd === undefined) throw new Error('the session is closed');
    // Many a reader leaves with the end of a turn: what is to be heard of the log comes before it.
    if (this.#displaced && !this.#hasTold) return [...this.#tell(this.#displaced), ...this.append(body)];
    const event = this.#keep(body);
    const line = this.#unsaved.at(-1)!;
    let why = this.#save(this.#fd);
    // What a disk says of earlier writes it says here: after the end it would be too late.
    if (!why && body.type === 'done') why = this.#flush(this.#fd);
    if (!this.failure && this.#hasTold) {
      this.#hasTold = false;
      return [event, ...this.append({ type: 'notice', level: 'info', text: 'this session is saved again' })];
    }
    if (!why || this.#hasTold) return [event];
    if (body.type !== 'done' || !this.#takeBack(event, line)) return [event, ...this.#tell(why)];
    return [...this.#tell(why), ...this.append(body)];
  }

  #tell(why: string): readonly StoredEvent[] {
    this.#hasTold = true;
    return this.append({ type: 'notice', level: 'error', text: this.#goElsewhere(this.#fd!, why) });
  }

  /** In memory; `#save` writes it. */
  #keep(body: StoredBody): StoredEvent {
    const { event, json } = stored(body, this.#seq + 1);
    const line = Buffer.from(`${json}\n`);
    this.#unsaved.push(line);
    this.#seq++;
    this.#recent.push(event);
    this.#appended += line.length;
    return event;
  }

  /** The newest one, also out of a file that took it and does not keep it. */
  #takeBack({ seq }: StoredEvent, line: Buffer): boolean {
    if (!this.#unsaved.pop() && !this.#cut(this.#fd!, line.length)) return false;
    this.#recent.pop();
    this.#seq = seq - 1;
    return true;
  }

  #cut(fd: number, bytes: number): boolean {
    try {
      ftruncateSync(fd, fstatSync(fd).size - bytes);
      return true;
    } catch {
      return false;
    }
  }

  /** Waits for the disk; why it did not keep what it took. */
  #flush(fd: number): string | undefined {
    if (!this.#isWaiting) return this.#unkept;
    try {
      fsyncSync(fd);
      this.#isWaiting = false;
      this.#unkept = undefined;
    } catch (error) {
      // Some file systems cannot be waited for, and that is no failure.
      const { code = '', message } = error as NodeJS.ErrnoException;
      this.#isWaiting = !NO_FLUSH.has(code);
      this.#unkept = this.#isWaiting ? message : undefined;
    }
    this.failure = this.#unsaved.length > 0 ? this.failure : (this.#displaced ?? this.#unkept);
    return this.#unkept;
  }

  /** Writes what the file does not hold yet; why it does not take all. */
  #save(fd: number): string | undefined {
    let why: string | undefined;
    while (why === undefined && this.#unsaved.length > 0) {
      const line = this.#unsaved[0]!;
      why = this.#write(fd, this.#fresh ? line : Buffer.concat([Buffer.from('\n'), line]));
      if (why === undefined) this.#unsaved.shift();
    }
    this.failure = why ?? this.#displaced ?? this.#unkept;
    if (this.#appended > MOST_RECENT) this.#forget(this.#recent.length >> 1);
    return why;
  }

  /** A whole line or nothing: a part that a full disk took is cut off again. */
  #write(fd: number, line: Buffer): string | undefined {
    try {
      const written = writeSync(fd, line);
      this.#isWaiting = true;
      if (written === line.length) this.#fresh = true;
      else this.#fresh &&= this.#cut(fd, written);
      return written === line.length ? undefined : `the disk took ${written} of ${line.length} bytes`;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Moves the whole log to the next best place; what a person should know of where it goes on. */
  #goElsewhere(fd: number, why: string): string {
    const elsewhere = this.#elsewhere;
    this.#elsewhere = undefined;
    try {
      const place = elsewhere?.(why);
      if (!place) throw new Error('nowhere else');
      const file = logFile(place.dir, this.id);
      const lock = holdLog(place.stateDir, this.id);
      if ('held' in lock) throw new Error(`process ${lock.held} has it there`);
      this.#locks.push(lock);
      const again = writeAgain(fd, file);
      const further = this.#write(again, Buffer.concat([Buffer.from(this.#fresh ? '' : '\n'), ...this.#unsaved]));
      if (further !== undefined) {
        closeSync(again);
        rmSync(file, { force: true });
        throw new Error(further);
      }
      this.#unsaved.length = 0;
      this.#displaced = this.#unkept = undefined;
      // One session is not listed twice.
      if (placeOf(fd, this.file) === 'same') rmSync(this.file, { force: true });
      closeSync(fd);
      this.#fd = again;
      this.file = file;
      this.#hasTold = false;
      return `this session cannot be saved where it was: ${why}; it goes on in ${file}`;
    } catch {
      return `this session cannot be saved: ${why}; it goes on in memory`;
    }
  }

  stay(): readonly string[] {
    return this.#fd !== undefined && this.#stayInPlace(this.#fd) ? [WRITTEN_AGAIN] : [];
  }

  sync(): readonly string[] {
    const news = [...this.stay()];
    if (this.#fd === undefined) return news;
    const isNew = this.#unkept === undefined;
    if (this.#flush(this.#fd) === undefined) this.#forget(this.#recent.length);
    else if (isNew) {
      this.#hasTold = true;
      news.push(this.#goElsewhere(this.#fd, this.#unkept!));
    }
    return news;
  }

  /** Whether the file was gone and is there again. */
  #stayInPlace(fd: number): boolean {
    this.#displaced = undefined;
    let isAgain = false;
    try {
      const place = placeOf(fd, this.file);
      if (place === 'taken') throw new Error('another file is in the place of its log');
      if (place === 'gone') {
        this.#fd = writeAgain(fd, this.file);
        isAgain = true;
        closeSync(fd);
      }
      for (const lock of this.#locks) lock.keep();
    } catch (error) {
      this.#displaced = (error as Error).message;
      this.failure = this.#displaced;
    }
    return isAgain;
  }

  /** The oldest in memory, unless that is the only place where they are. */
  #forget(count: number): void {
    this.#appended = 0;
    if (this.#unsaved.length > 0 || count === 0) return;
    // Records that share a number are read from one place.
    while (count < this.#recent.length && this.#recent[count]!.seq === this.#recent[count - 1]!.seq) count++;
    this.#recent = this.#recent.slice(count);
    this.#forgot = true;
  }

  close(fold?: SavedFold): void {
    if (this.#fd === undefined) return;
    this.#stayInPlace(this.#fd);
    // There may be room by now.
    if (this.#unsaved.length > 0) this.#save(this.#fd);
    closeSync(this.#fd);
    this.#fd = undefined;
    if (fold && this.#unsaved.length === 0 && this.#fresh && !this.#displaced)
      keepFold(this.file, { fold, lastSeq: this.#seq, ...(this.problem && { problem: this.problem }) });
    for (const lock of this.#locks) lock.release();
  }
}

/** The event that a log makes of it, and its line. */
export function stored(body: StoredBody, seq: number): { event: StoredEvent; json: string } {
  const event = { ...body, seq, time: Date.now() } as StoredEvent;
  const said = JSON.stringify(event);
  const json = wellFormedJson(said);
  return { event: json === said ? event : JSON.parse(json), json };
}
