/**
 * Reads the front matter of a SKILL.md leniently: what a strict YAML parser would throw away is kept line by line, and
 * every such place is reported. Format: agentskills.io (a YAML map between two `---` lines).
 */

export interface FrontMatterWarning {
  /** 1-based, in the file. */
  line: number;
  message: string;
}

export interface FrontMatter {
  /** Top-level keys in lower case; a nested map or list is its raw text. */
  fields: Readonly<Record<string, string>>;
  /** Offset in the given text where the body begins. */
  bodyStart: number;
  /** False when the text ended before the closing `---`. */
  closed: boolean;
  warnings: readonly FrontMatterWarning[];
}

interface Line {
  text: string;
  number: number;
  start: number;
  end: number;
}

const KEY = /^([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$/;
const FENCE = /^---[ \t]*$/;

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (let number = 1; start < text.length; number += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    lines.push({ text: text.slice(start, newline === -1 ? end : newline).replace(/\r$/, ''), number, start, end });
    start = end;
  }
  return lines;
}

/** `text` may be only the first part of a file; then `closed` tells whether it held the whole front matter. */
export function parseFrontMatter(text: string): FrontMatter {
  const warnings: FrontMatterWarning[] = [];
  const fields: Record<string, string> = Object.create(null);
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const lines = splitLines(text.slice(bom));
  let first = 0;
  while (first < lines.length && lines[first]!.text.trim() === '') first += 1;
  const opening = lines[first];
  if (!opening || !FENCE.test(opening.text)) {
    warnings.push({ line: 1, message: 'no front matter: the file should begin with a line ---' });
    return { fields, bodyStart: bom, closed: true, warnings };
  }
  const closing = lines.findIndex((line, index) => index > first && (FENCE.test(line.text) || line.text === '...'));
  const block = lines.slice(first + 1, closing === -1 ? openEnd(lines, first + 1) : closing);
  const bodyStart = closing === -1 ? (block.at(-1)?.end ?? opening.end) : lines[closing]!.end;
  if (closing === -1) warnings.push({ line: opening.number, message: 'the front matter has no closing ---' });

  for (let index = 0; index < block.length; ) {
    const line = block[index]!;
    index += 1;
    if (line.text.trim() === '' || line.text.trimStart().startsWith('#')) continue;
    const match = KEY.exec(line.text);
    if (!match) {
      warnings.push({ line: line.number, message: `not understood: ${clip(line.text.trim())}` });
      continue;
    }
    const rest: Line[] = [];
    while (index < block.length && (/^[ \t]/.test(block[index]!.text) || block[index]!.text.trim() === '')) {
      rest.push(block[index]!);
      index += 1;
    }
    // A list may stand at the margin under its key.
    if (!match[2]) while (index < block.length && /^- /.test(block[index]!.text)) rest.push(block[index++]!);
    const key = match[1]!.toLowerCase();
    const value = readValue((match[2] ?? '').trim(), rest, line.number, warnings);
    if (key in fields) warnings.push({ line: line.number, message: `${key} is given twice; the first is used` });
    else fields[key] = value;
  }
  return { fields, bodyStart: bodyStart + bom, closed: closing !== -1, warnings };
}

/** Without a closing line the front matter is as long as its lines look like one. */
function openEnd(lines: readonly Line[], from: number): number {
  let end = from;
  while (end < lines.length && (KEY.test(lines[end]!.text) || (/^[ \t]+\S/.test(lines[end]!.text) && end > from)))
    end += 1;
  return end;
}

function readValue(head: string, rest: readonly Line[], line: number, warnings: FrontMatterWarning[]): string {
  const block = /^([|>])[+\-\d]*(?:\s+#.*)?$/.exec(head);
  if (block) return readBlock(rest, block[1] === '>');
  const more = rest.map((next) => next.text.trim());
  if (head === '' && more.some((text) => /^(- |[\w.-]+:( |$))/.test(text)))
    return rest
      .map((next) => next.text)
      .join('\n')
      .trim();
  const whole = foldPlain([head, ...more]);
  const quote = whole[0];
  if (quote === '"' || quote === "'") return unquote(whole, quote, line, warnings);
  return readPlain(whole, line, warnings);
}

/** A block scalar: `|` keeps line breaks, `>` folds them into spaces; an empty line is a paragraph either way. */
function readBlock(rest: readonly Line[], fold: boolean): string {
  const indent = Math.min(
    ...rest.filter((line) => line.text.trim() !== '').map((line) => /^[ \t]*/.exec(line.text)![0].length),
  );
  const lines = rest.map((line) => line.text.slice(Number.isFinite(indent) ? indent : 0).trimEnd());
  return (fold ? foldPlain(lines) : lines.join('\n')).trim();
}

function foldPlain(lines: readonly string[]): string {
  let out = '';
  for (const line of lines) {
    if (line.trim() === '') out += '\n';
    else out += out === '' || out.endsWith('\n') ? line.trim() : ` ${line.trim()}`;
  }
  return out.trim();
}

function unquote(whole: string, quote: '"' | "'", line: number, warnings: FrontMatterWarning[]): string {
  const form = quote === '"' ? /^"((?:[^"\\]|\\[\s\S])*)"\s*(?:#.*)?$/ : /^'((?:[^']|'')*)'\s*(?:#.*)?$/;
  const match = form.exec(whole);
  if (match) return quote === "'" ? match[1]!.replaceAll("''", "'") : unescapeDouble(match[1]!);
  // Quotes inside quotes, or none at the end: take the outer pair away and leave the rest as it stands.
  warnings.push({ line, message: `quotes inside ${quote} quotes: write ${quote === "'" ? "''" : '\\"'} or use >-` });
  return whole.length > 1 && whole.endsWith(quote) ? whole.slice(1, -1) : whole.slice(1);
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  '"': '"',
  '/': '/',
  '\\': '\\',
  ' ': ' ',
};

function unescapeDouble(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])/g, (all, code: string) =>
    code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? all),
  );
}

function readPlain(whole: string, line: number, warnings: FrontMatterWarning[]): string {
  if (/:\s/.test(whole) || whole.endsWith(':')) {
    warnings.push({
      line,
      message: 'a colon in an unquoted value: other programs may drop this file; quote it or use >-',
    });
  } else if (/^[@`*&!%]/.test(whole)) {
    warnings.push({ line, message: `an unquoted value that begins with ${whole[0]}: quote it` });
  }
  // YAML cuts at " #"; only what looks like a remark is cut here, "issue #12" is meant as text.
  const comment = /\s#(?=\s|$)/.exec(whole);
  const value = comment ? whole.slice(0, comment.index).trimEnd() : whole;
  if (/\s#\S/.test(value))
    warnings.push({ line, message: 'a # in an unquoted value: other programs may cut it there; quote it' });
  return value === '~' || value === 'null' ? '' : value;
}

const clip = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
