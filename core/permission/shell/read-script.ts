/**
 * Reads shell code by hand: lists and pipelines, compound commands, functions, substitutions, here-documents. It gives
 * what the grammar of bash gives, or nothing, and needs nothing loaded; what is rare or odd is left to the grammar.
 * Source: the shell grammar of POSIX and the manual of bash.
 */
import { attach } from './join-statements.ts';
import { readCompound } from './read-compound.ts';
import { fillHeredocs, type OpenHeredoc, readMark } from './read-mark.ts';
import { type Nested, readSimple, readWord, type Source } from './read-words.ts';
import { type Redirect, type SimpleCommand, type Statement, Unreadable } from './syntax.ts';

const MAX_NESTING = 60;
const WORD_END = /[\s;|&<>()]/;
/** `${…}` in the forms that can be read in no other way. */
const PARAMETER =
  /\$\{(?:#?\w+|[@*#?$-]|\w+\[[@*\d]\]|#\w+\[[@*]\]|\w+(?::?[-=+?]|%%?|##?|\/\/?|,,?|\^\^?)(?:[^\s'"`$\\{}()<>;&|!]|\$[A-Za-z_]\w*)*|\w+: ?-?\d+(?::-?\d+)?)\}/y;

/** The statements of a script, or an `Unreadable` where the grammar must read. */
export function readScript(code: string): readonly Statement[] {
  return new ScriptReader(code).whole();
}

/** How a list ends: with one of some words, or with a character, which is not read. */
type Ending = readonly string[];

/** Walks over one script; `at` is where it is, `limit` where it must stop. */
export class ScriptReader implements Source {
  readonly code: string;
  at = 0;
  limit: number;
  #depth = 0;
  /** Here-documents whose text begins behind the next line break. */
  open: OpenHeredoc[] = [];
  /** Substitutions that were read already: words are sometimes looked at twice. */
  readonly #read = new Map<number, Nested>();

  constructor(code: string) {
    this.code = code;
    this.limit = code.length;
  }

  whole(): readonly Statement[] {
    const statements = this.list([]);
    if (this.open.length > 0) throw new Unreadable('it has a here-document that does not end');
    return statements;
  }

  nested(at: number): Nested | undefined {
    let found = this.#read.get(at);
    if (!found) {
      found = this.#nested(at);
      if (found) this.#read.set(at, found);
    }
    return found;
  }

  heredoc(at: number, end: number): { value: Redirect; end: number } {
    const mark = readMark(this.code, at, end);
    this.open.push(mark);
    return { value: mark.redirect, end: mark.end };
  }

  #nested(at: number): Nested | undefined {
    const { code } = this;
    const two = code.slice(at, at + 2);
    if (two === '${') {
      PARAMETER.lastIndex = at;
      const found = PARAMETER.exec(code);
      return found ? { kind: 'parameter', end: at + found[0].length } : undefined;
    }
    if (two === '$(' || two === '<(' || two === '>(') {
      const read = this.#apart(at + 2, this.limit, () => this.closed(')', true));
      return { kind: two === '$(' ? 'command' : 'process', ...read };
    }
    if (code[at] === '`') {
      const close = code.indexOf('`', at + 1);
      // Backslashes and quotes in backquotes have rules of their own.
      if (close < 0 || /[\\"]/.test(code.slice(at, close))) return undefined;
      const read = this.#apart(at + 1, close, () => this.list([]));
      return { kind: 'command', body: read.body, end: close + 1 };
    }
    if (code[at] !== '(' || !/\w(\[[\w@-]+\])?\+?=$/.test(code.slice(Math.max(0, at - 200), at))) return undefined;
    let from = at + 1;
    while (from < this.limit && code[from] !== ')') {
      if (/\s/.test(code[from]!)) from++;
      else from = readWord(this, from, this.limit).end;
    }
    return from < this.limit ? { kind: 'array', end: from + 1 } : undefined;
  }

  /** Reads a stretch with here-documents of its own, and comes back. */
  #apart(start: number, limit: number, read: () => readonly Statement[]): { body: readonly Statement[]; end: number } {
    const outer = { at: this.at, limit: this.limit, open: this.open };
    if (++this.#depth > MAX_NESTING) throw new Unreadable('it is nested too deeply');
    this.at = start;
    this.limit = limit;
    this.open = [];
    const body = read();
    if (this.open.length > 0) throw new Unreadable('it has a here-document that does not end');
    const end = this.at;
    this.at = outer.at;
    this.limit = outer.limit;
    this.open = outer.open;
    this.#depth--;
    return { body, end };
  }

  /** Statements up to a closing mark, which is read. */
  closed(close: string, mayBeEmpty = false): readonly Statement[] {
    const body = this.list([close]);
    if (body.length === 0 && !mayBeEmpty) throw new Unreadable('it has a group without commands');
    this.at += close.length;
    return body;
  }

  /** Spaces and continued lines. */
  blank(): void {
    for (;;) {
      const c = this.code[this.at];
      if (this.at >= this.limit) return;
      if (c === ' ' || c === '\t') this.at++;
      else if (c === '\\' && this.code[this.at + 1] === '\n') this.at += 2;
      else return;
    }
  }

  /** Spaces, comments and line breaks; behind a line break stand the here-documents of the line. */
  lines(): void {
    for (;;) {
      this.blank();
      const c = this.at < this.limit ? this.code[this.at] : undefined;
      if (c === '#') {
        if (this.at > 0 && !/[\s;|&()`]/.test(this.code[this.at - 1]!))
          throw new Unreadable('it has a comment inside a word');
        while (this.at < this.limit && this.code[this.at] !== '\n') this.at++;
      } else if (c === '\n') this.#newline();
      else return;
    }
  }

  #newline(): void {
    this.at++;
    if (this.open.length === 0) return;
    const open = this.open;
    this.open = [];
    this.at = fillHeredocs(this, open, this.at, this.limit, (limit, read) => {
      const outer = this.limit;
      this.limit = limit;
      read();
      this.limit = outer;
    });
  }

  /** The keyword at this place, when it is one of some. */
  keyword(words: readonly string[]): string | undefined {
    return words.find((word) => {
      if (!this.code.startsWith(word, this.at)) return false;
      // A parenthesis or `;;` ends a word by itself.
      if (/^[);]/.test(word)) return true;
      const end = this.at + word.length;
      return end >= this.limit ? end === this.limit : WORD_END.test(this.code[end]!);
    });
  }

  expect(...words: string[]): string {
    this.lines();
    const found = this.keyword(words);
    if (found === undefined) throw new Unreadable(`it has no ${words[0]} where there must be one`);
    this.at += found.length;
    return found;
  }

  /** Statements up to an ending, which is not read; without one, up to the limit. */
  list(endings: Ending): readonly Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      this.lines();
      if (this.at >= this.limit) {
        if (endings.length > 0) throw new Unreadable(`it has no ${endings[0]} where there must be one`);
        return statements;
      }
      if (this.keyword(endings) !== undefined) return statements;
      const statement = this.#andOr();
      this.blank();
      const c = this.at < this.limit ? this.code[this.at] : undefined;
      const isCase = c === ';' && /[;&]/.test(this.code[this.at + 1] ?? '');
      if (c === '&') {
        this.at++;
        statements.push({ kind: 'background', body: statement });
        continue;
      }
      statements.push(statement);
      if (c === ';' && !isCase) this.at++;
      else if (c !== undefined && c !== '\n' && c !== '#' && this.keyword(endings) === undefined)
        throw new Unreadable('a command does not end where it seems to');
    }
  }

  /** Statements up to an ending, at least one. */
  filled(endings: Ending): readonly Statement[] {
    const body = this.list(endings);
    if (body.length === 0) throw new Unreadable('it has a form without commands');
    return body;
  }

  #andOr(): Statement {
    const items: Statement[] = [this.#pipeline()];
    const operators: ('&&' | '||')[] = [];
    for (;;) {
      this.blank();
      const two = this.code.slice(this.at, Math.min(this.limit, this.at + 2));
      if (two !== '&&' && two !== '||') break;
      this.at += 2;
      this.lines();
      operators.push(two);
      items.push(this.#pipeline());
    }
    return items.length > 1 ? { kind: 'and-or', items, operators } : items[0]!;
  }

  #pipeline(): Statement {
    this.blank();
    // `!` turns the answer of a pipeline round, and nothing else.
    if (this.code[this.at] === '!' && /[ \t]/.test(this.code[this.at + 1] ?? '')) {
      this.at++;
      this.blank();
      if (this.code[this.at] === '!') throw new Unreadable('it has two !');
    }
    // Of a command that is no simple one the shell itself tells the time.
    const time = /^time[ \t]+(?:-p[ \t]+)?(?=\((?!\()|\{\s)/.exec(this.code.slice(this.at, this.limit))?.[0];
    if (time !== undefined) this.at += time.length;
    const parts: Statement[] = [this.command()];
    for (;;) {
      this.blank();
      if (this.at >= this.limit || this.code[this.at] !== '|' || this.code[this.at + 1] === '|') break;
      this.at += this.code[this.at + 1] === '&' ? 2 : 1;
      this.lines();
      parts.push(this.command());
    }
    return parts.length > 1 ? { kind: 'pipeline', parts } : parts[0]!;
  }

  command(): Statement {
    this.blank();
    if (++this.#depth > MAX_NESTING) throw new Unreadable('it is nested too deeply');
    const statement = readCompound(this);
    this.#depth--;
    if (statement === undefined) {
      const read = this.simple('command');
      if (isEmpty(read)) throw new Unreadable('a command is missing');
      return read;
    }
    const behind = this.simple('words');
    if (behind.words.length > 0) throw new Unreadable('it has words behind a redirect that belong to nothing');
    if (statement.kind === 'function' && behind.redirects.length > 0)
      throw new Unreadable('it has a function that ada cannot read');
    return behind.redirects.reduce<Statement>(
      (inner, redirect) => attach(inner, { ...behind, redirects: [redirect] }),
      statement,
    );
  }

  simple(what: 'command' | 'words'): SimpleCommand {
    const read = readSimple(this, this.at, this.limit, true, what);
    this.at = read.end;
    return read.command;
  }
}

const isEmpty = ({ words, assignments, redirects }: SimpleCommand): boolean =>
  words.length + assignments.length + redirects.length === 0;
