/** `value` and the offset behind it; `open`: the text ended inside it; `broken`: no reading is certain. */
export type JsonReading = { value: unknown; end: number } | 'open' | 'broken';

/** Deeper nesting than any arguments have; guards the stack. */
const DEEPEST = 200;

const WORDS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
];
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' };
const BARE_KEY = /[A-Za-z_$][\w$-]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Reads one JSON value at `at`, with the mistakes of models that have a single meaning: line breaks inside strings, a
 * comma before a closing bracket, Python's words and quotes, `\d` where `\\d` was meant, a key without quotes. Everything
 * else is broken.
 */
export function readJson(text: string, at = 0): JsonReading {
  const reader = new Reader(text, at);
  try {
    const value = reader.value(0);
    return { value, end: reader.at };
  } catch (signal) {
    if (signal === 'open' || signal === 'broken') return signal;
    throw signal;
  }
}

class Reader {
  readonly text: string;
  at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  value(depth: number): unknown {
    if (depth > DEEPEST) throw 'broken';
    const first = this.next();
    if (first === '{') return this.object(depth);
    if (first === '[') return this.list(depth);
    if (first === '"' || first === "'") return this.string(first);
    return this.plain();
  }

  /** The next character that is no space, not taken. */
  next(): string {
    while (this.at < this.text.length && ' \t\r\n'.includes(this.text[this.at]!)) this.at++;
    if (this.at >= this.text.length) throw 'open';
    return this.text[this.at]!;
  }

  object(depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    this.at++;
    for (;;) {
      const quote = this.next();
      if (quote === '}') break;
      const key = quote === '"' || quote === "'" ? this.string(quote) : this.bareKey();
      if (this.next() !== ':') throw 'broken';
      this.at++;
      const value = this.value(depth + 1);
      // `__proto__` stays an ordinary key.
      Object.defineProperty(result, key, { value, writable: true, enumerable: true, configurable: true });
      const after = this.next();
      if (after === '}') break;
      if (after !== ',') throw 'broken';
      this.at++;
    }
    this.at++;
    return result;
  }

  bareKey(): string {
    BARE_KEY.lastIndex = this.at;
    const key = BARE_KEY.exec(this.text)?.[0];
    if (key === undefined) throw 'broken';
    this.at += key.length;
    return key;
  }

  list(depth: number): unknown[] {
    const result: unknown[] = [];
    this.at++;
    for (;;) {
      if (this.next() === ']') break;
      result.push(this.value(depth + 1));
      const after = this.next();
      if (after === ']') break;
      if (after !== ',') throw 'broken';
      this.at++;
    }
    this.at++;
    return result;
  }

  string(quote: string): string {
    const { text } = this;
    let result = '';
    let from = ++this.at;
    for (;;) {
      if (this.at >= text.length) throw 'open';
      const char = text[this.at]!;
      if (char === quote) break;
      if (char !== '\\') {
        this.at++;
        continue;
      }
      result += text.slice(from, this.at) + this.escape();
      from = this.at;
    }
    result += text.slice(from, this.at++);
    return result;
  }

  escape(): string {
    const { text } = this;
    if (this.at + 1 >= text.length) throw 'open';
    const char = text[this.at + 1]!;
    if (char === 'u') {
      const hex = text.slice(this.at + 2, this.at + 6);
      if (/^[\da-fA-F]{4}$/.test(hex)) {
        this.at += 6;
        return String.fromCharCode(Number.parseInt(hex, 16));
      }
      throw text.length < this.at + 6 && /^[\da-fA-F]*$/.test(hex) ? 'open' : 'broken';
    }
    this.at += 2;
    if (char === "'") return "'";
    return Object.hasOwn(ESCAPES, char) ? ESCAPES[char]! : `\\${char}`;
  }

  plain(): unknown {
    const { text } = this;
    for (const [word, value] of WORDS) {
      if (text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
      if (text.length - this.at < word.length && word.startsWith(text.slice(this.at))) throw 'open';
    }
    NUMBER.lastIndex = this.at;
    const number = NUMBER.exec(text)?.[0];
    if (number === undefined) throw text.slice(this.at) === '-' ? 'open' : 'broken';
    this.at += number.length;
    if (this.at < text.length && /[\w.+-]/.test(text[this.at]!)) {
      // `1.` and `1e` may still become numbers.
      throw /^(?:\.|[eE][+-]?)$/.test(text.slice(this.at)) ? 'open' : 'broken';
    }
    return Number(number);
  }
}
