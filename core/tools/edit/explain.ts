/** Says why an edit was refused, with the lines that help to write it right. */
import { redact } from '../../redact.ts';
import { cutBefore, cutBehind } from '../../redact-cut.ts';
import { countLines } from '../files/line-table.ts';
import type { Span } from './types.ts';

const MOST_PLACES = 5;
/** Of further places only the numbers of their lines. */
const MOST_NUMBERS = 40;
const MOST_NEAR = 12;
const CLIP = 120;
const MOST_SCORED = 5000;

const clip = (line: string): string => (line.length > CLIP ? `${line.slice(0, cutBefore(line, CLIP))}…` : line);

/** The first places with their lines, one a row (a long line around the place), then the numbers of further lines. */
export function explainAmbiguous(text: string, places: readonly Span[], total: number): string {
  const rows = places.slice(0, MOST_PLACES).map(({ start }) => {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const from = start > 0 ? text.lastIndexOf('\n', start - 1) + 1 : 0;
    const line = countLines(text, start) + 1;
    if (end - from <= CLIP || start - from < CLIP / 2)
      return `  line ${line}: ${clip(text.slice(from, Math.min(end, from + 4 * CLIP)))}`;
    const part = text.slice(cutBehind(text, start - CLIP / 4), Math.min(end, start + 4 * CLIP));
    return `  line ${line}, column ${start - from + 1}: …${clip(part)}`;
  });
  const numbers = new Set<number>();
  let line = 1;
  let at = 0;
  for (const { start } of places.slice(0, MOST_PLACES + MOST_NUMBERS)) {
    line += countLines(text.slice(at, start), start - at);
    at = start;
    numbers.add(line);
  }
  const further = [...numbers].slice(new Set(rows.map((row) => /\d+/.exec(row)![0])).size);
  const where =
    further.length > 0 ? `, in lines ${further.join(', ')}${total > MOST_PLACES + MOST_NUMBERS ? ' …' : ''}` : '';
  if (total > rows.length) rows.push(`  and ${total - rows.length} more${where}`);
  return rows.join('\n');
}

/** The lines of the file that are most like `old`, as a diff in which blanks can be seen; empty when none is like it. */
export function explainNearest(text: string, old: string): string {
  const wanted = old.split('\n');
  if (wanted.length > 1 && wanted.at(-1) === '') wanted.pop();
  const anchorAt = longest(wanted);
  const anchor = wanted[anchorAt]!.trim();
  if (!anchor) return '';
  const pairs = bigrams(anchor);
  let best = 0.45;
  let bestLine = -1;
  const lines = text.split('\n');
  const word = (anchor.match(/[\p{L}\p{N}_]+/gu) ?? []).reduce((a, b) => (b.length > a.length ? b : a), '');
  let scored = 0;
  for (const [i, raw] of lines.entries()) {
    // In a large file only lines with a word in common are compared.
    if (scored > MOST_SCORED && !raw.includes(word)) continue;
    if (++scored > 2 * MOST_SCORED) break;
    const line = raw.length > 2000 ? raw.slice(0, 2000).trim() : raw.trim();
    if (line.length * 3 < anchor.length || line.length > anchor.length * 3) continue;
    // Of lines that are equally alike, the one whose neighbours fit too.
    const near = wanted[anchorAt + 1]?.trim() === lines[i + 1]?.trim() ? 0.02 : 0;
    const score = (line === anchor ? 1 : likeness(pairs, anchor.length, line)) + near;
    if (score > best) {
      best = score;
      bestLine = i;
    }
  }
  if (bestLine < 0) return '';
  const from = Math.max(0, bestLine - anchorAt);
  const rows: string[] = [];
  for (let i = 0; i < Math.min(wanted.length, MOST_NEAR); i++) {
    const ours = lines[from + i];
    const theirs = wanted[i]!;
    if (ours === theirs) rows.push(`   ${clip(theirs)}`);
    // What is hidden would make two different lines look the same.
    else if (ours !== undefined && redact(ours) === redact(theirs))
      rows.push(` ! ${clip(redact(theirs))} (as in the file but for hidden text)`);
    else {
      const blanks = ours !== undefined && ours.trim() === theirs.trim();
      rows.push(` - ${clip(blanks ? visible(theirs) : theirs)}`);
      if (ours !== undefined) rows.push(` + ${clip(blanks ? visible(ours) : ours)}`);
    }
  }
  if (wanted.length > MOST_NEAR) rows.push('   …');
  const last = Math.min(lines.length, from + wanted.length);
  const where = last > from + 1 ? `lines ${from + 1}-${last}` : `line ${from + 1}`;
  return `The nearest is ${where} (- as given, + as in the file):\n${rows.join('\n')}`;
}

/** Blanks at both ends as signs: `→` a tab, `·` a space, `␍` a carriage return. */
function visible(line: string): string {
  const sign = (blanks: string) => blanks.replaceAll('\t', '→').replaceAll(' ', '·').replaceAll('\r', '␍');
  const start = /^[ \t]*/.exec(line)![0];
  const rest = line.slice(start.length);
  const body = rest.trimEnd();
  return sign(start) + body + sign(rest.slice(body.length));
}

function longest(lines: readonly string[]): number {
  let at = 0;
  for (const [i, line] of lines.entries()) if (line.trim().length > lines[at]!.trim().length) at = i;
  return at;
}

function bigrams(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let i = 0; i < text.length - 1; i++) {
    const pair = text.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Dice's coefficient over pairs of characters, 0 to 1. */
function likeness(pairs: ReadonlyMap<string, number>, length: number, line: string): number {
  let common = 0;
  for (const [pair, count] of bigrams(line)) common += Math.min(count, pairs.get(pair) ?? 0);
  return (2 * common) / Math.max(1, length + line.length - 2);
}
