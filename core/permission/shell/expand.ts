/**
 * What the words of a command become when it runs, as far as that can be told: variables with known values, braces,
 * and output that is plain. What cannot be told is marked as computed, never guessed.
 */
import { changed } from './changed-value.ts';
import {
  ANY_TEXT,
  ANY_WORDS,
  type Atom,
  isComputed,
  SOME_ADDRESS,
  SOME_JOB,
  SOME_NUMBER,
  type Statement,
  text,
  Unreadable,
  type Word,
} from './syntax.ts';

/** More combinations of possible values than this count as computed. */
const MAX_ALTERNATIVES = 16;
const MAX_BRACES = 64;
const NUMBERS = /^([?#$!]|RANDOM|SECONDS|LINENO|BASHPID|UID|EUID|PPID|SHLVL|COLUMNS|LINES)$/;
/** What the environment holds under such names. */
const PORTS = /^(\w+_)?PORT$/;
const ADDRESSES = /^(\w+_)?(URL|URI|DSN|ENDPOINT)$/;

/** Where words are expanded: the variables of the shell, and how a substitution is judged. */
export interface Surroundings {
  /** Every value that the variable may have; undefined when nothing set it. */
  values(name: string): readonly string[] | undefined;
  set(name: string, values: readonly string[]): void;
  /** Whether another file may have set any variable. */
  isSourced(): boolean;
  /** Judges the commands inside, and gives their output where it is known. */
  output(body: readonly Statement[]): string | undefined;
  /** A process substitution: judged, its name is that of a descriptor. */
  process(body: readonly Statement[], into: boolean): void;
}

interface Piece {
  text: string;
  /** The shell splits it into words. */
  splits: boolean;
}

/** The lists of words that these words may become; each is one possibility. */
export function expandWords(words: readonly Word[], around: Surroundings): readonly (readonly string[])[] {
  let all: readonly (readonly string[])[] = [[]];
  for (const word of words) {
    for (const one of expandBraces(word)) {
      const options = unique(pieceLists(one, around).map(split));
      all =
        all.length * options.length > MAX_ALTERNATIVES
          ? // Any words at all; and those of the first possibility, so that what begins it is still seen.
            all.slice(0, 1).flatMap((first) => [[ANY_WORDS], [...first, ANY_WORDS]])
          : all.flatMap((before) => options.map((after) => [...before, ...after]));
    }
  }
  return all;
}

/** The values that a word may give to a variable, a redirect or standard input: never split. */
export function expandText(word: Word, around: Surroundings): readonly string[] {
  const texts = pieceLists(word, around).map((pieces) =>
    pieces
      .map((piece) => piece.text)
      .join('')
      .replaceAll(ANY_WORDS, ANY_TEXT),
  );
  return [...new Set(texts)];
}

const unique = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] => [
  ...new Map(lists.map((list) => [list.join('\0'), list])).values(),
];

function pieceLists(word: Word, around: Surroundings): readonly (readonly Piece[])[] {
  let all: readonly (readonly Piece[])[] = [[]];
  for (const atom of word) {
    const options = piecesOf(atom, around);
    all =
      all.length * options.length > MAX_ALTERNATIVES
        ? [[{ text: ANY_WORDS, splits: false }]]
        : all.flatMap((before) => options.map((after) => [...before, ...after]));
  }
  return all;
}

/** The possibilities of one atom. */
function piecesOf(atom: Atom, around: Surroundings): readonly (readonly Piece[])[] {
  const value = (text: string, quoted: boolean): readonly Piece[] => [
    { text: quoted ? text : text.replaceAll(ANY_TEXT, ANY_WORDS), splits: !quoted },
  ];
  switch (atom.kind) {
    case 'text':
      return [[{ text: atom.text, splits: false }]];
    case 'arithmetic':
      checkNumbers(atom.names, around);
      for (const body of atom.bodies ?? [])
        if (!/^\s*\d+\s*$/.test(around.output(body) ?? ''))
          throw new Unreadable('it counts with what a command prints, which may run commands');
      for (const name of atom.sets) around.set(name, [SOME_NUMBER]);
      return [value(SOME_NUMBER, atom.quoted)];
    case 'process':
      around.process(atom.body, atom.into);
      return [[{ text: '/dev/fd/63', splits: false }]];
    case 'command': {
      const output = around.output(atom.body);
      return [value(output?.replace(/\n+$/, '') ?? ANY_TEXT, atom.quoted)];
    }
    case 'variable': {
      const known = valuesOf(atom, around);
      const { fallback } = atom;
      if (!fallback) return known.map((one) => value(one, atom.quoted));
      const other = pieceLists(fallback.word, around);
      if (fallback.how === '=') around.set(atom.name, [...known, ...expandText(fallback.word, around)]);
      if (fallback.how === '?') return known.map((one) => value(one, atom.quoted));
      if (fallback.how === '+') return [[], ...other];
      const isSet = known.every((one) => one !== '' && !isComputed(one));
      return isSet
        ? known.map((one) => value(one, atom.quoted))
        : [...known.map((one) => value(one, atom.quoted)), ...other];
    }
  }
}

function valuesOf(atom: Extract<Atom, { kind: 'variable' }>, around: Surroundings): readonly string[] {
  if (atom.many) return [ANY_WORDS];
  const values = around.values(atom.name);
  if (atom.derived)
    return atom.change !== undefined && values !== undefined
      ? values.map((value) => changed(value, atom.change!))
      : [ANY_TEXT];
  if (values !== undefined) return values;
  if (/^([!$]|BASHPID)$/.test(atom.name)) return [SOME_JOB];
  if (NUMBERS.test(atom.name)) return [SOME_NUMBER];
  // Set by the person who started this, not by the command.
  if (!around.isSourced() && PORTS.test(atom.name)) return [SOME_NUMBER];
  return [!around.isSourced() && ADDRESSES.test(atom.name) ? SOME_ADDRESS : ANY_TEXT];
}

/** A variable that is read as a number is itself worked out, and what stands in its brackets runs. */
export function checkNumbers(names: readonly string[], around: Surroundings): void {
  for (const name of names) {
    const values = around.values(name);
    if (values !== undefined && !values.every((value) => /^-?\d*$/.test(value)))
      throw new Unreadable(`it counts with ${name}, whose value may run commands`);
  }
}

function split(pieces: readonly Piece[]): readonly string[] {
  const words: string[] = [];
  let current: string | undefined;
  for (const piece of pieces) {
    if (!piece.splits) {
      current = (current ?? '') + piece.text;
      continue;
    }
    const fields = piece.text.split(/[ \t\n]+/);
    for (const [index, field] of fields.entries()) {
      if (index > 0 && current !== undefined) {
        words.push(current);
        current = undefined;
      }
      if (field !== '') current = (current ?? '') + field;
    }
  }
  if (current !== undefined) words.push(current);
  return words;
}

/** `{a,b}` and `{1..3}`, as the shell does before anything else. */
export function expandBraces(word: Word): readonly Word[] {
  if (!word.some((atom) => atom.kind === 'text' && !atom.quoted && atom.text.includes('{'))) return [word];
  const tokens: Atom[] = word.flatMap((atom) =>
    atom.kind === 'text' && !atom.quoted ? [...atom.text].map((c) => text(c)) : [atom],
  );
  const done = braces(tokens);
  if (done.length > MAX_BRACES) throw new Unreadable('it has braces that make too many words');
  return done.map((atoms) => joined(atoms));
}

const is = (atom: Atom | undefined, c: string): boolean => atom?.kind === 'text' && !atom.quoted && atom.text === c;

function braces(tokens: readonly Atom[]): readonly (readonly Atom[])[] {
  for (let open = 0; open < tokens.length; open++) {
    if (!is(tokens[open], '{')) continue;
    const commas: number[] = [];
    let depth = 0;
    let close = open;
    for (let at = open; at < tokens.length; at++) {
      if (is(tokens[at], '{')) depth++;
      else if (is(tokens[at], '}') && --depth === 0) {
        close = at;
        break;
      } else if (is(tokens[at], ',') && depth === 1) commas.push(at);
    }
    if (close === open) continue;
    const inner = tokens.slice(open + 1, close);
    const choices =
      commas.length > 0
        ? [open, ...commas].map((from, index) => tokens.slice(from + 1, commas[index] ?? close)).flatMap(braces)
        : rangeOf(inner);
    if (!choices) continue;
    const after = braces(tokens.slice(close + 1));
    if (choices.length * after.length > MAX_BRACES) throw new Unreadable('it has braces that make too many words');
    return choices.flatMap((choice) => after.map((rest) => [...tokens.slice(0, open), ...choice, ...rest]));
  }
  return [tokens];
}

function rangeOf(inner: readonly Atom[]): readonly (readonly Atom[])[] | undefined {
  if (!inner.every((atom) => atom.kind === 'text' && !atom.quoted)) {
    // `{1..$n}` is no range for the shell either, but another word than it seems.
    return undefined;
  }
  const plain = inner.map((atom) => (atom.kind === 'text' ? atom.text : '')).join('');
  const range = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(\.\.-?\d+)?$/.exec(plain);
  if (!range) return undefined;
  const [from, to] = [range[1]!, range[2]!];
  if (/\d/.test(from) && /\d/.test(to)) {
    if (range[3] !== undefined || /^-?0\d/.test(from + to)) return [[text(SOME_NUMBER)]];
    const [low, high] = [Math.min(Number(from), Number(to)), Math.max(Number(from), Number(to))];
    // A number is as good as another: what it is used for does not depend on it.
    if (high - low >= 8) return [[text(from)], [text(to)]];
    return Array.from({ length: high - low + 1 }, (_, index) => [text(String(low + index))]);
  }
  if (/\d/.test(from + to)) return undefined;
  throw new Unreadable('it has a range of letters');
}

function joined(atoms: readonly Atom[]): Word {
  const all: Atom[] = [];
  for (const atom of atoms) {
    const last = all.at(-1);
    if (atom.kind === 'text' && last?.kind === 'text' && last.quoted === atom.quoted)
      all[all.length - 1] = text(last.text + atom.text, atom.quoted);
    else all.push(atom);
  }
  return all;
}
