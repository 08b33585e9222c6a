/** Logs that a later version of ada wrote: they are read as far as they are understood, and never written to. */
import { closeSync, openSync, readSync } from 'node:fs';
import { LOG_VERSION } from './types.ts';

/** More than a first line takes: it holds the system prompt and the tools. */
const HEAD = 1 << 20;

/** What a person is told of a log that begins with these bytes; undefined where this version knows its format. */
export function newerFormat(head: Buffer): string | undefined {
  const end = head.indexOf(10);
  try {
    const { type, version } = JSON.parse(head.toString('utf8', 0, end < 0 ? head.length : end));
    if (type !== 'session' || version === undefined || Number(version) <= LOG_VERSION) return undefined;
    return `was written by a newer version of ada (its log has format ${version}, this version knows ${LOG_VERSION})`;
  } catch {
    // A damaged line says nothing of versions, and reading the log names it.
    return undefined;
  }
}

/** The same of a file. */
export function newerFormatOf(file: string): string | undefined {
  try {
    const fd = openSync(file, 'r');
    try {
      const head = Buffer.allocUnsafe(HEAD);
      return newerFormat(head.subarray(0, readSync(fd, head, 0, HEAD, 0)));
    } finally {
      closeSync(fd);
    }
  } catch {
    // Who reads the rest of it says why it cannot be read.
    return undefined;
  }
}
