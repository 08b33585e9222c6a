/**
 * Checks that read sources and change nothing in the project; what they keep for themselves elsewhere (the caches of go
 * and black) does not count. Only those that run no code of the project, whatever
 * its settings say: a linter whose settings are code or name plug-ins is none of them. An option that is not listed may
 * write, so that the tables of programs decide then. Sources: the manual of each tool.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin } from '../paths.ts';
import { splitArguments } from './options.ts';
import { type Outcome, type Scene, touch } from './scene.ts';
import { isComputed } from './syntax.ts';

interface Checker {
  /** Operands that must stand first, one of them. */
  first?: readonly string[];
  /** One of these options must be there. */
  needs?: readonly string[];
  /** All other options that may be there: with a value, and without. */
  values?: string;
  flags?: string;
  /** Without one of these it keeps a cache in the project: a change, if a small one. */
  cacheless?: readonly string[];
  /** Settings under which it does more, in these files of the folder or one above it in the project. */
  unless?: { files: readonly string[]; say: RegExp };
}

const RUFF = {
  files: ['ruff.toml', '.ruff.toml', 'pyproject.toml'],
  say: /^\s*(fix|fix-only|output-file|extend)\s*=/m,
};
const RUFF_VALUES =
  '--select --ignore --extend-select --extend-ignore --exclude --extend-exclude --output-format --target-version --line-length';
const RUFF_FLAGS =
  '--no-fix --diff --statistics -q --quiet -v --verbose -n --no-cache --preview --isolated -e --exit-zero';

const CHECKERS: Readonly<Record<string, readonly Checker[]>> = {
  tsc: [
    {
      needs: ['--noEmit', '--listFilesOnly', '--showConfig'],
      values: '-p --project --pretty --target --module --moduleResolution --jsx --lib --types --strict',
      flags:
        '--strict --skipLibCheck --listFiles --explainFiles --extendedDiagnostics --diagnostics --noErrorTruncation',
      // An incremental project writes `.tsbuildinfo`, also without emitting.
      unless: { files: ['tsconfig.json'], say: /"(incremental|composite)"\s*:\s*true|"tsBuildInfoFile"/ },
    },
  ],
  ruff: [
    { first: ['check'], values: RUFF_VALUES, flags: RUFF_FLAGS, cacheless: ['--no-cache', '-n'], unless: RUFF },
    {
      first: ['format'],
      needs: ['--check', '--diff'],
      values: RUFF_VALUES,
      flags: RUFF_FLAGS,
      cacheless: ['--no-cache', '-n'],
    },
    { first: ['rule', 'version'] },
  ],
  terraform: [{ first: ['fmt'], needs: ['-check'], flags: '-diff -recursive -no-color -list=true -list=false' }],
  tofu: [{ first: ['fmt'], needs: ['-check'], flags: '-diff -recursive -no-color -list=true -list=false' }],
  black: [{ needs: ['--check', '--diff'], values: '-l --line-length -t --target-version', flags: '-q --quiet -v -S' }],
  mypy: [
    {
      values: '--python-version --platform -p --package -m --module --cache-dir',
      flags: '--strict --ignore-missing-imports --no-incremental --pretty --show-error-codes --no-error-summary',
      // It writes `.mypy_cache` even with `--no-incremental`.
      cacheless: ['--cache-dir=/dev/null'],
      unless: {
        files: ['mypy.ini', '.mypy.ini', 'setup.cfg', 'pyproject.toml'],
        say: /plugins|_report|python_executable/,
      },
    },
  ],
  node: [{ needs: ['--check', '-c'] }],
  nodejs: [{ needs: ['--check', '-c'] }],
  cargo: [{ first: ['fmt'], needs: ['--check'], flags: '--all -q --quiet -v --verbose -l' }],
  go: [{ first: ['vet'], values: '-tags -c', flags: '-v -json' }],
  gofmt: [{ flags: '-l -d -s -e' }],
  rustfmt: [
    {
      needs: ['--check'],
      values: '--edition',
      flags: '-q --quiet -v --verbose -l',
    },
  ],
  php: [{ needs: ['-l', '--syntax-check'], flags: '-n' }],
  luac: [{ needs: ['-p'], flags: '-l' }],
  shfmt: [{ needs: ['-d', '-l', '--diff', '--list'], values: '-i --indent -ln', flags: '-ci -bn -s -sr -kp -fn' }],
  hadolint: [{ values: '-f --format -t --failure-threshold --ignore', flags: '--no-color --no-fail' }],
  yamllint: [{ values: '-f --format', flags: '-s --strict --no-warnings' }],
  'clang-format': [{ needs: ['--dry-run', '-n'], values: '--style', flags: '-Werror --Werror' }],
  xmllint: [{ needs: ['--noout'], flags: '--nonet --huge' }],
  flake8: [
    {
      values:
        '--max-line-length --max-complexity --select --ignore --extend-select --extend-ignore --exclude --extend-exclude --format',
      flags: '--count --statistics -q -v --show-source',
      unless: {
        files: ['.flake8', 'setup.cfg', 'tox.ini'],
        say: /local-plugins|^\s*(paths|output-file|tee|append-config)\s*=/m,
      },
    },
  ],
  prettier: [{ needs: ['--check', '-c', '--list-different', '-l'], flags: '--no-config' }],
};

/** A read, where the words are surely one; undefined where the tables must decide. */
export function judgeChecker(name: string, words: readonly string[], scene: Scene): Outcome | undefined {
  // `cargo fmt -- --check` hands it on.
  const args = name === 'cargo' ? words.filter((word) => word !== '--') : words;
  if (!Object.hasOwn(CHECKERS, name) || (args.length === 0 && name !== 'flake8') || args.some(isComputed))
    return undefined;
  for (const checker of CHECKERS[name]!) {
    const values = new Set(checker.values?.split(' ').filter((option) => !checker.flags?.split(' ').includes(option)));
    const { options, operands } = splitArguments(args, { values, singleDash: true });
    const rest = checker.first ? operands.slice(1) : operands;
    if (checker.first && !checker.first.includes(operands[0] ?? '')) continue;
    const known = [...values, ...(checker.flags ?? '').split(' '), ...(checker.needs ?? [])];
    if (options.some((option) => !known.includes(option.name))) continue;
    if (checker.needs && isSwitchedOff(checker.needs, args)) continue;
    if (checker.needs && !options.some((option) => checker.needs!.includes(option.name))) continue;
    // Its settings may name plug-ins, or be code.
    if (name === 'prettier' && !options.some((option) => option.name === '--no-config')) continue;
    if (checker.cacheless && !checker.cacheless.some((option) => args.includes(option))) continue;
    if (checker.unless && isTold(checker.unless, scene, options)) continue;
    // Source from standard input names no file; what it is told to read is read.
    const paths = [...rest, ...options.flatMap(({ value = '' }) => (/[/.]/.test(value) ? value : []))];
    const judged = touch(scene, paths, 'read');
    return { ...judged, readOnly: true };
  }
  return undefined;
}

/** `--noEmit false` and `--noEmit=false` switch it off. */
const isSwitchedOff = (needs: readonly string[], args: readonly string[]): boolean =>
  args.some(
    (word, index) =>
      needs.includes(word.replace(/=.*/s, '')) && /^false$/i.test(word.split('=')[1] ?? args[index + 1] ?? ''),
  );

function isTold(
  { files, say }: { files: readonly string[]; say: RegExp },
  { cwds, places }: Scene,
  options: readonly { name: string; value?: string }[],
): boolean {
  const named = options.find(({ name }) => name === '-p' || name === '--project')?.value;
  const says = (file: string): boolean => {
    const content = contentOf(file);
    if (say.test(content)) return true;
    // Settings that it takes over from another file.
    const base = /"extends"\s*:\s*"(\.[^"]+)"/.exec(content)?.[1];
    return base !== undefined && [base, `${base}.json`].some((one) => say.test(contentOf(`${dirname(file)}/${one}`)));
  };
  for (const cwd of cwds) {
    if (named !== undefined && [named, `${named}/tsconfig.json`].some((file) => says(`${cwd}/${file}`))) return true;
    for (let folder = cwd; isWithin(folder, places.project); folder = dirname(folder)) {
      if (files.some((file) => says(`${folder}/${file}`))) return true;
      if (folder === places.project || folder === '/') break;
    }
  }
  return false;
}

/** A file that is too large to look at says everything. */
function contentOf(path: string): string {
  try {
    const found = statSync(path);
    if (!found.isFile()) return '';
    return found.size <= 256 * 1024
      ? readFileSync(path, 'utf8')
      : ' plugins fix = _report "tsBuildInfoFile"\nfix = true';
  } catch {
    return '';
  }
}
