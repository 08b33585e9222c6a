/** Reads newline-delimited JSON. */
import { createLineSplitter } from './lines.ts';

/** The lines of one socket read at a time, blank ones left out. A last line needs no end if it is whole. */
export async function* readNdjson(reads: AsyncIterable<Uint8Array>): AsyncGenerator<string[], void, undefined> {
  const splitter = createLineSplitter();
  for await (const bytes of reads) {
    const lines = splitter.push(bytes).filter((line) => line.trim() !== '');
    if (lines.length) yield lines;
  }
  const last = splitter.rest();
  if (last.trim() === '') return;
  try {
    JSON.parse(last);
  } catch {
    return;
  }
  yield [last];
}
