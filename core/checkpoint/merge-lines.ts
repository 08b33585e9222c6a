/** Brings two changes of one text together, line by line, as version control does. */

/** Longer texts are not compared: what cannot be merged is left alone. */
const MOST_LINES = 20_000;
const MOST_DIFFERENCES = 2_000;

interface Change {
  /** Lines of the base that are replaced: [start, end). */
  start: number;
  end: number;
  lines: readonly string[];
}

/**
 * What `base` becomes with both changes; undefined where they touch the same or neighbouring lines. Any bytes will do:
 * lines end in 0x0A.
 */
export async function mergeLines(base: Buffer, ours: Buffer, theirs: Buffer): Promise<Buffer | undefined> {
  if (base.equals(theirs) || ours.equals(theirs)) return ours;
  if (base.equals(ours)) return theirs;
  const lines = linesOf(base);
  const [a, b] = [await changes(lines, linesOf(ours)), await changes(lines, linesOf(theirs))];
  if (!a || !b) return undefined;
  for (const one of a) for (const other of b) if (one.start <= other.end && other.start <= one.end) return undefined;
  const merged: string[] = [];
  let at = 0;
  for (const { start, end, lines: instead } of [...a, ...b].sort((x, y) => x.start - y.start)) {
    merged.push(...lines.slice(at, start), ...instead);
    at = end;
  }
  return Buffer.from([...merged, ...lines.slice(at)].join(''), 'latin1');
}

const linesOf = (bytes: Buffer): string[] => bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** From one text to the other; undefined where they are too long or too different. */
async function changes(from: readonly string[], to: readonly string[]): Promise<Change[] | undefined> {
  if (from.length > MOST_LINES || to.length > MOST_LINES) return undefined;
  const { diffArrays } = await import('diff');
  const parts = diffArrays([...from], [...to], { maxEditLength: MOST_DIFFERENCES });
  if (!parts) return undefined;
  const found: Change[] = [];
  let at = 0;
  let open: { start: number; end: number; lines: string[] } | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      open = undefined;
      at += value.length;
      continue;
    }
    if (!open) found.push((open = { start: at, end: at, lines: [] }));
    if (added) open.lines.push(...value);
    else open.end = at += value.length;
  }
  return found;
}
