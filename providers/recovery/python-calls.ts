/** `name(key=value, …)` with Python's literals: LFM2, OLMo, Llama and Gemma in code blocks. */
import { isBeginning, nameAt, type RawCall, skipSpace } from './family.ts';
import { plainName } from './json-calls.ts';
import { readJson } from './read-json.ts';

export type PythonReading = { calls: RawCall[]; end: number } | 'open' | 'broken';

/** Reads one call or a list of calls, with or without brackets, as long as calls follow each other. */
export function readPythonCalls(text: string, start = 0): PythonReading {
  const calls: RawCall[] = [];
  let at = skipSpace(text, start);
  const bracketed = text[at] === '[';
  if (bracketed) at = skipSpace(text, at + 1);
  for (;;) {
    const one = readPythonCall(text, at);
    if (typeof one === 'string') return calls.length && !bracketed && one === 'broken' ? { calls, end: at } : one;
    calls.push(one.call);
    let next = skipSpace(text, one.end);
    if (bracketed) {
      if (next >= text.length) return 'open';
      if (text[next] === ']') return { calls, end: next + 1 };
      if (text[next] !== ',') return 'broken';
      at = skipSpace(text, next + 1);
      if (text[at] === ']') return { calls, end: at + 1 };
      continue;
    }
    while (text[next] === ',' || text[next] === ';') next = skipSpace(text, next + 1);
    NAME_CALL.lastIndex = next;
    if (!NAME_CALL.test(text))
      return next < text.length && PART.test(text.slice(next)) ? 'open' : { calls, end: one.end };
    at = next;
  }
}

const NAME_CALL = /[A-Za-z_][\w.]*\(/y;
/** The text ends in what may be the name of a further call. */
const PART = /^[A-Za-z_][\w.]*$/;
const KEY = /([A-Za-z_]\w*)\s*=(?!=)\s*/y;

function readPythonCall(text: string, start: number): { call: RawCall; end: number } | 'open' | 'broken' {
  const name = nameAt(text, start);
  let at = start + name.length;
  if (!name) return at >= text.length ? 'open' : 'broken';
  if (at >= text.length) return 'open';
  if (text[at] !== '(') return 'broken';
  const input: Record<string, unknown> = {};
  at++;
  for (;;) {
    at = skipSpace(text, at);
    if (at >= text.length) return 'open';
    if (text[at] === ')') break;
    KEY.lastIndex = at;
    const key = KEY.exec(text);
    if (!key) return /^[A-Za-z_]\w*\s*=?\s*$/.test(text.slice(at, at + 100)) ? 'open' : 'broken';
    at += key[0].length;
    const value = readLiteral(text, at);
    if (typeof value === 'string') return value;
    input[key[1]!] = value.value;
    at = skipSpace(text, value.end);
    if (at >= text.length) return 'open';
    if (text[at] === ')') break;
    if (text[at] !== ',') return 'broken';
    at++;
  }
  return { call: { name: plainName(name), arguments: input, raw: text.slice(start, at + 1) }, end: at + 1 };
}

const TRIPLE = ['"""', "'''"];

function readLiteral(text: string, at: number): { value: unknown; end: number } | 'open' | 'broken' {
  if (isBeginning(TRIPLE, text, at)) return 'open';
  const triple = TRIPLE.find((quote) => text.startsWith(quote, at));
  if (!triple) return readJson(text, at);
  const end = text.indexOf(triple, at + 3);
  return end < 0 ? 'open' : { value: text.slice(at + 3, end), end: end + 3 };
}
