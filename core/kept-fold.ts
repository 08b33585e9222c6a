/**
 * What a large log folds to, kept beside it so that opening it reads only what came after. It is a memory, never a
 * source: of another form, of a log that was changed in between, or damaged, it is not used, and it may be deleted at
 * any time.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { SavedFold } from './session-fold.ts';

declare const ADA_VERSION: string;
/** Another version may fold in another way. Within one, the number says it. */
const FORM = `6 ${typeof ADA_VERSION === 'string' ? ADA_VERSION : 'source'}`;
/** Smaller logs are read as quickly. */
const WORTH_KEEPING = 1 << 20;
/** Bytes of the log's beginning and of its end then that must still be there. */
const WITNESS = 4096;

export interface KeptFold {
  /** Bytes of the log that it stands for: whole lines. */
  size: number;
  /** Number of the newest event in them. */
  lastSeq: number;
  /** What was said of damaged lines in them. */
  problem?: string;
  fold: SavedFold;
}

interface Head extends Omit<KeptFold, 'fold'> {
  form: string;
  mtime: number;
  witness: string;
  sum: string;
}

const fileOf = (log: string): string => `${log.replace(/\.jsonl$/, '')}.fold`;

/** What was kept of the log, where it still holds. */
export function readKept(log: string): KeptFold | undefined {
  let text: string;
  try {
    text = readFileSync(fileOf(log), 'utf8');
  } catch {
    return undefined;
  }
  try {
    const end = text.indexOf('\n');
    const { form, mtime, witness, sum, ...kept }: Head = JSON.parse(text.slice(0, end));
    const { mtimeMs, size } = statSync(log);
    if (form !== FORM || size < kept.size) return undefined;
    const untouched = size === kept.size && mtimeMs === mtime;
    // A log that has only grown went on after a crash. One of the same size and another time was edited.
    if (!untouched && (size === kept.size || witness !== witnessOf(log, kept.size))) return undefined;
    const body = text.slice(end + 1);
    return sum === hash(body) ? { ...kept, fold: JSON.parse(body) } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps it where it is worth it; a folder that takes no file does without. */
export function keepFold(log: string, { fold, ...kept }: Omit<KeptFold, 'size'>): void {
  try {
    const { mtimeMs: mtime, size } = statSync(log);
    if (size < WORTH_KEEPING) return;
    const body = JSON.stringify(fold);
    // No quicker to read than the log itself.
    if (body.length > size / 2) return;
    const head: Head = { ...kept, form: FORM, size, mtime, witness: witnessOf(log, size), sum: hash(body) };
    const temporary = `${fileOf(log)}.${process.pid}`;
    writeFileSync(temporary, `${JSON.stringify(head)}\n${body}`, { mode: 0o600 });
    renameSync(temporary, fileOf(log));
  } catch {
    // The log is whole without it.
  }
}

export const removeKept = (log: string): void => rmSync(fileOf(log), { force: true });

function witnessOf(log: string, size: number): string {
  const fd = openSync(log, 'r');
  try {
    const bytes = Buffer.alloc(2 * WITNESS);
    readSync(fd, bytes, 0, WITNESS, 0);
    readSync(fd, bytes, WITNESS, Math.min(WITNESS, size), Math.max(0, size - WITNESS));
    return hash(bytes);
  } finally {
    closeSync(fd);
  }
}

const hash = (data: string | Buffer): string => createHash('sha1').update(data).digest('base64');
