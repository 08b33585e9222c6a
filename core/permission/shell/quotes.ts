/** Parts of words with a grammar of their own: `$'…'` and arithmetic. */
import type { Source } from './read-words.ts';
import { type Statement, Unreadable } from './syntax.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/** Decodes `$'…'`; `start` is behind the opening quote. */
export function decodeAnsiC(code: string, start: number, end: number): { text: string; end: number } {
  let text = '';
  let at = start;
  while (at < end) {
    const c = code[at]!;
    if (c === "'") return { text, end: at + 1 };
    if (c !== '\\') {
      text += c;
      at++;
      continue;
    }
    const rest = code.slice(at + 1, Math.min(end, at + 12));
    const numeric =
      /^(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))/.exec(rest) ?? /^()()()([0-7]{1,3})/.exec(rest);
    if (numeric) {
      const value =
        numeric[4] === undefined ? parseInt(numeric[1] ?? numeric[2] ?? numeric[3]!, 16) : parseInt(numeric[4], 8);
      // Bytes above 127 are pieces of characters; what they make together is not worked out.
      if (value === 0 || value > 0x10ffff || (value > 127 && numeric[2] === undefined && numeric[3] === undefined))
        throw new Unreadable('it has a quote with bytes that are no text');
      text += String.fromCodePoint(value);
      at += 1 + numeric[0].length;
    } else {
      const plain = ESCAPES[rest[0] ?? ''];
      if (plain === undefined) throw new Unreadable('it has a quote with an escape that is not known');
      text += plain;
      at += 2;
    }
  }
  throw new Unreadable('a quote is not closed');
}

export interface Arithmetic {
  names: readonly string[];
  sets: readonly string[];
  /** Commands whose output is counted with; absent: none. */
  bodies?: readonly (readonly Statement[])[];
}

/**
 * Reads arithmetic up to `))`; `start` is behind `((`. Brackets inside it could run code, and are not read; nor are
 * commands, but with a `source` that reads them.
 */
export function readArithmetic(
  code: string,
  start: number,
  end: number,
  source?: Source,
): { value: Arithmetic; end: number } {
  let depth = 0;
  let at = start;
  let text = '';
  let from = start;
  const bodies: (readonly Statement[])[] = [];
  for (; at < end; at++) {
    const nested = source && code.startsWith('$(', at) && code[at + 2] !== '(' ? source.nested(at) : undefined;
    if (nested?.kind === 'command') {
      // Beside a name it would be part of the name.
      if (/[\w$\])}]/.test(code[at - 1]!) || /[\w$({]/.test(code[nested.end] ?? ''))
        throw new Unreadable('it has arithmetic that may run commands');
      bodies.push(nested.body);
      text += `${code.slice(from, at)}0`;
      from = nested.end;
      at = nested.end - 1;
    } else if (code[at] === '(') depth++;
    else if (code[at] === ')' && depth > 0) depth--;
    else if (code[at] === ')') break;
  }
  if (code[at] !== ')' || code[at + 1] !== ')' || at + 1 >= end) throw new Unreadable('arithmetic is not closed');
  const value = arithmeticOf(text + code.slice(from, at));
  return { value: bodies.length > 0 ? { ...value, bodies } : value, end: at + 2 };
}

/** The names in plain arithmetic. */
export function arithmeticOf(text: string): Arithmetic {
  const plain = text
    .replace(/\$\{(\w+)\}/g, '$1')
    .replace(/\$(?=\w)/g, '')
    .replace(/\$[#?]/g, '0');
  if (!/^[\w\s+\-*/%()<>=!&|^~?:,#]*$/.test(plain)) throw new Unreadable('it has arithmetic that may run commands');
  const names = [...new Set(plain.match(/(?<![\w#])[A-Za-z_]\w*/g) ?? [])];
  const sets = names.filter((name) =>
    new RegExp(`(\\+\\+|--)\\s*${name}\\b|\\b${name}\\s*(\\+\\+|--|(<<|>>|[-+*/%&|^])?=(?!=))`).test(plain),
  );
  return { names, sets };
}
