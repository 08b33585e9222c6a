/**
 * What a folder of sessions remembers of its logs, so that thousands are listed at once. It is only a memory: it may be
 * deleted at any time, and a log whose time or size is another one is read again.
 *
 * Kept by columns, in the order in which the folder names its logs: a large index is then a few long arrays, which are
 * parsed several times faster than an object for each log, and found by walking along.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogFacts } from './log-facts.ts';

const FILE = '.index.json';

/** What few logs have. */
type Rest = Pick<LogFacts, 'parent' | 'costs'>;

interface Columns {
  ids: string[];
  mtimes: number[];
  sizes: number[];
  titles: string[];
  /** By position. */
  rest: [number, Rest][];
}

export class SessionIndex {
  readonly #columns: Columns;
  readonly #rest: ReadonlyMap<number, Rest>;
  /** Where the next id is expected. */
  #next = 0;
  /** By id; made when a log is not where it is expected. */
  #positions: Map<string, number> | undefined;

  /** Of this folder; empty where there is none, or it is no index. */
  constructor(dir: string) {
    this.#columns = read(dir) ?? { ids: [], mtimes: [], sizes: [], titles: [], rest: [] };
    this.#rest = new Map(this.#columns.rest);
  }

  /** How many logs it knows. */
  get length(): number {
    return this.#columns.ids.length;
  }

  /** Where it knows the log with this id, -1 where it does not. Quick when asked in the order of the folder. */
  find(id: string): number {
    const { ids } = this.#columns;
    let at = this.#next;
    if (ids[at] !== id) {
      this.#positions ??= new Map(ids.map((one, i) => [one, i]));
      at = this.#positions.get(id) ?? -1;
    }
    if (at < 0 || typeof this.#columns.titles[at] !== 'string') return -1;
    this.#next = at + 1;
    return at;
  }

  /** Whether what it knows is of this state of the log. */
  holds(at: number, mtime: number, size: number): boolean {
    return this.#columns.mtimes[at] === mtime && this.#columns.sizes[at] === size;
  }

  title(at: number): string {
    return this.#columns.titles[at]!;
  }

  /** Parent and costs, where there are any. */
  rest(at: number): Rest | undefined {
    return this.#rest.get(at);
  }

  facts(at: number): LogFacts {
    const { mtimes, sizes } = this.#columns;
    return { mtime: mtimes[at]!, size: sizes[at]!, title: this.title(at), ...this.rest(at) };
  }
}

function read(dir: string): Columns | undefined {
  try {
    const { ids, mtimes, sizes, titles, rest }: Columns = JSON.parse(readFileSync(join(dir, FILE), 'utf8'));
    const columns = [ids, mtimes, sizes, titles];
    if (!columns.every((column) => Array.isArray(column) && column.length === ids.length)) return undefined;
    return { ids, mtimes, sizes, titles, rest: rest.filter(isRest) };
  } catch {
    return undefined;
  }
}

const isRest = ([at, { parent, costs }]: [number, Rest]): boolean =>
  typeof at === 'number' &&
  (parent === undefined || typeof parent === 'string') &&
  (costs === undefined || Object.values(costs).every((cost) => typeof cost === 'number'));

/** Remembers these, in the order of the folder. A folder that cannot be written is listed without an index. */
export function writeSessionIndex(dir: string, logs: readonly (LogFacts & { id: string })[]): void {
  const columns: Columns = {
    ids: logs.map(({ id }) => id),
    mtimes: logs.map(({ mtime }) => mtime),
    sizes: logs.map(({ size }) => size),
    titles: logs.map(({ title }) => title),
    rest: logs.flatMap(({ parent, costs }, at): [number, Rest][] => (parent || costs ? [[at, { parent, costs }]] : [])),
  };
  const temporary = join(dir, `${FILE}.${process.pid}`);
  try {
    writeFileSync(temporary, JSON.stringify(columns), { mode: 0o600 });
    renameSync(temporary, join(dir, FILE));
  } catch {
    // Nothing is lost but time.
  }
}
