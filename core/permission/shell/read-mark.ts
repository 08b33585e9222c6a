/** Here-documents, read by hand: the mark in the command, and the text behind the line. */
import { readQuoted, type Source } from './read-words.ts';
import { type Redirect, text, Unreadable, type Word } from './syntax.ts';

/** A here-document whose text is still to come. */
export interface OpenHeredoc {
  redirect: Redirect & { target: Word };
  mark: string;
  /** The mark is quoted: nothing in the text is computed. */
  literal: boolean;
  /** `<<-`: tabs in front of the mark do not count. */
  tabs: boolean;
  /** Behind the mark. */
  end: number;
}

const MARK = /<<(-?)[ \t]*(?:'([\w.!-]+)'|"([\w.!-]+)"|\\([\w][\w.!-]*)|([\w.!-]+))(?=[\s;|&)<>]|$)/y;

/** Reads `<<MARK` at an index; the target of the redirect is filled in later. */
export function readMark(code: string, at: number, end: number): OpenHeredoc {
  MARK.lastIndex = at;
  const found = MARK.exec(code);
  if (!found || at + found[0].length > end) throw new Unreadable('it has a here-document with an odd mark');
  const quoted = found[2] ?? found[3] ?? found[4];
  return {
    redirect: { op: '<<', target: [] },
    mark: quoted ?? found[5]!,
    literal: quoted !== undefined,
    tabs: found[1] === '-',
    end: at + found[0].length,
  };
}

/**
 * Reads the texts of the here-documents of a line; `at` is behind its line break. Gives where the script goes on. `within`
 * runs something that must not look beyond a limit.
 */
export function fillHeredocs(
  source: Source,
  open: readonly OpenHeredoc[],
  start: number,
  limit: number,
  within: (limit: number, read: () => void) => void,
): number {
  const { code } = source;
  let at = start;
  for (const one of open) {
    // What stands between the mark and its text is one line.
    if (code.slice(one.end, start - 1).includes('\n'))
      throw new Unreadable('it has a here-document whose end is not clear');
    const from = at;
    for (;;) {
      if (at >= limit) throw new Unreadable('it has a here-document that does not end');
      const next = code.indexOf('\n', at);
      const lineEnd = next < 0 || next > limit ? limit : next;
      const line = code.slice(at, lineEnd);
      const plain = one.tabs ? line.replace(/^\t+/, '') : line;
      if (plain === one.mark) {
        const close = lineEnd - one.mark.length;
        if (one.literal) one.redirect.target = [text(code.slice(from, close), true)];
        else
          within(close, () => {
            one.redirect.target = readQuoted(source, from, close, '').atoms;
          });
        at = Math.min(lineEnd + 1, limit);
        break;
      }
      at = lineEnd + 1;
    }
  }
  return at;
}
