/** Hunks whose lines hold marks for hidden text: the lines of the file take their place, and new lines keep what was hidden. */
import { findSecrets, type HiddenText, marksIn, replaced } from '../../redact.ts';
import { fillMarks, type MarkedPlace, strayMark } from '../edit/hidden-text.ts';
import type { Hunk, PatchLine } from './types.ts';

const isMarked = ({ text }: PatchLine): boolean => marksIn(text).length > 0;

/** The hunks with what their marks stand for in `text`, or why one of them cannot be known. */
export function withHiddenLines(hunks: readonly Hunk[], text: string): readonly Hunk[] | { refused: string } {
  if (!hunks.some(({ lines }) => lines.some(isMarked))) return hunks;
  const known = shownLines(text);
  const filled: Hunk[] = [];
  for (const hunk of hunks) {
    const lines = fill(hunk.lines, known, text);
    if ('refused' in lines) return lines;
    filled.push({ ...hunk, lines });
  }
  return filled;
}

interface FileLine {
  text: string;
  hidden: readonly HiddenText[];
}

/** By what is shown of them, the lines that hold something hidden; a line once for each thing that it may hold. */
function shownLines(text: string): Map<string, FileLine[]> {
  const known = new Map<string, FileLine[]>();
  const secrets = findSecrets(text);
  for (let i = 0; i < secrets.length; ) {
    const { start } = secrets[i]!;
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const next = text.indexOf('\n', start);
    const until = next < 0 ? text.length : next;
    const inLine: HiddenText[] = [];
    for (; i < secrets.length && secrets[i]!.start < until; i++) {
      const one = secrets[i]!;
      // What goes over lines cannot be one line of a patch.
      if (one.end <= until) inLine.push({ ...one, start: one.start - from, end: one.end - from });
    }
    const line = { text: text.slice(from, until).replace(/\r$/, ''), hidden: inLine };
    const shown = replaced(line.text, inLine);
    const same = known.get(shown) ?? [];
    if (!same.some((other) => other.text === line.text)) same.push(line);
    known.set(shown, same);
  }
  return known;
}

function fill(
  lines: readonly PatchLine[],
  known: ReadonlyMap<string, readonly FileLine[]>,
  text: string,
): readonly PatchLine[] | { refused: string } {
  if (!lines.some(isMarked)) return lines;
  const places: MarkedPlace[] = [];
  let old = '';
  const result = [...lines];
  for (const [i, line] of lines.entries()) {
    if (line.sign === '+') continue;
    const [file, ...others] = known.get(line.text) ?? [];
    if (others.length > 0)
      return {
        refused: `"${line.text}" may be ${others.length + 1} lines, which differ in hidden text. Use edit_file.`,
      };
    let shift = 0;
    for (const { start, end, mark } of file?.hidden ?? []) {
      places.push({ start: old.length + start - shift, mark, secret: file!.text.slice(start, end) });
      shift += end - start - mark.length;
    }
    // A mark that the file itself holds stands for itself.
    if (!file)
      for (const { start, mark } of marksIn(line.text)) places.push({ start: old.length + start, mark, secret: mark });
    if (file) result[i] = { ...line, text: file.text };
    old += `${line.text}\n`;
  }
  const added = lines.flatMap((line, i) => (line.sign === '-' ? [] : [{ i, line }]));
  const fresh = added.map(({ line }) => line.text).join('\n');
  const filled = fillMarks(old, places, fresh);
  if ('refused' in filled) {
    // Nothing of the kind is hidden in the file: it only speaks of such marks.
    return strayMark(fresh, text) === undefined
      ? result
      : { refused: filled.refused.replace('`new`', 'the new lines').replace('`old`', 'the lines they replace') };
  }
  const texts = filled.text.split('\n');
  for (const [at, { i, line }] of added.entries()) if (line.sign === '+') result[i] = { ...line, text: texts[at]! };
  return result;
}
