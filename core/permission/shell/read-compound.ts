/** Reads the compound commands of bash: groups, tests, branches, loops, `case`, `coproc`, functions. */
import { arithmeticOf, readArithmetic } from './quotes.ts';
import type { ScriptReader } from './read-script.ts';
import { findTestEnd, readTest } from './read-test.ts';
import { KEYWORDS, readWord } from './read-words.ts';
import { type Branch, plainText, type SimpleCommand, type Statement, text, Unreadable, type Word } from './syntax.ts';

const COMPOUND = ['{', '[[', 'if', 'while', 'until', 'for', 'select', 'case', 'coproc'];
const FUNCTION = /(?:function[ \t]+([\w.:-]+)(?:[ \t]*\([ \t]*\))?|([\w.:-]+)[ \t]*\([ \t]*\))[ \t\n]*(?=[({])/y;
const CASE_PATTERN = /^\(?(?:[^()`$<>;&\n\\"'#]|"[^"`$\\\n]*"|'[^'\n]*'|\\[^\n])+\)/;

/** What begins with a keyword or a parenthesis; undefined where a simple command stands. */
export function readCompound(walker: ScriptReader): Statement | undefined {
  const { code } = walker;
  const c = code[walker.at];
  if (c === '(') {
    if (code[walker.at + 1] === '(') {
      const read = readArithmetic(code, walker.at + 2, walker.limit);
      walker.at = read.end;
      return { kind: 'arithmetic', ...read.value };
    }
    walker.at++;
    return { kind: 'subshell', body: walker.closed(')') };
  }
  const keyword = walker.keyword(COMPOUND);
  if (keyword === undefined) return readFunction(walker);
  walker.at += keyword.length;
  if (!/\s/.test(code[walker.at] ?? '') && keyword !== 'for')
    throw new Unreadable(`it uses the shell keyword ${keyword}`);
  switch (keyword) {
    case '{':
      return { kind: 'group', body: walker.closed('}') };
    case '[[': {
      const end = findTestEnd(walker, walker.at, walker.limit);
      const test = readTest(walker, walker.at, end);
      walker.at = end + 2;
      return test;
    }
    case 'if':
      return readIf(walker);
    case 'while':
    case 'until': {
      const condition = walker.filled(['do']);
      return { kind: 'loop', condition, body: readDoGroup(walker) };
    }
    case 'for':
      walker.blank();
      return code.startsWith('((', walker.at) ? readCount(walker) : readForEach(walker, false);
    case 'select':
      return readForEach(walker, true);
    case 'case':
      return readCase(walker);
    default:
      return readCoproc(walker);
  }
}

function readDoGroup(walker: ScriptReader): Statement {
  walker.expect('do');
  const body = walker.filled(['done']);
  walker.expect('done');
  return { kind: 'group', body };
}

function readIf(walker: ScriptReader): Statement {
  const branches: Branch[] = [];
  for (;;) {
    const condition = walker.filled(['then']);
    walker.expect('then');
    branches.push({ condition, body: walker.filled(['elif', 'else', 'fi']) });
    const next = walker.expect('elif', 'else', 'fi');
    if (next === 'elif') continue;
    if (next === 'else') {
      branches.push({ condition: [], body: walker.filled(['fi']), otherwise: true });
      walker.expect('fi');
    }
    return { kind: 'branches', about: [], branches };
  }
}

function readForEach(walker: ScriptReader, chosen: boolean): Statement {
  walker.blank();
  const variable = /^[A-Za-z_]\w*(?=[\s;])/.exec(walker.code.slice(walker.at, walker.at + 200))?.[0];
  if (variable === undefined) throw new Unreadable('it has a loop that ada does not know');
  walker.at += variable.length;
  walker.lines();
  let values: readonly Word[] | undefined;
  if (walker.keyword(['in']) && /[ \t]/.test(walker.code[walker.at + 2] ?? '')) {
    walker.at += 2;
    const read = walker.simple('words');
    if (read.redirects.length > 0) throw new Unreadable('it has a loop that ada does not know');
    values = read.words;
  }
  walker.blank();
  if (walker.code[walker.at] === ';') walker.at++;
  const body = readDoGroup(walker);
  const loop = { kind: 'loop' as const, variable, ...(values ? { values } : {}), body };
  if (!chosen) return { ...loop, condition: [] };
  // Somebody chooses: one of the values, or none; what was typed is in REPLY.
  const ask: SimpleCommand = {
    kind: 'command',
    words: [[text('read')], [text('REPLY')]],
    assignments: [],
    redirects: [],
  };
  return { ...loop, ...(values ? { values: [...values, [text('', true)]] } : {}), condition: [ask] };
}

/** `for ((first; condition; step))`. */
function readCount(walker: ScriptReader): Statement {
  const close = walker.code.indexOf('))', walker.at);
  const parts = close < 0 || close >= walker.limit ? [] : walker.code.slice(walker.at + 2, close).split(';');
  if (parts.length !== 3) throw new Unreadable('it has a loop that ada does not know');
  walker.at = close + 2;
  walker.blank();
  if (walker.code[walker.at] === ';') walker.at++;
  const condition: Statement = { kind: 'arithmetic', ...arithmeticOf(parts.slice(1).join(',')) };
  const loop: Statement = { kind: 'loop', condition: [condition], body: readDoGroup(walker) };
  return { kind: 'group', body: [{ kind: 'arithmetic', ...arithmeticOf(parts[0]!) }, loop] };
}

function readCase(walker: ScriptReader): Statement {
  walker.blank();
  const value = readWord(walker, walker.at, walker.limit);
  walker.at = value.end;
  walker.expect('in');
  const items: { body: readonly Statement[]; end: string }[] = [];
  for (;;) {
    walker.lines();
    if (walker.keyword(['esac'])) break;
    const ahead = walker.code.slice(walker.at, Math.min(walker.limit, walker.at + 500));
    const pattern = CASE_PATTERN.exec(ahead)?.[0];
    if (pattern === undefined || /[<>`$]/.test(pattern))
      throw new Unreadable('it has a case whose pattern is computed');
    walker.at += pattern.length;
    const body = walker.list([';;', ';&', 'esac']);
    const end = /^(?:;;&|;;|;&)/.exec(walker.code.slice(walker.at, Math.min(walker.limit, walker.at + 3)))?.[0] ?? '';
    walker.at += end.length;
    items.push({ body, end });
  }
  walker.expect('esac');
  // From the end: `;&` runs on into the next body, `;;&` looks at the patterns behind it too.
  let branches: Branch[] = [];
  for (const { body, end } of items.reverse()) {
    const next = branches[0];
    const more: readonly Statement[] =
      next === undefined || (end !== ';&' && end !== ';;&')
        ? []
        : end === ';&'
          ? next.body
          : [{ kind: 'branches', about: [], branches }];
    branches = [{ condition: [], body: [...body, ...more] }, ...branches];
  }
  return { kind: 'branches', about: [value.word], branches };
}

/** A process beside the shell, at the two ends of a pipe. */
function readCoproc(walker: ScriptReader): Statement {
  walker.blank();
  const name = /^[A-Za-z_]\w*[ \t]+(?=[({])/.exec(walker.code.slice(walker.at, walker.at + 200))?.[0];
  if (name !== undefined) walker.at += name.length;
  const body = walker.command();
  // Behind a name bash looks for keywords once more.
  if (body.kind === 'command' && KEYWORDS.has(plainText(body.words[1] ?? []) ?? ''))
    throw new Unreadable('it has a coproc that ada cannot read');
  return { kind: 'background', body };
}

function readFunction(walker: ScriptReader): Statement | undefined {
  FUNCTION.lastIndex = walker.at;
  const found = FUNCTION.exec(walker.code);
  if (!found || walker.at + found[0].length >= walker.limit) return undefined;
  const name = found[1] ?? found[2]!;
  if (KEYWORDS.has(name)) throw new Unreadable(`it uses the shell keyword ${name}`);
  // A line break could be followed by a here-document.
  if (found[0].includes('\n') && walker.open.length > 0) throw new Unreadable('it has a function that ada cannot read');
  walker.at += found[0].length;
  const body = readCompound(walker);
  if (body?.kind !== 'group' && body?.kind !== 'subshell')
    throw new Unreadable('it has a function that ada cannot read');
  return { kind: 'function', name, body };
}
