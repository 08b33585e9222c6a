/** The lines of a log, one after another, so that a log of any size takes no more memory than its longest line. */
import { readSync } from 'node:fs';

export interface LogLine {
  text: string;
  /** From 1. */
  line: number;
  /** Where in the file it begins. */
  byte: number;
}

const PIECE = 1 << 20;
const NEWLINE = 10;

/** Of the first `size` bytes of an open file; empty lines are left out. */
export function* linesOf(fd: number, size: number): Generator<LogLine> {
  /** What was read of a line whose end was not seen yet. */
  let begun: Buffer[] = [];
  let byte = 0;
  let line = 1;
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - at));
    const length = readSync(fd, piece, 0, piece.length, at);
    if (length === 0) break;
    let start = 0;
    for (let end = newline(piece, 0, length); end >= 0; end = newline(piece, start, length)) {
      const text = textOf(begun, piece.subarray(start, end));
      if (text) yield { text, line, byte };
      begun = [];
      line++;
      start = end + 1;
      byte = at + start;
    }
    if (start < length) begun.push(piece.subarray(start, length));
    at += length;
  }
  const text = textOf(begun, Buffer.alloc(0));
  if (text) yield { text, line, byte };
}

function newline(piece: Buffer, from: number, length: number): number {
  const at = piece.indexOf(NEWLINE, from);
  return at < length ? at : -1;
}

const textOf = (begun: readonly Buffer[], end: Buffer): string =>
  (begun.length ? Buffer.concat([...begun, end]) : end).toString('utf8');
