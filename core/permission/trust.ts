/**
 * Which projects a person trusts: only there are settings, skills and connectors of the checkout itself used. Kept in
 * $ADA_HOME/trust.json, by the real path; a folder never inherits trust from one above it.
 */
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the person said that this project may bring its own settings. */
export function isTrusted(adaHome: string, project: string): boolean {
  return readTrusted(adaHome).includes(real(project));
}

/** Remembers that a project is trusted. Throws when $ADA_HOME cannot be written. */
export function trust(adaHome: string, project: string): void {
  const projects = [...new Set([...readTrusted(adaHome), real(project)])].sort();
  mkdirSync(adaHome, { recursive: true, mode: 0o700 });
  const temporary = join(adaHome, `trust.json.${process.pid}.tmp`);
  writeFileSync(temporary, `${JSON.stringify({ projects }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, join(adaHome, 'trust.json'));
}

function readTrusted(adaHome: string): readonly string[] {
  try {
    const { projects } = JSON.parse(readFileSync(join(adaHome, 'trust.json'), 'utf8')) as { projects?: unknown };
    return Array.isArray(projects) ? projects.filter((path): path is string => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
