/** Reads a whole file that is to be changed, or says why it cannot be. */
import { type Stats, statSync } from 'node:fs';
import { badPath, shownPath } from './locate.ts';
import { missingFile } from './missing-file.ts';
import { readWhole, withOpen } from './read-whole.ts';

const MOST_BYTES = 100 << 20;

export interface Editable {
  bytes: Buffer;
  mode: number;
}

/** `missing`: there is nothing of that name. */
export async function readForEdit(
  file: string,
  cwd: string,
  judged?: string,
): Promise<Editable | { refused: string; missing?: true }> {
  const name = shownPath(file, cwd);
  const bad = badPath(name);
  if (bad) return { refused: bad };
  const unfit = (is: Stats): string | undefined => {
    if (!is.isFile()) return `${name} is ${is.isDirectory() ? 'a directory' : 'not a regular file'}.`;
    return is.size > MOST_BYTES ? `${name} is too large to edit here (${is.size} bytes).` : undefined;
  };
  try {
    const info = statSync(file, { throwIfNoEntry: false });
    if (!info) return { refused: missingFile(file, cwd), missing: true };
    const refused = unfit(info);
    if (refused) return { refused };
    return await withOpen(
      file,
      ({ fd, info: opened }) => {
        const why = unfit(opened);
        return why ? { refused: why } : { bytes: readWhole(fd, opened.size), mode: opened.mode };
      },
      judged,
    );
  } catch (error) {
    return { refused: `${name} cannot be read: ${(error as Error).message}` };
  }
}
