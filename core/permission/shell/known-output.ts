/** What simple commands print, where their words tell it: text, names of files, or a plain number. */
import { statSync } from 'node:fs';
import { absolute, realPath } from '../paths.ts';
import { isSecretName } from '../sensitive-names.ts';
import { throughLinks } from './brought-links.ts';
import { writtenTexts } from './file-texts.ts';
import type { Search } from './file-walk.ts';
import { namesOfFind } from './find-names.ts';
import { isChanged } from './git-changed.ts';
import { pathspecs } from './git-content.ts';
import { takesBackHidden } from './git-ignored.ts';
import { repositoryOf, type Tracked, type TrackedFile, trackedFiles } from './git-index.ts';
import { shownSecretFile } from './git-touched.ts';
import { splitArguments } from './options.ts';
import { plainOutput } from './plain-output.ts';
import { READ_PROGRAMS } from './read-programs.ts';
import type { Part, Scene } from './scene.ts';
import { bringsBack, optionFilter } from './search-filter.ts';
import { findSecret, searchesOf, withoutIgnored } from './search-secrets.ts';
import { ANY_TEXT, isComputed, type SimpleCommand, SOME_NAME, SOME_NUMBER } from './syntax.ts';

/** Filters that leave names of files as they are. */
const FILTERS = new Set(['sort', 'uniq', 'head', 'tail', 'grep', 'rg']);

/** The text that a command prints; undefined when it cannot be told. A number stands for a date or a count. */
export function outputOf(words: readonly string[], scene: Scene): string | undefined {
  const [program, ...args] = words;
  switch (program) {
    case 'echo': {
      const start = args.findIndex((word) => word !== '-n');
      const texts = start < 0 ? [] : args.slice(start);
      return texts[0]?.startsWith('-') || texts.some((text) => text.includes('\\'))
        ? undefined
        : `${texts.join(' ')}\n`;
    }
    case 'printf':
      return printed(args);
    case 'cat': {
      if (args.length === 0) return scene.fed;
      const texts = args.map((file) => writtenTexts(file, scene));
      if (texts.every((all) => all === undefined)) return plainOutput(words, scene);
      return texts.every((all) => all?.length === 1 && all[0] !== undefined)
        ? texts.map((all) => all![0]).join('')
        : undefined;
    }
    case 'tee':
      return scene.fed;
    case 'pwd':
      return workingDirectory(args, scene);
    case 'true':
    case ':':
      return '';
    case 'git':
      return gitOutput(args, scene) ?? plainOutput(words, scene);
  }
  return plainOutput(words, scene);
}

/** `pwd`, by the names of links or, with `-P`, by where they lead. */
function workingDirectory(args: readonly string[], { cwds, shell }: Scene): string | undefined {
  const [cwd] = cwds;
  if (cwds.length !== 1 || args.some((word) => !/^-[LP]+$/.test(word))) return undefined;
  if (!shell.isPhysical && !args.some((word) => word.includes('P'))) return cwd;
  const all = new Set([realPath(cwd!), ...throughLinks(cwd!, shell.links)]);
  return all.size === 1 ? [...all][0] : undefined;
}

function gitOutput([name, ...args]: readonly string[], scene: Scene): string | undefined {
  const plain = args.every((word) => /^[\w./~^@-]+$/.test(word));
  switch (name) {
    case 'rev-parse': {
      if (args.length !== 1 || args[0] !== '--show-toplevel')
        return args.every((word) => /^(--short|--verify|HEAD)$/.test(word)) ? SOME_NUMBER : undefined;
      const roots = new Set(scene.cwds.map((cwd) => repositoryOf(cwd)?.root));
      const [root] = roots;
      return roots.size === 1 ? root : undefined;
    }
    case 'merge-base':
      return plain ? SOME_NUMBER : undefined;
    case 'branch':
      // A name of a branch begins with no dash, and has no space.
      return args.length === 1 && args[0] === '--show-current' ? SOME_NAME : undefined;
  }
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'" };

/** `printf` with the plain escapes, `%s`, `%d` and `%%`. */
function printed([format, ...args]: readonly string[]): string | undefined {
  if (format === undefined || format.startsWith('-')) return undefined;
  let known = true;
  const given = [...args];
  const round = () =>
    format.replace(/\\(.)|%(.)/gs, (_match, escaped?: string, directive?: string) => {
      if (escaped !== undefined) {
        if (!Object.hasOwn(ESCAPES, escaped)) known = false;
        return ESCAPES[escaped] ?? '';
      }
      if (directive === '%') return '%';
      if (directive !== 's' && directive !== 'd') known = false;
      return given.shift() ?? '';
    });
  let text = round();
  while (known && given.length > 0 && /%[sd]/.test(format)) text += round();
  return known && !/[\\%]$/.test(format.replace(/\\\\|%%/g, '')) ? text : undefined;
}

/** What a command prints into a word, where that is known; `forms` are those that its words may take. */
export function printedBy(
  { redirects }: SimpleCommand,
  forms: readonly (readonly string[])[],
  parts: readonly Part[],
  scene: Scene,
): string | undefined {
  const words = forms.length === 1 ? forms[0]! : undefined;
  const isWhole = redirects.every(({ op, fd }) => op.startsWith('<') || (fd === 2 && /^>>?$/.test(op)));
  if (!words?.[0] || !isWhole || scene.shell.functions.has(words[0])) return undefined;
  return outputOf(words, scene) ?? foundNames(words, parts, scene);
}

/**
 * A name that stands for all names of files which a command prints, where they lie inside the project and none is a
 * secret, so that a word made of them is as good as a path of the project.
 */
function foundNames(words: readonly string[], parts: readonly Part[], scene: Scene): string | undefined {
  if (parts.some((part) => part.class !== 'read') || !listsNames(words, scene.stdin)) return undefined;
  return namesLead(words, scene) ? nameAmong(namedFiles(words, scene), scene) : undefined;
}

/** False where the names of a listing do not lead to the files: `ls` of a folder leaves it out. */
function namesLead(words: readonly string[], scene: Scene): boolean {
  if (scene.stdin === 'names' && words[0] !== 'find') return scene.leads !== false;
  if (words[0] !== 'ls') return true;
  const { operands } = splitArguments(words.slice(1));
  // What a pattern stands for is a folder too where one has such a name.
  return operands.every((word) => /^[^*?[]*\*\.\w+$/.test(word));
}

/** What the next command of a pipeline gets from a listing one. */
export const namesPassedOn = (words: readonly string[], scene: Scene): Pick<Scene, 'stdin' | 'named' | 'leads'> => ({
  stdin: 'names',
  named: namedFiles(words, scene),
  leads: namesLead(words, scene),
});

/** What `read` makes of a line: with one variable, and names of files in the pipe, one of these. */
export function lineRead(args: readonly string[], scene: Scene): string {
  const { options, operands } = splitArguments(args, { values: new Set(['-d']) });
  const isWhole =
    operands.length === 1 && options.every(({ name, value }) => name === '-r' || (name === '-d' && !value));
  if (!isWhole || scene.stdin !== 'names' || !scene.named || scene.leads === false) return ANY_TEXT;
  return nameAmong(scene.named, scene) ?? ANY_TEXT;
}

function nameAmong(searches: readonly Search[], scene: Scene): string | undefined {
  if (searches.length > 0 && findSecret(scene, searches, true) !== undefined) return undefined;
  scene.shell.found.push(...searches);
  return SOME_NAME;
}

/** True when a command of a pipeline passes on only names of files: listing programs, and filters behind them. */
export function listsNames(words: readonly string[], stdin: Scene['stdin']): boolean {
  const [program, ...args] = words;
  if (program === 'find') return !args.some((word) => /printf|^-files0/.test(word));
  // With `-a` the folder above is one of the names.
  if (program === 'ls') return !args.some((word) => /^-[a-zA-Z]*[af]|^--all$/.test(word));
  if (program === 'fd') return !args.some((word) => /^(-[a-zA-Z]*[xX]|--exec)/.test(word));
  if (
    (program === 'rg' || program === 'grep') &&
    stdin !== 'names' &&
    args.some((word) => /^-\w*l\w*$|^--files(-with-matches)?$/.test(word))
  )
    return true;
  if (program === 'git') return listsTracked(args) || args[0] === 'ls-files';
  // A filter that is given a file of its own passes on its lines, which may be anything.
  const operands = args.filter((word) => !word.startsWith('-') && !/^\d+$/.test(word)).length;
  return (
    stdin === 'names' &&
    FILTERS.has(program ?? '') &&
    operands <= (program === 'grep' || program === 'rg' ? 1 : 0) &&
    !args.some((word) => /^(-[a-zA-Z]*[oer]|--only-matching|--replace|--file)/.test(word))
  );
}

/** `git` commands that print names of files which it knows, and nothing else. */
function listsTracked([name, ...args]: readonly string[]): boolean {
  switch (name) {
    case 'ls-files':
      return !args.some((word) =>
        /^-\w*[ostmduki]|^--(others|stage|format|modified|deleted|unmerged|killed|ignored|debug|eol)/.test(word),
      );
    case 'grep':
      return (
        args.some((word) => /^-\w*l\w*$|^--(files-with-matches|name-only)$/.test(word)) &&
        !args.some((word) => /^--(untracked|no-index)/.test(word))
      );
    case 'diff':
    case 'diff-tree':
    case 'diff-index':
      return args.includes('--name-only') && !args.includes('--no-index');
  }
  return false;
}

/** The files whose names a listing program passes on, as far as they can be told. */
export function namedFiles(words: readonly string[], scene: Scene): readonly Search[] {
  const [program = '', ...args] = words;
  const before = scene.stdin === 'names' ? scene.named : undefined;
  if (before) {
    // `grep '\.js$'` passes on names of that kind only.
    const ending = /^(\\?\.\w+)\$$/.exec(args.at(-1) ?? '')?.[1]?.replace('\\', '');
    if ((program !== 'grep' && program !== 'rg') || ending === undefined || args.length !== 1) return before;
    return before.map(({ folder, fits }) => ({
      folder,
      fits: (path: string) => path.endsWith(ending) && (fits === undefined || fits(path)),
    }));
  }
  if (program === 'find') return namesOfFind(args, scene);
  const folders = args.filter(
    (word) => !word.startsWith('-') && scene.cwds.some((cwd) => isFolder(absolute(word, cwd, scene.places.home))),
  );
  const roots = folders.length > 0 ? folders : ['.'];
  if (program === 'git' && listsTracked(args)) return namesTracked(args, scene);
  const showsHidden = args.some((word) => /^-\w*[aAuH.]|^--(all|almost-all|hidden|unrestricted|no-ignore)/.test(word));
  const isPlain = program === 'ls' || program === 'fd' || program === 'rg';
  const isSearch = program === 'grep' || program === 'rg';
  const { options } = splitArguments(args, { values: new Set(READ_PROGRAMS[program]?.values?.split(' ')) });
  const filter = isSearch ? optionFilter(options) : undefined;
  const isBroughtBack =
    (program === 'rg' && bringsBack(options)) || (/^(rg|fd)$/.test(program) && scene.cwds.some(takesBackHidden));
  const searches = searchesOf(scene, roots, (path) => {
    if (program === 'ls' && path.includes('/') && !args.some((word) => /^-\w*R|^--recursive/.test(word))) return false;
    return (
      (!isPlain || showsHidden || isBroughtBack || !/(^|\/)\./.test(path)) && (filter === undefined || filter(path))
    );
  });
  const ignores =
    /^(rg|fd)$/.test(program) &&
    !isBroughtBack &&
    !args.some((word) => /^-\w*[uI]|^--no-ignore|^--unrestricted/.test(word));
  return ignores ? withoutIgnored(searches, scene) : searches;
}

/** Names that git knows: those of untracked files are none of them. */
function namesTracked(args: readonly string[], scene: Scene): readonly Search[] {
  const [name, ...rest] = args;
  const dashes = rest.indexOf('--');
  const before = (dashes < 0 ? rest : rest.slice(0, dashes)).filter((word) => !word.startsWith('-'));
  const specs = dashes >= 0 ? rest.slice(dashes + 1) : name === 'ls-files' ? before : [];
  return scene.cwds.flatMap((cwd) => {
    const tracked = trackedFiles(cwd, scene.places);
    if (!tracked || tracked.isUnread) return searchesOf({ ...scene, cwds: [cwd] }, ['.']);
    let names: Set<string> | undefined;
    const inSpecs = specs.length > 0 && !specs.some(isComputed) ? pathspecs(specs, '.', cwd) : undefined;
    const isNamed = (path: string) => inSpecs === undefined || inSpecs(`${tracked.root}/${path}`);
    let left: ((path: string) => boolean) | undefined;
    const fits = (path: string) => {
      names ??= new Set(tracked.files.map((file) => file.path));
      if (!names.has(path) || !isNamed(path)) return false;
      // Of a secret it is worth to find out whether the difference names it.
      if (name !== 'diff' || !isSecretName(path)) return true;
      left ??= secretsOfDiff(rest, before, tracked, cwd, isNamed, scene);
      return left(path);
    };
    return [{ folder: tracked.root, fits }];
  });
}

/** Which secrets `git diff --name-only` may name. */
function secretsOfDiff(
  args: readonly string[],
  revisions: readonly string[],
  tracked: Tracked,
  cwd: string,
  isNamed: (path: string) => boolean,
  { shell }: Scene,
): (path: string) => boolean {
  if (shell.course.isChanged) return () => true;
  const { options } = splitArguments(args);
  const hasChanged = (file: TrackedFile) => isChanged(file, tracked);
  if (revisions.length === 0 && !options.some((option) => /^--(cached|staged|merge-base)$/.test(option.name)))
    return (path) => tracked.files.some((file) => file.path === path && hasChanged(file));
  const shown = shownSecretFile({
    name: 'diff',
    options,
    revisions,
    tracked,
    cwd,
    isNamed,
    isChanged: hasChanged,
  });
  return () => shown !== null;
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
