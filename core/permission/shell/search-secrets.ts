/** What a command that reads every file of a folder comes upon: secrets, and links that lead elsewhere. */
import { normalize } from 'node:path';
import { absolute, isWithin, placePath } from '../paths.ts';
import { isSecretName } from '../sensitive-names.ts';
import { type Fits, isPlainNpmrc, type Search, walk } from './file-walk.ts';
import { type Outcome, outcome, type Scene } from './scene.ts';

const MAX_NAMES = 3_000;

/** The folders as searches, from each directory that the command may run in. */
export function searchesOf(scene: Scene, folders: readonly string[], fits?: Fits): readonly Search[] {
  return scene.cwds.flatMap((cwd) =>
    folders.map((folder) => ({
      folder: normalize(absolute(folder, cwd, scene.places.home)).replace(/(.)\/$/, '$1'),
      fits,
    })),
  );
}

/** The outcome of reading every file of some folders that fits. */
export function judgeSearch(scene: Scene, folders: readonly string[], fits?: Fits, followsLinks = false): Outcome {
  const searches = searchesOf(scene, folders, fits);
  const why = findSecret(scene, searches, followsLinks);
  return { ...(why === undefined ? outcome('read') : outcome('outside', why)), readOnly: true, searches };
}

/**
 * Why reading these files needs a yes: a secret among them or, where links are followed, a link that leads outside. Looks
 * at no more than 3,000 names, nearest first, and not into `.git` and `node_modules`.
 */
export function findSecret(scene: Scene, searches: readonly Search[], followsLinks: boolean): string | undefined {
  for (const { folder } of searches)
    for (const holder of scene.shell.holders)
      if (isWithin(folder, holder) || isWithin(holder, folder))
        return `may read ${holder}, into which secrets were put`;
  for (const { path, isLink } of walk(searches, MAX_NAMES)) {
    if (isSecretName(path) && !isPlainNpmrc(path)) return `may read ${path}, which may hold secrets`;
    if (followsLinks && isLink && !placePath(path, '/', scene.places).inside)
      return `may read ${path}, which leads out of the project`;
  }
  return undefined;
}
