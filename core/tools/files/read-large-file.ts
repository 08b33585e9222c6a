/** Reads lines out of a file that is too large to hold. */
import { read as readCallback } from 'node:fs';
import { promisify } from 'node:util';
import type { ToolOutput } from '../../types.ts';
import { type DecodedText, decodeText, encodingNote, wideOrder, withoutHalves } from './text-encoding.ts';
import { looksBinary, Window, type WindowOptions } from './window.ts';

const read = promisify(readCallback);
const CHUNK = 1 << 18;
/** What is kept of one line. */
const KEPT = 8192;

/** Reads only up to the last line that is shown. The encoding is that of the first lines. */
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
  let kept: Buffer[] = [];
  let length = 0;
  let decoded: DecodedText | undefined;
  const end = () => {
    const text = kept.length === 0 ? '' : withoutHalves(decoded!.codec.decode(Buffer.concat(kept)));
    window.line(line, text, 0, text.length, Math.max(length, text.length));
    line++;
    kept = [];
    length = 0;
  };
  for (let position = 0; position < size && !window.full; ) {
    signal.throwIfAborted();
    const { bytesRead } = await read(fd, buffer, 0, CHUNK, position);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (position === 0) {
      const wide = wideOrder(chunk.subarray(0, bytesRead - (bytesRead % 2)));
      if (wide)
        return { output: `${name} is ${wide} text of ${size} bytes, too large to be shown here.`, isError: true };
      if (looksBinary(chunk.subarray(0, 8192))) {
        return { output: `${name} is a binary file of ${size} bytes. Its content is not text.`, isError: true };
      }
      // Up to a line end, so that no character is cut.
      decoded = await decodeText(chunk.subarray(0, chunk.lastIndexOf(10) + 1 || wholeEnd(chunk)));
    }
    for (let at = position === 0 ? decoded!.mark.length : 0; at < bytesRead && !window.full; ) {
      const next = chunk.indexOf(10, at);
      const stop = next < 0 ? bytesRead : next;
      if (line >= window.first && line <= window.last && length < KEPT) {
        kept.push(Buffer.from(chunk.subarray(at, Math.min(stop, at + KEPT))));
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
  const note = decoded ? encodingNote(decoded) : '';
  return { output: note + window.text(name, window.full ? undefined : line - 1) };
}

/** Where the last character that is not ASCII begins, if it stands at the end: it may be cut. */
function wholeEnd(chunk: Buffer): number {
  let end = chunk.length;
  while (end > chunk.length - 4 && chunk[end - 1]! >= 0x80) end--;
  return end;
}
