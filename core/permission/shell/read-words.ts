/**
 * Reads words and redirects out of a stretch of shell code, with the quoting rules of bash. Where commands begin and end
 * is not decided here; what stands inside `$(…)`, `<(…)` and `name=(…)` is asked for.
 */
import { arithmeticOf, decodeAnsiC, readArithmetic } from './quotes.ts';
import { readBraces } from './read-parameter.ts';
import {
  type Assignment,
  type Atom,
  isPattern,
  plainText,
  type Redirect,
  type SimpleCommand,
  type Statement,
  text,
  Unreadable,
  type Word,
} from './syntax.ts';

/** What begins at an index of the source, and where it ends. */
export type Nested =
  | { kind: 'command' | 'process'; end: number; body: readonly Statement[] }
  | { kind: 'array' | 'parameter'; end: number };

export interface Source {
  code: string;
  nested(at: number): Nested | undefined;
  /** The here-document whose mark begins at an index; its text may be filled in later. Absent: none is read. */
  heredoc?(at: number, end: number): { value: Redirect; end: number };
}

export const KEYWORDS = new Set(
  'if then else elif fi for while until do done case esac select function coproc in [[ ]] { } ! repeat foreach end'.split(
    ' ',
  ),
);

/** Ordinary characters of a word, and of text in double quotes. */
const PLAIN_RUN = /[^\s;|&<>'"\\`$()]+/y;
const QUOTED_RUN = /[^"\\`$]+/y;
const BODY_RUN = /[^\\`$]+/y;

const run = (pattern: RegExp, code: string, at: number, end: number): string => {
  pattern.lastIndex = at;
  const found = pattern.exec(code)?.[0] ?? code[at]!;
  return found.length > end - at ? found.slice(0, end - at) : found;
};

/**
 * The words, assignments and redirects of one simple command that begins at `start`. With `open` it ends before the next
 * operator, else it must fill the whole stretch. `words` are those behind a redirect, or of a list of values.
 */
export function readSimple(
  source: Source,
  start: number,
  end: number,
  open = false,
  what: 'command' | 'words' = 'command',
): { command: SimpleCommand; end: number } {
  const { code } = source;
  const words: Word[] = [];
  const assignments: Assignment[] = [];
  const redirects: Redirect[] = [];
  let at = skipBlank(code, start, end);
  while (at < end) {
    const redirect = readRedirect(source, at, end);
    if (redirect) {
      redirects.push(redirect.value);
      at = skipBlank(code, redirect.end, end);
      continue;
    }
    if (open && /[;|&\n#)]/.test(code[at]!)) break;
    const assignment = words.length === 0 && what === 'command' ? readAssignment(source, at, end) : undefined;
    if (assignment) {
      assignments.push(assignment.value);
      at = skipBlank(code, assignment.end, end);
      continue;
    }
    const read = readWord(source, at, end);
    if (words.length === 0 && what === 'command') checkProgram(read.word);
    words.push(read.word);
    at = skipBlank(code, read.end, end);
  }
  return { command: { kind: 'command', words, assignments, redirects }, end: at };
}

/** Spaces and continued lines. */
function skipBlank(code: string, start: number, end: number): number {
  let at = start;
  while (at < end) {
    if (code[at] === ' ' || code[at] === '\t') at++;
    else if (code[at] === '\\' && code[at + 1] === '\n') at += 2;
    else break;
  }
  return at;
}

function checkProgram(word: Word): void {
  const name = plainText(word);
  if (name !== undefined && KEYWORDS.has(name) && word.every((atom) => atom.kind === 'text' && !atom.quoted))
    throw new Unreadable(`it uses the shell keyword ${name}`);
  if (isPattern(word) && name !== '[') throw new Unreadable('the program is named by a pattern');
  if (name !== undefined && /[^\x20-\x7e]/.test(name))
    throw new Unreadable('the program has letters that can be mistaken for others');
}

function readAssignment(source: Source, start: number, end: number): { value: Assignment; end: number } | undefined {
  const match = /^([A-Za-z_]\w*)(\[[\w@-]+\])?(\+?)=/.exec(source.code.slice(start, Math.min(end, start + 200)));
  if (!match) {
    if (/^[A-Za-z_]\w*\[[^\]\s]*\]\+?=/.test(source.code.slice(start, Math.min(end, start + 200))))
      throw new Unreadable('it assigns to an array element that is computed');
    return undefined;
  }
  const at = start + match[0].length;
  const name = match[1]!;
  if (source.code[at] === '(') {
    const array = readArray(source, at);
    return { value: { name, value: { items: array.items }, append: true }, end: array.end };
  }
  if (at >= end || /[\s;|&<>]/.test(source.code[at]!)) return { value: { name, value: [], append: false }, end: at };
  const read = readWord(source, at, end);
  // One element of an array is a value among others.
  return { value: { name, value: read.word, append: match[3] === '+' || match[2] !== undefined }, end: read.end };
}

function readArray(source: Source, at: number): { items: Word[]; end: number } {
  const array = source.nested(at);
  if (array?.kind !== 'array') throw new Unreadable('it has parentheses');
  const items: Word[] = [];
  let from = at + 1;
  const end = array.end - 1;
  while (from < end) {
    if (/\s/.test(source.code[from]!)) {
      from++;
      continue;
    }
    if (/^\[[^\]]*[^\]\w@-][^\]]*\]=/.test(source.code.slice(from, end)))
      throw new Unreadable('it has an array whose index is computed');
    const read = readWord(source, from, end);
    items.push(read.word);
    from = read.end;
  }
  return { items, end: array.end };
}

/** A redirect that begins at `start`, else undefined. */
export function readRedirect(source: Source, start: number, end: number): { value: Redirect; end: number } | undefined {
  const { code } = source;
  const match = /^(|\d+)(<<<|<<|<>|<&|<|>>|>\||>&|>)|^()(&>>|&>)/.exec(code.slice(start, Math.min(end, start + 12)));
  if (!match) return undefined;
  const op = match[2] ?? match[4]!;
  const number = match[1] ?? '';
  if (op === '<<') {
    if (!source.heredoc || number !== '') throw new Unreadable('it has a here-document');
    return source.heredoc(start, end);
  }
  const after = start + match[0].length;
  if (code[after] === '(' && (op === '<' || op === '>') && number === '') return undefined;
  let at = after;
  while (code[at] === ' ' || code[at] === '\t') at++;
  if (at >= end || /[\n;|&)#]/.test(code[at]!) || (/[<>]/.test(code[at]!) && code[at + 1] !== '('))
    throw new Unreadable('a redirect has no target');
  const read = readWord(source, at, end);
  if (op !== '<<<' && isPattern(read.word)) throw new Unreadable('a redirect goes to a pattern');
  const fd = number === '' ? {} : { fd: Number(number) };
  return { value: { op: op as Redirect['op'], target: read.word, ...fd }, end: read.end };
}

/** One word that begins at `start`; it ends before a blank or an operator. */
export function readWord(source: Source, start: number, end: number): { word: Word; end: number } {
  const { code } = source;
  if (code[start] === '#') throw new Unreadable('it has a comment inside a command');
  const atoms: Atom[] = [];
  let at = start;
  while (at < end) {
    const c = code[at]!;
    if ((c === '<' || c === '>') && code[at + 1] === '(') {
      const process = source.nested(at);
      if (process?.kind !== 'process') throw new Unreadable('it has a process substitution');
      atoms.push({ kind: 'process', body: process.body, into: c === '>' });
      at = process.end;
      continue;
    }
    if (/[\s;|&<>]/.test(c) || (c === ')' && at > start)) break;
    if (c === "'") {
      const close = code.indexOf("'", at + 1);
      if (close < 0 || close >= end) throw new Unreadable('a quote is not closed');
      atoms.push(text(code.slice(at + 1, close), true));
      at = close + 1;
    } else if (c === '"') {
      const quoted = readQuoted(source, at + 1, end, '"');
      atoms.push(...(quoted.atoms.length > 0 ? quoted.atoms : [text('', true)]));
      at = quoted.end + 1;
    } else if (c === '\\') {
      if (at + 1 >= end) throw new Unreadable('it ends with a backslash');
      if (code[at + 1] !== '\n') atoms.push(text(code[at + 1]!, true));
      at += 2;
    } else if (c === '`' || c === '$') {
      const read = readExpansion(source, at, end, false);
      atoms.push(...read.atoms);
      at = read.end;
    } else if (c === '(' || c === ')') {
      const array = code[at - 1] === '=' ? source.nested(at) : undefined;
      if (c === ')' || array?.kind !== 'array') throw new Unreadable('it has parentheses');
      const items = readArray(source, at);
      for (const item of items.items) atoms.push(...item);
      at = items.end;
    } else {
      const plain = run(PLAIN_RUN, code, at, end);
      atoms.push(text(plain));
      at += plain.length;
    }
  }
  if (at === start) throw new Unreadable('a word is missing');
  return { word: joinTexts(atoms), end: at };
}

/** Text in double quotes, or of a here-document (`close` is empty: up to `end`). Gives the place of the closing mark. */
export function readQuoted(
  source: Source,
  start: number,
  end: number,
  close: '"' | '',
): { atoms: Atom[]; end: number } {
  const { code } = source;
  const atoms: Atom[] = [];
  const special = close === '"' ? /[$`"\\\n]/ : /[$`\\\n]/;
  let at = start;
  while (at < end) {
    const c = code[at]!;
    if (c === close) return { atoms: joinTexts(atoms), end: at };
    if (c === '`' || c === '$') {
      const read = readExpansion(source, at, end, true);
      atoms.push(...read.atoms);
      at = read.end;
    } else if (c === '\\' && at + 1 < end && special.test(code[at + 1]!)) {
      if (code[at + 1] !== '\n') atoms.push(text(code[at + 1]!, true));
      at += 2;
    } else {
      const plain = run(close === '"' ? QUOTED_RUN : BODY_RUN, code, at, end);
      atoms.push(text(plain, true));
      at += plain.length;
    }
  }
  if (close === '"') throw new Unreadable('a quote is not closed');
  return { atoms: joinTexts(atoms), end };
}

/** What begins with `$` or a backquote. */
export function readExpansion(
  source: Source,
  at: number,
  end: number,
  quoted: boolean,
): { atoms: Atom[]; end: number } {
  const { code } = source;
  const next = at + 1 < end ? code[at + 1]! : '';
  if (code[at] === '`' || (next === '(' && code[at + 2] !== '(')) {
    const command = source.nested(at);
    if (command?.kind !== 'command') throw new Unreadable('it has a command substitution');
    if (code[at] === '`' && code.slice(at, command.end).includes('\\'))
      throw new Unreadable('it has a backslash inside backquotes');
    return { atoms: [{ kind: 'command', body: command.body, quoted }], end: command.end };
  }
  if (next === '(') {
    const read = readArithmetic(code, at + 3, end, source);
    return { atoms: [{ kind: 'arithmetic', ...read.value, quoted }], end: read.end };
  }
  if (next === '{') {
    const read = readBraces(source, at + 2, end, quoted);
    // Two readers must agree on where it ends.
    if (source.nested(at)?.end !== read.end) throw new Unreadable('it has a variable in braces');
    return { atoms: [read.atom], end: read.end };
  }
  if (next === '[') {
    // The old form of `$((…))`; a bracket inside it would be that of a list.
    const inner = /^[\w\s+\-*/%<>=!&|^~?:,$]*(?=\])/.exec(code.slice(at + 2, Math.min(end, at + 200)))?.[0];
    if (inner === undefined) throw new Unreadable('it has arithmetic in brackets');
    return { atoms: [{ kind: 'arithmetic', ...arithmeticOf(inner), quoted }], end: at + inner.length + 3 };
  }
  if (!quoted && next === "'") {
    const read = decodeAnsiC(code, at + 2, end);
    return { atoms: [text(read.text, true)], end: read.end };
  }
  if (!quoted && next === '"') {
    const read = readQuoted(source, at + 2, end, '"');
    return { atoms: read.atoms.length > 0 ? read.atoms : [text('', true)], end: read.end + 1 };
  }
  const name = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(code.slice(at + 1, Math.min(end, at + 200)))?.[0];
  if (name === undefined) return { atoms: [text('$', quoted)], end: at + 1 };
  const many = name === '@' || name === '*' ? { many: true as const } : {};
  return { atoms: [{ kind: 'variable', name, quoted, ...many }], end: at + 1 + name.length };
}

/** Neighbouring texts of the same quoting become one, so that both readers give the same word. */
export function joinTexts(atoms: readonly Atom[]): Atom[] {
  const joined: Atom[] = [];
  for (const atom of atoms) {
    const last = joined.at(-1);
    if (atom.kind === 'text' && last?.kind === 'text' && last.quoted === atom.quoted)
      joined[joined.length - 1] = text(last.text + atom.text, atom.quoted);
    else joined.push(atom);
  }
  return joined;
}
