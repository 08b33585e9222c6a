/**
 * Which projects a person trusts: only there are settings, skills and connectors of the checkout itself used. Kept in
 * $ADA_HOME/trust.json, by the real path, as is a no; a folder never inherits trust from one above it.
 */
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the person said that this project may bring its own settings. */
export const isTrusted = (adaHome: string, project: string): boolean => trustOf(adaHome, project) === true;

/** What the person said of a project; undefined: was never asked. */
export function trustOf(adaHome: string, project: string): boolean | undefined {
  const { projects, refused } = readAnswers(adaHome);
  const path = real(project);
  return projects.includes(path) ? true : refused.includes(path) ? false : undefined;
}

/** Remembers that a project is trusted. Throws when $ADA_HOME cannot be written. */
export function trust(adaHome: string, project: string): void {
  answer(adaHome, project, true);
}

/** Remembers that a project is not trusted, so that nobody asks again. Throws when $ADA_HOME cannot be written. */
export function distrust(adaHome: string, project: string): void {
  answer(adaHome, project, false);
}

interface Answers {
  projects: readonly string[];
  refused: readonly string[];
}

function answer(adaHome: string, project: string, isYes: boolean): void {
  const known = readAnswers(adaHome);
  const path = real(project);
  const others = (paths: readonly string[]): string[] => paths.filter((one) => one !== path);
  const projects = [...others(known.projects), ...(isYes ? [path] : [])].sort();
  const refused = [...others(known.refused), ...(isYes ? [] : [path])].sort();
  const answers = refused.length > 0 ? { projects, refused } : { projects };
  mkdirSync(adaHome, { recursive: true, mode: 0o700 });
  const temporary = join(adaHome, `trust.json.${process.pid}.tmp`);
  writeFileSync(temporary, `${JSON.stringify(answers, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, join(adaHome, 'trust.json'));
}

function readAnswers(adaHome: string): Answers {
  try {
    const stored = JSON.parse(readFileSync(join(adaHome, 'trust.json'), 'utf8')) as Record<string, unknown>;
    return { projects: paths(stored.projects), refused: paths(stored.refused) };
  } catch {
    return { projects: [], refused: [] };
  }
}

const paths = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((path): path is string => typeof path === 'string') : [];

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
