/**
 * The values of the project's `.env` files, which are replaced wherever they stand: what a command prints of them, out
 * of git or an archive too, is then no secret any more. A value that was once known stays known: the file may go, and its
 * content be still in a commit.
 */
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { looksRandom, looksSecret } from './looks-secret.ts';
import { isSecretName, isSecretVariable } from './permission/sensitive-names.ts';
import { addValues } from './redact.ts';

const MOST_FOLDERS = 40;
const MOST_FILES = 32;
const MOST_BYTES = 64 << 10;
/** Of one project. */
const MOST_VALUES = 500;
/** Folders that others fill. */
const FOREIGN = new Set(['node_modules', '.git', '.ada', '.venv', 'venv', 'vendor', 'target', 'dist', 'build']);

interface Known {
  /** When an entry of the project's root was last made or taken away. */
  listed: number;
  /** By path, what tells whether the file is still the same; empty when it was not read yet. */
  files: Map<string, string>;
  values: number;
}

const projects = new Map<string, Known>();

/** `.env`, `.env.local`, `.envrc`; not the patterns for people to copy. */
const isEnvFile = (name: string): boolean =>
  name.startsWith('.env') && isSecretName(name.replace(/^\.env[-_]/, '.env.'));

/**
 * Has the values of the `.env` files in `project` and its direct folders replaced from now on. Without such files it costs
 * one look at each of these folders, and then one at the root a call; files are read again when they have changed.
 * `first`: only when it was never asked for, as before a command, whose result is looked at anyway.
 */
export function knowProjectSecrets(project: string, { first = false } = {}): void {
  let known = projects.get(project);
  if (known && first) return;
  if (!known) projects.set(project, (known = { listed: Number.NaN, files: new Map(), values: 0 }));
  const listed = statSync(project, { throwIfNoEntry: false })?.mtimeMs;
  if (listed !== undefined && listed !== known.listed) {
    known.listed = listed;
    for (const file of envFiles(project))
      if (known.files.size < MOST_FILES && !known.files.has(file)) known.files.set(file, '');
  }
  for (const [file, before] of known.files) {
    const now = identityOf(file);
    if (now === before) continue;
    known.files.set(file, now);
    if (now) addFrom(file, known);
  }
}

function envFiles(project: string): string[] {
  const found: string[] = [];
  let folders = 0;
  const look = (folder: string, deeper: boolean) => {
    for (const entry of entriesOf(folder)) {
      if (isEnvFile(entry.name)) found.push(join(folder, entry.name));
      else if (deeper && entry.isDirectory() && !FOREIGN.has(entry.name) && folders++ < MOST_FOLDERS)
        look(join(folder, entry.name), false);
    }
  };
  look(project, true);
  return found;
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

function addFrom(file: string, known: Known): void {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return;
  }
  const secrets = envPairs(text).filter(([name, value]) =>
    isSecretVariable(name) ? looksSecret(value) : looksRandom(value),
  );
  const room = secrets.slice(0, MOST_VALUES - known.values);
  known.values += room.length;
  addValues(room);
}

const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([\w.-]{1,100})[ \t]*[=:][ \t]*("(?:\\.|[^"\\]){0,8000}"|'[^']{0,8000}'|`[^`]{0,8000}`|[^\r\n]*)/gm;

/** The values of a `.env` file with their names: as they are written and as a program has them, and passwords in addresses. */
export function envPairs(text: string): readonly (readonly [name: string, value: string])[] {
  const pairs = new Map<string, string>();
  for (const [, name = '', raw = ''] of text.matchAll(ASSIGNMENT)) {
    const quote = /^["'`]/.exec(raw)?.[0];
    const plain =
      quote && raw.length > 1 && raw.endsWith(quote) ? raw.slice(1, -1) : raw.replace(/(^|\s)#.*$/, '').trim();
    const unescaped = quote === '"' ? plain.replace(/\\n/g, '\n').replace(/\\(["\\$])/g, '$1') : plain;
    for (const value of [plain, unescaped.trim()]) if (value) pairs.set(value, name);
    const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:([^\s/@]+)@/i.exec(plain)?.[1];
    if (password) pairs.set(password, `${name}_PASSWORD`);
  }
  return [...pairs].map(([value, name]) => [name, value] as const);
}
