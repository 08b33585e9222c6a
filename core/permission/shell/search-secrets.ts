/** What a command that reads every file of a folder comes upon: secrets, and links that lead elsewhere. */
import { normalize } from 'node:path';
import { linkedSecrets, secretNameOf } from '../hard-links.ts';
import { absolute, isWithin, placePath, realPath } from '../paths.ts';
import { isSecretName } from '../sensitive-names.ts';
import { throughLinks } from './brought-links.ts';
import { type Fits, isPlainNpmrc, type Search, walk } from './file-walk.ts';
import { isIgnored, takesBackHidden } from './git-ignored.ts';
import { repositoryOf } from './git-index.ts';
import type { Option } from './options.ts';
import { combine, type Outcome, outcome, type Scene } from './scene.ts';
import { bringsBack, optionFilter, showsHidden } from './search-filter.ts';

const MAX_NAMES = 3_000;
/** Where links are followed, a tree with more names than this is not known well enough. */
const MAX_FOLLOWED = 20_000;

/** The folders as searches, from each directory that the command may run in: where they are, and where links lead. */
export function searchesOf(scene: Scene, folders: readonly string[], fits?: Fits): readonly Search[] {
  return scene.cwds.flatMap((cwd) =>
    folders.flatMap((folder) => {
      const written = normalize(absolute(folder, cwd, scene.places.home)).replace(/(.)\/$/, '$1');
      const all = [written, ...throughLinks(written, scene.shell.links).filter((path) => path !== undefined)];
      return [...new Set(all.flatMap((path) => [path, realPath(path) ?? path]))].map((path) => ({
        folder: path,
        fits,
      }));
    }),
  );
}

/** The outcome of reading every file of some folders that fits; `follows`: also through the links that lie there. */
export function judgeSearch(scene: Scene, folders: readonly string[], fits?: Fits, follows = false): Outcome {
  const searches = searchesOf(scene, folders, fits);
  const why = findSecret(scene, searches, false);
  const judged = { ...(why === undefined ? outcome('read') : outcome('outside', why)), readOnly: true, searches };
  return follows ? combine(judged, judgeFollowed(scene, folders, fits, true)) : judged;
}

/**
 * The outcome of a search that leaves out what is hidden and what git ignores, unless its options bring that back: a
 * pattern of names (`rg -g .env`) does so for what it names.
 */
export function judgeVisible(scene: Scene, folders: readonly string[], options: readonly Option[]): Outcome {
  const fits = optionFilter(options);
  if (bringsBack(options)) return judgeSearch(scene, folders, fits);
  const ignores = !options.some(({ name }) => /^--no-ignore/.test(name));
  const isIgnoredHere = ignoredIn(scene);
  const isLeftOut = (path: string) => ignores && isIgnoredHere(path);
  const searches = searchesOf(scene, folders, fits);
  const isAll = showsHidden(options) || [...scene.cwds, ...searches.map(({ folder }) => folder)].some(takesBackHidden);
  const why = findSecret(
    scene,
    isAll ? searches : searches.map((search) => ({ ...search, isVisible: true })),
    false,
    isLeftOut,
  );
  return { ...(why === undefined ? outcome('read') : outcome('outside', why)), readOnly: true, searches };
}

/** Whether git ignores a file, by its absolute path, in the repository that a command runs in. */
function ignoredIn({ cwds }: Scene): (path: string) => boolean {
  const repositories = cwds.map(repositoryOf);
  return (path) => repositories.some((one) => one && isWithin(path, one.root) && isIgnored(path, one.root, one.gitDir));
}

/** The searches without the secrets that git ignores: `rg` and `fd` list none of them. */
export function withoutIgnored(searches: readonly Search[], scene: Scene): readonly Search[] {
  const isLeftOut = ignoredIn(scene);
  return searches.map(({ folder, fits, ...rest }) => ({
    ...rest,
    folder,
    fits: (path: string) => (!fits || fits(path)) && !(isSecretName(path) && isLeftOut(`${folder}/${path}`)),
  }));
}

/**
 * The outcome of going through folders and every link below them: a link that leads out of the project reaches what lies
 * there. `reads`: files are read as well, not only listed.
 */
export function judgeFollowed(scene: Scene, folders: readonly string[], fits?: Fits, reads = false): Outcome {
  const isInside = (path: string) => placePath(path, '/', scene.places).inside;
  const searches = searchesOf(scene, folders, fits);
  const led: Search[] = [];
  let seen = 0;
  const out = (why: string): Outcome => ({ ...outcome('outside', why), readOnly: true });
  for (const { path, isLink, isPassed } of walk(searches, MAX_FOLLOWED, {
    skips: true,
    within: isInside,
    counted: (names) => (seen = names),
  })) {
    if (isLink && !isInside(path)) return out(`follows the link ${path}, which leads out of the project`);
    if (isLink) led.push({ folder: realPath(path) ?? path, fits });
    if (!reads || isPassed) continue;
    const real = isLink ? (realPath(path) ?? path) : path;
    if ((isSecretName(path) || isSecretName(real)) && !isPlainNpmrc(path))
      return out(`may read ${path}, which may hold secrets`);
  }
  // Links that this very command made.
  const { links } = scene.shell;
  const made = [...links.made.keys(), ...links.brought.map(({ to }) => to)];
  for (const link of made)
    if (
      searches.some(({ folder }) => isWithin(link, folder)) &&
      throughLinks(link, links).some((path) => path === undefined || !isInside(path))
    )
      return out(`follows the link ${link}, which leads out of the project`);
  if (seen >= MAX_FOLLOWED) return out('follows links in a folder that is too large to look through');
  return reads ? { ...outcome('read'), searches: led } : outcome('read');
}

/**
 * Why reading these files needs a yes: a secret among them or, where links are read, a link that leads outside; `only`: for
 * this alone. Looks
 * at no more than 3,000 names, nearest first, and not into `.git` and `node_modules`.
 */
export function findSecret(
  scene: Scene,
  searches: readonly Search[],
  readsLinks: boolean | 'only',
  isLeftOut: (path: string) => boolean = () => false,
): string | undefined {
  const isAll = readsLinks !== 'only';
  for (const { folder } of isAll ? searches : [])
    for (const holder of scene.shell.holders)
      if (isWithin(folder, holder) || isWithin(holder, folder))
        return `may read ${holder}, into which secrets were put`;
  // Seldom are there secrets with further names: only then each file is compared with them.
  const { roots } = scene.places;
  const touches = (root: string) => searches.some(({ folder }) => isWithin(folder, root) || isWithin(root, folder));
  const [linked] = isAll ? roots.filter(touches).flatMap(linkedSecrets) : [];
  let seen = 0;
  for (const { path, isLink } of walk(searches, MAX_NAMES, { skips: true, counted: (names) => (seen = names) })) {
    if (isAll && isSecretName(path) && !isPlainNpmrc(path) && !isLeftOut(path))
      return `may read ${path}, which may hold secrets`;
    const other = linked && !isLink && !isLeftOut(path) ? secretNameOf(path, roots) : undefined;
    if (other !== undefined && !isPlainNpmrc(other))
      return `may read ${path}, a further name of ${other}, which may hold secrets`;
    if (readsLinks && isLink && !placePath(path, '/', scene.places).inside)
      return `may read ${path}, which leads out of the project`;
  }
  // What lies behind the names that were looked at may be one of them.
  if (linked && seen >= MAX_NAMES) return `may read a further name of ${linked.path}, which may hold secrets`;
  return undefined;
}
