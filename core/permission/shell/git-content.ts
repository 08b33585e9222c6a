/**
 * Git commands that print or store the content of files which they do not name: all that git knows, the changed ones, or
 * what it does not know yet. Sources: the manual pages of git 2.5x.
 */
import { existsSync } from 'node:fs';
import { normalize } from 'node:path';
import { linkedSecrets, secretNameOf } from '../hard-links.ts';
import { absolute, isWithin, placePath } from '../paths.ts';
import { isSecretName } from '../sensitive-names.ts';
import { isPlainNpmrc, type Search, walk } from './file-walk.ts';
import { isChanged } from './git-changed.ts';
import { isIgnored } from './git-ignored.ts';
import { repositoryOf, type Tracked, type TrackedFile, trackedFiles } from './git-index.ts';
import { shownSecretFile } from './git-touched.ts';
import { isOption, type Option } from './options.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { judgeSearch } from './search-secrets.ts';

/** Print patches unless an option asks for less, and only when an option asks for them. */
const PATCHES = new Set('diff show difftool format-patch fast-export range-diff'.split(' '));
const ON_DEMAND = new Set(
  'log whatchanged reflog stash diff-tree diff-index diff-files status commit add checkout reset restore'.split(' '),
);
const LESS =
  /^(--(stat|shortstat|numstat|dirstat|summary|name-only|name-status|raw|quiet|no-patch|check|compact-summary)(=.*)?|-s|-q)$/;
const PATCH =
  /^(-p|-u|-U|-W|-L|-c|--(patch|unified|cc|patch-with-stat|patch-with-raw|word-diff|color-words|function-context|remerge-diff|interactive|binary|diff-merges|pickaxe-all)(=.*)?)$/;
const COUNTS = /^(-l|-L|-c|-q|--(files-with-matches|files-without-match|name-only|count|quiet))$/;
/** Options whose value is a file that is read. */
const FILES = ['--ignore-revs-file', '--contents', '--pathspec-from-file', '--ignore-revs', '-S', '-O', '-f'];

/** What the content that it prints adds to a git command, which is otherwise judged by its subcommand. */
export function judgeGitContent(
  name: string,
  rest: readonly string[],
  options: readonly Option[],
  operands: readonly string[],
  scene: Scene,
): Outcome {
  const named = rest.flatMap((word) => {
    const [, option = '', value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    return value !== undefined && FILES.some((file) => file.startsWith('--') && isOption(option, file)) ? value : [];
  });
  const apart = rest.flatMap((word, index) => (FILES.slice(0, 3).includes(word) ? (rest[index + 1] ?? []) : []));
  const files = touch(scene, [...named, ...apart], 'read');
  if (!prints(name, options, operands)) return files;
  return combine(files, ...scene.cwds.map((cwd) => judgeTracked(name, rest, options, operands, cwd, scene)));
}

/** Names that are only looked up, listed or counted. */
const LOOKS = new Set(
  'status log whatchanged ls-files ls-tree rev-parse rev-list shortlog check-ignore check-attr describe name-rev merge-base for-each-ref show-ref cherry count-objects reflog'.split(
    ' ',
  ),
);

/** Whether a git command that only reads prints content of the files that it is given. */
export const printsContent = (name: string, options: readonly Option[], operands: readonly string[]): boolean =>
  !LOOKS.has(name) || prints(name, options, operands);

function prints(name: string, options: readonly Option[], operands: readonly string[]): boolean {
  const some = (pattern: RegExp) => options.some((option) => pattern.test(option.name));
  switch (name) {
    case 'grep':
      return !some(COUNTS);
    case 'archive':
    case 'cat-file':
      return name === 'archive' || some(/^--batch/) || operands.some((word) => /^[0-9a-f]{7,64}$/.test(word));
    case 'status':
    case 'commit':
      return some(/^(-v|--verbose)$/);
    case 'add':
    case 'checkout':
    case 'reset':
    case 'restore':
      return some(/^(-p|-i|--patch|--interactive)$/);
  }
  if (PATCHES.has(name)) return some(PATCH) || !some(LESS);
  return ON_DEMAND.has(name) && some(PATCH) && !(name === 'stash' && !/^(show|list)$/.test(operands[0] ?? ''));
}

function judgeTracked(
  name: string,
  rest: readonly string[],
  options: readonly Option[],
  operands: readonly string[],
  cwd: string,
  scene: Scene,
): Outcome {
  const tracked = trackedFiles(cwd, scene.places);
  if (scene.shell.holders.has(`${repositoryOf(cwd)?.root}/.git`))
    return { ...outcome('outside', `git ${name} may print secrets that were just added`), readOnly: true };
  if (!tracked) return outcome('read');
  if (tracked.isUnread) return judgeSearch(scene, [tracked.root]);
  const dashes = rest.indexOf('--');
  const words = dashes >= 0 ? rest.slice(dashes + 1) : operands.slice(name === 'stash' ? 1 : 0);
  const isPath = (word: string) =>
    dashes >= 0 || word.startsWith(':') || /[*?]/.test(word) || existsSync(absolute(word, cwd, scene.places.home));
  const specs = words.filter(isPath);
  const hasRevision =
    words.some((word) => !isPath(word)) || (dashes > 0 && rest.slice(0, dashes).some((word) => !word.startsWith('-')));
  // `git show HEAD:a.ts` prints that file alone, which is judged by its name.
  if (name === 'show' && words.length > 0 && words.every((word) => /^[^:]+:./.test(word))) return outcome('read');
  const inSpecs = pathspecs(specs, name === 'grep' ? '.' : tracked.root, cwd);
  const onlyChanged =
    name === 'diff' &&
    !hasRevision &&
    !options.some(({ name: option }) => /^--(cached|staged|merge-base)$/.test(option));
  const reads = (file: TrackedFile) =>
    inSpecs(`${tracked.root}/${file.path}`) && (!onlyChanged || isChanged(file, tracked));
  const isLinked = linkedSecrets(tracked.root).length > 0;
  const isSecret = ({ path }: TrackedFile) =>
    isSecretName(path) || (isLinked && secretNameOf(`${tracked.root}/${path}`, tracked.root) !== undefined);
  const secret = tracked.files.find(
    (file) => isSecret(file) && reads(file) && !isPlainNpmrc(`${tracked.root}/${file.path}`),
  );
  const searches: readonly Search[] = [{ folder: tracked.root, fits: among(tracked, reads) }];
  if (!secret) return { ...outcome('read'), searches };
  // Of another name of a secret the trees do not tell.
  const shown =
    scene.shell.course.isChanged || !isSecretName(secret.path)
      ? undefined
      : shownSecretFile({
          name,
          options,
          revisions:
            dashes > 0
              ? rest.slice(0, dashes).filter((word) => !word.startsWith('-'))
              : words.filter((word) => !isPath(word)),
          tracked,
          cwd,
          isNamed: (path) => inSpecs(`${tracked.root}/${path}`),
          isChanged: (file) => isChanged(file, tracked),
        });
  if (shown === null) return { ...outcome('read'), searches };
  const isPlainName = /^(diff|show|log|grep)$/.test(name) && /^[\w@.+/-]+$/.test(secret.path);
  const left = specs.length === 0 ? `-- ':!${secret.path}'` : `':!${secret.path}'`;
  return {
    ...outcome(
      'outside',
      `git ${name} may print ${tracked.root}/${secret.path}, which may hold secrets`,
      ...(isPlainName ? [`leave it out with ${left}`] : []),
    ),
    readOnly: true,
    searches,
  };
}

function among(tracked: Tracked, reads: (file: TrackedFile) => boolean): (path: string) => boolean {
  let names: Set<string> | undefined;
  return (path) => {
    names ??= new Set(tracked.files.filter(reads).map((file) => file.path));
    return names.has(path);
  };
}

/** Whether an absolute path is among the pathspecs; magic that is not known includes everything. */
export function pathspecs(specs: readonly string[], whole: string, cwd: string): (path: string) => boolean {
  const from = (word: string) => normalize(absolute(word, cwd, '~'));
  const excluded = specs.flatMap((word) => /^:(?:[!^]|\(exclude\))(.+)$/s.exec(word)?.[1] ?? []);
  const plain = specs.filter((word) => !/^:([!^]|\(exclude\))/.test(word));
  const isAll = plain.some((word) => word.startsWith(':'));
  const wanted = (plain.length === 0 ? [whole] : plain).map((word) => covers(from(word)));
  const left = excluded.map((word) => covers(from(word)));
  return (path) => (isAll || wanted.some((one) => one(path))) && !left.some((one) => one(path));
}

/** `*` of a pathspec crosses folders. */
function covers(spec: string): (path: string) => boolean {
  const plain = spec.replace(/(.)\/$/, '$1');
  if (!/[*?[]/.test(plain)) return (path) => isWithin(path, plain);
  const pattern = plain
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\[[^\]]*\]/g, '.')
    .replace(/\[/g, '\\[')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  const glob = new RegExp(`^${pattern}(/|$)`, 's');
  return (path) => glob.test(path);
}

/** A secret that git does not know yet, and would take in: with `forced` also one that it ignores. */
export function takenIn(
  paths: readonly string[],
  forced: boolean,
  scene: Scene,
): { path: string; root: string } | undefined {
  for (const cwd of scene.cwds) {
    const repository = repositoryOf(cwd);
    if (!repository) continue;
    const { root, gitDir } = repository;
    const known = new Set(trackedFiles(cwd, scene.places)?.files.map((file) => `${root}/${file.path}`));
    const searches = (paths.length > 0 ? paths : [root]).map((path) => ({
      folder: normalize(absolute(path, cwd, scene.places.home)).replace(/(.)\/$/, '$1'),
    }));
    for (const { path } of walk(searches, 3_000))
      if (isSecretName(path) && !known.has(path) && !isPlainNpmrc(path) && placePath(path, '/', scene.places).inside)
        if (forced || !isIgnored(path, root, gitDir)) return { path, root };
  }
  return undefined;
}

/** `git add` prints nothing, but what it took in other commands print. */
export function noteAdded(paths: readonly string[], forced: boolean, scene: Scene): void {
  const taken = takenIn(paths, forced, scene);
  if (taken) scene.shell.holders.add(`${taken.root}/.git`);
}

/** `git stash -u` puts files away where no name tells of them any more. */
export function judgeStashed(forced: boolean, scene: Scene): Outcome {
  const taken = takenIn([], forced, scene);
  return taken ? outcome('outside', `git stash puts away ${taken.path}, which may hold secrets`) : outcome('read');
}

/** A folder into which git puts all that it knows, secrets too, holds them from then on. */
export function putSecrets(folder: string, scene: Scene): void {
  for (const cwd of scene.cwds) {
    const tracked = trackedFiles(cwd, scene.places);
    if (tracked?.files.some((file) => isSecretName(file.path)))
      scene.shell.holders.add(normalize(absolute(folder, cwd, scene.places.home)).replace(/(.)\/$/, '$1'));
  }
}
