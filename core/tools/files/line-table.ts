/** Where the lines of a text stand, and which of two texts are the same: no string is made of a line that is not shown. */

export interface LineTable {
  text: string;
  count: number;
  /** Offset of each line, and last of all where the last one ends. */
  starts: Uint32Array;
}

/** Characters that are looked at in one go, some milliseconds: a key that is pressed meanwhile is heard in between. */
const STRIDE = 1 << 22;
const NEWLINE = 10;

export const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Line ends in `text` from `start` to `end`. */
export async function countNewlines(text: string, start: number, end: number): Promise<number> {
  let found = 0;
  for (let from = start; from < end; from += STRIDE) {
    if (from > start) await pause();
    const until = Math.min(end, from + STRIDE);
    for (let at = from; at < until; at++) if (text.charCodeAt(at) === NEWLINE) found++;
  }
  return found;
}

/** Line ends in a short text before `until`; what may be long is counted with pauses, by `countNewlines`. */
export function countLines(text: string, until: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < until; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** The number of lines; a last one without an end is one. */
export const lineCount = async (text: string): Promise<number> =>
  (await countNewlines(text, 0, text.length)) + (text === '' || text.endsWith('\n') ? 0 : 1);

/** The lines of `text` from `start` to `end`, each with its end, so that a missing last newline is a difference. */
export async function lineTable(text: string, start: number, end: number): Promise<LineTable> {
  const isOpen = end > start && text.charCodeAt(end - 1) !== NEWLINE;
  const count = (await countNewlines(text, start, end)) + (isOpen ? 1 : 0);
  const starts = new Uint32Array(count + 1);
  starts[0] = start;
  let line = 0;
  for (let from = start; from < end; from += STRIDE) {
    if (from > start) await pause();
    const until = Math.min(end, from + STRIDE);
    for (let at = from; at < until; at++) if (text.charCodeAt(at) === NEWLINE) starts[++line] = at + 1;
  }
  starts[count] = end;
  return { text, count, starts };
}

/** A number for each line: equal for equal lines, and nearly always another for others. */
export async function lineKeys({ text, count, starts }: LineTable): Promise<Int32Array> {
  const keys = new Int32Array(count);
  let looked = 0;
  for (let line = 0; line < count; line++) {
    const end = starts[line + 1]!;
    let key = 0x811c9dc5 | 0;
    for (let at = starts[line]!; at < end; at++) {
      key = Math.imul(key ^ text.charCodeAt(at), 0x01000193);
      if (++looked % STRIDE === 0) await pause();
    }
    keys[line] = key;
  }
  return keys;
}

/** Lines `from` to `to` as one text. */
export const linesBetween = ({ text, starts }: LineTable, from: number, to = from + 1): string =>
  text.slice(starts[from], starts[to]);
