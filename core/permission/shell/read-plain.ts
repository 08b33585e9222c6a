/**
 * Reads the plain lists that most commands are: words without anything that is computed, redirects, and the operators
 * `&&`, `||`, `;`, `|`, `&` and newline. It gives what the grammar gives, or nothing, and needs nothing loaded.
 */
import { readSimple, type Source } from './read-words.ts';
import { type SimpleCommand, type Statement, Unreadable } from './syntax.ts';

/** The statements, or an `Unreadable` where the grammar must read. */
export function readPlain(code: string): readonly Statement[] {
  const source: Source = { code, nested: () => undefined };
  const statements: Statement[] = [];
  let pipe: Statement[] = [];
  let items: Statement[] = [];
  let operators: ('&&' | '||')[] = [];
  let at = 0;
  let dangling = '';

  const endPipe = (): void => {
    items.push(pipe.length > 1 ? { kind: 'pipeline', parts: pipe } : pipe[0]!);
    pipe = [];
  };
  const endItem = (background: boolean): void => {
    endPipe();
    const whole: Statement = items.length > 1 ? { kind: 'and-or', items, operators } : items[0]!;
    statements.push(background ? { kind: 'background', body: whole } : whole);
    items = [];
    operators = [];
  };

  while (at < code.length) {
    const read = readSimple(source, at, code.length, true);
    const found = !isEmpty(read.command);
    if (found) {
      pipe.push(read.command);
      dangling = '';
    }
    at = read.end;
    if (code[at] === '#') {
      while (at < code.length && code[at] !== '\n') at++;
    }
    if (at >= code.length) break;
    if (code[at] === '\n') {
      // Behind an operator a line break is only space.
      if (found || (pipe.length > 0 && dangling === '')) endItem(false);
      at++;
      continue;
    }
    const operator = /^(?:&&|\|\||;;|\|&|[;|&])/.exec(code.slice(at, at + 2))![0];
    if (operator === ';;') throw new Unreadable('it has a case list');
    if (pipe.length === 0 || !found) throw new Unreadable(`a command is missing before ${operator}`);
    at += operator.length;
    if (operator === '|' || operator === '|&') dangling = operator;
    else if (operator === ';' || operator === '&') endItem(operator === '&');
    else {
      endPipe();
      operators.push(operator as '&&' | '||');
      dangling = operator;
    }
  }
  if (dangling !== '') throw new Unreadable('it ends with an operator');
  if (pipe.length > 0) endItem(false);
  return statements;
}

const isEmpty = ({ words, assignments, redirects }: SimpleCommand): boolean =>
  words.length + assignments.length + redirects.length === 0;
