/** In a large file, the few lines that an exact edit touches: the rest need not become a string. */
import { isUtf8 } from 'node:buffer';
import type { Edit } from './types.ts';

/** Below this the whole is quick enough. */
const LARGE = 1 << 18;
/** Lines around the edits, for the diff and the line ends of what is new. */
const LINES_AROUND = 8;

export interface Narrowed {
  /** Offsets in the bytes of the file; whole lines. */
  start: number;
  end: number;
}

/**
 * The lines around the only place that each edit may have; undefined where that is not so simple: another encoding than
 * UTF-8, text that occurs twice or not at all. Whether the text really is there, the lines tell.
 */
export function narrow(content: Buffer, edits: readonly Edit[]): Narrowed | undefined {
  if (content.length < LARGE || edits.length === 0 || !isUtf8(content) || content.includes(0)) return undefined;
  const isCrlf = content.includes('\r\n');
  let start = content.length;
  let end = 0;
  let around = LINES_AROUND;
  for (const { old } of edits) {
    if (old === '' || /[\r\uFEFF]|\p{Surrogate}/u.test(old)) return undefined;
    // Where line ends differ from the ones given, one line of the text stands for all of it.
    const lines = old.split('\n');
    const needle = isCrlf ? lines.reduce((best, line) => (line.length > best.length ? line : best)) : old;
    if (needle === '') return undefined;
    const bytes = Buffer.from(needle, 'utf8');
    const at = content.indexOf(bytes);
    if (at < 0 || content.indexOf(bytes, at + 1) >= 0) return undefined;
    start = Math.min(start, at);
    end = Math.max(end, at + bytes.length);
    around = Math.max(around, LINES_AROUND + lines.length);
  }
  for (let i = 0; i <= around && start > 0; i++) start = start < 2 ? 0 : content.lastIndexOf(10, start - 2) + 1;
  for (let i = 0; i <= around && end < content.length; i++) {
    const next = content.indexOf(10, end);
    end = next < 0 ? content.length : next + 1;
  }
  return end - start < content.length >> 1 ? { start, end } : undefined;
}
