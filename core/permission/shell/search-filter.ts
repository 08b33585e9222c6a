/** Which names of files the options of a search, an archiver or a copy let through. */
import { type Fits, nameFilter } from './file-walk.ts';

/** What the options of `grep` and `rg` say of the names of the files that they look into. */
export function searchFilter(args: readonly string[]): Fits | undefined {
  const values = (pattern: RegExp) =>
    args.flatMap((word, index) => {
      const [, option = '', value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? /^(-g)(.+)$/s.exec(word) ?? [undefined, word];
      return pattern.test(option) ? [value ?? args[index + 1] ?? ''] : [];
    });
  const globs = values(/^(-g|--glob|--iglob)$/);
  return nameFilter(
    [...values(/^--include$/), ...globs.filter((glob) => !glob.startsWith('!'))],
    [...values(/^(-x|--exclude)$/), ...globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))],
  );
}
