/** Reads lines out of a file that is too large to hold. */
import { read as readCallback } from 'node:fs';
import { promisify } from 'node:util';
import type { ToolOutput } from '../../types.ts';
import { looksBinary, Window, type WindowOptions } from './window.ts';

const read = promisify(readCallback);
const CHUNK = 1 << 18;
/** What is kept of one line. */
const KEPT = 8192;

/** Reads only up to the last line that is shown. Lines are taken as UTF-8. */
export async function readLargeFile(
  fd: number,
  size: number,
  name: string,
  options: WindowOptions,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const window = new Window(options);
  const buffer = Buffer.allocUnsafe(CHUNK);
  let line = 1;
  let kept = '';
  let length = 0;
  const end = () => {
    window.line(line, kept, 0, kept.length, Math.max(length, kept.length));
    line++;
    kept = '';
    length = 0;
  };
  for (let position = 0; position < size && !window.full; ) {
    signal.throwIfAborted();
    const { bytesRead } = await read(fd, buffer, 0, CHUNK, position);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (position === 0 && looksBinary(chunk.subarray(0, 8192))) {
      return { output: `${name} is a binary file of ${size} bytes. Its content is not text.`, isError: true };
    }
    for (let at = 0; at < bytesRead && !window.full; ) {
      const next = chunk.indexOf(10, at);
      const stop = next < 0 ? bytesRead : next;
      if (line >= window.first && line <= window.last && length < KEPT) {
        kept += chunk.toString('utf8', at, Math.min(stop, at + KEPT));
      }
      length += stop - at;
      if (next < 0) break;
      end();
      if (line > window.last) window.full = true;
      at = next + 1;
    }
    position += bytesRead;
    // The rest of a line that is shown only in part is of no use.
    if (line === window.last && length > KEPT) {
      end();
      window.full = true;
    }
  }
  if (!window.full && length > 0) end();
  return { output: window.text(name, window.full ? undefined : line - 1) };
}
