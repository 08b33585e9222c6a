/**
 * Reads a script of `sed` command by command (POSIX, with the additions of GNU sed 4.8): which files it reads and writes,
 * and whether it runs anything. Undefined: it cannot be read, or runs a command.
 */

export interface SedScript {
  reads: readonly string[];
  writes: readonly string[];
  /** What it puts into the text: lines that it adds, and replacements. */
  texts: readonly string[];
}

export function readSedScript(script: string): SedScript | undefined {
  const reads: string[] = [];
  const writes: string[] = [];
  const texts: string[] = [];
  let at = 0;
  const skip = (pattern: RegExp) => {
    while (at < script.length && pattern.test(script[at]!)) at++;
  };
  /** The text up to the end of the line. */
  const line = (): string => {
    const end = script.indexOf('\n', at);
    const text = script.slice(at, end < 0 ? script.length : end);
    at = end < 0 ? script.length : end;
    return text;
  };
  /** Goes behind the next mark; false where it is not clear which that is. */
  const past = (mark: string, isPattern: boolean): boolean => {
    const start = at;
    for (; at < script.length; at++) {
      if (script[at] === '\\') at++;
      else if (script[at] === mark) {
        at++;
        return !isPattern || !hidesMark(script.slice(start), mark, at - 1 - start);
      }
    }
    return false;
  };
  const address = (): boolean | undefined => {
    const c = script[at];
    if (c === undefined) return false;
    if (/\d/.test(c)) skip(/[\d~]/);
    else if (c === '$') at++;
    else if (c === '/' || c === '\\') {
      const mark = c === '/' ? '/' : script[++at];
      if (mark === undefined || /[\w\s]/.test(mark)) return undefined;
      at++;
      if (!past(mark, true)) return undefined;
      skip(/[IM]/);
    } else return false;
    return true;
  };

  let depth = 0;
  for (;;) {
    skip(/[\s;]/);
    if (at >= script.length) return depth === 0 ? { reads, writes, texts } : undefined;
    const first = address();
    if (first === undefined) return undefined;
    skip(/[ \t]/);
    if (first && script[at] === ',') {
      at++;
      skip(/[ \t]/);
      if (script[at] === '+' || script[at] === '~') at++;
      if (address() !== true) return undefined;
    }
    skip(/[ \t!]/);
    const command = script[at++];
    switch (command) {
      case '{':
        depth++;
        continue;
      case '}':
        if (--depth < 0) return undefined;
        break;
      case '#':
        line();
        continue;
      case 'a':
      case 'i':
      case 'c': {
        const start = at;
        // A backslash at the end of a line takes the next one along.
        while (line().endsWith('\\') && at < script.length) at++;
        texts.push(script.slice(start, at).replace(/^\s*\\?\s*/, ''));
        continue;
      }
      case ':':
      case 'b':
      case 't':
      case 'T':
        skip(/[ \t]/);
        skip(/[^\s;}]/);
        break;
      case 'q':
      case 'Q':
      case 'l':
      case 'L':
        skip(/[ \t]/);
        skip(/\d/);
        break;
      case 'r':
      case 'R':
        reads.push(line().trim());
        continue;
      case 'w':
      case 'W':
        writes.push(line().trim());
        continue;
      case 's':
      case 'y': {
        const mark = script[at++];
        if (mark === undefined || /[\w\s\\]/.test(mark)) return undefined;
        if (!past(mark, true)) return undefined;
        const start = at;
        if (!past(mark, false)) return undefined;
        if (command === 'y') break;
        texts.push(script.slice(start, at - 1));
        skip(/[gpiImM\d]/);
        if (script[at] === 'e') return undefined;
        if (script[at] === 'w') {
          at++;
          writes.push(line().trim());
          continue;
        }
        break;
      }
      default:
        if (command === undefined || !/[=dDgGhHnNpPxzF]/.test(command)) return undefined;
    }
    skip(/[ \t]/);
    if (at < script.length && !/[;\n}#]/.test(script[at]!)) return undefined;
  }
}

/** True when a bracket that is opened before `end` holds the mark, so that the pattern does not end where it seems to. */
function hidesMark(text: string, mark: string, end: number): boolean {
  for (let at = text.indexOf('['); at >= 0 && at < end; at = text.indexOf('[', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 1) continue;
    const close = text.indexOf(']', at + (text[at + 1] === '^' ? 3 : 2));
    const next = text.indexOf(mark, at + 1);
    if (next >= 0 && (close < 0 || next < close)) return true;
  }
  return false;
}
