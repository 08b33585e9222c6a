/** Reads unified diffs (`--- a/x`, `+++ b/x`, `@@ -1,2 +1,3 @@`), with or without git's headers. */
import type { FilePatch, Hunk, ParsedPatch, PatchLine } from './types.ts';

const RANGE = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/;

const startsFile = (lines: readonly string[], at: number): boolean =>
  lines[at]!.startsWith('--- ') && (lines[at + 1]?.startsWith('+++ ') ?? false);

export function isUnified(lines: readonly string[]): boolean {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0 || /^\s*\*\*\* /.test(lines[first]!)) return false;
  return lines.some((line, at) => line.startsWith('diff --git ') || startsFile(lines, at));
}

const MODE = /^(old|new|new file|deleted file) mode (\d+)\s*$/;

/** The mode of a file that stays what it is. */
const INDEX = /^index [0-9a-f]+\.\.[0-9a-f]+ (\d{6})\s*$/;

const notFiles = (mode: string): string =>
  `is about ${mode === '120000' ? 'a symbolic link' : mode === '160000' ? 'a submodule' : `something of mode ${mode}`}, and only files can be patched. Nothing was changed.`;

interface Section {
  from?: string;
  to?: string;
  /** Permissions of a new file. */
  mode?: number;
  hunks: Hunk[];
}

export function parseUnified(lines: readonly string[], start: number): ParsedPatch {
  const sections: Section[] = [];
  let section: Section | undefined;
  for (let at = start; at < lines.length; ) {
    const line = lines[at]!;
    if (line.startsWith('diff --git ')) {
      section = { hunks: [] };
      sections.push(section);
      at++;
    } else if (startsFile(lines, at)) {
      if (!section || section.hunks.length > 0 || section.from !== undefined) sections.push((section = { hunks: [] }));
      [section.from, section.to] = names(nameIn(line.slice(4)), nameIn(lines[at + 1]!.slice(4)));
      at += 2;
    } else if (/^rename from /.test(line) && section) {
      section.from = nameIn(line.slice(12));
      at++;
    } else if (/^rename to /.test(line) && section) {
      section.to = nameIn(line.slice(10));
      at++;
    } else if (/^(?:GIT binary patch|Binary files )/.test(line)) {
      return { refused: 'The patch has binary parts, which cannot be applied. Nothing was changed.' };
    } else if (MODE.test(line) || INDEX.test(line)) {
      const [, what, mode] = MODE.exec(line) ?? ['', '', INDEX.exec(line)![1]];
      if (!/^100[0-7]{3}$/.test(mode!)) return { refused: `Line ${at + 1} of the patch ${notFiles(mode!)}` };
      if (what === 'old' || what === 'new')
        return {
          refused: `Line ${at + 1} of the patch changes permissions, which it cannot. Leave these lines out and use chmod. Nothing was changed.`,
        };
      if (what === 'new file' && section) section.mode = Number.parseInt(mode!, 8) & 0o777;
      at++;
    } else if (/^copy (?:from|to) \S+\s*$/.test(line)) {
      return {
        refused: `Line ${at + 1} of the patch copies a file, which it cannot. Write the copy as a new file. Nothing was changed.`,
      };
    } else if (line.startsWith('@@')) {
      if (!section || section.from === undefined) {
        return {
          refused: `Line ${at + 1} of the diff begins a hunk, but no file is named before it ("--- PATH", "+++ PATH").`,
        };
      }
      const read = readHunk(lines, at);
      section.hunks.push(read.hunk);
      at = read.next;
    } else at++; // git's other headers, or words between the parts
  }
  const files: FilePatch[] = [];
  for (const part of sections) {
    const file = fileOf(part);
    if (file === undefined)
      return { refused: 'A part of the diff names no file or changes nothing. Nothing was changed.' };
    files.push(file);
  }
  return files.length > 0 ? { files } : { refused: 'The diff names no file.' };
}

function nameIn(text: string): string {
  const name = text.split('\t')[0]!.trim();
  return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? unquoted(name.slice(1, -1)) : name;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** git writes a name with unusual characters as a string of C, byte by byte (git-config, core.quotePath). */
function unquoted(text: string): string {
  const parts = text.match(/\\[0-7]{3}|\\[\s\S]|[^\\]+|\\$/g) ?? [];
  const bytes = parts.map((part) => {
    if (!part.startsWith('\\')) return Buffer.from(part);
    const what = part.slice(1);
    if (/^[0-7]{3}$/.test(what)) return Buffer.from([Number.parseInt(what, 8) & 0xff]);
    return what in ESCAPES ? Buffer.from([ESCAPES[what]!]) : Buffer.from(what);
  });
  return Buffer.concat(bytes).toString('utf8');
}

/** The prefixes `a/` and `b/` are git's, when both are there. */
function names(from: string, to: string): [string, string] {
  const isOld = from === '/dev/null' || from.startsWith('a/');
  const isNew = to === '/dev/null' || to.startsWith('b/');
  if (!isOld || !isNew) return [from, to];
  return [from.replace(/^a\//, ''), to.replace(/^b\//, '')];
}

function readHunk(lines: readonly string[], start: number): { hunk: Hunk; next: number } {
  const range = RANGE.exec(lines[start]!);
  const rows: PatchLine[] = [];
  let open = false;
  let wasOpen = false;
  let at = start + 1;
  for (; at < lines.length; at++) {
    const row = lines[at]!;
    if (
      row.startsWith('@@') ||
      row.startsWith('diff --git ') ||
      (startsFile(lines, at) && lines[at + 2]?.startsWith('@@'))
    )
      break;
    const sign = row[0];
    // "\ No newline at end of file" belongs to the line before it.
    if (sign === '\\' && rows.at(-1)?.sign === '-') wasOpen = true;
    else if (sign === '\\') open = true;
    else if (sign === ' ' || sign === '-' || sign === '+') rows.push({ sign, text: row.slice(1) });
    else rows.push({ sign: ' ', text: row, bare: true });
  }
  while (rows.at(-1)?.bare && rows.at(-1)!.text === '') rows.pop();
  const hunk = {
    anchors: [],
    lines: rows,
    atEnd: false,
    at: start + 1,
    ...(open ? { open } : wasOpen ? { closes: true } : {}),
  };
  return { hunk: range ? { ...hunk, line: Number(range[1]) } : hunk, next: at };
}

function fileOf({ from, to, mode, hunks }: Section): FilePatch | undefined {
  if (from === undefined || to === undefined) return undefined;
  const text = (sign: '-' | '+') => {
    const lines = hunks.flatMap((hunk) => hunk.lines.filter((line) => line.sign === sign).map((line) => line.text));
    return lines.join('\n') + (lines.length > 0 && !hunks.at(-1)?.open ? '\n' : '');
  };
  if (from === '/dev/null')
    return to === '/dev/null'
      ? undefined
      : { kind: 'add', path: to, content: text('+'), ...(mode !== undefined && mode & 0o111 ? { mode } : {}) };
  if (to === '/dev/null') return { kind: 'delete', path: from, ...(hunks.length > 0 ? { content: text('-') } : {}) };
  if (hunks.length === 0 && from === to) return undefined;
  return { kind: 'update', path: from, hunks, ...(from === to ? {} : { moveTo: to }) };
}
