/** The heart of `apply_patch`: a text and hunks in, changes of the text out. Lines that stay keep every byte. */
import { explainAmbiguous, explainNearest } from '../edit/explain.ts';
import { ownMarksOfLines } from '../edit/own-marks.ts';
import { reindent } from '../edit/reindent.ts';
import type { Splice } from '../edit/types.ts';
import { type FileLines, fileLines } from './file-lines.ts';
import { type FoundHunk, findHunk } from './find-hunk.ts';
import type { Hunk } from './types.ts';

export type HunkOutcome =
  | { splices: Splice[]; text: string; notes: string[] }
  /** `absent`: lines are not there; the file may have changed. */
  | { refused: string; why: 'absent' | 'ambiguous' | 'nothing' };

export function applyHunks(text: string, hunks: readonly Hunk[]): HunkOutcome {
  const outcome = applyTo(fileLines(text, false), hunks);
  // Where the lines are not there as they are, carriage returns may be line ends too.
  if ('refused' in outcome && outcome.why === 'absent' && /\r(?!\n)/.test(text)) {
    const second = applyTo(fileLines(text, true), hunks);
    if (!('refused' in second)) return second;
  }
  return outcome;
}

function applyTo(file: FileLines, hunks: readonly Hunk[]): HunkOutcome {
  const spans: { from: number; to: number }[] = [];
  const taken = (from: number, to: number) => spans.some((span) => from < span.to && span.from < to);
  const splices: Splice[] = [];
  const notes: string[] = [];
  let cursor = 0;
  for (const [i, hunk] of hunks.entries()) {
    const label = hunks.length > 1 ? `hunk ${i + 1} of ${hunks.length}` : 'the hunk';
    const found = findHunk(file, hunk, cursor, taken);
    if ('absent' in found) return absent(file, hunk, label, found.anchor);
    if ('places' in found) return ambiguous(file, found.places, found.forgave, label);
    const changes = changesOf(file, found, hunk);
    const line = `line ${found.index + 1}`;
    if (!changes) return absent(file, hunk, label);
    if (changes === 'unclear') {
      const why = `fit at ${line} only without typographic marks, and its new lines do not tell which quotes stay`;
      return { refused: `the lines of ${label} ${why}. Copy them as they are in the file.`, why: 'ambiguous' };
    }
    if (found.forgave) notes.push(`${label} matched at ${line} by forgiving ${found.forgave}`);
    if (found.note) notes.push(`${label} (${line}): ${found.note}`);
    for (const change of changes) splices.push(change);
    const length = found.lines.filter(({ sign }) => sign !== '+').length;
    spans.push({ from: found.index, to: found.index + length });
    cursor = found.index + length;
  }
  // A later hunk may stand before an earlier one; at one place their order is that of the patch.
  splices.sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text } of splices) {
    parts.push(file.text.slice(from, start), text);
    from = end;
  }
  parts.push(file.text.slice(from));
  const text = parts.join('');
  if (text === file.text) return { refused: 'its hunks change nothing: the text is already so.', why: 'nothing' };
  return { splices, text, notes };
}

/**
 * Undefined when the new lines cannot be moved to the indentation of the file; `unclear` when they do not tell which of
 * its quotes stay.
 */
function changesOf(file: FileLines, found: FoundHunk, hunk: Hunk): Splice[] | 'unclear' | undefined {
  const { index, lines, forgave } = found;
  const given = lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
  let fresh: readonly string[] = lines.filter(({ sign }) => sign === '+').map(({ text }) => text);
  if (forgave && forgave !== 'trailing spaces' && fresh.length > 0) {
    const moved = reindent(given, file.lines.slice(index, index + given.length), fresh, file.lines);
    if (!moved) return undefined;
    fresh = moved;
  }
  // Of what is forgiven: where the new lines do not tell which quotes of the file stay, they cannot be made.
  let isUnclear = false;
  const splices: Splice[] = [];
  let at = index;
  let next = 0;
  for (let i = 0; i < lines.length; ) {
    if (lines[i]!.sign === ' ') {
      at++;
      i++;
      continue;
    }
    const removed: string[] = [];
    const added: string[] = [];
    const written: string[] = [];
    for (; i < lines.length && lines[i]!.sign !== ' '; i++) {
      if (lines[i]!.sign === '-') removed.push(lines[i]!.text);
      else {
        written.push(lines[i]!.text);
        added.push(fresh[next++]!);
      }
    }
    // Lines that are taken away and put back stay as they are.
    const most = Math.min(removed.length, written.length);
    let head = 0;
    while (head < most && removed[head] === written[head]) head++;
    let tail = 0;
    while (tail < most - head && removed.at(-1 - tail) === written.at(-1 - tail)) tail++;
    const isLast = i === lines.length;
    let put = added.slice(head, added.length - tail);
    if (forgave === 'typographic marks') {
      const own = ownMarksOfLines(removed, file.lines.slice(at, at + removed.length), added);
      if (!own) isUnclear = true;
      else put = own.slice(head, own.length - tail);
    }
    const change = replaceLines(file, at + head, at + removed.length - tail, put, isLast && tail === 0 ? hunk : {});
    if (change) splices.push(change);
    at += removed.length;
  }
  if (isUnclear) return 'unclear';
  return splices;
}

function replaceLines(
  file: FileLines,
  from: number,
  to: number,
  put: readonly string[],
  { open, closes }: Pick<Hunk, 'open' | 'closes'>,
): Splice | undefined {
  if (from === to && put.length === 0) return undefined;
  const size = file.text.length;
  const start = file.starts[from] ?? size;
  const end = to > from ? file.nexts[to - 1]! : start;
  let text = put.map((line) => line + file.end).join('');
  if ((open || (file.open && !closes)) && end === size) text = text.slice(0, text.length - file.end.length);
  // Behind a last line without an end, which new lines must not join.
  const isBehind = from === file.lines.length && file.open && text !== '';
  return { start, end, text: isBehind ? file.end + text : text };
}

function absent(file: FileLines, hunk: Hunk, label: string, anchor?: string): HunkOutcome {
  const old = hunk.lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
  if (old.length === 0 || anchor) {
    const near = explainNearest(file.lines.join('\n'), anchor ?? '');
    return { refused: `the line "@@ ${anchor}" of ${label} is not in the file. ${near}`.trim(), why: 'absent' };
  }
  const near =
    explainNearest(file.lines.join('\n'), old.join('\n')) || 'No line in it is like them; read the file again.';
  return {
    refused: `the lines of ${label} (line ${hunk.at} of the patch) are not in the file. ${near}`,
    why: 'absent',
  };
}

function ambiguous(
  file: FileLines,
  places: readonly number[],
  forgave: string | undefined,
  label: string,
): HunkOutcome {
  const spans = places.map((place) => ({ start: file.starts[place] ?? 0, end: file.starts[place] ?? 0 }));
  const without = forgave ? `, without ${forgave},` : '';
  const head = `the lines of ${label}${without} fit ${places.length} places:`;
  const help = 'Give more lines around the change, or the line above it that is only once in the file ("@@ def name").';
  return { refused: `${head}\n${explainAmbiguous(file.text, spans, places.length)}\n${help}`, why: 'ambiguous' };
}
