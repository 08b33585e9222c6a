/** Which programs make, move or copy links, and where these then are. */
import { basename, normalize } from 'node:path';
import { absolute } from '../paths.ts';
import { noteBrought, noteLink } from './brought-links.ts';
import { isFolder } from './known-output.ts';
import { splitArguments } from './options.ts';
import { namesMatching, type Scene } from './scene.ts';
import { isComputed, SOME_NAME } from './syntax.ts';

/** More names than this count as names that are not known. */
const MAX_SOURCES = 64;
const VALUES = new Set(
  '-S --suffix -t --target-directory -m --mode -o --owner -g --group -e --rsh --exclude --include'.split(' '),
);

/** Notes the links that a program with these words leaves; to be called once it is judged. */
export function noteLinks(program: string, args: readonly string[], scene: Scene): void {
  const has = (pattern: RegExp) => args.some((word) => pattern.test(word));
  switch (program) {
    case 'ln':
      carry(args, scene, has(/^-[a-zA-Z]*s|^--sym/) ? (has(/^-[a-zA-Z]*r|^--rel/) ? 'resolved' : 'text') : 'moved');
      return;
    case 'cp':
    case 'gcp':
      if (has(/^-[a-zA-Z]*s|^--sym/)) carry(args, scene, 'text');
      else if (has(/^-[a-zA-Z]*[aRrdPl]|^--(arch|recu|no-deref|pres|link)/)) carry(args, scene, 'moved');
      return;
    case 'mv':
    case 'gmv':
      carry(args, scene, 'moved');
      return;
    case 'rsync':
      if (has(/^-[a-zA-Z]*[al]|^--(archive|links)/)) carry(args, scene, 'moved');
      return;
    case 'git':
      noteGit(args, scene);
      return;
  }
}

function noteGit(args: readonly string[], scene: Scene): void {
  const { operands, options } = splitArguments(args, {
    values: new Set(['-C', '-c', '-b', '-B', '--git-dir', '--work-tree']),
  });
  const [name, ...rest] = operands;
  const folder = options.find((option) => option.name === '-C')?.value;
  const here: Scene =
    folder === undefined || isComputed(folder)
      ? scene
      : { ...scene, cwds: scene.cwds.map((cwd) => absolute(folder, cwd, scene.places.home)) };
  if (name === 'mv') carry(args.slice(args.indexOf('mv') + 1), here, 'moved');
  else if (name === 'worktree' && rest[0] === 'add' && rest[1] !== undefined) copyAll('.', rest[1], here);
  else if (name === 'clone' && rest[1] !== undefined && !/:/.test(rest[0]!)) copyAll(rest[0]!, rest[1], here);
  else if (name === 'checkout-index')
    for (const { name: option, value } of options) if (option === '--prefix' && value) copyAll('.', value, here);
}

function copyAll(source: string, target: string, scene: Scene): void {
  if (isComputed(source) || isComputed(target)) return;
  const { home } = scene.places;
  for (const cwd of scene.cwds)
    noteBrought(absolute(source, cwd, home), absolute(target, cwd, home), scene.shell.links);
}

/** `text`: links are made that hold the sources as written; `resolved`: that lead to them; `moved`: they get these places. */
function carry(args: readonly string[], scene: Scene, how: 'text' | 'resolved' | 'moved'): void {
  const { options, operands } = splitArguments(args, { values: VALUES });
  const named = options.find(({ name }) => /^(-t|--target-directory)$/.test(name))?.value;
  const replaces = options.some(({ name }) => /^(-T|-n|--no-target-directory|--no-dereference)$/.test(name));
  const sources = named !== undefined || operands.length < 2 ? operands : operands.slice(0, -1);
  const target = named ?? (operands.length > 1 ? operands.at(-1)! : '.');
  if (sources.length === 0 || isComputed(target) || target.includes(SOME_NAME)) return;
  const { places, shell } = scene;
  for (const cwd of scene.cwds) {
    const to = absolute(target, cwd, places.home);
    const names = sources.flatMap((source) => namesOf(source, cwd, scene));
    // A lone name may be given to what it is put beside; several go into a folder.
    const inFolder = named !== undefined || names.length > 1 || operands.length < 2 || (isFolder(to) && !replaces);
    for (const source of names.length > MAX_SOURCES ? [undefined] : names) {
      if (source === undefined) {
        noteBrought(undefined, to, shell.links);
        continue;
      }
      const from = absolute(source, cwd, places.home);
      const last = basename(normalize(from));
      const ends = [`${to.replace(/\/+$/, '')}/${last}`];
      if (!inFolder || source.endsWith('/') || source.endsWith('/.')) ends.push(to);
      for (const end of ends)
        if (how === 'moved') {
          noteBrought(from, end, shell.links);
          // A hard link is the file itself.
        } else noteLink(end, how === 'text' && !source.startsWith('~') ? source : from, shell.links);
    }
  }
}

/** What a source stands for; undefined among them: names that are not known. */
function namesOf(source: string, cwd: string, scene: Scene): readonly (string | undefined)[] {
  if (isComputed(source) || source.includes(SOME_NAME) || source === '{}') return [undefined];
  const names = namesMatching(source, cwd, scene);
  if (names === undefined) return [undefined];
  return names.length > 1 ? names.slice(1) : names;
}
