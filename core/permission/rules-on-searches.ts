/** Rules on paths, for calls that read every file of a folder: whether a file that a rule names is among them. */
import { existsSync } from 'node:fs';
import { isPathGlob } from './path-glob.ts';
import { absolute, isWithin, type Places, realPath } from './paths.ts';
import { type Search, walk } from './shell/file-walk.ts';

/** Folders with more names than this are not looked through: the rule binds. */
const MAX_NAMES = 20_000;

/** `matches`: whether the rule names a file. */
export function bindsSearch(
  pattern: string,
  searches: readonly Search[],
  places: Places,
  matches: (path: string) => boolean,
): boolean {
  return searches.some((search) => {
    const real = realPath(search.folder);
    const folders = real === undefined || real === search.folder ? [search.folder] : [search.folder, real];
    return folders.some((folder) => binds(pattern, { ...search, folder }, places, matches));
  });
}

function binds(pattern: string, search: Search, places: Places, matches: (path: string) => boolean): boolean {
  const { folder, fits } = search;
  const fixed = fixedPart(pattern, places);
  // One that begins with a folder is looked for only there.
  if (fixed !== undefined) {
    const [inside, path] = isWithin(fixed, folder) ? [true, fixed] : [false, folder];
    if (!inside && !isWithin(folder, fixed)) return false;
    if (!isPathGlob(pattern) && inside)
      return matches(path) && existsSync(path) && (!fits || fits(path.slice(folder.length + 1)));
    if (inside && !existsSync(path)) return false;
  }
  const skips = !/(^|\/)(\.git|node_modules)(\/|$)/.test(pattern);
  const start = fixed !== undefined && isWithin(fixed, folder) ? fixed : folder;
  const from = start === folder ? '' : `${start.slice(folder.length + 1)}/`;
  const inStart: Search = { folder: start, fits: fits && ((path) => fits(`${from}${path}`)) };
  let seen = 0;
  for (const { path } of walk([inStart], MAX_NAMES, { skips, counted: (count) => (seen = count) }))
    if (matches(path)) return true;
  return seen >= MAX_NAMES;
}

/** The folder, or the file, that a pattern begins with; undefined where it may be any. */
function fixedPart(pattern: string, places: Places): string | undefined {
  if (!pattern.includes('/')) return undefined;
  const plain = /^(?:[^*?\\]*\/)?/.exec(pattern)![0];
  const whole = isPathGlob(pattern) ? plain.replace(/\/$/, '') : pattern.replace(/\\(.)/g, '$1');
  if (whole === '') return undefined;
  const path = absolute(whole.replace(/^(\.\/)+/, ''), places.project, places.home);
  // Relative ones hold in every added directory too.
  if (places.roots.length > 1 && !/^[/~]/.test(pattern)) return undefined;
  return /(^|\/)\.\.(\/|$)/.test(path) ? undefined : path.replace(/(.)\/$/, '$1');
}

/**
 * How far a rule covers a folder in which any file may be changed: `all`, whatever its name, or `part`; undefined where
 * it does not.
 */
export function coversFolder(
  pattern: string,
  { folder }: Search,
  places: Places,
  matches: (path: string) => boolean,
): 'all' | 'part' | undefined {
  if (matches(`${folder}/\u0001`)) return 'all';
  const fixed = fixedPart(pattern, places);
  if (fixed === undefined) return places.roots.some((root) => isWithin(folder, root)) ? 'part' : undefined;
  return isWithin(fixed, folder) || isWithin(folder, fixed) ? 'part' : undefined;
}
