/**
 * Reads a shell command as a list of simple commands, or says why it cannot be read. Only plain lists of words are read:
 * quotes without expansion, escapes, redirects, and the operators `&&`, `||`, `;`, `|`, `&` and newline. Everything whose
 * words are computed when it runs, or whose form is not known here, is refused, so that what is read is what will run.
 */

/** `>&` and `<&` copy a descriptor when the target is a number or `-`; `&>` and `>&` with a name take both outputs. */
export interface Redirect {
  op: '>' | '>>' | '<' | '<>' | '>|' | '&>' | '&>>' | '>&' | '<&';
  target: string;
  fd?: number;
}

export interface Assignment {
  name: string;
  value: string;
}

/** What stands after a simple command; empty at the end. */
export type Separator = '' | ';' | '&&' | '||' | '|' | '|&' | '&';

export interface SimpleCommand {
  words: string[];
  redirects: Redirect[];
  assignments: Assignment[];
  separator: Separator;
}

/** `reason` continues the sentence "the command cannot be read: …". */
export type Parsed = { ok: true; commands: SimpleCommand[] } | { ok: false; reason: string };

const KEYWORDS = new Set(
  'if then else elif fi for while until do done case esac select function coproc in [[ ]] repeat foreach end'.split(
    ' ',
  ),
);
/** Characters that are not seen or look like a space; line breaks and tabs are read. */
const INVISIBLE =
  /[\p{Cf}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0]|\u034f|[\u180b-\u180d]/u;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const MAX_LENGTH = 100_000;

class Unreadable extends Error {}

interface Word {
  text: string;
  /** Characters at the start that are neither quoted nor escaped. */
  plain: number;
  /** Has a `*`, `?` or `[` that the shell would expand. */
  glob: boolean;
  end: number;
}

/** Splits a command into simple commands. Never throws. */
export function parseCommand(source: string): Parsed {
  try {
    return { ok: true, commands: readList(source) };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reason: error.message };
    throw error;
  }
}

function readList(source: string): SimpleCommand[] {
  if (source.length > MAX_LENGTH) throw new Unreadable('it is too long');
  if (CONTROL.test(source)) throw new Unreadable('it has control characters');
  if (INVISIBLE.test(source)) throw new Unreadable('it has invisible characters');
  const commands: SimpleCommand[] = [];
  let current = emptyCommand();
  let at = 0;
  let dangling = false;

  const finish = (separator: Separator): void => {
    const isEmpty = current.words.length + current.redirects.length + current.assignments.length === 0;
    if (isEmpty) throw new Unreadable(`a command is missing before ${separator}`);
    current.separator = separator;
    commands.push(current);
    current = emptyCommand();
    dangling = separator === '&&' || separator === '||' || separator === '|' || separator === '|&';
  };
  const started = () => current.words.length + current.redirects.length + current.assignments.length > 0;

  while (at < source.length) {
    const c = source[at]!;
    if (c === ' ' || c === '\t') {
      at++;
    } else if (c === '\\' && source[at + 1] === '\n') {
      at += 2;
    } else if (c === '#') {
      while (at < source.length && source[at] !== '\n') at++;
    } else if (c === '\n') {
      if (started()) finish(';');
      at++;
    } else {
      const redirect = readRedirect(source, at);
      if (redirect) {
        current.redirects.push(redirect.value);
        at = redirect.end;
        continue;
      }
      const operator = /^(?:&&|\|\||;;|\|&|[;|&])/.exec(source.slice(at, at + 2))?.[0];
      if (operator === ';;') throw new Unreadable('it has a case list');
      if (operator) {
        finish(operator as Separator);
        at += operator.length;
        continue;
      }
      const word = readWord(source, at);
      addWord(current, word);
      at = word.end;
      dangling = false;
    }
  }
  if (started()) finish('');
  if (dangling) throw new Unreadable('it ends with an operator');
  return commands;
}

const emptyCommand = (): SimpleCommand => ({ words: [], redirects: [], assignments: [], separator: '' });

function addWord(command: SimpleCommand, word: Word): void {
  if (command.words.length === 0) {
    const assignment = /^([A-Za-z_]\w*)\+?=/.exec(word.text);
    if (assignment && assignment[0].length <= word.plain) {
      command.assignments.push({ name: assignment[1]!, value: word.text.slice(assignment[0].length) });
      return;
    }
    if (/^[A-Za-z_]\w*\[.*\]\+?=/s.test(word.text)) throw new Unreadable('it assigns to an array element');
    if (word.plain === word.text.length && KEYWORDS.has(word.text)) {
      throw new Unreadable(`it uses the shell keyword ${word.text}`);
    }
    if (word.text === '!') throw new Unreadable('it negates a command with !');
    if (word.glob && word.text !== '[') throw new Unreadable('the program is named by a pattern');
    if (/[^\x20-\x7e]/.test(word.text)) throw new Unreadable('the program has letters that can be mistaken for others');
  }
  command.words.push(word.text);
}

function readRedirect(source: string, start: number): { value: Redirect; end: number } | undefined {
  const match = /^(\d*)(&>>|&>|<<<|<<|<>|<&|<|>>|>\||>&|>)/.exec(source.slice(start, start + 8));
  if (!match) return undefined;
  const op = match[2]!;
  let at = start + match[0].length;
  if (op.startsWith('<<')) throw new Unreadable('it has a here-document');
  if (source[at] === '(') throw new Unreadable('it has a process substitution');
  while (source[at] === ' ' || source[at] === '\t') at++;
  if (at >= source.length || /[\n;|&<>()#]/.test(source[at]!)) throw new Unreadable('a redirect has no target');
  const word = readWord(source, at);
  if (word.glob) throw new Unreadable('a redirect goes to a pattern');
  const fd = match[1] === '' ? {} : { fd: Number(match[1]) };
  return { value: { op: op as Redirect['op'], target: word.text, ...fd }, end: word.end };
}

function readWord(source: string, start: number): Word {
  let text = '';
  let plain = -1;
  let glob = false;
  let at = start;
  const quoted = () => {
    if (plain < 0) plain = text.length;
  };
  while (at < source.length) {
    const c = source[at]!;
    if (/[\s;|&<>]/.test(c)) break;
    if (c === "'") {
      quoted();
      const end = source.indexOf("'", at + 1);
      if (end < 0) throw new Unreadable('a quote is not closed');
      text += source.slice(at + 1, end);
      at = end + 1;
    } else if (c === '"') {
      quoted();
      const part = readDoubleQuoted(source, at + 1);
      text += part.text;
      at = part.end;
    } else if (c === '\\') {
      if (at + 1 >= source.length) throw new Unreadable('it ends with a backslash');
      if (source[at + 1] !== '\n') {
        quoted();
        text += source[at + 1];
      }
      at += 2;
    } else if (c === '`') {
      throw new Unreadable('it has a command substitution');
    } else if (c === '$') {
      const next = source[at + 1];
      if (next !== undefined && !/[\s;|&]/.test(next)) throw new Unreadable(expansionReason(next));
      text += c;
      at++;
    } else if (c === '(' || c === ')') {
      throw new Unreadable('it has parentheses');
    } else if (c === '{' || c === '}') {
      const group = /^\{[\w-]*\}/.exec(source.slice(at, at + 80))?.[0];
      // `{}` of find and `HEAD@{1}` of git stand for themselves; a comma or `..` would make several words of one.
      if (!group || (group !== '{}' && text === '')) throw new Unreadable('it has braces');
      text += group;
      at += group.length;
    } else {
      if (c === '*' || c === '?' || c === '[') glob = true;
      text += c;
      at++;
    }
  }
  return { text, plain: plain < 0 ? text.length : plain, glob, end: at };
}

function readDoubleQuoted(source: string, start: number): { text: string; end: number } {
  let text = '';
  let at = start;
  while (at < source.length) {
    const c = source[at]!;
    if (c === '"') return { text, end: at + 1 };
    if (c === '`') throw new Unreadable('it has a command substitution');
    if (c === '$') {
      const next = source[at + 1] ?? '';
      if (!/["\s\\|).,:;%/^=~+&>]/.test(next)) throw new Unreadable(expansionReason(next));
      text += c;
      at++;
    } else if (c === '\\' && /[$`"\\\n]/.test(source[at + 1] ?? '')) {
      if (source[at + 1] !== '\n') text += source[at + 1];
      at += 2;
    } else {
      text += c;
      at++;
    }
  }
  throw new Unreadable('a quote is not closed');
}

function expansionReason(next: string): string {
  if (next === '(') return 'it has a command substitution';
  if (next === "'" || next === '"') return 'it has a quote with escapes';
  return 'it uses a variable';
}
