/** The events of a stored log for those who read them one after another: a log of any size takes no memory to speak of. */
import { closeSync, openSync, statSync } from 'node:fs';
import { linesOf } from './log-lines.ts';
import { LogProblems } from './log-problems.ts';
import { recordIn } from './log-record.ts';
import { readLog } from './parse-log.ts';
import type { StoredEvent } from './types.ts';

export interface LogEvents {
  /** The same as often as it is walked, as far as the log went when it was first looked at. */
  events: Iterable<StoredEvent>;
  /** As in `ReadLog`. */
  problem?: string;
}

/** Throws where the file cannot be read. Only a log whose records must be sorted or mended is held in memory. */
export function eventsIn(file: string): LogEvents {
  const size = statSync(file).size;
  const problems = new LogProblems();
  let last = 0;
  for (const { text, line, byte } of linesIn(file, size)) {
    const record = recordIn(text);
    if (!record?.isWhole && text.trim() !== '') problems.skipped(line, byte);
    if (!record) continue;
    if (record.isMended || record.event.seq <= last) return readLog(file);
    last = record.event.seq;
  }
  return { events: { [Symbol.iterator]: () => walk(file, size) }, problem: problems.said };
}

function* walk(file: string, size: number): Generator<StoredEvent> {
  for (const { text } of linesIn(file, size)) {
    const event = recordIn(text)?.event;
    if (event) yield event;
  }
}

function* linesIn(file: string, size: number): ReturnType<typeof linesOf> {
  const fd = openSync(file, 'r');
  try {
    yield* linesOf(fd, size);
  } finally {
    closeSync(fd);
  }
}
