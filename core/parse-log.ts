/**
 * Reads the log of a session: append-only JSONL, one event a line. Every line that is an event is taken, and what was
 * skipped or mended is said; a torn line never swallows the next event.
 */
import { fstatSync, readFileSync } from 'node:fs';
import { bytesOf } from './log-file.ts';
import { LogProblems } from './log-problems.ts';
import { parseLine, recordIn } from './log-record.ts';
import type { StoredEvent } from './types.ts';

export interface ReadLog {
  events: StoredEvent[];
  /** One line for a person when something was skipped, mended or out of order: how many records, the first one's line and byte. */
  problem?: string;
  /** False when the last line is torn: the next append must start on a fresh line. */
  endsInNewline: boolean;
}

const NEWLINE = 10;

/** Splits at line feeds only: U+2028 and friends are ordinary characters inside JSON. */
export function parseLog(bytes: Uint8Array): ReadLog {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records = new Records();
  let line = 0;
  for (let start = 0; start < buffer.length; ) {
    let end = buffer.indexOf(NEWLINE, start);
    if (end < 0) end = buffer.length;
    line++;
    if (end > start) records.take(buffer.toString('utf8', start, end), line, start);
    start = end + 1;
  }
  return { ...records.end(), endsInNewline: buffer.length === 0 || buffer[buffer.length - 1] === NEWLINE };
}

/** The records of a log in the order in which they are met. */
class Records {
  readonly #events: StoredEvent[] = [];
  readonly #seen = new Set<number>();
  /** Those of each number as JSON; made when a number comes again, which it nearly never does. */
  #written: Map<number, string[]> | undefined;
  readonly #problems = new LogProblems();
  #highest = 0;
  #time: number | undefined;
  /** Some number may stand for several records, or is not the one that its record has. */
  #isUneven = false;

  take(text: string, line: number, byte: number): void {
    const record = recordIn(text);
    if (!record?.isWhole && text.trim() !== '') this.#problems.skipped(line, byte);
    if (!record) return;
    const { event } = record;
    const isAgain = this.#seen.has(event.seq);
    if (isAgain && this.#isThere(event)) {
      if (record.isWhole) this.#problems.skipped(line, byte, event.seq);
      return;
    }
    if (isAgain || record.isMended) {
      this.#problems.mended(line, byte, isAgain ? event.seq : undefined);
      this.#isUneven = true;
      event.time ??= this.#time as number;
      event.seq ||= this.#events.at(-1)?.seq ?? 1;
    }
    this.#keep(event, line, byte);
  }

  #keep(event: StoredEvent, line: number, byte: number): void {
    const { seq, time } = event;
    this.#seen.add(seq);
    if (this.#written) remember(this.#written, event);
    // Those at the beginning have no neighbour before them.
    if (this.#time === undefined && time !== undefined) for (const earlier of this.#events) earlier.time = time;
    this.#time = time ?? this.#time;
    this.#events.push(event);
    if (seq < this.#highest) this.#problems.disordered(line, byte);
    else this.#highest = seq;
  }

  /** The same record twice says nothing new. */
  #isThere(event: StoredEvent): boolean {
    if (!this.#written) {
      this.#written = new Map();
      for (const one of this.#events) remember(this.#written, one);
    }
    return this.#written.get(event.seq)!.includes(contentOf(event));
  }

  end(): Pick<ReadLog, 'events' | 'problem'> {
    const events = this.#events;
    // Those of one number stay in the order of the file.
    if (this.#problems.areDisordered) events.sort((a, b) => a.seq - b.seq);
    if (this.#isUneven) spreadNumbers(events);
    return { events, problem: this.#problems.said };
  }
}

function remember(written: Map<number, string[]>, event: StoredEvent): void {
  const same = written.get(event.seq);
  if (same) same.push(contentOf(event));
  else written.set(event.seq, [contentOf(event)]);
}

/** Without the time, which may have been lost in one of two. */
const contentOf = (event: StoredEvent): string => JSON.stringify({ ...event, time: 0 });

/**
 * Several records of one number take the free ones behind it, as far as there are any: never one that another record
 * has, so that what other records say of numbers stays true, also when the log grows.
 */
function spreadNumbers(events: readonly StoredEvent[]): void {
  for (let first = 0; first < events.length; ) {
    const { seq } = events[first]!;
    let next = first + 1;
    while (events[next]?.seq === seq) next++;
    const free = (events[next]?.seq ?? Number.MAX_VALUE) - 1;
    for (let at = first + 1; at < next; at++) events[at]!.seq = Math.min(seq + at - first, free);
    first = next;
  }
}

export const readLog = (file: string): ReadLog => parseLog(readFileSync(file));

const PIECE = 1 << 20;

/** The events at the end of an open log, from a number on at least; undefined where the lines do not simply count up to it. */
export function endFrom(fd: number, fromSeq: number): StoredEvent[] | undefined {
  const { size } = fstatSync(fd);
  for (let length = PIECE; length < size; length *= 4) {
    const bytes = bytesOf(fd, size - length);
    const { events, problem } = parseLog(bytes.subarray(bytes.indexOf(NEWLINE) + 1));
    if (problem) return undefined;
    if (events[0] && events[0].seq <= fromSeq) return events;
  }
  return undefined;
}

/** The whole lines of one type, in the order of the file; others are not even parsed, so a large log costs little. */
export function recordsOf<T extends StoredEvent['type']>(bytes: Uint8Array, type: T): (StoredEvent & { type: T })[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wanted = Buffer.from(`{"type":"${type}"`);
  const found: (StoredEvent & { type: T })[] = [];
  for (let line = 0; line < buffer.length; ) {
    let end = buffer.indexOf(NEWLINE, line);
    if (end < 0) end = buffer.length;
    const start = pastMargin(buffer, line);
    if (end - start > wanted.length && buffer.compare(wanted, 0, wanted.length, start, start + wanted.length) === 0) {
      const event = parseLine(buffer.toString('utf8', start, end));
      // One without a number goes on from the one before it.
      if (event?.type === type)
        found.push({ ...event, seq: event.seq || found.at(-1)?.seq || 1 } as (typeof found)[number]);
    }
    line = end + 1;
  }
  return found;
}

/** White space, and the bytes of a byte order mark. */
const MARGIN: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, 0xef, 0xbb, 0xbf]);

function pastMargin(buffer: Buffer, at: number): number {
  while (MARGIN.has(buffer[at]!)) at++;
  return at;
}
