/** A copy of a log, for a session that goes on from another one. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { readLog } from './parse-log.ts';
import type { StoredEvent } from './types.ts';

/** The events of a copy of a session under a new id; its `session` event names the original as `parent`. */
export const copied = (events: readonly StoredEvent[], id: string): StoredEvent[] =>
  events.map((event) => (event.type === 'session' ? { ...event, id, parent: event.id } : event));

/** Writes a copy of a log under a new id. Where that fails, nothing is left of it. */
export function copyLog(from: string, to: string, id: string): void {
  const lines = copied(readLog(from).events, id).map((event) => `${JSON.stringify(event)}\n`);
  const fd = openSync(to, 'wx', 0o600);
  try {
    writeFileSync(fd, lines.join(''));
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}
