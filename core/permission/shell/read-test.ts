/** `[[ … ]]`: which words are looked at as files or numbers, and what is computed in it. */
import { arithmeticOf } from './quotes.ts';
import { readExpansion, readQuoted, readWord, type Source } from './read-words.ts';
import { plainText, type Statement, Unreadable, type Word } from './syntax.ts';

const FILE_TEST = /^(-[a-hkprstuwxLOGSN]|-nt|-ot|-ef)$/;
const NUMBER_TEST = /^-(eq|ne|lt|le|gt|ge)$/;

/** Where the closing brackets of a test begin; one line only. */
export function findTestEnd(source: Source, start: number, limit: number): number {
  const { code } = source;
  let at = start;
  while (at < limit) {
    const c = code[at]!;
    if (c === '\n' || c === "'" || (c === '#' && /\s/.test(code[at - 1]!))) break;
    if (code.startsWith(']]', at) && /\s/.test(code[at - 1]!) && !/[^\s;|&()<>]/.test(code[at + 2] ?? ' ')) return at;
    if (c === '"') at = readQuoted(source, at + 1, limit, '"').end + 1;
    else if (c === '$' || c === '`') at = readExpansion(source, at, limit, true).end;
    else at += c === '\\' ? 2 : 1;
  }
  throw new Unreadable('it has a test that does not end');
}

/** Reads the words between the brackets. */
export function readTest(source: Source, start: number, end: number): Statement {
  const { code } = source;
  const words: Word[] = [];
  const numeric: string[] = [];
  let before = '';
  let at = start;
  let compares = false;
  while (at < end) {
    const c = code[at]!;
    if (/\s/.test(c) || /[()<>!]/.test(c)) {
      at++;
      continue;
    }
    const operator = /^(&&|\|\|)/.exec(code.slice(at, at + 2))?.[0];
    if (operator) {
      at += 2;
      continue;
    }
    if (before === '=~') {
      // A regular expression has marks of its own: only what is computed in it matters.
      const read = readPattern(source, at, end);
      words.push(read.word);
      at = read.end;
      before = '';
      continue;
    }
    const read = readWord(source, at, end);
    const name = plainText(read.word);
    if (name !== undefined && NUMBER_TEST.test(name)) compares = true;
    if (name === '-v' || name === '-R') throw new Unreadable('it tests a variable by name');
    words.push(read.word);
    before = name ?? '';
    at = read.end;
  }
  if (compares) {
    for (const word of words)
      for (const atom of word) {
        if (atom.kind === 'variable') numeric.push(atom.name);
        else if (atom.kind === 'text' && !/^-[a-z]+$/.test(atom.text)) numeric.push(...arithmeticOf(atom.text).names);
      }
  }
  return { kind: 'test', words: words.filter((_, index) => isFileOperand(words, index)), numeric, all: words };
}

const isFileOperand = (words: readonly Word[], index: number): boolean =>
  [words[index - 1], words[index + 1]].some((other, side) => {
    const name = other && plainText(other);
    return name !== undefined && FILE_TEST.test(name) && (side === 0 || /^-(nt|ot|ef)$/.test(name));
  });

function readPattern(source: Source, start: number, end: number): { word: Word; end: number } {
  const { code } = source;
  const atoms: Word[number][] = [];
  let at = start;
  while (at < end && !/\s/.test(code[at]!)) {
    const c = code[at]!;
    if (c === '$' || c === '`') {
      const read = readExpansion(source, at, end, true);
      atoms.push(...read.atoms);
      at = read.end;
    } else if (c === '"') {
      const read = readQuoted(source, at + 1, end, '"');
      atoms.push(...read.atoms);
      at = read.end + 1;
    } else if (c === "'") throw new Unreadable('it has a quoted pattern');
    else at += c === '\\' ? 2 : 1;
  }
  return { word: atoms, end: at };
}
