/** Which names of files the options of a search, an archiver or a copy let through. */
import { isSecretName } from '../sensitive-names.ts';
import { type Fits, nameFilter } from './file-walk.ts';
import { isOption, type Option } from './options.ts';

/** The values of the options that fit, given apart or behind `=`. */
function valuesOf(args: readonly string[], pattern: RegExp): string[] {
  return args.flatMap((word, index) => {
    const [, option = '', value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? /^(-g)(.+)$/s.exec(word) ?? [undefined, word];
    return pattern.test(option) ? [value ?? args[index + 1] ?? ''] : [];
  });
}

const GLOB = /^(-g|--glob|--iglob)$/;

/** What the options of `grep` and `rg` say of the names of the files that they look into; `args` as they are written. */
export function searchFilter(args: readonly string[]): Fits | undefined {
  const globs = valuesOf(args, GLOB);
  return filterOf(valuesOf(args, /^--include$/), valuesOf(args, /^(-x|--exclude)$/), globs);
}

/** The same of options that are split already, also where they are bundled (`rg -ng .env`), and of types of files. */
export function optionFilter(options: readonly Option[]): Fits | undefined {
  const values = (...names: string[]) =>
    options.filter(({ name }) => names.some((one) => isOption(name, one))).map(({ value = '' }) => value);
  const exact = (pattern: RegExp) => options.filter(({ name }) => pattern.test(name)).map(({ value = '' }) => value);
  const byName = filterOf(values('--include'), values('--exclude'), exact(GLOB));
  const byType = typeFilter(exact(/^(-t|--type)$/), options);
  return byName && byType ? (path) => byName(path) && byType(path) : (byName ?? byType);
}

function filterOf(only: readonly string[], without: readonly string[], globs: readonly string[]): Fits | undefined {
  const [left, wanted] = [globs.filter((glob) => glob.startsWith('!')), globs.filter((glob) => !glob.startsWith('!'))];
  return nameFilter([...only, ...wanted], [...without, ...left.map((glob) => glob.slice(1))]);
}

/** The types of ripgrep (`--type-list`) among whose names are some of secrets. */
const SECRET_TYPES: Readonly<Record<string, RegExp>> = {
  json: /\.json$/i,
  sh: /\.env$/i,
  tf: /\.tfvars(\.json)?$/i,
  toml: /\.toml$/i,
  yaml: /\.ya?ml$/i,
};

/** Types of files keep away all secrets but those of such a name; what they do to other files is left open. */
function typeFilter(types: readonly string[], options: readonly Option[]): Fits | undefined {
  if (types.length === 0 || types.includes('all') || options.some(({ name }) => name === '--type-add'))
    return undefined;
  const patterns = types.flatMap((type) => SECRET_TYPES[type] ?? []);
  return (path) => !isSecretName(path) || patterns.some((pattern) => pattern.test(path));
}

/** Whether options of `rg` or `ag` name files, which are then searched also where they are hidden or ignored. */
export const bringsBack = (options: readonly Option[]): boolean =>
  options.some(
    ({ name, value = '' }) =>
      (GLOB.test(name) && !value.startsWith('!')) || /^(--type-add|-G|--file-search-regex)$/.test(name),
  );

/** Types of files are searched also where they are hidden, unless they are ignored. */
export const showsHidden = (options: readonly Option[]): boolean =>
  options.some(({ name, value = '' }) => /^(-t|--type)$/.test(name) && (value === 'all' || value in SECRET_TYPES));
