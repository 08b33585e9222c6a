/**
 * Rules saved by "always" for a project: in $ADA_HOME, keyed by the project's path, so that no checkout can bring its own.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

function fileFor(adaHome: string, project: string): string {
  const key = createHash('sha256').update(project).digest('hex').slice(0, 16);
  return join(adaHome, 'permissions', `${key}.json`);
}

/** The saved allow rules; none when the file is missing or broken. */
export function readRemembered(adaHome: string, project: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(readFileSync(fileFor(adaHome, project), 'utf8'));
    const { project: owner, allow } = stored as { project?: unknown; allow?: unknown };
    if (owner !== project || !Array.isArray(allow)) return [];
    return allow.filter((rule): rule is string => typeof rule === 'string');
  } catch {
    return [];
  }
}

/** Saves all the rules of a project. Throws when $ADA_HOME cannot be written. */
export function writeRemembered(adaHome: string, project: string, rules: readonly string[]): void {
  const file = fileFor(adaHome, project);
  const allow = [...new Set(rules)];
  mkdirSync(join(adaHome, 'permissions'), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify({ project, allow }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}
