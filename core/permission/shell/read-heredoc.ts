/** Here-documents, as the grammar gives them: with all that stands behind them on their line. */
import type { Node } from 'web-tree-sitter';
import { readQuoted, readSimple, type Source } from './read-words.ts';
import { type Redirect, type Statement, text, Unreadable, type Word } from './syntax.ts';

export interface Heredoc {
  redirects: readonly Redirect[];
  /** Words of the command behind the mark. */
  words: readonly Word[];
  /** What the command is piped into. */
  pipe?: Statement;
  next?: { operator: '&&' | '||'; statement: Statement };
}

export function readHeredoc(source: Source, node: Node, statementOf: (node: Node) => Statement): Heredoc {
  const { code } = source;
  const mark = node.children.find((child) => child.type === 'heredoc_start');
  const end = node.children.find((child) => child.type === 'heredoc_end');
  if (!mark || !end) throw new Unreadable('it has a here-document that does not end');
  const delimiter = mark.text.replace(/^(['"])(.*)\1$/s, '$2').replace(/^\\(?=\w)/, '');
  if (!/^[\w.!-]+$/.test(delimiter)) throw new Unreadable('it has a here-document with an odd mark');
  const tabs = node.children.some((child) => child.type === '<<-');

  const line = code.indexOf('\n', mark.endIndex);
  const body = code.slice(line + 1, end.startIndex);
  const lines = body.split('\n');
  const last = lines.pop()!;
  const plain = (text: string) => (tabs ? text.replace(/^\t+/, '') : text);
  const closes = plain(last) === '' && end.text.trim() === delimiter;
  const after = code[end.endIndex];
  // A second here-document of the same line would begin between the two.
  const between = code.slice(mark.endIndex, line);
  if (
    line < 0 ||
    !closes ||
    lines.some((text) => plain(text) === delimiter) ||
    (after !== undefined && !/[\n)`]/.test(after)) ||
    /<<(?!<)|\\$/.test(between)
  )
    throw new Unreadable('it has a here-document whose end is not clear');

  let at = mark.endIndex;
  for (const child of [...node.children, { startIndex: line, endIndex: line }]) {
    if (child.startIndex < mark.endIndex || child.startIndex > line) continue;
    if (code.slice(at, child.startIndex).trim() !== '') throw new Unreadable('it has text that the grammar leaves out');
    at = Math.max(at, child.endIndex);
  }

  const literal = mark.text !== delimiter;
  const target: Word = literal ? [text(body, true)] : readQuoted(source, line + 1, end.startIndex, '').atoms;
  const redirects: Redirect[] = [{ op: '<<', target }];
  const words: Word[] = [];
  const found: Heredoc = { redirects, words };
  let operator: '&&' | '||' | undefined;
  for (const child of node.children) {
    switch (child.type) {
      case 'heredoc_start':
      case 'heredoc_body':
      case 'heredoc_end':
      case '<<':
      case '<<-':
      case 'file_descriptor':
      case '\n':
        break;
      case 'pipeline': {
        const inner = child.namedChildren.filter((part) => part.type !== 'comment');
        if (inner.length !== 1 || !/^\|&?$/.test(child.children[0]!.type))
          throw new Unreadable('it has a here-document in a form that ada does not know');
        found.pipe = statementOf(inner[0]!);
        break;
      }
      case '&&':
      case '||':
        operator = child.type;
        break;
      case 'file_redirect':
      case 'herestring_redirect': {
        const read = readSimple(source, child.startIndex, child.endIndex, false, 'words');
        if (read.end !== child.endIndex) throw new Unreadable('a redirect does not end where it seems to');
        redirects.push(...read.command.redirects);
        words.push(...read.command.words);
        break;
      }
      default:
        if (operator) found.next = { operator, statement: statementOf(child) };
        else {
          const read = readSimple(source, child.startIndex, child.endIndex, false, 'words');
          if (read.end !== child.endIndex || read.command.words.length !== 1 || read.command.redirects.length > 0)
            throw new Unreadable('it has a here-document in a form that ada does not know');
          words.push(...read.command.words);
        }
    }
  }
  return found;
}
