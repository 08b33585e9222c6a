/**
 * Reads patches in the form that apply_patch models are trained on (`*** Begin Patch`; openai/codex, apply-patch), and
 * unified diffs, which models write by mistake. Nothing is read as half a patch: what is not understood is refused.
 */
import type { FilePatch, Hunk, ParsedPatch, PatchLine } from './types.ts';
import { isUnified, parseUnified } from './unified.ts';

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const END_OF_FILE = '*** End of File';

const FORM = `A patch is "${BEGIN}", then for each file "*** Add File: PATH", "*** Update File: PATH" or "*** Delete File: PATH", then "${END}".`;

class Unreadable extends Error {}

export function parsePatch(patch: string): ParsedPatch {
  const lines = unwrap(patch.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)));
  try {
    const begin = lines.findIndex((line) => line.trim() === BEGIN);
    const last = lines.findLastIndex((line) => line.trim() !== '');
    if (last < 0) return { refused: `\`patch\` is empty. ${FORM}` };
    if (begin < 0 && isUnified(lines)) return parseUnified(lines, 0);
    if (begin < 0 && !/^\s*\*\*\* (?:Add|Update|Delete) File: /.test(lines.find((line) => line.trim() !== '')!)) {
      return { refused: `This is no patch: there is no line "${BEGIN}". ${FORM}` };
    }
    if (lines[last]!.trim() !== END) {
      const found = lines.some((line) => line.trim() === END);
      const why = found ? `there is text behind "${END}"` : `"${END}" is missing; perhaps the patch was cut off`;
      return { refused: `${why[0]!.toUpperCase()}${why.slice(1)}. Nothing was changed.` };
    }
    const body = lines.slice(0, last);
    for (let i = 0; i <= begin; i++) body[i] = '';
    if (isUnified(body)) return parseUnified(body, 0);
    const files = new Reader(body).files();
    return files.length > 0 ? { files } : { refused: `The patch names no file. ${FORM}` };
  } catch (error) {
    if (error instanceof Unreadable) return { refused: error.message };
    throw error;
  }
}

/** Without a code fence or the shell's here-document around it. */
function unwrap(lines: string[]): string[] {
  let from = lines.findIndex((line) => line.trim() !== '');
  let to = lines.findLastIndex((line) => line.trim() !== '') + 1;
  if (from < 0) return lines;
  // Blank lines stand for what is left out, so that the numbers of lines stay right.
  const out = [...lines];
  const fence = /^\s*(`{3,}|~{3,})[\w-]*\s*$/.exec(out[from]!)?.[1];
  if (fence !== undefined && out[to - 1]!.trim() === fence) {
    out[from++] = '';
    out[--to] = '';
    while (from < to && out[from]!.trim() === '') from++;
    while (to > from && out[to - 1]!.trim() === '') to--;
  }
  const here = /^\s*(?:(?:apply_?patch|cat)\s*)?<<-?\s*(['"]?)(\w+)\1\s*$/.exec(out[from] ?? '')?.[2];
  if (here !== undefined && out[to - 1]!.trim() === here) {
    out[from] = '';
    out[to - 1] = '';
  }
  return out;
}

const HEADER = /^\s*\*\*\* (Add|Update|Delete) File: (.*)$/;
const MOVE = /^\s*\*\*\* Move (?:to|File): (.*)$/;

class Reader {
  private at = 0;
  private readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  files(): FilePatch[] {
    const files: FilePatch[] = [];
    while (this.skipBlank()) {
      const line = this.lines[this.at]!;
      // Several patches, one behind the other.
      if (line.trim() === END || line.trim() === BEGIN) {
        this.at++;
        continue;
      }
      const header = HEADER.exec(line);
      const path = (header?.[2] ?? '').trim();
      if (!header || !path) {
        const why = `line ${this.at + 1} of the patch is not understood: "${line.slice(0, 80)}".`;
        throw new Unreadable(`The patch was not applied: ${why} ${FORM}`);
      }
      this.at++;
      if (header[1] === 'Delete') files.push({ kind: 'delete', path });
      else files.push(header[1] === 'Add' ? this.add(path) : this.update(path));
    }
    return files;
  }

  private skipBlank(): boolean {
    while (this.at < this.lines.length && this.lines[this.at]!.trim() === '') this.at++;
    return this.at < this.lines.length;
  }

  private add(path: string): FilePatch {
    const content: string[] = [];
    let blank = 0;
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at]!;
      if (line.startsWith('+')) {
        while (blank > 0) {
          content.push('');
          blank--;
        }
        content.push(line.slice(1));
      } else if (line.trim() === '') blank++;
      else if (/^\s*\*\*\* /.test(line)) break;
      else {
        const why = `line ${this.at + 1} of the patch ("${line.slice(0, 60)}") does not begin with "+"`;
        throw new Unreadable(
          `The patch was not applied: in "*** Add File: ${path}" ${why}, as every line of a new file must.`,
        );
      }
    }
    return { kind: 'add', path, content: content.map((line) => `${line}\n`).join('') };
  }

  private update(path: string): FilePatch {
    const moveTo = (MOVE.exec(this.lines[this.at] ?? '')?.[1] ?? '').trim();
    if (moveTo) this.at++;
    const hunks: Hunk[] = [];
    while (this.skipBlank()) {
      const line = this.lines[this.at]!;
      if (line.startsWith('***') || (hunks.length === 0 && HEADER.test(line))) break;
      hunks.push(this.hunk(path));
    }
    if (hunks.length === 0 && !moveTo)
      throw new Unreadable(`The patch was not applied: "*** Update File: ${path}" has no hunk, so it changes nothing.`);
    return { kind: 'update', path, hunks, ...(moveTo ? { moveTo } : {}) };
  }

  private hunk(path: string): Hunk {
    const at = this.at + 1;
    const anchors: string[] = [];
    let line: number | undefined;
    for (; this.lines[this.at]?.startsWith('@@'); this.at++) {
      const text = this.lines[this.at]!.slice(2).replace(/\s+@@\s*$/, '');
      const numbered = /^\s*-(\d+)(?:,\d+)?\s+\+\d+(?:,\d+)?(?:\s+@@.*)?$/.exec(text);
      if (numbered) line = Number(numbered[1]);
      else if (text.trim() !== '') anchors.push(text.startsWith(' ') ? text.slice(1) : text);
    }
    const lines: PatchLine[] = [];
    let atEnd = false;
    for (; this.at < this.lines.length; this.at++) {
      const row = this.lines[this.at]!;
      if (row.trimEnd() === END_OF_FILE) {
        atEnd = true;
        this.at++;
        break;
      }
      if (row.startsWith('***') || row.startsWith('@@')) break;
      const sign = row[0];
      if (sign === ' ' || sign === '-' || sign === '+') lines.push({ sign, text: row.slice(1) });
      // A line that lost its sign can only be one that stays; whether it does, the file tells.
      else lines.push({ sign: ' ', text: row, bare: true });
    }
    if (!lines.some(({ text, bare }) => text !== '' || !bare))
      throw new Unreadable(`The patch was not applied: the hunk at its line ${at} (${path}) has no lines.`);
    return { anchors, lines, atEnd, at, ...(line === undefined ? {} : { line }) };
  }
}
