/**
 * Finds text that differs from the file only in ways that a model cannot see or easily gets wrong. Each way of
 * forgiving is tried in turn; the first one that fits anywhere decides, and more than one place is no answer.
 */
import { isPlainCode, oneSpaced } from './inner-spaces.ts';
import { ownMarks, ownMarksOfLines } from './own-marks.ts';
import { plainMarks } from './plain-marks.ts';
import { reindent } from './reindent.ts';
import type { Span, Splice } from './types.ts';

/** Places found by forgiving; `splices` are the changes, one a place. */
export interface Forgiven {
  forgave: string;
  /** Whole matched places, for messages. */
  places: readonly Span[];
  splices: readonly Splice[];
  /** The replacement changes quotes in a way that does not tell which of the file's they are. */
  unclear?: boolean;
}

type Way = (file: Lines, old: string, replacement: string) => Forgiven | undefined;

/** The lines of a text and where each begins. */
interface Lines {
  text: string;
  lines: readonly string[];
  starts: readonly number[];
}

export function findTolerant(text: string, old: string, replacement: string): Forgiven | undefined {
  if (!old.trim()) return undefined;
  // Whatever is forgiven, the longest word stays; a large file without it need not be looked at line by line.
  const words = plainMarks(withoutNumbers(old) ?? old).split(/\\.|\s+/);
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  if (!plainMarks(text).includes(longest)) return undefined;
  const file = splitLines(text);
  for (const way of WAYS) {
    const found = way(file, old, replacement);
    if (found && found.places.length > 0) return found;
  }
  return undefined;
}

function splitLines(text: string): Lines {
  const lines = text.split('\n');
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { text, lines, starts };
}

const sameIndent = (_given: readonly string[], _found: readonly string[], lines: readonly string[]) => [...lines];

const WAYS: readonly Way[] = [
  byLines('trailing spaces', (line) => line.trimEnd(), sameIndent),
  byCharacters,
  byEscapes,
  byLines('the indentation', (line) => line.trim(), reindent),
  byLines('the indentation and typographic marks', (line) => plainMarks(line).trim(), reindent),
  bySpaces,
  byLineNumbers,
];

const oneSpacedLines = byLines('spaces inside lines', oneSpaced, reindent);

/** Spaces between the words of code; never where they might belong to a string. */
function bySpaces(file: Lines, old: string, replacement: string): Forgiven | undefined {
  return isPlainCode(file.text) ? oneSpacedLines(file, old, replacement) : undefined;
}

/** Compares whole lines after `norm`; unchanged lines of the replacement keep the bytes of the file. */
function byLines(forgave: string, norm: (line: string) => string, indent: typeof reindent): Way {
  return (file, old, replacement) => {
    const wanted = old.split('\n');
    const fresh = replacement === '' ? [] : replacement.split('\n');
    const wholeLast = wanted.length > 1 && wanted.at(-1) === '';
    if (wholeLast) {
      wanted.pop();
      if (fresh.at(-1) === '') fresh.pop();
    }
    // Blank lines around the text are forgiven too: they are dropped on both sides.
    while (wanted.length > 1 && !wanted[0]!.trim()) {
      wanted.shift();
      if (fresh.length > 0 && !fresh[0]!.trim()) fresh.shift();
    }
    while (wanted.length > 1 && !wanted.at(-1)!.trim()) {
      wanted.pop();
      if (fresh.length > 0 && !fresh.at(-1)!.trim()) fresh.pop();
    }
    const pattern = wanted.map(norm);
    const normal = file.lines.map(norm);
    let head = 0;
    while (head < wanted.length && head < fresh.length && wanted[head] === fresh[head]) head++;
    let tail = 0;
    const room = Math.min(wanted.length, fresh.length) - head;
    while (tail < room && wanted[wanted.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
    const places: Span[] = [];
    const splices: Splice[] = [];
    let unclear = false;
    for (let i = normal.indexOf(pattern[0]!); i >= 0; i = normal.indexOf(pattern[0]!, i + 1)) {
      if (i + pattern.length > normal.length) break;
      if (!pattern.every((line, j) => normal[i + j] === line)) continue;
      const found = file.lines.slice(i, i + wanted.length);
      const own = ownMarksOfLines(wanted, found, fresh);
      const moved = indent(wanted, found, (own ?? fresh).slice(head, fresh.length - tail), file.lines);
      if (!moved) continue;
      if (!own) unclear = true;
      places.push({ start: file.starts[i]!, end: file.starts[i + wanted.length - 1]! + found.at(-1)!.length });
      splices.push(spliceLines(file, i + head, i + wanted.length - tail, moved, head > 0, tail > 0 || wholeLast));
    }
    return { forgave, places, splices, unclear };
  };
}

/**
 * Replaces the lines from `from` up to `to`. `after`: the given text goes on behind them, or ended with a line break, so
 * that a deleted line takes its end along; otherwise `before` says that a line before them was given.
 */
function spliceLines(
  file: Lines,
  from: number,
  to: number,
  lines: readonly string[],
  before: boolean,
  after: boolean,
): Splice {
  const text = lines.join('\n');
  const size = file.text.length;
  const startOf = (i: number) => file.starts[i] ?? size;
  const endOf = (i: number) => file.starts[i]! + file.lines[i]!.length;
  if (lines.length === 0) {
    if (after) return { start: startOf(from), end: startOf(to), text };
    return { start: before ? endOf(from - 1) : startOf(from), end: from === to ? startOf(from) : endOf(to - 1), text };
  }
  if (from < to) return { start: startOf(from), end: endOf(to - 1), text };
  // Nothing is taken away: the new lines go in behind the line before, or in front of the next.
  if (before) return { start: endOf(from - 1), end: endOf(from - 1), text: `\n${text}` };
  return { start: startOf(from), end: startOf(from), text: `${text}\n` };
}

/** Quotes, dashes and spaces that look alike; where the replacement does not change them, the file keeps its own. */
function byCharacters(file: Lines, old: string, replacement: string): Forgiven | undefined {
  const normal = plainMarks(file.text);
  const wanted = plainMarks(old);
  if (normal === file.text && wanted === old) return undefined;
  const places: Span[] = [];
  const splices: Splice[] = [];
  let unclear = false;
  for (let at = normal.indexOf(wanted); at >= 0; at = normal.indexOf(wanted, at + 1)) {
    const place = { start: at, end: at + old.length };
    places.push(place);
    // More than one place is no answer anyway.
    if (places.length > 1) continue;
    const found = file.text.slice(place.start, place.end);
    const lineEnd = file.text.indexOf('\n', place.end);
    const before = file.text.slice(
      place.start === 0 ? 0 : file.text.lastIndexOf('\n', place.start - 1) + 1,
      place.start,
    );
    const behind = file.text.slice(place.end, lineEnd < 0 ? undefined : lineEnd);
    const text = ownMarks(old, found, replacement, { before, behind });
    if (text === undefined) unclear = true;
    else splices.push(changed(place, found, text));
  }
  return { forgave: 'typographic quotes, dashes or spaces', places, splices, unclear };
}

/** Without what is the same at both ends. */
function changed({ start, end }: Span, found: string, text: string): Splice {
  const most = Math.min(found.length, text.length);
  let head = 0;
  while (head < most && found[head] === text[head]) head++;
  let tail = 0;
  while (tail < most - head && found.at(-1 - tail) === text.at(-1 - tail)) tail++;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '', '"': '"', "'": "'", '`': '`', '\\': '\\' };
const unescaped = (text: string): string =>
  text.replace(/\\([ntr"'`\\])/g, (_, character: string) => ESCAPES[character]!);

/** Text that was escaped once too often, such as `a\\nb` for two lines. */
function byEscapes(file: Lines, old: string, replacement: string): Forgiven | undefined {
  const wanted = unescaped(old);
  if (wanted === old) return undefined;
  // A replacement with real line breaks, where `old` has only escaped ones, was not escaped in the same way.
  const same = old.includes('\n') === replacement.includes('\n') || !replacement.includes('\n');
  const text = same ? unescaped(replacement) : replacement;
  const places: Span[] = [];
  for (let at = file.text.indexOf(wanted); at >= 0; at = file.text.indexOf(wanted, at + 1)) {
    places.push({ start: at, end: at + wanted.length });
  }
  return { forgave: 'escaped characters', places, splices: places.map((place) => ({ ...place, text })) };
}

const NUMBERED = /^\s*(\d+)(?:\t|\s*[|│→]\s?)/;

/** Text copied with the line numbers of a listing. */
function byLineNumbers(file: Lines, old: string, replacement: string): Forgiven | undefined {
  const wanted = withoutNumbers(old);
  if (wanted === undefined) return undefined;
  const text = withoutNumbers(replacement) ?? replacement;
  const forgave = 'line numbers';
  const places: Span[] = [];
  for (let at = file.text.indexOf(wanted); at >= 0; at = file.text.indexOf(wanted, at + 1)) {
    places.push({ start: at, end: at + wanted.length });
  }
  if (places.length > 0) return { forgave, places, splices: places.map((place) => ({ ...place, text })) };
  for (const way of WAYS) {
    if (way === byLineNumbers) continue;
    const found = way(file, wanted, text);
    if (found && found.places.length > 0) return { ...found, forgave: `${forgave} and ${found.forgave}` };
  }
  return undefined;
}

/** Undefined unless every line that is not blank begins with a number, each one more than the one before. */
function withoutNumbers(text: string): string | undefined {
  let last: number | undefined;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const found = NUMBERED.exec(line);
    if (!found) {
      if (line.trim()) return undefined;
      lines.push(line);
      if (last !== undefined) last++;
      continue;
    }
    const number = Number(found[1]);
    if (last !== undefined && number !== last + 1) return undefined;
    last = number;
    lines.push(line.slice(found[0].length));
  }
  return last === undefined ? undefined : lines.join('\n');
}
