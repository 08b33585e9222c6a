/**
 * Finds the one place of a file that a hunk means. Ways of comparing are tried from strict to forgiving; the first that
 * fits anywhere decides, and more than one place is no answer.
 */
import { plainMarks } from '../edit/plain-marks.ts';
import type { FileLines } from './file-lines.ts';
import type { Hunk, PatchLine } from './types.ts';

export interface FoundHunk {
  /** Index of the first line. */
  index: number;
  /** The hunk's lines that were matched or are new. */
  lines: readonly PatchLine[];
  /** What differs between the file and the hunk, in words. */
  forgave?: string;
  note?: string;
}

export type HunkSearch =
  | FoundHunk
  | { places: readonly number[]; forgave?: string }
  | { absent: true; anchor?: string };

const WAYS: readonly { forgave?: string; norm(line: string): string }[] = [
  { norm: (line) => line },
  { forgave: 'trailing spaces', norm: (line) => line.trimEnd() },
  { forgave: 'the indentation', norm: (line) => line.trim() },
  { forgave: 'typographic marks', norm: (line) => plainMarks(line).trim() },
];

/** Lines `from` up to `to` in which a hunk may begin; `first`: the nearest place is meant, not the only one. */
interface Window {
  from: number;
  to: number;
  first?: boolean;
}

/** Where the hunk goes that comes behind line `cursor`; `taken` says which lines hunks before it have. */
export function findHunk(
  file: FileLines,
  hunk: Hunk,
  cursor: number,
  taken: (from: number, to: number) => boolean,
): HunkSearch {
  const count = file.lines.length;
  const windows = anchorWindows(file.lines, hunk.anchors, cursor) ?? anchorWindows(file.lines, hunk.anchors, 0);
  const old = hunk.lines.filter(({ sign }) => sign !== '+');
  if (old.length === 0) return findAddition(file, hunk, windows);
  for (const lines of variants(hunk.lines)) {
    const wanted = lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
    if (wanted.length === 0) continue;
    for (const [i, way] of WAYS.entries()) {
      const all = placesOf(file.lines, wanted, way.norm).filter((place) => !taken(place, place + wanted.length));
      if (all.length === 0) continue;
      const { forgave } = way;
      const found = (index: number, note?: string): FoundHunk => ({ index, lines, forgave, note });
      const atEnd = all.find((place) => place + wanted.length === count);
      if (hunk.atEnd && atEnd !== undefined && inWindows(atEnd, windows)) return found(atEnd);
      const places = choose(all, windows, cursor);
      if (places.length === 1) return found(places[0]!);
      const told = hunk.line === undefined ? -1 : hunk.line - 1;
      if (places.includes(told) && i < 2) return found(told);
      if (places.length > 1) return { places, forgave };
      // Against the order of the hunks only the very text counts, and only once.
      if (hunk.anchors.length === 0) return i < 2 ? (only(all, found) ?? { places: all, forgave }) : { absent: true };
    }
  }
  if (hunk.anchors.length > 0) {
    const wanted = old.map(({ text }) => text);
    const all = placesOf(file.lines, wanted, (line) => line).filter((place) => !taken(place, place + wanted.length));
    const anchor = `"@@ ${hunk.anchors.join(' @@ ')}"`;
    const note = windows
      ? `its lines are not behind ${anchor}, but are there once`
      : `${anchor} is not in the file, but its lines are there once`;
    if (all.length === 1) return { index: all[0]!, lines: hunk.lines, note };
    if (all.length > 1) return { places: all };
  }
  return { absent: true, ...(windows ? {} : { anchor: hunk.anchors.join(' @@ ') }) };
}

const only = (all: readonly number[], found: (index: number, note: string) => FoundHunk): FoundHunk | undefined =>
  all.length === 1 ? found(all[0]!, 'it stands before the hunk above it') : undefined;

/** The hunk, then without lines at its ends that may only be gaps in the patch. */
function* variants(lines: readonly PatchLine[]): Generator<readonly PatchLine[]> {
  yield lines;
  const isGap = (line: PatchLine | undefined) => line?.bare === true && line.text.trim() === '';
  let from = 0;
  let to = lines.length;
  while (isGap(lines[from])) from++;
  while (isGap(lines[to - 1])) to--;
  if (to > from && to - from < lines.length) yield lines.slice(from, to);
}

function placesOf(lines: readonly string[], wanted: readonly string[], norm: (line: string) => string): number[] {
  const pattern = wanted.map(norm);
  const first = pattern[0]!;
  const places: number[] = [];
  for (let i = 0; i + pattern.length <= lines.length; i++) {
    if (norm(lines[i]!) !== first) continue;
    if (pattern.every((line, j) => norm(lines[i + j]!) === line)) places.push(i);
  }
  return places;
}

const inWindows = (place: number, windows: readonly Window[] | undefined): boolean =>
  windows?.some(({ from, to }) => place >= from && place < to) ?? false;

function choose(all: readonly number[], windows: readonly Window[] | undefined, cursor: number): number[] {
  if (!windows) return [];
  const inside = new Set<number>();
  for (const { from, to, first } of windows) {
    const here = all.filter((place) => place >= from && place < to);
    for (const place of first ? here.slice(0, 1) : here) inside.add(place);
  }
  if (inside.size > 0) return [...inside];
  // Behind the blocks that the anchors open.
  const behind = all.filter((place) => place >= cursor && windows.some(({ from }) => place >= from));
  return behind.length === 1 ? behind : [];
}

function findAddition(file: FileLines, hunk: Hunk, windows: readonly Window[] | undefined): HunkSearch {
  const count = file.lines.length;
  if (!windows) return { absent: true, anchor: hunk.anchors.join(' @@ ') };
  if (hunk.line !== undefined && hunk.anchors.length === 0)
    return { index: Math.min(hunk.line, count), lines: hunk.lines };
  if (hunk.anchors.length === 0 || hunk.atEnd) return { index: count, lines: hunk.lines };
  if (windows.length > 1) return { places: windows.map(({ from }) => from) };
  return { index: windows[0]!.from + 1, lines: hunk.lines };
}

const ANCHOR_WAYS: readonly ((line: string, anchor: string) => boolean)[] = [
  (line, anchor) => line === anchor,
  (line, anchor) => line.trim() === anchor.trim(),
  (line, anchor) => line.trim().startsWith(anchor.trim()),
  (line, anchor) => line.includes(anchor.trim()),
];

/** What the anchors leave of the file from line `from` on; undefined when one of them is not there. */
function anchorWindows(lines: readonly string[], anchors: readonly string[], from: number): Window[] | undefined {
  let windows: Window[] = [{ from, to: lines.length }];
  for (const [i, anchor] of anchors.entries()) {
    let next: Window[] = [];
    for (const fits of ANCHOR_WAYS) {
      for (const window of windows) {
        // The line of the anchor before is not itself the next one.
        for (let at = window.from + (i > 0 ? 1 : 0); at < window.to; at++) {
          if (!fits(lines[at]!, anchor)) continue;
          const end = blockEnd(lines, at, window.to);
          next.push(end > at + 1 ? { from: at, to: end } : { from: at, to: window.to, first: true });
        }
      }
      if (next.length > 0) break;
    }
    if (next.length === 0) return undefined;
    // A line that opens no block and is there twice: each reaches to the next.
    next = next.map((window, j) => (window.first && next[j + 1] ? { ...window, to: next[j + 1]!.from } : window));
    windows = next;
  }
  return windows;
}

/** Behind the last line that is indented deeper than line `at`, with the line that closes the block. */
function blockEnd(lines: readonly string[], at: number, to: number): number {
  const depth = indent(lines[at]!);
  let end = at + 1;
  for (let i = at + 1; i < to; i++) {
    const line = lines[i]!;
    if (line.trim() === '') continue;
    const deeper = indent(line) > depth;
    const isBracket = indent(line) === depth && /^[)\]}{]/.test(line.trim());
    if (!deeper && !isBracket) break;
    end = i + 1;
    if (isBracket && /^[}]/.test(line.trim()) && !/[{(]$/.test(line.trim())) break;
  }
  return end;
}

function indent(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === '\t') columns += 8 - (columns % 8);
    else if (character === ' ') columns++;
    else break;
  }
  return columns;
}
