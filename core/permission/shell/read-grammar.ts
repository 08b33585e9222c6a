/**
 * Reads a command with the grammar of bash (tree-sitter). The tree says where statements begin and end; words are read by
 * the same code as in plain lists. What the tree does not account for to the last character is refused.
 */
import type { Node } from 'web-tree-sitter';
import { attach, EMPTY, join, lastCommand } from './join-statements.ts';
import { grammarParser } from './load-grammar.ts';
import { arithmeticOf } from './quotes.ts';
import { readHeredoc } from './read-heredoc.ts';
import { readTest } from './read-test.ts';
import { type Nested, readSimple, readWord, type Source } from './read-words.ts';
import { type Branch, type Statement, Unreadable, type Word } from './syntax.ts';

/** The statements of a command; throws `Unreadable`. */
export function readGrammar(code: string): readonly Statement[] {
  const tree = grammarParser().parse(code);
  if (!tree) throw new Unreadable('the grammar gives nothing');
  try {
    if (tree.rootNode.hasError) throw new Unreadable('it is not a whole command, or has a form that ada does not know');
    return new TreeReader(code, tree.rootNode).whole();
  } finally {
    tree.delete();
  }
}

const SEPARATORS = new Set([';', '\n', '&']);

const PLACES = ['command_substitution', 'process_substitution', 'array', 'expansion'];
const KEYWORDS = 'if then elif else fi for in do done while until case esac function'.split(' ');

/** The character in front of an index, or behind it; a continued line is nothing at all, the ends count as line ends. */
function before(code: string, at: number): string {
  return code.slice(Math.max(0, at - 2), at) === '\\\n' ? before(code, at - 2) : (code[at - 1] ?? '\n');
}
function after(code: string, at: number): string {
  return code.startsWith('\\\n', at) ? after(code, at + 2) : (code[at] ?? '\n');
}

/** Turns the nodes of one tree into statements. */
class TreeReader implements Source {
  readonly code: string;
  readonly #root: Node;
  readonly #places = new Map<number, Node>();

  constructor(code: string, root: Node) {
    this.code = code;
    this.#root = root;
    for (const node of root.descendantsOfType([...PLACES, ...KEYWORDS])) {
      if (PLACES.includes(node.type)) this.#places.set(node.startIndex, node);
      // A keyword is one only as a word of its own.
      else if (!/[\s;&|()`]/.test(before(code, node.startIndex)) || !/[\s;&|()<>`]/.test(after(code, node.endIndex)))
        throw new Unreadable('it has a keyword inside a word');
    }
  }

  whole(): readonly Statement[] {
    const root = this.#root;
    this.#checkBlank(0, root.startIndex);
    this.#checkBlank(root.endIndex, this.code.length);
    return this.#list(root.children, root.startIndex, root.endIndex);
  }

  nested(at: number): Nested | undefined {
    const node = this.#places.get(at);
    if (!node) return undefined;
    const end = node.endIndex;
    if (node.type === 'array') return { kind: 'array', end };
    if (node.type === 'expansion') return { kind: 'parameter', end };
    const inner = node.children.slice(1, -1);
    const [first, last] = [node.children[0]!, node.children.at(-1)!];
    const body = this.#inside(inner, first.endIndex, last.startIndex);
    return { kind: node.type === 'command_substitution' ? 'command' : 'process', end, body };
  }

  /** The body of a substitution; `$(<file)` is a redirect alone. */
  #inside(nodes: readonly Node[], start: number, end: number): readonly Statement[] {
    if (nodes.length === 1 && nodes[0]!.type === 'file_redirect')
      return [this.#command(nodes[0]!.startIndex, nodes[0]!.endIndex)];
    return this.#list(nodes, start, end);
  }

  /** Statements and what separates them. */
  #list(nodes: readonly Node[], start: number, end: number): readonly Statement[] {
    const statements: Statement[] = [];
    let at = start;
    for (const node of nodes) {
      this.#checkBlank(at, node.startIndex);
      at = node.endIndex;
      if (node.type === 'comment') this.#checkComment(node);
      else if (SEPARATORS.has(node.type)) {
        const last = statements.at(-1);
        if (node.type === '&' && last) statements[statements.length - 1] = { kind: 'background', body: last };
      } else statements.push(this.#statement(node));
    }
    this.#checkBlank(at, end);
    return statements;
  }

  #statement(node: Node): Statement {
    this.#checkEnd(node.endIndex);
    switch (node.type) {
      case 'command':
      case 'variable_assignment':
      case 'variable_assignments':
      case 'declaration_command':
      case 'unset_command':
      case 'file_redirect':
      case 'herestring_redirect':
        return this.#command(node.startIndex, node.endIndex);
      case 'test_command':
        if (node.children[0]!.type === '[') return this.#command(node.startIndex, node.endIndex);
        return readTest(this, node.startIndex + 2, node.endIndex - 2);
      case 'negated_command':
        if (!/\s/.test(this.code[node.startIndex + 1] ?? '')) throw new Unreadable('it has a word that begins with !');
        return this.#only(node, ['!']);
      case 'subshell':
        return { kind: 'subshell', body: this.#bracketed(node) };
      case 'compound_statement':
        if (node.children[0]!.type === '((')
          return { kind: 'arithmetic', ...arithmeticOf(this.code.slice(node.startIndex + 2, node.endIndex - 2)) };
        // `{}` and `{ls` are words.
        if (!/\s/.test(this.code[node.startIndex + 1] ?? '')) throw new Unreadable('it has braces');
        return { kind: 'group', body: this.#bracketed(node) };
      case 'do_group':
        return { kind: 'group', body: this.#bracketed(node) };
      case 'pipeline':
        return this.#pipeline(node);
      case 'list':
        return this.#andOr(node);
      case 'redirected_statement':
        return this.#redirected(node);
      case 'if_statement':
        return this.#if(node);
      case 'while_statement': {
        const body = node.children.at(-1)!;
        const condition = this.#list(node.children.slice(1, -1), node.children[0]!.endIndex, body.startIndex);
        return { kind: 'loop', condition, body: this.#statement(body) };
      }
      case 'for_statement':
        return this.#for(node);
      case 'c_style_for_statement': {
        const body = node.children.at(-1)!;
        const head = this.code.slice(node.startIndex, body.startIndex);
        const parts = /^for\s*\(\(([\s\S]*)\)\)\s*;?\s*$/.exec(head);
        if (!parts) throw new Unreadable('it has a loop that ada does not know');
        const [first = '', ...rest] = parts[1]!.split(';');
        const condition: Statement = { kind: 'arithmetic', ...arithmeticOf(rest.join(',')) };
        const loop: Statement = { kind: 'loop', condition: [condition], body: this.#statement(body) };
        return { kind: 'group', body: [{ kind: 'arithmetic', ...arithmeticOf(first) }, loop] };
      }
      case 'case_statement':
        return this.#case(node);
      case 'function_definition': {
        const name = node.childForFieldName('name');
        const body = node.childForFieldName('body');
        if (!name || !body || node.childForFieldName('redirect') || !/^[\w.:-]+$/.test(name.text))
          throw new Unreadable('it has a function that ada cannot read');
        return { kind: 'function', name: name.text, body: this.#statement(body) };
      }
    }
    throw new Unreadable(`it has a form that ada does not know (${node.type.replaceAll('_', ' ')})`);
  }

  #command(start: number, end: number): Statement {
    const read = readSimple(this, start, end);
    if (read.end !== end) throw new Unreadable('a command does not end where it seems to');
    return read.command;
  }

  /** The one statement of a node behind some words. */
  #only(node: Node, words: readonly string[]): Statement {
    const inner = this.#parts(node).filter((child) => !words.includes(child.type));
    if (inner.length !== 1) throw new Unreadable('it has a form that ada does not know');
    return this.#statement(inner[0]!);
  }

  /** What stands between the first and the last child. */
  #bracketed(node: Node): readonly Statement[] {
    const { children } = node;
    return this.#list(children.slice(1, -1), children[0]!.endIndex, children.at(-1)!.startIndex);
  }

  /** Children without comments; nothing but space may stand between them. */
  #parts(node: Node): readonly Node[] {
    let at = node.startIndex;
    for (const child of node.children) {
      this.#checkBlank(at, child.startIndex);
      if (child.type === 'comment') this.#checkComment(child);
      at = child.endIndex;
    }
    this.#checkBlank(at, node.endIndex);
    return node.children.filter((child) => child.type !== 'comment');
  }

  #pipeline(node: Node): Statement {
    const parts = this.#parts(node).filter((child) => child.type !== '|' && child.type !== '|&' && child.type !== '\n');
    return parts.map((part) => this.#statement(part)).reduce((left, right) => join(left, '|', right));
  }

  #andOr(node: Node): Statement {
    const parts = this.#parts(node).filter((child) => child.type !== '\n');
    const [left, operator, right] = parts;
    if (parts.length !== 3 || !right || (operator!.type !== '&&' && operator!.type !== '||'))
      throw new Unreadable('it has a list that ada does not know');
    return join(this.#statement(left!), operator!.type, this.#statement(right));
  }

  #if(node: Node): Statement {
    const clauses = node.children.filter((child) => child.type === 'elif_clause' || child.type === 'else_clause');
    const { children } = node;
    const close = children.at(-1)!;
    if (close.type !== 'fi') throw new Unreadable('it has an if that does not end');
    const own = children.slice(1, clauses.length > 0 ? children.indexOf(clauses[0]!) : -1);
    const branches = [this.#branch(own, children[0]!.endIndex, (clauses[0] ?? close).startIndex)];
    for (const [index, clause] of clauses.entries()) {
      const [head, ...rest] = clause.children;
      this.#checkBlank(clause.endIndex, (clauses[index + 1] ?? close).startIndex);
      if (clause.type === 'elif_clause') branches.push(this.#branch(rest, head!.endIndex, clause.endIndex));
      else branches.push({ condition: [], body: this.#list(rest, head!.endIndex, clause.endIndex), otherwise: true });
    }
    return { kind: 'branches', about: [], branches };
  }

  /** What stands before and behind `then`. */
  #branch(nodes: readonly Node[], start: number, end: number): Branch {
    const then = nodes.findIndex((node) => node.type === 'then');
    if (then < 0) throw new Unreadable('it has an if without then');
    const mark = nodes[then]!;
    return {
      condition: this.#list(nodes.slice(0, then), start, mark.startIndex),
      body: this.#list(nodes.slice(then + 1), mark.endIndex, end),
    };
  }

  #for(node: Node): Statement {
    const parts = this.#parts(node);
    const body = parts.at(-1)!;
    const variable = parts[1]!;
    if (parts[0]!.type !== 'for' || variable.type !== 'variable_name')
      throw new Unreadable('it has a loop that ada does not know');
    const named = /^in\s/.test(this.code.slice(variable.endIndex, body.startIndex).trimStart());
    if (!named) return { kind: 'loop', variable: variable.text, condition: [], body: this.#statement(body) };
    const start = parts[2]!.endIndex;
    const end = start + this.code.slice(start, body.startIndex).replace(/\s*;?\s*$/, '').length;
    const read = readSimple(this, start, end, false, 'words');
    if (read.end !== end || read.command.redirects.length > 0)
      throw new Unreadable('it has a loop that ada does not know');
    return {
      kind: 'loop',
      variable: variable.text,
      values: read.command.words,
      condition: [],
      body: this.#statement(body),
    };
  }

  #case(node: Node): Statement {
    const parts = this.#parts(node);
    const value = node.childForFieldName('value');
    if (!value) throw new Unreadable('it has a case that ada cannot read');
    const about: Word[] = [this.#wordOf(value)];
    const branches = parts
      .filter((part) => part.type === 'case_item')
      .map((item) => {
        const close = item.children.findIndex((child) => child.type === ')');
        const head = this.code.slice(item.startIndex, item.children[close]?.startIndex ?? item.startIndex);
        if (close < 0 || /[`$<>]/.test(head)) throw new Unreadable('it has a case whose pattern is computed');
        const rest = item.children.slice(close + 1);
        const last = rest.at(-1);
        if (last?.type === ';&' || last?.type === ';;&')
          throw new Unreadable('it has a case that runs on into the next');
        const end = last?.type === ';;' ? last.startIndex : item.endIndex;
        const inner = last?.type === ';;' ? rest.slice(0, -1) : rest;
        return { condition: [], body: this.#list(inner, item.children[close]!.endIndex, end) };
      });
    return { kind: 'branches', about, branches };
  }

  #wordOf(node: Node): Word {
    const read = readWord(this, node.startIndex, node.endIndex);
    if (read.end !== node.endIndex) throw new Unreadable('a word does not end where it seems to');
    return read.word;
  }

  #redirected(node: Node): Statement {
    const body = node.childForFieldName('body');
    let statement: Statement | undefined = body ? this.#statement(body) : undefined;
    let at = body ? body.endIndex : node.startIndex;
    for (const part of body ? node.children.slice(1) : node.children) {
      // A lone dash before a here-document is in no node.
      statement = this.#more(statement ?? EMPTY, at, part.startIndex);
      at = part.endIndex;
      if (part.type === 'heredoc_redirect') {
        if (lastCommand(statement)?.words.length === 0)
          throw new Unreadable('it has a here-document before its command');
        const read = readHeredoc(this, part, (inner) => this.#statement(inner));
        statement = attach(statement, { ...EMPTY, redirects: read.redirects, words: read.words });
        if (read.pipe) statement = join(statement, '|', read.pipe);
        if (read.next) statement = join(statement, read.next.operator, read.next.statement);
      } else {
        // The grammar counts words behind a redirect to it: they belong to the command.
        statement = this.#more(statement, part.startIndex, part.endIndex);
      }
    }
    return statement ?? EMPTY;
  }

  /** Adds a stretch of words and redirects to the last command of a statement. */
  #more(statement: Statement, start: number, end: number): Statement {
    const isOpen = lastCommand(statement)?.words.length === 0;
    const read = readSimple(this, start, end, false, isOpen ? 'command' : 'words');
    if (read.end !== end) throw new Unreadable('it has text that the grammar leaves out');
    this.#checkEnd(end);
    const { words, assignments, redirects } = read.command;
    return words.length + assignments.length + redirects.length === 0 ? statement : attach(statement, read.command);
  }

  /** Between the parts of a statement only space and continued lines may stand. */
  #checkBlank(start: number, end: number): void {
    if (start < end && /[^\s]/.test(this.code.slice(start, end).replace(/\\\n/g, '')))
      throw new Unreadable('it has text that the grammar leaves out');
  }

  /** Behind a command stands nothing that could still belong to it. */
  #checkEnd(end: number): void {
    if (!/[\s;&|()<>`]/.test(after(this.code, end))) throw new Unreadable('a command does not end where it seems to');
    // A number in front of a redirect belongs to it.
    if (/[<>]/.test(this.code[end] ?? '') && /(^|[\s;&|()])\d+$/.test(this.code.slice(Math.max(0, end - 20), end)))
      throw new Unreadable('a command does not end where it seems to');
  }

  #checkComment(node: Node): void {
    if (!/[\s;&|()]/.test(before(this.code, node.startIndex)) || node.text.includes('\n'))
      throw new Unreadable('it has a comment inside a word');
  }
}
