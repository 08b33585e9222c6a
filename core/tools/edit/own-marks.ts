/**
 * A replacement was written with other quotes, dashes and spaces than the file has: gives each mark that the replacement
 * does not change as it stands in the file. What is new is new as it was given.
 */
import { plainMarks } from './plain-marks.ts';

/** Words with their apostrophes, short texts in quotes as one, else single characters: what belongs together. */
const TOKEN = /[\p{L}\p{N}_]+(?:['’][\p{L}\p{N}_]+)*|"[^"\n]*"|'[^'\n]*'(?![\p{L}\p{N}_])|[\s\S]/gu;

/** More pairs of tokens than this are not compared. */
const MOST_COMPARED = 4_000_000;

interface Token {
  text: string;
  start: number;
}

/** A run of tokens of the replacement, and the run of the old text that it stands for; `same`: not changed at all. */
interface Run {
  same: boolean;
  old: readonly Token[];
  fresh: readonly Token[];
}

/**
 * The replacement with the marks of the file. `old` is the text as the model gave it and `found` the same text in the
 * file, equal in length and, after `plainMarks`, in every character. Undefined where it cannot be known which quotes are
 * meant: every answer would leave a pair of two kinds, or give what is unchanged other quotes.
 */
export function ownMarks(
  old: string,
  found: string,
  fresh: string,
  around = { before: '', behind: '' },
): string | undefined {
  if (old === found) return fresh;
  const [was, is] = [tokensOf(old), tokensOf(fresh)];
  const runs = align(was, is);
  if (!runs) return undefined;
  const times = (tokens: readonly Token[], mark: string) => tokens.filter(({ text }) => text === mark).length;
  const isClear = (mark: string): boolean => times(was, mark) === times(is, mark);
  // A text in quotes that only moved keeps them.
  const moved = (token: string): string => {
    if (isLoneMark(token) || plainMarks(token).search(/["'-]/) < 0 || times(was, token) < times(is, token))
      return token;
    const forms = new Set(
      was.filter(({ text }) => text === token).map((at) => found.slice(at.start, at.start + token.length)),
    );
    return forms.size === 1 ? [...forms][0]! : token;
  };
  let text = '';
  for (const run of runs) text += textOf(run, old, found, { isClear, moved });
  const odd = (middle: string): number => oddQuotes(around.before + middle + around.behind);
  const meant = oddQuotes(plainMarks(around.before + fresh + around.behind));
  return odd(text) > Math.max(odd(found), meant) ? undefined : text;
}

/**
 * The same for whole lines, whatever their indentation and the blanks at their ends: `old` as given, `found` as in the
 * file, equally many. The new lines keep the indentation that they were given.
 */
export function ownMarksOfLines(
  old: readonly string[],
  found: readonly string[],
  fresh: readonly string[],
): string[] | undefined {
  if (fresh.length === 0) return [];
  const [was, its] = [old, found].map((lines) => lines.map((line) => line.trim()).join('\n')) as [string, string];
  // Where spaces inside lines are others too, the places of the marks are not the same.
  if (plainMarks(was) !== plainMarks(its)) return plainMarks(its) === its ? [...fresh] : undefined;
  const text = ownMarks(was, its, fresh.map((line) => line.trim()).join('\n'));
  return text?.split('\n').map((line, at) => {
    const given = fresh[at]!;
    const body = given.trim();
    if (body === '') return given;
    const from = given.indexOf(body);
    return given.slice(0, from) + line + given.slice(from + body.length);
  });
}

function tokensOf(text: string): Token[] {
  // Of one kind, so that a quoted text is found whatever its quotes are.
  const plain = plainMarks(text);
  const tokens: Token[] = [];
  for (const { 0: found, index } of plain.matchAll(TOKEN))
    tokens.push({ text: text.slice(index, index + found.length), start: index });
  return tokens;
}

const isLoneMark = (text: string): boolean => /^[\s"'-]$/.test(plainMarks(text));

interface Asked {
  /** Each of these marks stays, and none comes. */
  isClear(mark: string): boolean;
  moved(token: string): string;
}

function textOf({ same, old, fresh }: Run, given: string, found: string, { isClear, moved }: Asked): string {
  const from = old[0]?.start ?? 0;
  const last = old.at(-1);
  const end = last ? last.start + last.text.length : from;
  const own = found.slice(from, end);
  const written = fresh.map(({ text }) => text).join('');
  // Of a single space or dash that stays between changes it must be known which one it was.
  if (same) return old.length === 1 && own !== written && isLoneMark(written) && !isClear(written) ? written : own;
  return withQuotes(written, given.slice(from, end), own) ?? fresh.map(({ text }) => moved(text)).join('');
}

const QUOTES = /["'\u2018-\u201f\u2032\u2033]/g;

/** Where there are as many quotes as before, and the same: they are the file's. */
function withQuotes(written: string, given: string, own: string): string | undefined {
  const [was, is] = [given.match(QUOTES) ?? [], written.match(QUOTES) ?? []];
  if (was.length !== is.length || was.some((quote, at) => quote !== is[at])) return undefined;
  const its = own.match(QUOTES) ?? [];
  let count = 0;
  return written.replace(QUOTES, (quote) => its[count++] ?? quote);
}

/** Undefined where the texts are too long. */
function align(old: readonly Token[], fresh: readonly Token[]): Run[] | undefined {
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head]!.text === fresh[head]!.text) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail)!.text === fresh.at(-1 - tail)!.text) tail++;
  const a = old.slice(head, old.length - tail);
  const b = fresh.slice(head, fresh.length - tail);
  if (a.length * b.length > MOST_COMPARED) return undefined;
  const runs: Run[] = [];
  if (head > 0) runs.push({ same: true, old: old.slice(0, head), fresh: fresh.slice(0, head) });
  runs.push(...middleRuns(a, b));
  if (tail > 0) runs.push({ same: true, old: old.slice(-tail), fresh: fresh.slice(-tail) });
  return runs;
}

/** By the common subsequence that has the most characters. */
function middleRuns(a: readonly Token[], b: readonly Token[]): Run[] {
  const width = b.length + 1;
  const best = new Uint32Array((a.length + 1) * width);
  const weight = ({ text }: Token): number => text.length * 2 - (isLoneMark(text) ? 1 : 0);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const skip = Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
      const both = a[i]!.text === b[j]!.text ? best[(i + 1) * width + j + 1]! + weight(a[i]!) : 0;
      best[i * width + j] = Math.max(skip, both);
    }
  const runs: Run[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [fromA, fromB] = [i, j];
    const isSame = (): boolean =>
      i < a.length &&
      j < b.length &&
      a[i]!.text === b[j]!.text &&
      best[i * width + j] === best[(i + 1) * width + j + 1]! + weight(a[i]!);
    const same = isSame();
    if (same) while (isSame()) [i, j] = [i + 1, j + 1];
    else
      while ((i < a.length || j < b.length) && !isSame())
        if (j >= b.length || (i < a.length && best[(i + 1) * width + j]! >= best[i * width + j + 1]!)) i++;
        else j++;
    runs.push({ same, old: a.slice(fromA, i), fresh: b.slice(fromB, j) });
  }
  return runs;
}

const CLOSING: Readonly<Record<string, string>> = { '“': '”', '„': '”', '‟': '”', '‘': '’', '‚': '’', '‛': '’' };

/** Quotes without a partner, pairs of two kinds, and one kind inside of the other. Apostrophes inside words are none. */
function oddQuotes(text: string): number {
  let odd = 0;
  for (const quotes of [/["“”„‟]/g, /(?<![\p{L}\p{N}_])['‘’‚‛]|['‘’‚‛](?![\p{L}\p{N}_])/gu]) {
    /** What closes the quote that is open. */
    let close: string | undefined;
    for (const [quote] of text.matchAll(quotes)) {
      const opens = quote in CLOSING ? CLOSING[quote] : /["']/.test(quote) && close === undefined ? quote : undefined;
      if (opens === undefined ? quote !== close : close !== undefined) odd++;
      close = opens;
    }
    if (close !== undefined) odd++;
  }
  return odd;
}
