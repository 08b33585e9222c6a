/** `env | grep NAME`: of the whole environment only lines pass on that are no secrets. */
import { plainText, type Statement } from './syntax.ts';

/** Names, or beginnings of names, of settings that every process has; no service keeps its keys under them. */
const PLAIN =
  /^(NODE_ENV|NODE_VERSION|NODE_OPTIONS|NODE_PATH|NODE|PATH|GOPATH|GOROOT|PYTHONPATH|PYTHON|VIRTUAL_ENV|CONDA|JAVA_HOME|JAVA|RUST|CARGO_HOME|NVM|HOME|USER|SHELL|TERM|LANG|LC_ALL|LC_|TZ|PWD|EDITOR|PAGER|DISPLAY|XDG|HOSTNAME|PORT|DEBUG|CI|TMPDIR|LD_LIBRARY_PATH|SHLVL)$/i;

export function passesPlain(statement: Statement, next: Statement | undefined): boolean {
  const words = plainWords(statement);
  const filter = plainWords(next);
  if (words?.length !== 1 || !/^(env|printenv)$/.test(words[0]!) || !filter) return false;
  const [program, ...args] = filter;
  if (!/^(grep|egrep|rg)$/.test(program ?? '')) return false;
  const operands = args.filter((word) => !word.startsWith('-'));
  if (operands.length !== 1 || args.some((word) => word.startsWith('-') && !/^-[iEw]+$/.test(word))) return false;
  // `^(A|B)=` and `^A|^B`.
  const text = operands[0]!.replace(/^\^?\((.*)\)=?$/, '$1');
  return text.split(/\\?\|/).every((name) => PLAIN.test(name.replace(/^\^/, '').replace(/=$/, '')));
}

function plainWords(statement: Statement | undefined): readonly string[] | undefined {
  if (statement?.kind !== 'command' || statement.assignments.length > 0) return undefined;
  if (statement.redirects.some(({ fd }) => fd !== 2)) return undefined;
  const words = statement.words.map(plainText);
  return words.every((word) => word !== undefined) ? (words as string[]) : undefined;
}
