/**
 * Whether a `git diff`, `git show` or `git log -p` shows the content of a file of secrets, found out from the trees that
 * it compares. Where anything about that is not plain, nothing is known.
 */
import { readFileSync } from 'node:fs';
import { isSecretName } from '../sensitive-names.ts';
import { isPlainNpmrc } from './file-walk.ts';
import { repositoryOf, type Tracked, type TrackedFile } from './git-index.ts';
import { dateOf, entriesOf, type GitObjects, openObjects, parentsOf, treeOf } from './git-objects.ts';
import type { Option } from './options.ts';
import { isComputed, SOME_NAME } from './syntax.ts';

const MOST_OBJECTS = 600;
const MOST_COMMITS = 200;
const MOST_LOGGED = 30;
/** Options that only say how a difference is shown. */
const SHOWN =
  /^(-[pucwbaRWMsqzBD]|-U|--(patch|unified|stat|shortstat|numstat|dirstat|summary|compact-summary|patch-with-stat|color|no-color|color-words|word-diff|word-diff-regex|no-ext-diff|no-textconv|ignore-(all-space|space-change|space-at-eol|blank-lines|cr-at-eol|submodules)|minimal|patience|histogram|diff-algorithm|function-context|inter-hunk-context|renames|no-renames|find-renames|diff-filter|relative|abbrev|full-index|exit-code|name-only|name-status|oneline|pretty|format|decorate|no-decorate|abbrev-commit|no-abbrev-commit|date|cc|no-prefix|src-prefix|dst-prefix|raw|cached|staged|no-notes|no-show-signature))$/;

export interface Shown {
  name: string;
  options: readonly Option[];
  /** Operands that are no paths. */
  revisions: readonly string[];
  tracked: Tracked;
  cwd: string;
  /** Whether a path, from the root, is among the pathspecs. */
  isNamed(path: string): boolean;
  /** Whether the file of the work tree is another than the index says. */
  isChanged(file: TrackedFile): boolean;
}

/** The first secret that is shown, `null` where it is none for sure, undefined where that cannot be told. */
export function shownSecretFile(shown: Shown): string | null | undefined {
  const { name, options, revisions } = shown;
  const plain = options.filter((option) => !(name === 'log' && /^(-n|-\d+|--max-count)$/.test(option.name)));
  if (plain.some((option) => !SHOWN.test(option.name) && !(name === 'log' && /^-\d$/.test(option.name))))
    return undefined;
  if (revisions.some((word) => isComputed(word) || word.includes(SOME_NAME))) return undefined;
  const repository = repositoryOf(shown.cwd);
  const objects = repository && openObjects(repository.gitDir, MOST_OBJECTS);
  if (!objects) return undefined;
  try {
    switch (name) {
      case 'diff':
        return ofDiff(shown, objects, repository.gitDir);
      case 'show':
        return all(revisions.length > 0 ? revisions : ['HEAD'], (word) =>
          ofCommit(objects.commit(word), shown, objects),
        );
      case 'log':
        return ofLog(shown, objects);
    }
  } catch (error) {
    if (error !== UNKNOWN) throw error;
  }
  return undefined;
}

const UNKNOWN = new Error('not known');
const sure = <T>(value: T | undefined): T => {
  if (value === undefined) throw UNKNOWN;
  return value;
};

function all<T>(items: readonly T[], look: (item: T) => string | null | undefined): string | null | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== null) return found;
  }
  return null;
}

function ofDiff(shown: Shown, objects: GitObjects, gitDir: string): string | null {
  const { options, revisions, tracked } = shown;
  const toIndex = options.some((option) => /^(--cached|--staged)$/.test(option.name));
  const tree = (word: string) => sure(treeOf(objects.read(sure(objects.commit(word)))));
  const [first = 'HEAD', second] = revisions;
  const [, from, dots, to] = /^(.*?)(\.\.\.?)(.*)$/.exec(first) ?? [];
  if (dots !== undefined) {
    if (second !== undefined || toIndex) throw UNKNOWN;
    const [left, right] = [from || 'HEAD', to || 'HEAD'];
    const base =
      dots === '..'
        ? sure(objects.commit(left))
        : mergeBase(sure(objects.commit(left)), sure(objects.commit(right)), objects);
    return between(sure(treeOf(objects.read(base))), tree(right), '', shown, objects);
  }
  if (revisions.length > 2 || (second !== undefined && toIndex)) throw UNKNOWN;
  if (second !== undefined) return between(tree(first), tree(second), '', shown, objects);
  // A tree and the index, and what of that lies in the work tree.
  const secrets = tracked.files.filter((file) => isSecret(file.path, shown));
  const root = tree(first);
  for (const file of secrets) if (shown.isChanged(file) || idIn(root, file.path, objects) !== file.id) return file.path;
  const folders = new Map(cachedTrees(gitDir));
  return missing(root, '', shown, objects, new Set(secrets.map((file) => file.path)), folders);
}

const isSecret = (path: string, { isNamed, tracked }: Shown): boolean =>
  isSecretName(path) && isNamed(path) && !isPlainNpmrc(`${tracked.root}/${path}`);

/** The object of a path in a tree; undefined where it has none. */
function idIn(root: string, path: string, objects: GitObjects): string | undefined {
  let id: string | undefined = root;
  for (const part of path.split('/'))
    id = sure(entriesOf(objects.read(sure(id)))).find(({ name }) => name === part)?.id;
  return id;
}

/** A secret of a tree that the index does not have. Folders that the index knows to be the same are left out. */
function missing(
  id: string,
  folder: string,
  shown: Shown,
  objects: GitObjects,
  known: ReadonlySet<string>,
  same: ReadonlyMap<string, string>,
): string | null {
  if (same.get(folder) === id) return null;
  for (const entry of sure(entriesOf(objects.read(id)))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isTree && isSecret(path, shown) && !known.has(path)) return path;
    const below = entry.isTree ? missing(entry.id, path, shown, objects, known, same) : null;
    if (below !== null) return below;
  }
  return null;
}

/** The first secret that two trees do not hold alike; undefined stands for no tree at all. */
function between(
  a: string | undefined,
  b: string | undefined,
  folder: string,
  shown: Shown,
  objects: GitObjects,
): string | null {
  if (a === b) return null;
  const entries = (id: string | undefined) =>
    new Map((id === undefined ? [] : sure(entriesOf(objects.read(id)))).map((entry) => [entry.name, entry]));
  const [left, right] = [entries(a), entries(b)];
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [one, other] = [left.get(name), right.get(name)];
    if (one?.id === other?.id && one?.isTree === other?.isTree) continue;
    const path = folder === '' ? name : `${folder}/${name}`;
    if (((one && !one.isTree) || (other && !other.isTree)) && isSecret(path, shown)) return path;
    const below = between(one?.isTree ? one.id : undefined, other?.isTree ? other.id : undefined, path, shown, objects);
    if (below !== null) return below;
  }
  return null;
}

/** What a commit changed, beside each of its parents. */
function ofCommit(id: string | undefined, shown: Shown, objects: GitObjects): string | null {
  const commit = objects.read(sure(id));
  const tree = sure(treeOf(commit));
  const parents = sure(parentsOf(commit));
  for (const parent of parents.length > 0 ? parents : [undefined]) {
    const before = parent === undefined ? undefined : sure(treeOf(objects.read(parent)));
    const found = between(before, tree, '', shown, objects);
    if (found !== null) return found;
  }
  return null;
}

/** The newest commits, as many as an option says. */
function ofLog(shown: Shown, objects: GitObjects): string | null {
  const { options, revisions } = shown;
  const digits = options.filter((option) => /^-\d$/.test(option.name)).map((option) => option.name[1]!);
  const named = options.filter((option) => /^(-n|--max-count)$/.test(option.name));
  // The last one counts.
  if (named.length + Math.min(1, digits.length) > 1) throw UNKNOWN;
  const said = named[0]?.value ?? digits.join('');
  const count = /^\d{1,2}$/.test(said) ? Number(said) : sure<number>(undefined);
  if (count > MOST_LOGGED || revisions.length > 1 || revisions[0]?.includes('..')) throw UNKNOWN;
  const queue = [sure(objects.commit(revisions[0] ?? 'HEAD'))];
  const seen = new Set(queue);
  for (let shownCount = 0; shownCount < count && queue.length > 0; shownCount++) {
    queue.sort((a, b) => dateOf(objects.read(b)) - dateOf(objects.read(a)));
    // Of several that are as new as each other any may come first.
    const newest = dateOf(objects.read(queue[0]!));
    const next = queue.filter((id) => dateOf(objects.read(id)) === newest);
    for (const id of next) {
      const found = ofCommit(id, shown, objects);
      if (found !== null) return found;
    }
    const id = queue.shift()!;
    for (const parent of sure(parentsOf(objects.read(id)))) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      queue.push(parent);
    }
  }
  return null;
}

/** The one commit from which two began to differ. */
function mergeBase(a: string, b: string, objects: GitObjects): string {
  const sides = new Map<string, number>([[a, 1]]);
  sides.set(b, (sides.get(b) ?? 0) | 2);
  const queue = [...sides.keys()];
  const bases: string[] = [];
  for (let seen = 0; queue.some((id) => sides.get(id)! < 4); seen++) {
    if (seen > MOST_COMMITS) throw UNKNOWN;
    queue.sort((one, other) => dateOf(objects.read(other)) - dateOf(objects.read(one)));
    const id = queue.shift()!;
    const own = sides.get(id)!;
    if (own === 3) bases.push(id);
    // What lies before a common commit is common, and no beginning.
    const passed = own >= 3 ? 7 : own;
    for (const parent of sure(parentsOf(objects.read(id)))) {
      const before = sides.get(parent) ?? 0;
      if ((before | passed) === before) continue;
      sides.set(parent, before | passed);
      if (!queue.includes(parent)) queue.push(parent);
    }
  }
  const left = bases.filter((id) => sides.get(id) === 3);
  return left.length === 1 ? left[0]! : sure<string>(undefined);
}

/** Folders of the index with the tree that they are, from its extension `TREE`. */
function cachedTrees(gitDir: string): readonly (readonly [string, string])[] {
  const bytes = readFileSync(`${gitDir}/index`);
  const found: (readonly [string, string])[] = [];
  const start = bytes.indexOf('TREE');
  if (start < 0) return found;
  const end = start + 8 + bytes.readUInt32BE(start + 4);
  if (end > bytes.length) return found;
  let at = start + 8;
  const read = (folder: string): void => {
    const close = bytes.indexOf(0, at);
    const own = bytes.toString('utf8', at, close);
    const line = bytes.indexOf(0x0a, close);
    const [entries = Number.NaN, below = Number.NaN] = bytes
      .toString('latin1', close + 1, line)
      .split(' ')
      .map(Number);
    if (Number.isNaN(entries) || Number.isNaN(below) || line > end) throw UNKNOWN;
    at = line + 1;
    const path = folder === '' ? own : `${folder}/${own}`;
    if (entries >= 0) {
      found.push([path, bytes.toString('hex', at, at + 20)]);
      at += 20;
    }
    for (let child = 0; child < below; child++) read(path);
  };
  read('');
  return found;
}
