/** The lines of a text, where each stands, and which line end is most common in it. */

export interface FileLines {
  text: string;
  /** Without their ends. */
  lines: readonly string[];
  /** Offset of each line. */
  starts: readonly number[];
  /** Offset behind the end of each line. */
  nexts: readonly number[];
  /** The line end of new lines. */
  end: string;
  /** The last line has no end. */
  open: boolean;
}

/** `loneReturns`: a carriage return alone ends a line too; otherwise it is a character. */
export function fileLines(text: string, loneReturns: boolean): FileLines {
  const lines: string[] = [];
  const starts: number[] = [];
  const nexts: number[] = [];
  const counts = new Map<string, number>();
  let from = 0;
  for (const { 0: end, index } of text.matchAll(loneReturns ? /\r\n|\n|\r/g : /\r?\n/g)) {
    lines.push(text.slice(from, index));
    starts.push(from);
    from = index + end.length;
    nexts.push(from);
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  const open = from < text.length;
  if (open) {
    lines.push(text.slice(from));
    starts.push(from);
    nexts.push(text.length);
  }
  let end = '\n';
  let most = 0;
  // Of equally many, the one that comes first in the file.
  for (const [candidate, count] of counts) if (count > most) [end, most] = [candidate, count];
  return { text, lines, starts, nexts, end, open };
}
