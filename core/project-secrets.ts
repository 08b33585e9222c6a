/**
 * The values in the project's files of secrets (`.env`, `prod.env`, `*.tfvars`, `.npmrc`, `kubeconfig` …), which are
 * replaced wherever they stand: what a command prints of them, out of git or an archive too, is then no secret any more. A value that was once known stays known: the file may go, and its
 * content be still in a commit.
 */
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isSecretName } from './permission/sensitive-names.ts';
import { addValues } from './redact.ts';
import { isEnvFile, secretsIn } from './secret-file-values.ts';

const MOST_DEPTH = 6;
const MOST_FOLDERS = 4000;
/** The root and its direct folders, up to so many, are looked at before anything else happens. */
const FIRST_FOLDERS = 41;
const MOST_FILES = 200;
const MOST_BYTES = 256 << 10;
/** Of the files of one project, but for `.env` files. */
const MOST_BYTES_READ = 8 << 20;
/** Of one project. */
const MOST_VALUES = 1000;
/** Milliseconds: how long folders are looked through at once, beside a call and before its result is shown. */
const SLICE_MS = 4;
const RESULT_MS = 30;
/** Places that one call may name. */
const MOST_PLACES = 12;
/** Folders that others fill. */
const FOREIGN = new Set(
  (
    'node_modules bower_components jspm_packages vendor target dist build out coverage venv env __pycache__ site-packages ' +
    'Pods DerivedData .git .hg .svn .ada .venv .tox .nox .cache .npm .yarn .pnpm-store .next .nuxt .svelte-kit .turbo ' +
    '.parcel-cache .gradle .terraform .mypy_cache .pytest_cache .ruff_cache .idea .vscode'
  ).split(' '),
);

interface Known {
  /** By path, when an entry of the folder was last made or taken away. */
  folders: Map<string, number>;
  /** Folders that are still to be looked at, the shallow first. */
  ahead: { folder: string; depth: number }[];
  /** Where `ahead` goes on. */
  next: number;
  isWalking: boolean;
  /** By path, what tells whether the file is still the same. */
  files: Map<string, string>;
  values: number;
  bytes: number;
}

const projects = new Map<string, Known>();

/**
 * Has the values of the files of secrets in `project` replaced from now on: in its root and direct folders at once, deeper
 * ones a few at a time, so that no call waits for them. Then it costs a look at the root and at each of these files a
 * call; files are read again when they have changed.
 * `first`: before a call, whose result is looked at anyway. `places`: files or folders that it works in, which are looked
 * at whatever the walk has found.
 */
export function knowProjectSecrets(
  project: string,
  { first = false, places = [] }: { first?: boolean; places?: readonly string[] } = {},
): void {
  let known = projects.get(project);
  const isNew = !known;
  if (!known) {
    known = { folders: new Map(), ahead: [], next: 0, isWalking: false, files: new Map(), values: 0, bytes: 0 };
    projects.set(project, known);
    known.ahead.push({ folder: project, depth: 0 });
    walk(known, ({ depth }, { next }) => depth > 1 || next >= FIRST_FOLDERS);
  }
  for (const place of places.slice(0, MOST_PLACES)) lookAt(place, project, known);
  if (first) {
    walkBeside(known);
    return;
  }
  if (!isNew) lookAgain(project, known);
  for (const file of known.files.keys()) learn(file, known);
  const until = performance.now() + RESULT_MS;
  walk(known, () => performance.now() > until);
}

/** Looks at folders until none is left or `isEnough`. */
function walk(known: Known, isEnough: (at: Known['ahead'][number], known: Known) => boolean): void {
  while (known.next < known.ahead.length) {
    const at = known.ahead[known.next]!;
    if (isEnough(at, known)) return;
    known.next++;
    if (!known.folders.has(at.folder)) look(at.folder, at.depth, known);
  }
}

/** Goes on while the call is busy with something else; the process does not wait for it. */
function walkBeside(known: Known): void {
  if (known.isWalking || known.next >= known.ahead.length) return;
  known.isWalking = true;
  setImmediate(() => {
    known.isWalking = false;
    const until = performance.now() + SLICE_MS;
    walk(known, () => performance.now() > until);
    walkBeside(known);
  }).unref();
}

function look(folder: string, depth: number, known: Known, most = MOST_FILES): void {
  known.folders.set(folder, timeOf(folder));
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() && (isEnvFile(entry.name) || isSecretName(path))) {
      if (known.files.has(path) || known.files.size >= most) continue;
      known.files.set(path, '');
      learn(path, known);
    } else if (
      depth < MOST_DEPTH &&
      entry.isDirectory() &&
      !FOREIGN.has(entry.name) &&
      known.ahead.length < MOST_FOLDERS &&
      !known.folders.has(path)
    )
      known.ahead.push({ folder: path, depth: depth + 1 });
  }
}

/** The root has other entries than before: then its folders may have too. */
function lookAgain(project: string, known: Known): void {
  if (timeOf(project) === known.folders.get(project)) return;
  look(project, 0, known);
  const direct = entriesOf(project).filter((entry) => entry.isDirectory() && !FOREIGN.has(entry.name));
  for (const { name } of direct.slice(0, FIRST_FOLDERS)) look(join(project, name), 1, known);
}

/** The folder that a call works in, or that of a file which it names. */
function lookAt(place: string, project: string, known: Known): void {
  const path = resolve(project, place);
  if (path !== project && !path.startsWith(`${project}/`)) return;
  for (const folder of [path, dirname(path)]) {
    // The root is looked at anyway.
    if (folder.length <= project.length) return;
    const time = timeOf(folder);
    if (Number.isNaN(time) || time === known.folders.get(folder)) continue;
    const names = folder.slice(project.length + 1).split('/');
    look(folder, names.some((name) => FOREIGN.has(name)) ? MOST_DEPTH : names.length, known, 2 * MOST_FILES);
  }
}

function timeOf(folder: string): number {
  try {
    const info = statSync(folder, { throwIfNoEntry: false });
    return info?.isDirectory() ? info.mtimeMs : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that cannot be listed shows nothing to a command either.
    return [];
  }
}

/** Empty for what is no file to be read. */
function identityOf(file: string): string {
  try {
    const info = statSync(file, { throwIfNoEntry: false });
    return info?.isFile() && info.size <= MOST_BYTES ? `${info.mtimeMs}:${info.size}:${info.ino}` : '';
  } catch {
    return '';
  }
}

/** Reads the file when it is not what it was. */
function learn(file: string, known: Known): void {
  const now = identityOf(file);
  if (now === known.files.get(file)) return;
  known.files.set(file, now);
  const counts = !isEnvFile(basename(file));
  if (!now || (counts && known.bytes > MOST_BYTES_READ)) return;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return;
  }
  if (counts) known.bytes += text.length;
  const room = secretsIn(file, text).slice(0, MOST_VALUES - known.values);
  known.values += room.length;
  addValues(room);
}
