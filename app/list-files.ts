/** Which files a folder has. Loaded when a person names one. */
import { ripgrep } from '../core/tools/search/ripgrep.ts';

const MOST_FILES = 100_000;
/** A name that would move the cursor or hide a part of itself is not told. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Paths from `cwd`, in no order, without those that a `.gitignore` or `.ignore` leaves out. RipgrepMissing without ripgrep. */
export async function listFiles(cwd: string, signal: AbortSignal): Promise<readonly string[]> {
  const paths: string[] = [];
  await ripgrep({
    args: ['--files', '--null'],
    separator: '\0',
    cwd,
    signal,
    record(path) {
      if (!UNSHOWN.test(path)) paths.push(path.startsWith('./') ? path.slice(2) : path);
      return paths.length < MOST_FILES;
    },
  });
  return paths;
}
