/** Whether git ignores an untracked file: a plain reading of `.gitignore`, which when in doubt says no. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathGlob } from '../path-glob.ts';
import { isWithin } from '../paths.ts';

export function isIgnored(path: string, root: string, gitDir: string): boolean {
  let ignored = false;
  const lists: [string, string][] = [[root, `${gitDir}/info/exclude`]];
  const folders: string[] = [];
  for (let folder = dirname(path); isWithin(folder, root); folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === root) break;
  }
  for (const folder of folders) lists.push([folder, `${folder}/.gitignore`]);
  for (const [base, file] of lists) {
    for (const line of linesOf(file)) {
      const pattern = line.replace(/^!/, '').replace(/\/$/, '');
      if (matches(pattern, path.slice(base.length + 1))) ignored = !line.startsWith('!');
    }
  }
  return ignored;
}

/** A pattern ignores what it names, also a folder above the file. */
function matches(pattern: string, path: string): boolean {
  // A set of characters is not read: the file counts as not ignored.
  if (pattern.includes('[')) return false;
  const names = path.split('/');
  const anchored = pattern.includes('/');
  const glob = pathGlob(pattern.replace(/^\//, ''));
  return names.some((name, index) => glob.test(anchored ? names.slice(0, index + 1).join('/') : name));
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trimEnd())
      .filter((line) => line !== '' && !line.startsWith('#'));
  } catch {
    return [];
  }
}

/** What secrets that are hidden are mostly called. */
const HIDDEN_SECRETS = ['.env', '.env.local', '.env.production', '.npmrc', '.netrc', '.envrc', '.git-credentials'];

/** Whether a list in this folder (`!.env`) makes ripgrep search such files, although their names begin with a dot. */
export function takesBackHidden(folder: string): boolean {
  return ['.gitignore', '.ignore', '.rgignore'].some((list) =>
    linesOf(`${folder}/${list}`).some((line) => {
      if (!line.startsWith('!')) return false;
      const name = line.slice(1).replace(/\/$/, '').split('/').at(-1)!;
      const glob = pathGlob(name.replace(/\[[^\]]*\]/g, '?'));
      return HIDDEN_SECRETS.some((secret) => glob.test(secret));
    }),
  );
}
