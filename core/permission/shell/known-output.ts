/** What simple commands print, where their words tell it: text, names of files, or a plain number. */
import { statSync } from 'node:fs';
import { absolute } from '../paths.ts';
import type { Scene } from './scene.ts';
import { SOME_NUMBER } from './syntax.ts';

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
      if (args.length === 2 && /^%s(\\n)?$/.test(args[0]!)) return args[1];
      return args.length === 1 && !/[%\\]/.test(args[0]!) ? args[0] : undefined;
    case 'cat':
      return args.length === 0 && scene.stdin === 'text' ? scene.fed : undefined;
    case 'pwd':
      return scene.cwds.length === 1 ? scene.cwds[0] : undefined;
    case 'true':
    case ':':
      return '';
    case 'date':
      return args.every((word) => /^(-u|\+[\w%:.@-]+)$/.test(word)) ? SOME_NUMBER : undefined;
    case 'nproc':
      return SOME_NUMBER;
    case 'git':
      return args[0] === 'rev-parse' && args.slice(1).every((word) => /^(--short|--verify|HEAD)$/.test(word))
        ? SOME_NUMBER
        : undefined;
  }
  return undefined;
}

/** True when a command of a pipeline passes on only names of files: listing programs, and filters behind them. */
export function listsNames(words: readonly string[], stdin: Scene['stdin']): boolean {
  const [program, ...args] = words;
  if (program === 'find') return !args.some((word) => /printf|^-files0/.test(word));
  if (program === 'ls' || program === 'fd') return true;
  if (
    (program === 'rg' || program === 'grep') &&
    args.some((word) => /^-\w*l\w*$|^--files(-with-matches)?$/.test(word))
  )
    return true;
  if (program === 'git') return args[0] === 'ls-files';
  // A filter that is given a file of its own passes on its lines, which may be anything.
  const operands = args.filter((word) => !word.startsWith('-') && !/^\d+$/.test(word)).length;
  return (
    stdin === 'names' &&
    FILTERS.has(program ?? '') &&
    operands <= (program === 'grep' || program === 'rg' ? 1 : 0) &&
    !args.some((word) => /^(-[a-zA-Z]*[oer]|--only-matching|--replace|--file)/.test(word))
  );
}

/** The folders that a listing program looks through, as far as they can be told. */
export function namedFolders(words: readonly string[], scene: Scene): readonly string[] {
  const folders = words
    .slice(1)
    .filter(
      (word) => !word.startsWith('-') && scene.cwds.some((cwd) => isFolder(absolute(word, cwd, scene.places.home))),
    );
  return folders.length > 0 ? folders : ['.'];
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
