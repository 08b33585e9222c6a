/** What to tell a model that named a file which does not exist. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { nearest } from '../../nearest.ts';
import { shownPath } from './locate.ts';

/** One sentence, with the file that was probably meant where there is one. */
export function missingFile(file: string, cwd: string): string {
  const folder = dirname(file);
  const name = shownPath(file, cwd);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    return `${name} does not exist, and neither does its directory ${shownPath(folder, cwd)}.`;
  }
  let names: string[] = [];
  try {
    names = readdirSync(folder).slice(0, 2000);
  } catch {
    // A folder that cannot be listed gives no advice.
  }
  const wanted = basename(file);
  const near = nearest(wanted, names, Math.max(2, Math.floor(wanted.length / 3)));
  return near ? `${name} does not exist. Did you mean ${near} in the same directory?` : `${name} does not exist.`;
}
