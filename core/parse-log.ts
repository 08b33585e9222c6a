/**
 * Reads the log of a session: append-only JSONL, one event a line. Every line that is an event is taken, and what was
 * skipped is said; a torn line never swallows the next event.
 */
import { fstatSync, readFileSync } from 'node:fs';
import { storedEvent } from './event-shape.ts';
import { bytesOf } from './log-file.ts';
import type { StoredEvent } from './types.ts';
import { wellFormedJson } from './well-formed.ts';

export interface ReadLog {
  events: StoredEvent[];
  /** One line for a person when something was skipped or is out of order: how many records, the first one's line and byte. */
  problem?: string;
  /** False when the last line is torn: the next append must start on a fresh line. */
  endsInNewline: boolean;
}

const NEWLINE = 10;
/** Editors of some systems put it before the first line. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const beginOf = (buffer: Buffer): number =>
  buffer.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;

/** Splits at line feeds only: U+2028 and friends are ordinary characters inside JSON. */
export function parseLog(bytes: Uint8Array): ReadLog {
  const events: StoredEvent[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seen = new Set<number>();
  let skipped = 0;
  let first = '';
  let disorder = '';
  let highest = 0;
  let line = 0;
  for (let start = beginOf(buffer); start < buffer.length; ) {
    let end = buffer.indexOf(NEWLINE, start);
    if (end < 0) end = buffer.length;
    line++;
    if (end > start) {
      const text = buffer.toString('utf8', start, end);
      const place = `line ${line}, byte ${line === 1 ? 0 : start}`;
      const whole = parseLine(text);
      if (!whole && skipped++ === 0) first = place;
      const event = whole ?? behindTorn(text);
      if (event && seen.has(event.seq)) {
        if (whole && skipped++ === 0) first = `${place} (number ${event.seq} again)`;
      } else if (event) {
        seen.add(event.seq);
        events.push(event);
        if (event.seq < highest) disorder ||= place;
        else highest = event.seq;
      }
    }
    start = end + 1;
  }
  if (disorder) events.sort((a, b) => a.seq - b.seq);
  const problems = [
    ...(skipped ? [`${skipped} damaged record${skipped > 1 ? 's' : ''} skipped, first at ${first}`] : []),
    ...(disorder ? [`records are out of order, first at ${disorder}`] : []),
  ];
  return {
    events,
    endsInNewline: buffer.length === 0 || buffer[buffer.length - 1] === NEWLINE,
    problem: problems.join('; ') || undefined,
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

/** The event that one line of a log says, without halves of surrogate pairs; undefined where it says none. */
export function parseLine(text: string): StoredEvent | undefined {
  try {
    return storedEvent(JSON.parse(wellFormedJson(text)));
  } catch {
    return undefined;
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
  const wanted = Buffer.from(`${RECORD}${type}"`);
  const found: (StoredEvent & { type: T })[] = [];
  for (let start = beginOf(buffer); start < buffer.length; ) {
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
