/** Finds the names under which the policy knows a file as a secret, where it has further ones: hard links. */
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretName } from './sensitive-names.ts';

const MOST_FOLDERS = 400;
const MOST_ROOTS = 8;
/** ms for which what was seen is not looked at again: a command is judged in many parts. */
const REMEMBERED = 50;
/** ms within which the time of a folder does not tell whether it was changed once more. */
const UNSURE = 50;

/** A secret with further names. */
interface Linked {
  path: string;
  ino: number;
  dev: number;
}

/**
 * The secret-named file below `folders` that is the same file; of each no more than the 400 folders nearest to it are
 * looked into, and none for a file that has one name alone.
 */
function otherNameOf(info: Stats, folders: readonly string[]): string | undefined {
  if (!info.isFile() || info.nlink < 2) return undefined;
  for (const folder of folders)
    for (const { path, ino, dev } of linkedSecrets(folder)) if (ino === info.ino && dev === info.dev) return path;
  return undefined;
}

/** The same for a path; undefined also where there is no file. */
export function secretNameOf(path: string, folders: string | readonly string[]): string | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false });
    return info && otherNameOf(info, typeof folders === 'string' ? [folders] : folders);
  } catch {
    // What cannot be looked at is judged by its path alone.
    return undefined;
  }
}

/** What a folder held; the witness is its own time of change. */
interface Seen {
  changed: bigint;
  folders: readonly string[];
  secrets: readonly string[];
}

interface Root {
  at: number;
  found: readonly Linked[];
  seen: Map<string, Seen>;
}
const roots = new Map<string, Root>();

/** The secret-named files below a folder that have further names. Only folders that were changed are read again. */
export function linkedSecrets(folder: string): readonly Linked[] {
  const now = Date.now();
  const known = roots.get(folder);
  if (known && now >= known.at && now - known.at < REMEMBERED) return known.found;
  const seen = new Map<string, Seen>();
  const found: Linked[] = [];
  const queue = [folder];
  for (let at = 0; at < queue.length && at < MOST_FOLDERS; at++) {
    const held = look(queue[at]!, known?.seen.get(queue[at]!), now);
    if (!held) continue;
    seen.set(queue[at]!, held);
    queue.push(...held.folders);
    for (const path of held.secrets) {
      const stat = bigStat(path);
      if (stat && stat.nlink > 1n) found.push({ path, ino: Number(stat.ino), dev: Number(stat.dev) });
    }
  }
  roots.delete(folder);
  roots.set(folder, { at: now, found, seen });
  if (roots.size > MOST_ROOTS) roots.delete(roots.keys().next().value!);
  return found;
}

function look(folder: string, before: Seen | undefined, now: number): Seen | undefined {
  const stat = bigStat(folder);
  if (!stat?.isDirectory()) return undefined;
  if (before && before.changed === stat.ctimeNs) return before;
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // What cannot be listed cannot be compared.
    return undefined;
  }
  const paths = (fits: (entry: Dirent) => boolean) => entries.filter(fits).map((entry) => join(folder, entry.name));
  const isFresh = now - Number(stat.ctimeNs / 1_000_000n) < UNSURE;
  return {
    changed: isFresh ? -1n : stat.ctimeNs,
    folders: paths((entry) => entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules'),
    secrets: paths((entry) => entry.isFile() && isSecretName(join(folder, entry.name))),
  };
}

function bigStat(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
