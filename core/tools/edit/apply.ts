/**
 * The heart of `edit_file`: bytes and edits in, bytes out. Bytes outside the edits never change; all edits are made or
 * none. Edits are applied in order, each to the result of the ones before.
 */

import { marksIn } from '../../redact.ts';
import { countLines } from '../files/line-table.ts';
import { type DecodedText, decodeText, nameCharacter, withoutHalves } from '../files/text-encoding.ts';
import { explainAmbiguous, explainNearest } from './explain.ts';
import { withHiddenText } from './hidden-text.ts';
import { type LineEnds, lineEnds } from './line-ends.ts';
import { narrow } from './narrow.ts';
import { type Piece, replacePieces, toBytes, wholeCharacters } from './pieces.ts';
import { findTolerant } from './tolerant.ts';
import type { Edit, Span, Splice } from './types.ts';
import { damagedBytes, mayCutCharacter, needsEncoding } from './unknown-text.ts';
import { afterChanges, touchesAny, type WrittenSpans } from './written-spans.ts';

export type { Edit } from './types.ts';

export interface Edited {
  /** The new content of the file, in pieces. */
  parts: readonly Buffer[];
  /** The text that changed, or of a large file the lines around the change. */
  before: string;
  after: string;
  /** Lines of the file in front of `before`. */
  skipped: number;
  /** What was forgiven, and how many places changed. */
  notes: string[];
  /** The whole lines, with plain ends, in which the replaced text stood. */
  targets: readonly string[];
}

/** `absent`: the text is not there; the file may have changed. */
export type EditOutcome = Edited | { refused: string; why: 'input' | 'absent' | 'ambiguous' };

type Refusal = Extract<EditOutcome, { refused: string }>;

/** Replacements of one edit, in offsets of the text with plain line ends. */
interface Plan {
  splices: readonly Splice[];
  /** What was matched, of which the splices may be a part. */
  places: readonly Span[];
  note?: string;
}

const MOST_COUNTED = 10_000;

/** `file`: the place of the content, for what its project says of encodings. */
export async function applyEdits(content: Buffer, edits: readonly Edit[], file?: string): Promise<EditOutcome> {
  // A mark can mean text anywhere.
  const marked = edits.some((edit) => marksIn(edit.old).length > 0 || marksIn(edit.new).length > 0);
  const part = marked ? undefined : narrow(content, edits);
  if (part) {
    const outcome = await applyToAll(content.subarray(part.start, part.end), edits);
    // A refusal speaks of the whole file, and what is forgiven must be the only such place in all of it.
    if ('parts' in outcome && !outcome.notes.some(isForgiving)) {
      const before = content.subarray(0, part.start);
      const parts = [before, ...outcome.parts, content.subarray(part.end)];
      return { ...outcome, parts, skipped: linesIn(before) };
    }
  }
  return applyToAll(content, edits, file);
}

/** True for a note that says that the text was not there exactly as given. */
export const isForgiving = (note: string): boolean => note.includes('by forgiving');

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 10) lines++;
  return lines;
}

async function applyToAll(content: Buffer, edits: readonly Edit[], file?: string): Promise<EditOutcome> {
  if (edits.length === 0) return { refused: 'No edit was given.', why: 'input' };
  const decoded = await decodeText(content, file);
  let text = decoded.text;
  let pieces: Piece[] = [{ start: 0, end: text.length }];
  let ends = lineEnds(text);
  let written: WrittenSpans = [];
  const notes: string[] = [];
  const targets = new Set<string>();
  for (const [i, given] of edits.entries()) {
    const label = edits.length > 1 ? `Edit ${i + 1} of ${edits.length}: ` : '';
    const edit = withHiddenText(given, ends.text);
    const plan = 'refused' in edit ? edit : (invalid(edit, decoded) ?? planOf(edit, ends, written, decoded, i > 0));
    if ('refused' in plan) {
      const nothing = i > 0 ? ' Nothing was changed, not by the edits before either.' : '';
      return { refused: withoutHalves(`${label}${plan.refused}${nothing}`), why: plan.why };
    }
    if (plan.note) notes.push(`${label}${plan.note}`);
    addLines(targets, ends.text, plan.places);
    const done = splice(text, ends, plan.splices);
    if (done.text === text) {
      const hint = given.new.includes('\r\n')
        ? ' Line ends stay as the file has them; a command can convert them.'
        : '';
      return { refused: `${label}the edit changes nothing: the text is already so.${hint}`, why: 'input' };
    }
    pieces = replacePieces(pieces, done.splices);
    // The next one looks at the text as this one left it.
    if (i + 1 < edits.length) {
      ends = ends.after(text, done.splices, done.text);
      written = afterChanges(written, done.splices);
    }
    text = done.text;
  }
  return {
    parts: toBytes(pieces, decoded),
    before: decoded.text,
    after: text,
    skipped: 0,
    notes,
    targets: [...targets],
  };
}

function invalid(edit: Edit, decoded: DecodedText): Refusal | undefined {
  const refuse = (refused: string): Refusal => ({ refused, why: 'input' });
  if (edit.old === '') return refuse('`old` is empty. Give the text to replace, or use write_file for the whole file.');
  if (edit.old === edit.new) return refuse('`old` and `new` are identical.');
  const unknown = needsEncoding(decoded, edit.old, edit.new);
  if (unknown) return refuse(unknown);
  const bad = decoded.codec.missing(edit.new);
  if (bad === undefined) return undefined;
  return refuse(`\`new\` has ${nameCharacter(bad)}, which this file's encoding (${decoded.codec.name}) cannot hold.`);
}

/** `later`: edits before it have changed the text. */
function planOf(edit: Edit, ends: LineEnds, written: WrittenSpans, decoded: DecodedText, later: boolean) {
  const plan = findPlan(edit, ends, written, later ? decoded.text : undefined);
  const why =
    'refused' in plan
      ? plan.why === 'absent' && damagedBytes(decoded, edit.old)
      : mayCutCharacter(decoded, ends.text, plan.places);
  return why ? ({ refused: why, why: 'input' } satisfies Refusal) : plan;
}

function findPlan(edit: Edit, ends: LineEnds, written: WrittenSpans, original: string | undefined): Plan | Refusal {
  // A byte order mark that a model copied is not part of the text.
  const clean = (text: string) => (edit.old.startsWith('\uFEFF') ? text.replace(/^\uFEFF/, '') : text);
  const old = clean(edit.old).replaceAll('\r\n', '\n');
  // The ends of the file are kept, whichever the model writes; one line alone has none to keep.
  const hasEnds = ends.text.includes('\n') || edit.old.includes('\r\n');
  const fresh = hasEnds ? clean(edit.new).replaceAll('\r\n', '\n') : clean(edit.new);
  const exact = occurrences(ends, old, written, edit.all === true);
  if (exact.places.length > 0) {
    if (edit.all || exact.total === 1) {
      const splices = exact.places.map((place) => trim({ ...place, text: fresh }, old));
      return {
        splices,
        places: exact.places,
        note: edit.all && exact.total > 1 ? `replaced ${exact.total} places` : undefined,
      };
    }
    const help = 'Give more of the lines around the one you mean, or set `all` to change every one.';
    return ambiguous(`\`old\` occurs ${exact.total} times:`, ends.text, exact.places, exact.total, help);
  }
  const forgiven = findTolerant(ends.text, old, fresh);
  if (forgiven?.unclear && forgiven.places.length === 1) {
    const where = explainAmbiguous(ends.text, forgiven.places, 1).trim();
    const head = `\`old\` fits only without ${forgiven.forgave}, and \`new\` does not tell which quotes or dashes stay.`;
    return { refused: `${head} Copy them as they are in the file:\n  ${where}`, why: 'ambiguous' };
  }
  if (forgiven && forgiven.places.length === 1) {
    const line = countLines(ends.text, forgiven.places[0]!.start) + 1;
    return {
      splices: forgiven.splices,
      places: forgiven.places,
      note: `matched at line ${line} by forgiving ${forgiven.forgave}`,
    };
  }
  if (forgiven) {
    const total = forgiven.places.length;
    const head = `\`old\` is not in the file as given; without ${forgiven.forgave} it fits ${total} places:`;
    return ambiguous(head, ends.text, forgiven.places, total, 'Copy the one you mean exactly.');
  }
  const overlaps = original !== undefined && lineEnds(original).text.includes(old);
  if (overlaps) {
    const refused = 'its text overlaps what an edit before it in this call has changed. Join the two into one edit.';
    return { refused, why: 'input' };
  }
  if (ends.text === '') return { refused: 'The file is empty. Use write_file to give it content.', why: 'absent' };
  const near = explainNearest(ends.text, old);
  const advice = near || 'No line in it is like it; read the file again.';
  return { refused: `\`old\` is not in the file. ${advice}`, why: 'absent' };
}

/** Adds the whole lines in which the places stand; they are in order. */
function addLines(lines: Set<string>, text: string, places: readonly Span[]): void {
  let until = -1;
  for (const { start, end } of places) {
    // The same line again: of a long one not all is compared for each place in it.
    if (start <= until && end <= until) continue;
    const from = start > 0 ? text.lastIndexOf('\n', start - 1) + 1 : 0;
    // What ends with a line end ends with its own line.
    until = end > start && text[end - 1] === '\n' ? end - 1 : text.indexOf('\n', end);
    if (until < 0) until = text.length;
    lines.add(text.slice(from, until));
  }
}

function ambiguous(head: string, text: string, places: readonly Span[], total: number, help: string): Refusal {
  return { refused: `${head}\n${explainAmbiguous(text, places, total)}\n${help}`, why: 'ambiguous' };
}

/**
 * Where `old` stands. Text written by earlier edits of the call counts only when there is no other place: models write
 * such lists against the file that they read.
 */
function occurrences(ends: LineEnds, old: string, written: WrittenSpans, all: boolean) {
  const places: Span[] = [];
  const inWritten: Span[] = [];
  let total = 0;
  let totalWritten = 0;
  const step = all ? old.length : 1;
  for (let at = ends.text.indexOf(old); at >= 0; ) {
    const place = { start: at, end: at + old.length };
    const touches = written.length > 0 && touchesAny(written, ends.toFile(place.start), ends.toFile(place.end));
    if (touches) totalWritten++;
    else total++;
    if (all || (touches ? totalWritten : total) <= MOST_COUNTED) (touches ? inWritten : places).push(place);
    at = ends.text.indexOf(old, at + (touches ? 1 : step));
  }
  return total > 0 ? { places, total } : { places: inWritten, total: totalWritten };
}

/** Leaves alone what `old` and the new text have in common at both ends: in a file of mixed line ends it stays as is. */
function trim(splice: Splice, old: string): Splice {
  const { text } = splice;
  const most = Math.min(old.length, text.length);
  let head = 0;
  while (head < most && old.charCodeAt(head) === text.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < most - head && old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail))
    tail++;
  return { start: splice.start + head, end: splice.end - tail, text: text.slice(head, text.length - tail) };
}

/** Makes the changes (in order, apart from each other). */
function splice(file: string, ends: LineEnds, changes: readonly Splice[]): { text: string; splices: Splice[] } {
  const parts: string[] = [];
  const splices: Splice[] = [];
  let from = 0;
  for (const change of changes) {
    const place = { start: ends.toFile(change.start), end: ends.toFile(change.end), text: ends.restore(change) };
    const { start, end, text } = wholeCharacters(file, place);
    splices.push({ start, end, text });
    parts.push(file.slice(from, start), text);
    from = end;
  }
  parts.push(file.slice(from));
  return { text: parts.join(''), splices };
}
