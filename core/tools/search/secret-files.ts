/** The files below a folder whose content may be a secret or may not be read; a search over the folder leaves them out. */
import { join } from 'node:path';
import { isSecretName } from '../../permission/sensitive-names.ts';
import { RipgrepMissing, ripgrep } from './ripgrep.ts';

const KEY = 'secret-files';

export interface LeftOut {
  secret: readonly string[];
  /** That a rule denies. */
  denied: readonly string[];
}

/**
 * Their paths, relative to `root`, sorted; `mayRead` gets absolute ones, as does `isSecret`, which knows of further
 * ones than those whose names tell it. Listed once a session and folder, and whether or not the search would have
 * found something in them: an answer that depended on that would tell of their content.
 */
export function secretFiles(
  memory: Map<string, unknown>,
  root: string,
  signal: AbortSignal,
  mayRead: (file: string) => boolean = () => true,
  isSecret: (file: string) => boolean = () => false,
): Promise<LeftOut> {
  let known = memory.get(KEY) as Map<string, Promise<LeftOut>> | undefined;
  if (!known) memory.set(KEY, (known = new Map()));
  let files = known.get(root);
  if (!files) {
    files = list(root, signal, mayRead, isSecret);
    known.set(root, files);
    files.catch(() => known.delete(root));
  }
  return files;
}

async function list(
  root: string,
  signal: AbortSignal,
  mayRead: (file: string) => boolean,
  isSecret: (file: string) => boolean,
): Promise<LeftOut> {
  const secret: string[] = [];
  const denied: string[] = [];
  try {
    await ripgrep({
      args: ['--files', '--null'],
      separator: '\0',
      cwd: root,
      signal,
      record(path) {
        const relative = path.startsWith('./') ? path.slice(2) : path;
        if (!mayRead(join(root, relative))) denied.push(relative);
        else if (isSecretName(relative) || isSecret(join(root, relative))) secret.push(relative);
        return true;
      },
    });
  } catch (error) {
    // The search itself says so.
    if (!(error instanceof RipgrepMissing)) throw error;
  }
  return { secret: secret.sort(), denied: denied.sort() };
}

const MOST_NAMED = 3;

/** A line of each kind for the model, or nothing. */
export function describeLeftOut({ secret, denied }: LeftOut): string {
  const rows: string[] = [];
  if (secret.length > 0)
    rows.push(`(${counted(secret, 'that may hold secrets')}: ${named(secret)}; to search one, give it as path)`);
  if (denied.length > 0) rows.push(`(${counted(denied, 'that a rule forbids to read')}: ${named(denied)})`);
  return rows.join('\n');
}

const counted = ({ length }: readonly string[], what: string): string =>
  length === 1 ? `1 file ${what} was not searched` : `${length} files ${what} were not searched`;

const named = (files: readonly string[]): string =>
  files.slice(0, MOST_NAMED).join(', ') + (files.length > MOST_NAMED ? ', …' : '');
