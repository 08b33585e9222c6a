/** Unified diffs for people: of large changes the counts and their beginning, and how much of them is not shown. */
import { cutBefore, cutBehind } from '../../redact-cut.ts';
import { compareLines, type LineChange } from './compare-lines.ts';
import { countNewlines, type LineTable, linesBetween, lineTable } from './line-table.ts';

export interface LineDiff {
  /** Unified, with three lines of context; empty when nothing changed. */
  patch: string;
  added: number;
  removed: number;
}

interface DiffOptions {
  /** There was no file. */
  created?: boolean;
  /** Lines of the file in front of the texts. */
  skipped?: number;
  /** A sentence for the person, in front of the changes. */
  remark?: string;
}

const CONTEXT = 3;
const MOST_PATCH_LINES = 4000;
/** A long line counts as several. */
const LINE = 100;
/** Of a longer line only a part is shown. */
const LONGEST_LINE = 20_000;
/** Characters that are shown in front of what differs in it. */
const LEAD = 2_000;
const BLOCK = 1 << 15;

/** Time and memory are linear in the texts, and other work goes on meanwhile. */
export async function lineDiff(
  path: string,
  before: string,
  after: string,
  { created = false, skipped = 0, remark }: DiffOptions = {},
): Promise<LineDiff> {
  if (before === after) return { patch: '', added: 0, removed: 0 };
  const { start, endBefore, endAfter } = changedWindow(before, after);
  const firstLine = skipped + (await countNewlines(before, 0, start)) + 1;
  const [a, b] = [await lineTable(before, start, endBefore), await lineTable(after, start, endAfter)];
  const changes = await compareLines(a, b);
  let added = 0;
  let removed = 0;
  for (const change of changes) {
    added += change.to - change.from;
    removed += change.end - change.start;
  }
  const body = bodyOf(a, b, changes, firstLine, created);
  const head = [`--- ${created ? '/dev/null' : path}`, `+++ ${path}`, ...(remark ? [`\\ ${remark}`] : [])];
  return { patch: [...head, ...body, ''].join('\n'), added, removed };
}

/** The part that differs, widened to whole lines and the lines of context. */
function changedWindow(before: string, after: string) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start + BLOCK <= shorter && before.slice(start, start + BLOCK) === after.slice(start, start + BLOCK))
    start += BLOCK;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  const most = shorter - start;
  const ofEnd = (text: string, from: number) => text.slice(text.length - from - BLOCK, text.length - from);
  while (tail + BLOCK <= most && ofEnd(before, tail) === ofEnd(after, tail)) tail += BLOCK;
  while (tail < most && before.charCodeAt(before.length - tail - 1) === after.charCodeAt(after.length - tail - 1))
    tail++;
  for (let i = 0; i <= CONTEXT && start > 0; i++) start = start < 2 ? 0 : before.lastIndexOf('\n', start - 2) + 1;
  let endBefore = before.length - tail;
  for (let i = 0; i <= CONTEXT && endBefore < before.length; i++) {
    const next = before.indexOf('\n', endBefore);
    endBefore = next < 0 ? before.length : next + 1;
  }
  return { start, endBefore, endAfter: after.length - (before.length - endBefore) };
}

/** The hunks, as far as they are shown. */
function bodyOf(
  a: LineTable,
  b: LineTable,
  changes: readonly LineChange[],
  firstLine: number,
  created: boolean,
): readonly string[] {
  const body = new PatchBody();
  for (let i = 0; i < changes.length; ) {
    let last = i;
    while (last + 1 < changes.length && changes[last + 1]!.start - changes[last]!.end <= 2 * CONTEXT) last++;
    const lead = Math.min(CONTEXT, changes[i]!.start);
    const [start, from] = [changes[i]!.start - lead, changes[i]!.from - lead];
    const behind = Math.min(CONTEXT, a.count - changes[last]!.end);
    const [end, to] = [changes[last]!.end + behind, changes[last]!.to + behind];
    const old = created ? '0,0' : range(firstLine + start, end - start);
    body.head(`@@ -${old} +${range(firstLine + from, to - from)} @@`);
    let at = start;
    for (const change of changes.slice(i, last + 1)) {
      body.lines(' ', a, at, change.start);
      body.change(a, b, change);
      at = change.end;
    }
    body.lines(' ', a, at, end);
    i = last + 1;
  }
  return body.done();
}

const range = (line: number, count: number): string =>
  count === 1 ? `${line}` : `${count === 0 ? line - 1 : line},${count}`;

class PatchBody {
  readonly #out: string[] = [];
  #room = MOST_PATCH_LINES;
  #left = { removed: 0, added: 0 };

  head(text: string): void {
    if (this.#room > 0) this.#out.push(text);
  }

  /** Of a change that is too long, its old lines and its new ones get a half each. */
  change(a: LineTable, b: LineTable, { start, end, from, to }: LineChange): void {
    const all = this.#room;
    const half = Math.max(all >> 1, all - (to - from));
    // What stands in the same place of both lines is how a long one begins.
    const isPaired = end - start === to - from;
    this.#room = half;
    this.lines('-', a, start, end, isPaired ? (line) => commonHead(a, line, b, line - start + from) : undefined);
    this.#room = all - half + Math.max(0, this.#room);
    this.lines('+', b, from, to, isPaired ? (line) => commonHead(b, line, a, line - from + start) : undefined);
  }

  lines(sign: ' ' | '-' | '+', table: LineTable, from: number, to: number, differsAt?: (line: number) => number): void {
    for (let line = from; line < to; line++) {
      if (this.#room <= 0) {
        const left = to - line;
        if (sign === ' ') return;
        const what = sign === '-' ? 'removed' : 'added';
        if (line === from) this.#left[what] += left;
        else this.#out.push(`\\ ${left} more ${what} lines are not shown`);
        return;
      }
      this.#line(sign, table, line, differsAt);
    }
  }

  done(): readonly string[] {
    const { removed, added } = this.#left;
    if (this.#room <= 0)
      this.#out.push(`\\ the rest of this diff is not shown: ${removed} removed, ${added} added lines`);
    return this.#out;
  }

  #line(sign: string, table: LineTable, line: number, differsAt: ((line: number) => number) | undefined): void {
    const text = linesBetween(table, line);
    const isOpen = !text.endsWith('\n');
    const size = isOpen ? text.length : text.length - 1;
    if (size <= LONGEST_LINE) {
      this.#out.push(sign + text.slice(0, size));
      this.#room -= 1 + Math.floor(size / LINE);
    } else {
      const start = Math.max(0, Math.min((differsAt?.(line) ?? 0) - LEAD, size - LONGEST_LINE));
      const [from, to] = [cutBehind(text, start), cutBefore(text, start + LONGEST_LINE)];
      const part = `${from > 0 ? '…' : ''}${text.slice(from, Math.min(to, size))}${to < size ? '…' : ''}`;
      this.#out.push(sign + part, `\\ ${size - Math.max(0, to - from)} characters of this line are not shown`);
      this.#room -= LONGEST_LINE / LINE;
    }
    if (isOpen) this.#out.push('\\ No newline at end of file');
  }
}

/** How many characters of two lines are the same at their beginning, as far as that matters. */
function commonHead(a: LineTable, i: number, b: LineTable, j: number): number {
  const [from, other] = [a.starts[i]!, b.starts[j]!];
  const most = Math.min(a.starts[i + 1]! - from, b.starts[j + 1]! - other);
  if (a.starts[i + 1]! - from <= LONGEST_LINE) return 0;
  let at = 0;
  const block = (text: string, start: number) => text.slice(start + at, start + at + BLOCK);
  while (at + BLOCK <= most && block(a.text, from) === block(b.text, other)) at += BLOCK;
  while (at < most && a.text.charCodeAt(from + at) === b.text.charCodeAt(other + at)) at++;
  return at;
}
