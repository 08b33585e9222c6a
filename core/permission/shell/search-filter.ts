/** Which names of files the options of a search, an archiver or a copy let through. */
import { type Fits, nameFilter } from './file-walk.ts';

/** The values of the options that fit, given apart or behind `=`. */
function valuesOf(args: readonly string[], pattern: RegExp): string[] {
  return args.flatMap((word, index) => {
    const [, option = '', value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? /^(-g)(.+)$/s.exec(word) ?? [undefined, word];
    return pattern.test(option) ? [value ?? args[index + 1] ?? ''] : [];
  });
}

const GLOB = /^(-g|--glob|--iglob)$/;

/** What the options of `grep` and `rg` say of the names of the files that they look into. */
export function searchFilter(args: readonly string[]): Fits | undefined {
  const globs = valuesOf(args, GLOB);
  return nameFilter(
    [...valuesOf(args, /^--include$/), ...globs.filter((glob) => !glob.startsWith('!'))],
    [
      ...valuesOf(args, /^(-x|--exclude)$/),
      ...globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
    ],
  );
}

/** Whether options of `rg` or `ag` name files, which are then searched also where they are hidden or ignored. */
export const bringsBack = (args: readonly string[]): boolean =>
  valuesOf(args, GLOB).some((glob) => !glob.startsWith('!')) ||
  args.some((word) => /^(--type-add(=.*)?|-G.*|--file-search-regex(=.*)?)$/s.test(word));
