/** The files below a folder whose content may be a secret; a search over the folder leaves them out. */
import { isSecretName } from '../../permission/sensitive-names.ts';
import { RipgrepMissing, ripgrep } from './ripgrep.ts';

const KEY = 'secret-files';

/**
 * Their paths, relative to `root`, sorted. Listed once a session and folder, and whether or not the search would have
 * found something in them: an answer that depended on that would tell of their content.
 */
export function secretFiles(
  memory: Map<string, unknown>,
  root: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let known = memory.get(KEY) as Map<string, Promise<readonly string[]>> | undefined;
  if (!known) memory.set(KEY, (known = new Map()));
  let files = known.get(root);
  if (!files) {
    files = list(root, signal);
    known.set(root, files);
    files.catch(() => known.delete(root));
  }
  return files;
}

async function list(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  try {
    await ripgrep({
      args: ['--files', '--null'],
      separator: '\0',
      cwd: root,
      signal,
      record(path) {
        const relative = path.startsWith('./') ? path.slice(2) : path;
        if (isSecretName(relative)) found.push(relative);
        return true;
      },
    });
  } catch (error) {
    // The search itself says so.
    if (!(error instanceof RipgrepMissing)) throw error;
  }
  return found.sort();
}

const MOST_NAMED = 3;

/** One line for the model, or nothing. */
export function describeLeftOut(files: readonly string[]): string {
  if (files.length === 0) return '';
  const names = files.slice(0, MOST_NAMED).join(', ') + (files.length > MOST_NAMED ? ', …' : '');
  const what =
    files.length === 1 ? '1 file that may hold secrets was' : `${files.length} files that may hold secrets were`;
  return `(${what} not searched: ${names}; to search one, give it as path)`;
}
