/**
 * Replaces what has the known shape of a secret by a mark, `[redacted: kind]`. Only shapes that vendors made to be
 * recognised, values that stand after a telling name, and the very values of secrets that this process was given or
 * that the project's files of secrets hold: hashes, UUIDs and encoded images stay as they are. Time grows with the length.
 */
import { isSecretValue } from './looks-secret.ts';
import { isSecretVariable } from './permission/sensitive-names.ts';
import { mayHoldSecrets, SHAPES } from './redact-shapes.ts';
import { createValueFinder } from './redact-values.ts';

/** A secret in a text: from `start` up to `end`, and the mark that is shown for it. */
export interface HiddenText {
  start: number;
  end: number;
  mark: string;
}

const markOf = (kind: string) => `[redacted: ${kind}]`;
const KINDS: ReadonlySet<string> = new Set(SHAPES.map(({ kind }) => kind));

/** By value, the name of the variable. A process has one environment: what it holds is secret for every session in it. */
const given = new Map<string, string>();
/** Names that marks were ever made of. */
const names = new Set<string>();
/** By value, as it may be written, what is shown for it. */
let marks: ReadonlyMap<string, string> = new Map();
let findValues = createValueFinder([]);
/** Values came or went since `findValues` was made. */
let isStale = false;

/**
 * From now on the values of the environment's secrets are replaced wherever they stand: variables whose names say so,
 * with a value that looks like one. Gives a function that takes them back.
 */
export function addSecrets(env: Readonly<Record<string, string | undefined>>): () => void {
  const found = Object.entries(env).flatMap(([name, raw]): [string, string][] => {
    const value = raw?.trim() ?? '';
    return isSecretValue(name, value) ? [[name, value]] : [];
  });
  return addValues(found);
}

/** The same for pairs of a name and a value that are known to be secret. */
export function addValues(pairs: readonly (readonly [name: string, value: string])[]): () => void {
  const added: string[] = [];
  for (const [name, value] of pairs) {
    if (given.has(value)) continue;
    given.set(value, name);
    names.add(name);
    added.push(value);
  }
  isStale ||= added.length > 0;
  return () => {
    for (const value of added) given.delete(value);
    isStale = true;
  };
}

function prepare(): void {
  // In JSON a value is written with escapes.
  marks = new Map(
    [...given].flatMap(([value, name]) => [
      [value, markOf(name)],
      [JSON.stringify(value).slice(1, -1), markOf(name)],
    ]),
  );
  findValues = createValueFinder(marks.keys());
  isStale = false;
}

/** Every recognised secret of the text, in order, apart from each other. */
export function findSecrets(text: string): readonly HiddenText[] {
  if (isStale) prepare();
  let hidden: readonly HiddenText[] = findValues(text).map(({ start, end, value }) => ({
    start,
    end,
    mark: marks.get(value)!,
  }));
  let shown = replaced(text, hidden);
  if (!mayHoldSecrets(shown)) return hidden;
  for (const { kind, pattern, before = 0, after = 0, isSecret } of SHAPES) {
    const mark = markOf(kind);
    const fresh = Array.from(shown.matchAll(pattern)).flatMap((match) => {
      if (isSecret && !isSecret(match)) return [];
      const start = match.index + (before ? match[before]!.length : 0);
      return [{ start, end: match.index + match[0].length - (after ? match[after]!.length : 0), mark }];
    });
    if (fresh.length === 0) continue;
    hidden = joined(hidden, fresh);
    shown = replaced(text, hidden);
  }
  return hidden;
}

/** `fresh` has places of the text in which `hidden` is replaced; all of the result has places of the text itself. */
function joined(hidden: readonly HiddenText[], fresh: readonly HiddenText[]): readonly HiddenText[] {
  const result: HiddenText[] = [];
  let next = 0;
  let shift = 0;
  for (const { start, end, mark } of fresh) {
    // Marks before it stay; those that it covers are part of it.
    const pass = (until: number, keep: boolean) => {
      for (; next < hidden.length; next++) {
        const one = hidden[next]!;
        if (one.start - shift >= until) return;
        shift += one.end - one.start - one.mark.length;
        if (keep) result.push(one);
      }
    };
    pass(start, true);
    const from = start + shift;
    pass(end, false);
    result.push({ start: from, end: end + shift, mark });
  }
  return [...result, ...hidden.slice(next)];
}

/** The text as it is shown: with the marks of `hidden`, which is in order. */
export function replaced(text: string, hidden: readonly HiddenText[]): string {
  if (hidden.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, mark } of hidden) {
    parts.push(text.slice(from, start), mark);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** The text with every recognised secret replaced; the same string when there is none. */
export const redact = (text: string): string => replaced(text, findSecrets(text));

/** The marks in a text that may be ada's own, in order, with their places. Text in the same brackets is not. */
export function marksIn(text: string): readonly HiddenText[] {
  if (!text.includes('[redacted: ')) return [];
  return Array.from(text.matchAll(/\[redacted: ([^\][\n]{1,100})\]/g)).flatMap((match) => {
    const [mark, kind] = match as unknown as [string, string];
    const isOwn = KINDS.has(kind) || names.has(kind) || (/^\w+$/.test(kind) && isSecretVariable(kind));
    return isOwn ? [{ start: match.index, end: match.index + mark.length, mark }] : [];
  });
}
