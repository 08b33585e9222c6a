/** Judges programs that tables describe: those that only read, and those that change files. */

import { existsSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { absolute, isWithin } from '../paths.ts';
import { isGuardedName, isSecretName } from '../sensitive-names.ts';
import { judgeChanged } from './changed-files.ts';
import { isFolder } from './known-output.ts';
import { judgeAtFiles, judgeList, judgePacked } from './listed-files.ts';
import { judgeMakeWords } from './make-words.ts';
import { isOption, type Option, splitArguments } from './options.ts';
import type { ReadProgram } from './read-programs.ts';
import { scanWords } from './scan-words.ts';
import { combine, NEW_FOLDER, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { optionFilter, searchFilter } from './search-filter.ts';
import { judgeFollowed, judgeSearch, judgeVisible, searchesOf } from './search-secrets.ts';
import { isComputed } from './syntax.ts';
import type { WriteProgram } from './write-programs.ts';

/** Options with which a check changes sources, or puts what it makes elsewhere. */
export const CHANGES =
  /^(-u|-w|-o|-f|-C|--(fix|write|update|install|output|out|target-dir|in-place|snapshot-update).*)$/i;

/** With these a search prints no line that it found, unless one of the others asks for lines all the same. */
const ONLY_NAMES = /^(-l|-c|-q|--(files|files-with(out)?-match(es)?|count|count-matches|quiet|silent|type-list))$/;
const LINES = /^--(json|output|format.*)$/;

const sets = new Map<string, ReadonlySet<string>>();
export function asSet(list: string | undefined): ReadonlySet<string> {
  const key = list ?? '';
  let found = sets.get(key);
  if (!found) sets.set(key, (found = new Set(key.split(' ').filter((word) => word !== ''))));
  return found;
}

export function judgeReader(name: string, program: ReadProgram, args: readonly string[], scene: Scene): Outcome {
  const files = asSet(program.files);
  const writes = asSet(program.writes);
  const lists = asSet(program.lists);
  const values = new Set([...asSet(program.values), ...files, ...lists, ...writes]);
  const { options, operands } = splitArguments(args, { values });
  const notes: Outcome[] = [];
  if (program.atFiles) notes.push(...judgeAtFiles(name, args, scene));
  for (const option of options) {
    for (const [risky, accessClass] of Object.entries(program.unless ?? {})) {
      if (isOption(option.name, risky)) notes.push(outcome(accessClass, `${name} ${risky} does more than read`));
    }
    for (const writing of writes) {
      if (isOption(option.name, writing))
        notes.push(outcome('write', `${name} ${writing} writes a file`), touch(scene, [option.value ?? ''], 'write'));
    }
    for (const list of lists) if (isOption(option.name, list)) notes.push(judgeList(name, option.value ?? '', scene));
    // An option that is not in the table, or is shortened, may name a file.
    const isPath = files.has(option.name) || (!values.has(option.name) && !writes.has(option.name));
    if (option.value !== undefined && isPath) notes.push(touch(scene, [option.value], 'read'));
  }
  if ((name === 'less' || name === 'more') && operands.some((word) => word.startsWith('+'))) {
    notes.push(outcome('hidden', `${name} runs a command of its own at the start`));
  }
  if (program.operands === 'none') return combine(outcome('read'), ...notes);
  const hasScript = program.scriptOptions?.some((script) => options.some((option) => option.name === script)) ?? false;
  const paths = hasScript ? operands : operands.slice(program.skip ?? 0);
  notes.push(
    touch(
      scene,
      name === 'test' || name === '[' ? testedPaths(args) : paths,
      program.operands === 'content' ? 'read' : 'list',
    ),
  );
  const recursive =
    program.recursive === true ||
    program.recursive?.some((flag) => options.some((option) => isOption(option.name, flag))) ||
    (program.search && options.some(goesBelow));
  const folders = paths.length > 0 ? paths : ['.'];
  const hasOne = (names: readonly string[]) =>
    options.some((option) => names.some((one) => isOption(option.name, one)));
  const follows =
    program.follows !== undefined &&
    !options.some((option) => option.name === '--no-dereference') &&
    (program.follows === true || hasOne(program.follows)) &&
    (program.followsIf === undefined || hasOne(program.followsIf));
  // Names and counts; a rule of the person's on what lies there binds all the same.
  const fits = program.search ? optionFilter(options) : searchFilter(args);
  const isNames =
    options.some((option) => ONLY_NAMES.test(option.name)) && !options.some((option) => LINES.test(option.name));
  if (program.search && isNames && !follows && (program.here || recursive))
    notes.push({ ...outcome('read'), searches: searchesOf(scene, folders, fits) });
  else if (recursive) notes.push(withWay(name, judgeSearch(scene, folders, fits, follows)));
  else if (follows) notes.push(judgeFollowed(scene, folders));
  else if (program.here) notes.push(withWay(name, judgeVisible(scene, folders, options)));
  return combine(program.least ? outcome(...program.least) : outcome('read'), ...notes);
}

/** `grep -d recurse`, also shortened. */
const goesBelow = ({ name, value = '' }: Option): boolean =>
  (name === '-d' || isOption(name, '--directories')) && value !== '' && 'recurse'.startsWith(value);

/** Says how the search can be had without the file that it must not read. */
function withWay(name: string, judged: Outcome): Outcome {
  const file = judged.class === 'outside' ? secretIn(judged.reasons) : undefined;
  if (file === undefined) return judged;
  const way = /^rga?$/.test(name) ? `-g '!${file}'` : /^([efzru]|)grep$/.test(name) ? `--exclude='${file}'` : undefined;
  return way === undefined
    ? judged
    : { ...judged, reasons: [...judged.reasons, `leave it out with ${way}, or search with the grep tool`] };
}

/** The pattern of names that leaves it out. */
function secretIn(reasons: readonly string[]): string | undefined {
  const found = reasons.flatMap((reason) => /^may read .*?([^/]+), which may hold secrets$/.exec(reason)?.[1] ?? []);
  const name = found[0];
  return name?.startsWith('.env') ? '.env*' : name?.includes("'") ? undefined : name;
}

/** Where a relative link leads: from the folder that it is put into. */
function linked(source: string, target: string, { cwds, places }: Scene): string {
  const isThere = cwds.some((cwd) => isFolder(absolute(target, cwd, places.home)));
  return `${isThere ? target : dirname(target)}/${source}`;
}

/** Moves into a folder of this very command, which is gone with what is in it. */
function leavesProject(operands: readonly string[], options: readonly Option[], { cwds, places }: Scene): boolean {
  const isNew = (path: string) =>
    cwds.some((cwd) => isWithin(normalize(absolute(path, cwd, places.home)).replace(/(.)\/$/, '$1'), NEW_FOLDER));
  const into = options.find(({ name }) => name === '-t' || isOption(name, '--target-directory'))?.value;
  const sources = into === undefined ? operands.slice(0, -1) : operands;
  return isNew(into ?? operands.at(-1) ?? '') && !sources.every(isNew);
}

/** Words of `test` that may name files; a computed word does so only beside a test of files. */
function testedPaths(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => {
    if (/^[=!<>\]-]/.test(word)) return false;
    const [before = '', after = ''] = [args[index - 1], args[index + 1]];
    return !isComputed(word) || /^-([a-hkprstuwxLOGSN]|nt|ot|ef)$/.test(before) || /^-(nt|ot|ef)$/.test(after);
  });
}

export function judgeWriter(name: string, program: WriteProgram, args: readonly string[], scene: Scene): Outcome {
  const { options, operands } = splitArguments(args, { values: asSet(program.values) });
  let milder: Outcome | undefined;
  const notes: Outcome[] = [];
  for (const option of options) {
    for (const [special, accessClass] of Object.entries(program.unless ?? {})) {
      if (!isOption(option.name, special)) continue;
      if (accessClass === 'read') milder = outcome('read');
      else
        notes.push(
          outcome(
            accessClass,
            `${name} ${special} ${accessClass === 'hidden' ? 'runs a command that it is given' : 'does more than write'}`,
          ),
        );
    }
  }
  if (
    program.readsFolders !== undefined &&
    (program.readsFolders === true || options.some((option) => asSet(program.readsFolders as string).has(option.name)))
  ) {
    const sources =
      operands.length > 1 ? (program.readsFolders === true ? operands.slice(1) : operands.slice(0, -1)) : operands;
    const follows = asSet(program.follows);
    const isFollowed =
      options.some((option) => follows.has(option.name)) ||
      (program.followsUnless !== undefined && !options.some((option) => asSet(program.followsUnless).has(option.name)));
    notes.push(judgeSearch(scene, sources, searchFilter(args), isFollowed));
  }
  // They change what lies behind a link.
  if (program.goesBelow && options.some((option) => option.name === '-R' || option.name === '--recursive'))
    if (options.some((option) => /^(-L|--dereference)$/.test(option.name)))
      notes.push(judgeFollowed(scene, operands.slice(program.skip ?? 0)));
  // It moves secrets without a look at them; a rule on what lies in the folder binds.
  if (name === 'mv') notes.push({ ...outcome('read'), searches: searchesOf(scene, operands.slice(0, -1)) });
  if (name === 'mv' && leavesProject(operands, options, scene))
    notes.push(outcome('outside', 'takes files out of the project'));
  notes.push(judgeChanged(name, operands, options, scene));
  notes.push(judgePacked(name, args, scene));
  if (name === 'tee' && operands.length === 0) milder = outcome('read');
  const link = name === 'ln' && options.some((option) => /^(-s|--symbolic)$/.test(option.name));
  const target = operands.at(-1) ?? '';
  // A link leads from where it lies.
  const led =
    link && operands.length === 2 && !operands[0]!.startsWith('/') ? linked(operands[0]!, target, scene) : undefined;
  // A new file of settings from one that holds no secret.
  const isNew =
    name === 'cp' &&
    operands.length === 2 &&
    operands.every((word) => !isComputed(word) && !/[*?[]/.test(word)) &&
    isSecretName(target) &&
    !isGuardedName(target) &&
    !scene.cwds.some((cwd) => existsSync(absolute(target, cwd, scene.places.home)));
  const skipped = operands.slice(0, program.skip ?? 0);
  const scanned = scanWords(
    args
      .filter((word) => !skipped.includes(word) && !(led !== undefined && word === operands[0]))
      .concat(led ?? [])
      .filter((word) => !(isNew && word === target)),
    scene,
  );
  // Code is run: what it is named with is read, and what it writes is not known.
  const paths = { ...scanned, readOnly: milder !== undefined };
  if (isNew) {
    const placed = touch(scene, [target], 'list');
    notes.push(placed, { ...outcome('read'), writes: touch(scene, [target], 'write').writes ?? [] });
  }
  if (name === 'mv' && operands.at(-1) === '/dev/null') notes.push(outcome('destructive', 'throws files away'));
  if (name === 'make' || name === 'gmake') notes.push(judgeMakeWords(args, scene));
  const judged = combine(milder ?? outcome('write', program.why ?? 'changes files'), paths, ...notes);
  const named = asSet(typeof program.checks === 'string' ? program.checks : '');
  const onlyChecks =
    program.checks === true || (named.size > 0 && operands.length > 0 && operands.every((word) => named.has(word)));
  return onlyChecks && judged.class === 'write' && !options.some(({ name: option }) => CHANGES.test(option))
    ? { ...judged, readOnly: true }
    : judged;
}
