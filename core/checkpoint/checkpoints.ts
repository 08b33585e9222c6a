/**
 * What files were before ada changed them. A journal beside the session's other state has one line a fact; contents are
 * kept by their hash, each once. Of each file the first state within a prompt is kept; commands of `bash` are not seen.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { lstat, readdir, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { MOST_KEPT_BYTES } from '../tools/files/guarded-change.ts';
import { canonical } from '../tools/files/locate.ts';
import { type JournalName, JournalPaths, type JournalPlace } from './journal-path.ts';

/** Content of a file: its hash, `absent` where there was none, `unkept` where it was too large to keep. */
export type Content = string;
export const ABSENT: Content = 'absent';
export const UNKEPT: Content = 'unkept';

/** A fact of a file: as it was when prompt `prompt` first changed it, or as ada then left it. */
type Fact =
  /** `folders`: how many folders above it were missing, too. */
  | { prompt: number; before: Content; mode?: number; folders?: number }
  /** What somebody else had made of it when ada was about to change it again. */
  | { found: Content }
  /** `was` and `mode`: permissions before and after this change. */
  | { after: Content; was?: number; mode?: number };
/** A line of the journal, and what it says once its file is found. */
type Line = JournalName & Fact;
type Found = Fact & { file: string; outside: boolean };

/** In the place of permissions where there was no file. */
const NO_FILE = -1;

export interface Kept {
  prompt: number;
  before: Content;
  mode?: number;
  /** How many folders above it were missing then. */
  folders: number;
  /** What others changed since then, between two changes of ada's: from what, to what. */
  foreign: readonly (readonly [from: Content, to: Content])[];
  /** Since then ada alone changed the permissions, as far as is known. */
  ownMode: boolean;
}

/** A file that ada changed. */
export interface ChangedFile {
  /** Absolute; links resolved as they were when it was changed. */
  file: string;
  /** It lies outside of the project. */
  outside?: true;
  /** Oldest first. */
  states: readonly Kept[];
  /** As ada left it; undefined when it died before it could say. */
  after?: Content;
  /** Its permissions then; undefined where they are not known, or there was no file. */
  afterMode?: number;
}

/** All contents of a session together; the oldest make room. */
const MOST_TOTAL = 128 << 20;

export interface Checkpoints {
  /** Folder of the project, links resolved. */
  readonly project: string;
  /** Keeps `file` as it is; gives what is to be called when the change is made. */
  before(prompt: number, file: string): Promise<() => Promise<void>>;
  changed(): readonly ChangedFile[];
  /** Undefined when it is no longer kept. */
  content(hash: Content): Promise<Buffer | undefined>;
}

export const checkpointsDir = (stateDir: string): string => join(stateDir, 'checkpoints');

/** `stateDir`: of the session. `place`: where its project is and was. Folders are made when something is first kept. */
export function openCheckpoints(stateDir: string, place: JournalPlace): Checkpoints {
  return new JournalOfChanges(checkpointsDir(stateDir), new JournalPaths(place));
}

class JournalOfChanges implements Checkpoints {
  readonly #dir: string;
  readonly #journal: string;
  /** What the last changed file was left with: most often the next change begins there, and it need not be hashed again. */
  #last: { bytes: Buffer; hash: Content } | undefined;
  /** Copies that were found or made whole, and need not be read again to be known as that. */
  readonly #whole = new Set<Content>();
  readonly #paths: JournalPaths;

  constructor(dir: string, paths: JournalPaths) {
    this.#dir = dir;
    this.#journal = join(dir, 'journal.jsonl');
    this.#paths = paths;
  }

  get project(): string {
    return this.#paths.project;
  }

  async before(prompt: number, file: string): Promise<() => Promise<void>> {
    const path = canonical(file);
    const name = this.#paths.nameOf(path);
    const was = (await modeOf(path)) ?? NO_FILE;
    const known = this.changed().find((one) => one.file === path);
    if (!this.#isOwn()) throw new Error(`${this.#dir} leads elsewhere`);
    makeFolder(this.#dir, 0o700);
    const before = await this.#keep(path);
    if (known?.after !== undefined && known.after !== before) this.#append({ ...name, found: before });
    if (!known?.states.some((state) => state.prompt === prompt)) {
      const mode = was !== NO_FILE && { mode: was };
      const folders = before === ABSENT && { folders: missingAbove(path) };
      this.#append({ prompt, ...name, before, ...mode, ...folders });
    }
    return async () =>
      this.#append({ ...name, after: await this.#keep(path), was, mode: (await modeOf(path)) ?? NO_FILE });
  }

  changed(): readonly ChangedFile[] {
    type Own = Kept & { foreign: (readonly [Content, Content])[] };
    const files = new Map<string, ChangedFile & { states: Own[] }>();
    /** Permissions as they were seen last. */
    const seen = new Map<string, number | undefined>();
    for (const line of this.#lines()) {
      const { file, outside } = line;
      let entry = files.get(file);
      if (!entry) files.set(file, (entry = { file, states: [], ...(outside && { outside }) }));
      if ('found' in line) {
        for (const { foreign } of entry.states) foreign.push([entry.after ?? UNKEPT, line.found]);
        continue;
      }
      const was = 'after' in line ? line.was : (line.mode ?? NO_FILE);
      // Somebody else changed them in between.
      if (was === undefined || (seen.has(file) && seen.get(file) !== was))
        for (const state of entry.states) state.ownMode = false;
      if ('after' in line) {
        entry.after = line.after;
        entry.afterMode = line.mode === NO_FILE ? undefined : line.mode;
      } else {
        const { prompt, before, mode, folders = 0 } = line;
        entry.states.push({ prompt, before, mode, folders, foreign: [], ownMode: true });
      }
      seen.set(file, 'after' in line ? line.mode : was);
    }
    return [...files.values()];
  }

  async content(hash: Content): Promise<Buffer | undefined> {
    if (!HASH.test(hash) || !this.#isOwn()) return undefined;
    const copy = join(this.#dir, hash);
    const info = await lstat(copy).catch(() => undefined);
    if (!info?.isFile() || info.size > MOST_KEPT_BYTES) return undefined;
    const bytes = await readFile(copy).catch(() => undefined);
    return bytes && hashOf(bytes) === hash ? bytes : undefined;
  }

  *#lines(): Generator<Found> {
    if (!this.#isOwn() || !existsSync(this.#journal)) return;
    for (const text of readFileSync(this.#journal, 'utf8').split('\n')) {
      const line = parsed(text);
      const found = line && this.#paths.fileOf(line);
      if (found) yield { ...(line as unknown as Fact), ...found };
    }
  }

  /** Its folder and its journal are themselves, and no links that came with a copied project. */
  #isOwn(): boolean {
    const at = (path: string) => lstatSync(path, { throwIfNoEntry: false });
    try {
      if (at(dirname(this.#dir))?.isSymbolicLink() || at(this.#dir)?.isSymbolicLink()) return false;
      return at(this.#journal)?.isFile() ?? true;
    } catch {
      // Something on the way is no folder.
      return false;
    }
  }

  #append(line: Line): void {
    // On a line of its own, also behind one that a dying process left torn.
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
    const fd = openSync(this.#journal, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
    try {
      writeSync(fd, `\n${JSON.stringify(line)}`);
    } finally {
      closeSync(fd);
    }
  }

  async #keep(file: string): Promise<Content> {
    const info = await stat(file).catch(() => undefined);
    if (!info) return ABSENT;
    if (!info.isFile() || info.size > MOST_KEPT_BYTES) return UNKEPT;
    const bytes = await readFile(file).catch(() => undefined);
    if (!bytes) return UNKEPT;
    const hash = this.#last?.bytes.equals(bytes) ? this.#last.hash : hashOf(bytes);
    this.#last = { bytes, hash };
    const copy = join(this.#dir, hash);
    if (await this.#isKept(hash, bytes.length)) {
      // What is kept already counts as new again.
      const now = new Date();
      await utimes(copy, now, now).catch(() => {});
    } else {
      await this.#makeRoom(bytes.length);
      // A damaged copy, or a link in its place, is none.
      await rm(copy, { force: true });
      await writeFile(copy, bytes, { mode: 0o600, flag: 'wx' });
    }
    this.#whole.add(hash);
    return hash;
  }

  async #isKept(hash: Content, size: number): Promise<boolean> {
    if (!this.#whole.has(hash)) return (await this.content(hash)) !== undefined;
    const info = await lstat(join(this.#dir, hash)).catch(() => undefined);
    return info?.isFile() === true && info.size === size;
  }

  async #makeRoom(bytes: number): Promise<void> {
    const names = (await readdir(this.#dir)).filter((name) => HASH.test(name));
    const copies = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await lstat(join(this.#dir, name));
        return { name, size, mtimeMs };
      }),
    );
    let total = bytes + copies.reduce((sum, { size }) => sum + size, 0);
    for (const { name, size } of copies.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= MOST_TOTAL) return;
      await unlink(join(this.#dir, name)).catch(() => {});
      total -= size;
    }
  }
}

/** How many of the folders on the way to it do not exist. */
function missingAbove(file: string): number {
  let count = 0;
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) count++;
  return count;
}

const HASH = /^[0-9a-f]{64}$/;

export const hashOf = (bytes: Uint8Array): Content => createHash('sha256').update(bytes).digest('hex');

/** Permissions of a file; undefined where there is none. */
export async function modeOf(file: string): Promise<number | undefined> {
  const info = await stat(file).catch(() => undefined);
  return info && info.mode & 0o7777;
}

/** What a file holds now. */
export async function contentOf(file: string): Promise<Content> {
  try {
    const info = await stat(file);
    if (!info.isFile() || info.size > MOST_KEPT_BYTES) return UNKEPT;
    return hashOf(await readFile(file));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? ABSENT : UNKEPT;
  }
}

const isContent = (value: unknown): boolean =>
  typeof value === 'string' && (value === ABSENT || value === UNKEPT || HASH.test(value));
const isMode = (value: unknown): boolean =>
  value === undefined || (Number.isInteger(value) && (value as number) >= NO_FILE && (value as number) <= 0o7777);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** What a line holds, where its facts are such as ada writes; which file it names is another question. */
function parsed(text: string): Record<string, unknown> | undefined {
  if (text === '') return undefined;
  try {
    const line = JSON.parse(text) as Record<string, unknown>;
    const { prompt, before, after, found, was, mode, folders } = line;
    if (!isMode(mode) || !isMode(was)) return undefined;
    if (after !== undefined || found !== undefined) return isContent(after ?? found) ? line : undefined;
    return isCount(prompt) && isContent(before) && (folders === undefined || isCount(folders)) ? line : undefined;
  } catch {
    return undefined;
  }
}
