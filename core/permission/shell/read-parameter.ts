/** Reads `${…}`. What names another variable by its value, or changes how text is read, is refused. */
import { joinTexts, readExpansion, readQuoted, type Source } from './read-words.ts';
import { type Atom, text, Unreadable, type Word } from './syntax.ts';

/** `start` is behind `${`. */
export function readBraces(source: Source, start: number, end: number, quoted: boolean): { atom: Atom; end: number } {
  const { code } = source;
  // The keys of a list, or names that begin alike: no value of one of them.
  const keys = /^!([A-Za-z_]\w*)(?:\[[@*]\]|[@*])\}/.exec(code.slice(start, Math.min(end, start + 200)));
  if (keys)
    return {
      atom: { kind: 'variable', name: keys[1]!, quoted, many: true, derived: true },
      end: start + keys[0].length,
    };
  const length = code[start] === '#' && code[start + 1] !== '}';
  const from = length ? start + 1 : start;
  const name = /^(?:[A-Za-z_]\w*|\d+|[@*#?$!-])/.exec(code.slice(from, Math.min(end, from + 200)))?.[0];
  if (name === undefined || name === '!') throw new Unreadable('it names a variable by the value of another');
  let at = from + name.length;
  let many = name === '@' || name === '*';
  let derived = false;
  if (code[at] === '[') {
    const index = /^\[([\w@*]|\$?\w+)\]/.exec(code.slice(at, Math.min(end, at + 100)));
    if (!index) throw new Unreadable('it has an array whose index is computed');
    // An index that is a variable is itself worked out as arithmetic.
    if (/^\$?[A-Za-z_]/.test(index[1]!)) throw new Unreadable('it has an array whose index is computed');
    many ||= index[1] === '@' || index[1] === '*';
    derived = true;
    at += index[0].length;
  }
  const flags = { ...(many ? { many: true as const } : {}), ...(derived ? { derived: true as const } : {}) };
  if (code[at] === '}') {
    if (length) return { atom: { kind: 'arithmetic', names: [], sets: [], quoted }, end: at + 1 };
    return { atom: { kind: 'variable', name, quoted, ...flags }, end: at + 1 };
  }
  if (length) throw new Unreadable('it has a length that is not known');
  const how = /^:?([-=+?])/.exec(code.slice(at, at + 2));
  if (how) {
    const read = readFallback(source, at + how[0].length, end, quoted);
    const fallback = { how: how[1] as '-' | '=' | '+' | '?', word: read.word };
    return { atom: { kind: 'variable', name, quoted, ...flags, fallback }, end: read.end };
  }
  const close = findClose(code, at, end);
  const rest = code.slice(at, close);
  if (quoted && /['"]/.test(rest)) throw new Unreadable('it has quotes inside a quoted variable');
  if (/^@/.test(rest)) throw new Unreadable('it has a variable that is read anew');
  const cuts = /^:(?![-=+?])/.test(rest);
  if (cuts && !/^:\s*-?\d*\s*(:\s*-?\d*\s*)?$/.test(rest.replace(/^: -/, ':-')))
    throw new Unreadable('it has a part of a variable that is computed');
  if (!cuts && !/^[#%/^,]/.test(rest)) throw new Unreadable('it has a variable with an operator that is not known');
  if (/`|\$\(/.test(rest)) throw new Unreadable('it has a command substitution inside a variable');
  const change = cuts || many || derived || /[$'"\\`]/.test(rest) ? {} : { change: rest };
  return { atom: { kind: 'variable', name, quoted, ...flags, derived: true, ...change }, end: close + 1 };
}

function readFallback(source: Source, start: number, end: number, quoted: boolean): { word: Word; end: number } {
  const { code } = source;
  const atoms: Atom[] = [];
  let at = start;
  while (at < end) {
    const c = code[at]!;
    if (c === '}') return { word: joinTexts(atoms), end: at + 1 };
    if (c === '`' || c === '$') {
      const read = readExpansion(source, at, end, quoted);
      atoms.push(...read.atoms);
      at = read.end;
    } else if (c === '"') {
      const read = readQuoted(source, at + 1, end, '"');
      atoms.push(...read.atoms);
      at = read.end + 1;
    } else if (c === "'" && !quoted) {
      const close = code.indexOf("'", at + 1);
      if (close < 0) throw new Unreadable('a quote is not closed');
      atoms.push(text(code.slice(at + 1, close), true));
      at = close + 1;
    } else if (c === '\\') {
      atoms.push(text(code[at + 1] ?? '', true));
      at += 2;
    } else if (/[\s<>(){]/.test(c) && !quoted) throw new Unreadable('it has a default that cannot be read');
    else {
      atoms.push(text(c, quoted));
      at++;
    }
  }
  throw new Unreadable('a brace is not closed');
}

function findClose(code: string, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const c = code[at];
    if (c === '\\') at++;
    else if (c === "'" || c === '"') {
      const close = code.indexOf(c, at + 1);
      if (close < 0) break;
      at = close;
    } else if (c === '{') depth++;
    else if (c === '}' && depth-- === 0) return at;
  }
  throw new Unreadable('a brace is not closed');
}
