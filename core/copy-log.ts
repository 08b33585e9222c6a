/** A copy of a log, for a session that goes on from another one. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { eventsIn } from './log-events.ts';
import { LOG_VERSION, type StoredEvent } from './types.ts';

/**
 * An event in a copy of its session under a new id; the `session` event names the original as `parent`. The copy of a log
 * that a later version wrote is this version's.
 */
export function copied(event: StoredEvent, id: string): StoredEvent {
  if (event.type !== 'session') return event;
  const isNewer = event.version > LOG_VERSION;
  return { ...event, id, ...(isNewer && { version: LOG_VERSION }), parent: event.id };
}

/** Text gathered beyond this is written. */
const FULL = 1 << 18;

/** Writes a copy of a log under a new id, an event after another. Where that fails, nothing is left of it. */
export function copyLog(from: string, to: string, id: string): void {
  const { events } = eventsIn(from);
  const fd = openSync(to, 'wx', 0o600);
  try {
    let text = '';
    for (const event of events) {
      text += `${JSON.stringify(copied(event, id))}\n`;
      if (text.length < FULL) continue;
      writeFileSync(fd, text);
      text = '';
    }
    writeFileSync(fd, text);
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}
