/**
 * Which lines of two texts differ: the common head and tail first, then Myers' greedy algorithm ("An O(ND) difference
 * algorithm", 1986) within bounds. Beyond them lines are compared place by place where there are as many of both, and
 * else the middle is one replacement: true, though not the shortest way to say it.
 */
import { type LineTable, lineKeys, linesBetween, pause } from './line-table.ts';

/** Lines [start, end) of the one text become lines [from, to) of the other. */
export interface LineChange {
  start: number;
  end: number;
  from: number;
  to: number;
}

const MOST_DIFFERENCES = 1500;
/** Comparisons of lines in all; a few tenths of a second. */
const MOST_STEPS = 1 << 26;
const STEPS_AT_ONCE = 1 << 21;
/** Longer texts are not compared line by line. */
const MOST_LINES = 1 << 21;

export async function compareLines(a: LineTable, b: LineTable): Promise<LineChange[]> {
  const most = Math.min(a.count, b.count);
  let head = 0;
  while (head < most && linesBetween(a, head) === linesBetween(b, head)) head++;
  let tail = 0;
  while (tail < most - head && linesBetween(a, a.count - 1 - tail) === linesBetween(b, b.count - 1 - tail)) tail++;
  const whole = { start: head, end: a.count - tail, from: head, to: b.count - tail };
  const [gone, come] = [whole.end - whole.start, whole.to - whole.from];
  if (gone === 0 && come === 0) return [];
  if (Math.min(gone, come) === 0 || Math.max(gone, come) === 1 || Math.max(gone, come) > MOST_LINES) return [whole];
  const keys = { a: await lineKeys(a), b: await lineKeys(b) };
  const size = (table: LineTable, line: number) => table.starts[line + 1]! - table.starts[line]!;
  const same = (x: number, y: number): boolean => keys.a[x] === keys.b[y] && size(a, x) === size(b, y);
  const marks = (await shortest(whole, same)) ?? placeByPlace(whole, same);
  const changes = marks && changesOf(whole, marks);
  // Two lines may have one key by accident, or because somebody wanted it so.
  return changes && isTrue(a, b, whole, changes) ? changes : [whole];
}

/** The lines that go and those that come, from the first of the region on. */
interface Marks {
  gone: Uint8Array;
  come: Uint8Array;
}

type Same = (x: number, y: number) => boolean;

function placeByPlace({ start, end, from, to }: LineChange, same: Same): Marks | undefined {
  if (end - start !== to - from) return undefined;
  const marks = new Uint8Array(end - start);
  for (let i = 0; i < marks.length; i++) if (!same(start + i, from + i)) marks[i] = 1;
  return { gone: marks, come: marks };
}

/** Undefined where that would take too long. */
async function shortest({ start, end, from, to }: LineChange, same: Same): Promise<Marks | undefined> {
  const [n, m] = [end - start, to - from];
  const most = Math.min(n + m, MOST_DIFFERENCES);
  const trace: Int32Array[] = [];
  const reach = new Int32Array(2 * most + 3);
  const mid = most + 1;
  let steps = 0;
  let pauseAt = STEPS_AT_ONCE;
  for (let d = 0; d <= most; d++) {
    trace.push(reach.slice(mid - d - 1, mid + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[mid + k - 1]! < reach[mid + k + 1]!);
      const first = down ? reach[mid + k + 1]! : reach[mid + k - 1]! + 1;
      let x = first;
      while (x < n && x - k < m && same(start + x, from + x - k)) x++;
      reach[mid + k] = x;
      if (x >= n && x - k >= m) return walkBack(n, m, trace);
      steps += x - first + 1;
      if (steps < pauseAt) continue;
      if (steps > MOST_STEPS) return undefined;
      pauseAt = steps + STEPS_AT_ONCE;
      await pause();
    }
  }
  return undefined;
}

function walkBack(n: number, m: number, trace: readonly Int32Array[]): Marks {
  const gone = new Uint8Array(n);
  const come = new Uint8Array(m);
  let x = n;
  let y = m;
  for (let d = trace.length - 1; d > 0; d--) {
    // The saved row covers the diagonals -d-1 … d+1.
    const row = trace[d]!;
    const at = (k: number) => row[k + d + 1]!;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const fromK = down ? k + 1 : k - 1;
    x = at(fromK);
    y = x - fromK;
    if (down) come[y] = 1;
    else gone[x] = 1;
  }
  return { gone, come };
}

function changesOf({ start, from }: LineChange, { gone, come }: Marks): LineChange[] {
  const changes: LineChange[] = [];
  for (let x = 0, y = 0; x < gone.length || y < come.length; ) {
    const [x0, y0] = [x, y];
    while (x < gone.length && gone[x]) x++;
    while (y < come.length && come[y]) y++;
    if (x > x0 || y > y0) changes.push({ start: start + x0, end: start + x, from: from + y0, to: from + y });
    while (x < gone.length && y < come.length && !gone[x] && !come[y]) {
      x++;
      y++;
    }
  }
  return changes;
}

/** Whether the lines between the changes are the same in both. */
function isTrue(a: LineTable, b: LineTable, whole: LineChange, changes: readonly LineChange[]): boolean {
  let { start: x, from: y } = whole;
  for (const { start, end, from, to } of [...changes, { ...whole, start: whole.end, from: whole.to }]) {
    if (linesBetween(a, x, start) !== linesBetween(b, y, from)) return false;
    x = end;
    y = to;
  }
  return true;
}
