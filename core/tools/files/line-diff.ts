/** Unified diffs, made by Myers' greedy algorithm ("An O(ND) difference algorithm", 1986) between the changed ends. */

export interface LineDiff {
  /** Unified, with three lines of context; empty when nothing changed. */
  patch: string;
  added: number;
  removed: number;
}

const CONTEXT = 3;
/** Beyond so many differences the middle is shown as one replacement. */
const MOST_DIFFERENCES = 1500;
const MOST_PATCH_LINES = 4000;
const BLOCK = 1 << 15;

type Op = { sign: ' ' | '-' | '+'; line: string };

/** `skipped`: lines of the file in front of the texts. */
export function lineDiff(path: string, before: string, after: string, created = false, skipped = 0): LineDiff {
  if (before === after) return { patch: '', added: 0, removed: 0 };
  const { start, endBefore, endAfter } = changedWindow(before, after);
  const firstLine = skipped + countLines(before, start) + 1;
  const ops = compare(linesOf(before.slice(start, endBefore)), linesOf(after.slice(start, endAfter)));
  let added = 0;
  let removed = 0;
  for (const op of ops) {
    if (op.sign === '+') added++;
    else if (op.sign === '-') removed++;
  }
  const ends = { before: endBefore === before.length, after: endAfter === after.length };
  const body = hunks(ops, firstLine, created, ends);
  if (body.length > MOST_PATCH_LINES) {
    const left = body.length - MOST_PATCH_LINES;
    body.length = MOST_PATCH_LINES;
    body.push(`\\ ${left} more lines of this diff are not shown`);
  }
  return { patch: [`--- ${created ? '/dev/null' : path}`, `+++ ${path}`, ...body, ''].join('\n'), added, removed };
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

export function countLines(text: string, until: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < until; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Lines with their ends, so that a missing last newline is a difference. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function compare(a: readonly string[], b: readonly string[]): Op[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (line: string): Op => ({ sign: ' ', line });
  return [
    ...a.slice(0, head).map(same),
    ...myers(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

function myers(a: readonly string[], b: readonly string[]): Op[] {
  const whole = (): Op[] => [
    ...a.map((line): Op => ({ sign: '-', line })),
    ...b.map((line): Op => ({ sign: '+', line })),
  ];
  if (a.length === 0 || b.length === 0) return whole();
  const most = Math.min(a.length + b.length, MOST_DIFFERENCES);
  const trace: Int32Array[] = [];
  const reach = new Int32Array(2 * most + 3);
  const mid = most + 1;
  for (let d = 0; d <= most; d++) {
    trace.push(reach.slice(mid - d - 1, mid + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[mid + k - 1]! < reach[mid + k + 1]!);
      let x = down ? reach[mid + k + 1]! : reach[mid + k - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[mid + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, trace);
    }
  }
  return whole();
}

function walkBack(a: readonly string[], b: readonly string[], trace: readonly Int32Array[]): Op[] {
  const ops: Op[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    // The saved row covers the diagonals -d-1 … d+1.
    const row = trace[d]!;
    const at = (k: number) => row[k + d + 1]!;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(fromK);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) {
      x--;
      y--;
      ops.push({ sign: ' ', line: a[x]! });
    }
    if (d === 0) break;
    if (down) ops.push({ sign: '+', line: b[--y]! });
    else ops.push({ sign: '-', line: a[--x]! });
  }
  return ops.reverse();
}

function hunks(
  ops: readonly Op[],
  firstLine: number,
  created: boolean,
  ends: { before: boolean; after: boolean },
): string[] {
  const out: string[] = [];
  const lastOf = (sign: '-' | '+') => ops.findLastIndex((op) => op.sign === ' ' || op.sign === sign);
  const lastBefore = ends.before ? lastOf('-') : -1;
  const lastAfter = ends.after ? lastOf('+') : -1;
  let a = firstLine;
  let b = firstLine;
  for (let i = 0; i < ops.length; ) {
    let next = i;
    while (next < ops.length && ops[next]!.sign === ' ') next++;
    if (next === ops.length) break;
    const skip = Math.max(i, next - CONTEXT) - i;
    i += skip;
    a += skip;
    b += skip;
    let end = next;
    for (let quiet = 0, j = next; j < ops.length && quiet <= 2 * CONTEXT; j++) {
      quiet = ops[j]!.sign === ' ' ? quiet + 1 : 0;
      if (quiet === 0) end = j + 1;
    }
    end = Math.min(ops.length, end + CONTEXT);
    const lines: string[] = [];
    let countA = 0;
    let countB = 0;
    for (let j = i; j < end; j++) {
      const { sign, line } = ops[j]!;
      const open = !line.endsWith('\n');
      lines.push(sign + (open ? line : line.slice(0, -1)));
      if (open && (j === lastBefore || j === lastAfter)) lines.push('\\ No newline at end of file');
      if (sign !== '+') countA++;
      if (sign !== '-') countB++;
    }
    const range = (line: number, count: number) =>
      count === 1 ? `${line}` : `${count === 0 ? line - 1 : line},${count}`;
    out.push(`@@ -${created ? '0,0' : range(a, countA)} +${range(b, countB)} @@`, ...lines);
    a += countA;
    b += countB;
    i = end;
  }
  return out;
}
