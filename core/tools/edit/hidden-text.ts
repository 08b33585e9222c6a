/**
 * Marks such as `[redacted: GitHub token]` in what a model writes. In the text that an edit looks for they stand for what
 * was hidden from the model there; in new text only for what stood in the text that it replaces. Nothing else may hold
 * one: the mark would take the place of the secret.
 */
import { findSecrets, type HiddenText, marksIn, replaced } from '../../redact.ts';
import { explainAmbiguous, explainNearest } from './explain.ts';
import type { Edit, Span } from './types.ts';

type Refused = { refused: string; why: 'input' | 'absent' | 'ambiguous' };

/** A mark in a shown text and what it stands for. */
export interface MarkedPlace {
  /** In the shown text. */
  start: number;
  mark: string;
  secret: string;
}

const WAY_OUT =
  'Leave its line out of what you write: change the other lines with edit_file, and keep the mark where `old` has it.';

/** Why a text must not be written, because of a mark in it; undefined when it may. `existing`: the text of the file. */
export function strayMark(fresh: string, existing: string): string | undefined {
  const marks = marksIn(fresh);
  if (marks.length === 0) return undefined;
  const hidden = findSecrets(existing);
  for (const { mark } of marks) {
    const written = existing.split(mark).length - 1;
    // A file that speaks of marks may have more of them; one that has both must not get more than it has.
    const most = hidden.some((one) => one.mark === mark) ? written : written && Number.POSITIVE_INFINITY;
    if (marks.filter((one) => one.mark === mark).length > most)
      return `${mark} is only a mark that stands for a secret that you were not shown; written, it would take its place. ${WAY_OUT}`;
  }
  return undefined;
}

/** The edit with what its marks stand for in `text`, which has plain line ends. */
export function withHiddenText(edit: Edit, text: string): Edit | Refused {
  if (marksIn(edit.new).length === 0 && marksIn(edit.old).length === 0) return edit;
  const plain = (written: string) => (edit.old.includes('\r\n') ? written.replaceAll('\r\n', '\n') : written);
  const old = plain(edit.old);
  const fresh = plain(edit.new);
  const hidden = findSecrets(text);
  const shown = replaced(text, hidden);
  const places = marksIn(old).length === 0 ? [] : placesOf(shown, old);
  const covered = places.map(({ start, end }) => coveredBy(hidden, start, end));
  if (covered.every((spans) => spans?.length === 0)) {
    // Either no mark is looked for, or it stands in the file itself.
    if (marksIn(old).length > 0 && places.length === 0) return absent(shown, old);
    const stray = strayMark(fresh, text);
    return stray ? { refused: stray, why: 'input' } : edit;
  }
  if (places.length > 1) {
    const head = `\`old\` fits ${places.length} places of the file as it is shown, where its marks stand for hidden text:`;
    const help = 'Give more of the lines around the one you mean; `all` cannot be used over hidden text.';
    return { refused: `${head}\n${explainAmbiguous(shown, places, places.length)}\n${help}`, why: 'ambiguous' };
  }
  const [spans] = covered;
  if (!spans) return absent(shown, old);
  const { start, end } = places[0]!;
  const all = marksIn(old).map(({ start: at, mark }): MarkedPlace => {
    const span = spans.find((one) => one.at === start + at);
    return { start: at, mark, secret: span ? text.slice(span.start, span.end) : mark };
  });
  const filled = fillMarks(old, all, fresh);
  if ('refused' in filled) return { ...filled, why: 'input' };
  return { ...edit, old: text.slice(toText(hidden, start), toText(hidden, end)), new: filled.text };
}

function absent(shown: string, old: string): Refused {
  const near = explainNearest(shown, old) || 'No line in it is like it; read the file again.';
  const refused = `\`old\` is not in the file as it is shown. Where it holds marks for hidden text it must be exactly what is shown, line ends and blanks too. ${near}`;
  return { refused, why: 'absent' };
}

/**
 * New text with what its marks stand for: the secret of the same line, or of a line that begins alike, or the only one
 * that such a mark can mean. `places`: the marks of `old`.
 */
export function fillMarks(
  old: string,
  places: readonly MarkedPlace[],
  fresh: string,
): { text: string } | { refused: string } {
  const marks = marksIn(fresh);
  const sources = new Map<HiddenText, string>();
  const free = new Set(places);
  const ways: readonly ((place: MarkedPlace, mark: HiddenText) => boolean)[] = [
    (place, mark) => lineAt(old, place.start) === lineAt(fresh, mark.start),
    (place, mark) => before(old, place.start).trim() === before(fresh, mark.start).trim(),
  ];
  for (const fits of ways) {
    for (const mark of marks) {
      if (sources.has(mark)) continue;
      const place = [...free].find((one) => one.mark === mark.mark && fits(one, mark));
      if (!place) continue;
      free.delete(place);
      sources.set(mark, place.secret);
    }
  }
  for (const mark of marks) {
    if (sources.has(mark)) continue;
    const left = [...free].filter((one) => one.mark === mark.mark);
    const name = mark.mark;
    if (left.length === 0)
      return { refused: `\`new\` has ${name} more often than \`old\`: what it stands for is not known. ${WAY_OUT}` };
    if (new Set(left.map(({ secret }) => secret)).size > 1)
      return {
        refused: `which of the hidden texts each ${name} in \`new\` stands for is not clear. Change one of their lines in each edit.`,
      };
    free.delete(left[0]!);
    sources.set(mark, left[0]!.secret);
  }
  return {
    text: replaced(
      fresh,
      marks.map((mark) => ({ ...mark, mark: sources.get(mark)! })),
    ),
  };
}

const before = (text: string, at: number): string => text.slice(text.lastIndexOf('\n', at - 1) + 1, at);

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return before(text, at) + text.slice(at, end < 0 ? undefined : end);
}

function placesOf(text: string, wanted: string): Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && places.length < 1000; at = text.indexOf(wanted, at + 1))
    places.push({ start: at, end: at + wanted.length });
  return places;
}

/** The hidden texts shown between two places, with where each is shown; undefined when one is cut. */
function coveredBy(hidden: readonly HiddenText[], start: number, end: number) {
  const found: (HiddenText & { at: number })[] = [];
  let shift = 0;
  for (const one of hidden) {
    const at = one.start - shift;
    const behind = at + one.mark.length;
    shift += one.end - one.start - one.mark.length;
    if (behind <= start || at >= end) continue;
    if (at < start || behind > end) return undefined;
    found.push({ ...one, at });
  }
  return found;
}

/** The place in the text of a place in the shown text, which lies in no mark. */
function toText(hidden: readonly HiddenText[], place: number): number {
  let shift = 0;
  for (const { start, end, mark } of hidden) {
    if (start - shift >= place) break;
    shift += end - start - mark.length;
  }
  return place + shift;
}
