/** Puts together what the grammar of bash nests otherwise than the shell does. */
import { type SimpleCommand, type Statement, Unreadable } from './syntax.ts';

/** A command without words. */
export const EMPTY: SimpleCommand = { kind: 'command', words: [], assignments: [], redirects: [] };

type Operator = '|' | '&&' | '||';

/**
 * Joins two statements by an operator. The grammar nests pipelines and lists as it likes; what binds is the shell's own
 * rule, that `|` binds more tightly.
 */
export function join(left: Statement, operator: Operator, right: Statement): Statement {
  const row = [...spread(left), operator, ...spread(right)];
  const items: Statement[] = [];
  const operators: ('&&' | '||')[] = [];
  let parts: Statement[] = [];
  const end = () => items.push(parts.length > 1 ? { kind: 'pipeline', parts } : parts[0]!);
  for (const one of row) {
    if (one === '|') continue;
    if (one === '&&' || one === '||') {
      end();
      parts = [];
      operators.push(one);
    } else parts.push(one);
  }
  end();
  return items.length > 1 ? { kind: 'and-or', items, operators } : items[0]!;
}

/** The statements of a list or pipeline, with the operators between them. */
function spread(statement: Statement): readonly (Statement | Operator)[] {
  if (statement.kind === 'pipeline')
    return statement.parts.flatMap((part, index) => (index === 0 ? spread(part) : ['|' as const, ...spread(part)]));
  if (statement.kind === 'and-or')
    return statement.items.flatMap((item, index) =>
      index === 0 ? spread(item) : [statement.operators[index - 1]!, ...spread(item)],
    );
  return [statement];
}

/** The command that words behind a statement would belong to. */
export function lastCommand(statement: Statement): SimpleCommand | undefined {
  if (statement.kind === 'command') return statement;
  if (statement.kind === 'pipeline') return lastCommand(statement.parts.at(-1)!);
  return statement.kind === 'and-or' ? lastCommand(statement.items.at(-1)!) : undefined;
}

/** What stands behind a list belongs to its last command. */
export function attach(statement: Statement, more: SimpleCommand): Statement {
  const onLast = (all: readonly Statement[]) => [...all.slice(0, -1), attach(all.at(-1)!, more)];
  switch (statement.kind) {
    case 'command':
      return {
        kind: 'command',
        words: [...statement.words, ...more.words],
        assignments: [...statement.assignments, ...more.assignments],
        redirects: [...statement.redirects, ...more.redirects],
      };
    case 'pipeline':
      return { ...statement, parts: onLast(statement.parts) };
    case 'and-or':
      return { ...statement, items: onLast(statement.items) };
  }
  if (more.words.length + more.assignments.length > 0)
    throw new Unreadable('it has words behind a redirect that belong to nothing');
  return { kind: 'redirected', body: statement, redirects: more.redirects };
}
