/** `call:name{key:value,…}` of Gemma 4 and FunctionGemma; strings stand between `<|"|>` or `<escape>`. */
import { nameAt, type RawCall, skipSpace } from './family.ts';
import { plainName } from './json-calls.ts';
import { readJson } from './read-json.ts';

export type GemmaReading = { call: RawCall; end: number } | 'open' | 'broken';

const QUOTES = ['<|"|>', '<escape>'];
const CALL = 'call:';

/** Reads one call at `at`. `ended`: a string that never closes ends before the last bracket. */
export function readGemmaCall(text: string, start: number, ended: boolean): GemmaReading {
  let at = skipSpace(text, start);
  if (CALL.startsWith(text.slice(at, at + CALL.length)) && text.length - at < CALL.length) return 'open';
  if (!text.startsWith(CALL, at)) return 'broken';
  at = skipSpace(text, at + CALL.length);
  const name = nameAt(text, at);
  at = skipSpace(text, at + name.length);
  if (at >= text.length) return 'open';
  if (!name || text[at] !== '{') return 'broken';
  const reader = new Reader(text, at, ended);
  try {
    const input = reader.object(0);
    const raw = text.slice(at, reader.at);
    return { call: { name: plainName(name), arguments: input, raw }, end: reader.at };
  } catch (signal) {
    if (signal === 'open' || signal === 'broken') return signal;
    throw signal;
  }
}

class Reader {
  readonly text: string;
  readonly ended: boolean;
  at: number;

  constructor(text: string, at: number, ended: boolean) {
    this.text = text;
    this.at = at;
    this.ended = ended;
  }

  next(): string {
    this.at = skipSpace(this.text, this.at);
    if (this.at >= this.text.length) throw 'open';
    return this.text[this.at]!;
  }

  object(depth: number): Record<string, unknown> {
    if (depth > 100) throw 'broken';
    const result: Record<string, unknown> = {};
    this.at++;
    while (this.next() !== '}') {
      const key = this.key();
      if (this.next() !== ':') throw 'broken';
      this.at++;
      const value = this.value(depth);
      Object.defineProperty(result, key, { value, writable: true, enumerable: true, configurable: true });
      this.comma('}');
    }
    this.at++;
    return result;
  }

  list(depth: number): unknown[] {
    if (depth > 100) throw 'broken';
    const result: unknown[] = [];
    this.at++;
    while (this.next() !== ']') {
      result.push(this.value(depth));
      this.comma(']');
    }
    this.at++;
    return result;
  }

  comma(closer: string): void {
    const after = this.next();
    if (after === ',') this.at++;
    else if (after !== closer) throw 'broken';
  }

  key(): string {
    const quoted = this.quoted();
    if (quoted !== undefined) return quoted;
    const key = /^["']?([\w.$-]+)["']?/.exec(this.text.slice(this.at, this.at + 100));
    if (!key) throw this.text.length - this.at < 2 ? 'open' : 'broken';
    this.at += key[0].length;
    return key[1]!;
  }

  value(depth: number): unknown {
    const first = this.next();
    const quoted = this.quoted();
    if (quoted !== undefined) return quoted;
    if (first === '{') return this.object(depth + 1);
    if (first === '[') return this.list(depth + 1);
    if (first === '"') {
      const reading = readJson(this.text, this.at);
      if (typeof reading === 'string') throw reading;
      this.at = reading.end;
      return reading.value;
    }
    return this.plain();
  }

  /** Text between the family's own quotes, which nothing escapes. */
  quoted(): string | undefined {
    const { text } = this;
    const quote = QUOTES.find((one) => text.startsWith(one, this.at));
    if (quote === undefined) {
      if (QUOTES.some((one) => one.startsWith(text.slice(this.at)))) throw 'open';
      return undefined;
    }
    const from = this.at + quote.length;
    const end = text.indexOf(quote, from);
    if (end >= 0) {
      this.at = end + quote.length;
      return text.slice(from, end);
    }
    if (!this.ended) throw 'open';
    // Only one reading is left: the last property runs up to the last bracket.
    const last = text.lastIndexOf('}');
    if (last < from) throw 'open';
    this.at = last;
    return text.slice(from, last);
  }

  /** A number, a word of JSON, or text without quotes. */
  plain(): unknown {
    const found = /^[^,{}[\]\n]*/.exec(this.text.slice(this.at))![0];
    if (this.at + found.length >= this.text.length) throw 'open';
    this.at += found.length;
    const word = found.trim();
    if (word === '') throw 'broken';
    const reading = readJson(word);
    return typeof reading === 'object' && reading.end === word.length ? reading.value : word;
  }
}
