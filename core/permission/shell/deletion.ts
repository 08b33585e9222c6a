/** `rm` and its kin: what deletes, and what deletes without a way back. */
import { isWithin, placePath } from '../paths.ts';
import { findOption, splitArguments } from './options.ts';
import { combine, type Judge, NEW_FOLDER, outcome, type Scene, touch } from './scene.ts';
import { searchesOf } from './search-secrets.ts';
import { SOME_NAME } from './syntax.ts';

/** `rm` in a folder for temporary files, outside the project, asks but is not called destructive. */
function isTemporary(path: string, scene: Scene): boolean {
  return scene.cwds.every((cwd) => {
    const placed = placePath(path, cwd, scene.places);
    const real = placed.real ?? '';
    const holds = [scene.places.home, scene.places.project, cwd].some((folder) => isWithin(folder, real));
    // Of a folder that this command made only the whole: what lies in it may be a link that it put there.
    if (isWithin(placed.path, NEW_FOLDER) && placed.path !== NEW_FOLDER) return false;
    return (
      !placed.inside &&
      !holds &&
      ['/tmp', '/var/tmp', '/private/tmp'].some(
        (root) => real !== root && isWithin(real, root) && isWithin(placed.path, root),
      ) &&
      !/[*?[]/.test(path.split('/').slice(0, 3).join('/'))
    );
  });
}

export const judgeRm: Judge = (words, scene) => {
  const { options, operands } = splitArguments(words);
  if (findOption(options, '--help', '--version')) return outcome('read');
  const goesBelow = findOption(options, '-r', '-R', '--recursive') !== undefined;
  const below = goesBelow ? { ...outcome('read'), changes: searchesOf(scene, operands) } : outcome('read');
  const touched = combine(touch(scene, operands, 'write'), below);
  if (operands.some((path) => path.includes(SOME_NAME)))
    return combine(outcome('destructive', 'deletes files that are found only when it runs'), touched);
  const sweeping = findOption(options, '-r', '-R', '-f', '--recursive', '--force') !== undefined;
  const everything = operands.find((path) => /^[.*?/]+$/.test(path) || path === '~');
  if (
    (!sweeping && everything === undefined) ||
    (operands.length > 0 && operands.every((path) => isTemporary(path, scene)))
  ) {
    return combine(outcome('write', 'deletes files'), touched);
  }
  return combine(
    outcome(
      'destructive',
      sweeping ? 'rm with -r or -f deletes without a way back' : `deletes everything that ${everything} matches`,
    ),
    touched,
  );
};

export const judgeUnlink: Judge = (words, scene) =>
  combine(
    words.some((path) => path.includes(SOME_NAME))
      ? outcome('destructive', 'deletes a file that is found only when it runs')
      : outcome('write', 'deletes a file'),
    touch(scene, words, 'write'),
  );
