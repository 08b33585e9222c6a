/** One record of a log, from the text of its line: whole, mended, or found behind what a crash left. */
import { isSeq, isTime, isTypeOfOwn, storedEvent } from './event-shape.ts';
import type { StoredEvent } from './types.ts';
import { wellFormedJson } from './well-formed.ts';

export interface LogRecord {
  /** Its `seq` is 0 where the record has none that can be used, its `time` undefined. */
  event: StoredEvent;
  /** False for one that stands behind a torn record on the same line. */
  isWhole: boolean;
  /** Number or time were not what they should be. */
  isMended: boolean;
}

const WHOLE = { isWhole: true, isMended: false };

/** Undefined where the line says nothing. White space and byte order marks around it are nobody's content. */
export function recordIn(line: string): LogRecord | undefined {
  const text = line.trim();
  const value = parsed(text);
  const event = storedEvent(value);
  if (event && event.time !== undefined) return { event, ...WHOLE };
  const mended = withoutBadNumbers(value);
  if (mended) return { event: mended, isWhole: true, isMended: true };
  const behind = behindTorn(text);
  return behind && { event: behind, isWhole: false, isMended: false };
}

/** The event that one line of a log says, its numbers as in `LogRecord`; undefined where it says none. */
export function parseLine(line: string): StoredEvent | undefined {
  const value = parsed(line.trim());
  return storedEvent(value) ?? withoutBadNumbers(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(wellFormedJson(text));
  } catch {
    return undefined;
  }
}

/**
 * What a record says is worth more than its number and its time, which its neighbours tell, too. Of a type that is not
 * known, nothing shows that it is a record at all.
 */
function withoutBadNumbers(value: unknown): StoredEvent | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  const { seq, time } = value as { seq?: unknown; time?: unknown };
  const [number, moment] = [written(seq), written(time)];
  const hasNumber = isSeq(number);
  if (!hasNumber && !isTypeOfOwn(value.type)) return undefined;
  const event = storedEvent({ ...value, seq: hasNumber ? number : 1, time: isTime(moment) ? moment : undefined });
  return event && (hasNumber ? event : { ...event, seq: 0 });
}

/** Some programs write numbers as text. */
const written = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;

const RECORD = '{"type":"';
/** Parts of a message look like records too; a line that holds more of them is not looked through. */
const MOST_RECORDS = 200;

/** A whole record behind a torn one, or behind a run of NUL bytes: another program went on where a line had ended early. */
function behindTorn(text: string): StoredEvent | undefined {
  let at = text.indexOf(RECORD, 1);
  for (let tries = 0; at > 0 && tries < MOST_RECORDS; tries++, at = text.indexOf(RECORD, at + 1)) {
    const event = storedEvent(parsed(text.slice(at)));
    if (event) return event;
  }
  return undefined;
}
