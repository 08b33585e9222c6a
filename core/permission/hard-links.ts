/** Finds the names under which the policy knows a file as a secret, where it has further ones: hard links. */
import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretName } from './sensitive-names.ts';

const MOST_FOLDERS = 200;
/** ms for which the secrets of a project with further names are remembered: a command is judged in many parts. */
const REMEMBERED = 500;

/**
 * The secret-named file in `project` or its direct folders that is the same file. Deeper ones are not found: only files
 * that have several names at all come here, and a walk over the whole project would cost each of their reads too much.
 */
export function otherNameOf(info: Stats, project: string): string | undefined {
  if (!info.isFile() || info.nlink < 2) return undefined;
  for (const { path, stat } of linkedSecrets(project)) if (stat.ino === info.ino && stat.dev === info.dev) return path;
  return undefined;
}

/** The same for a path; undefined also where there is no file. */
export function secretNameOf(path: string, project: string): string | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false });
    return info && otherNameOf(info, project);
  } catch {
    // What cannot be looked at is judged by its path alone.
    return undefined;
  }
}

interface Linked {
  path: string;
  stat: Stats;
}
let last: { project: string; at: number; found: readonly Linked[] } | undefined;

/** The secret-named files of a project that have further names. */
export function linkedSecrets(project: string): readonly Linked[] {
  const now = Date.now();
  if (last && last.project === project && now - last.at < REMEMBERED) return last.found;
  const found: Linked[] = [];
  let folders = 0;
  const look = (folder: string, deeper: boolean): void => {
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (!entry.isFile() || !isSecretName(path)) continue;
        const stat = statSync(path, { throwIfNoEntry: false });
        if (stat && stat.nlink > 1) found.push({ path, stat });
      }
      for (const entry of deeper ? entries : [])
        if (entry.isDirectory() && folders++ < MOST_FOLDERS) look(join(folder, entry.name), false);
    } catch {
      // What cannot be listed cannot be compared.
    }
  };
  look(project, true);
  last = { project, at: now, found };
  return found;
}
