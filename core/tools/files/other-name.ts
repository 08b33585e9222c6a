/** Finds the name of a hard link under which the policy knows a file as a secret. */
import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretName } from '../../permission/sensitive-names.ts';

const MOST_FOLDERS = 200;

/**
 * The secret-named file in `project` or its direct folders that is the same file. Deeper ones are not found: only files
 * that have several names at all come here, and a walk over the whole project would cost each of their reads too much.
 */
export function otherNameOf(info: Stats, project: string): string | undefined {
  let folders = 0;
  const look = (folder: string, deeper: boolean): string | undefined => {
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (!entry.isFile() || !isSecretName(path)) continue;
        const other = statSync(path, { throwIfNoEntry: false });
        if (other?.ino === info.ino && other.dev === info.dev) return path;
      }
      for (const entry of deeper ? entries : []) {
        if (!entry.isDirectory() || folders++ > MOST_FOLDERS) continue;
        const found = look(join(folder, entry.name), false);
        if (found) return found;
      }
    } catch {
      // What cannot be listed cannot be compared.
    }
    return undefined;
  };
  return look(project, true);
}
