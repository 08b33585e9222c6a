/**
 * Programs that change files or run the project's own code, as data. Their operands are judged as paths that they write.
 */
import type { AccessClass } from '../../types.ts';

export interface WriteProgram {
  /** Operands before the paths: the mode of chmod, the owner of chown. */
  skip?: number;
  /** Options with a value that is not a path. */
  values?: string;
  /** Options that make it milder or worse than writing. */
  unless?: Readonly<Record<string, AccessClass>>;
  why?: string;
  /** Options with which it reads whole folders: all operands but the last; `true`: always, all but the first. */
  readsFolders?: true | string;
  /** Options with which links in those folders are followed, or without which they are. */
  follows?: string;
  followsUnless?: string;
  /** With `-R` and `-L` it goes through folders and the links in them. */
  goesBelow?: true;
  /**
   * Changes nothing but what can be made again, or only with these operands; unless an option tells it to change more.
   */
  checks?: true | string;
}

const own: WriteProgram = { why: "runs the project's own code" };
const check: WriteProgram = { ...own, checks: true };
const compile: WriteProgram = { why: 'writes what it builds' };
export const WRITE_PROGRAMS: Readonly<Record<string, WriteProgram>> = {
  touch: { values: '-d -t --date --time' },
  mkdir: { values: '-m --mode' },
  rmdir: {},
  cp: { values: '-S --suffix -t', readsFolders: '-r -R -a --recursive --archive', follows: '-L --dereference' },
  mv: { values: '-S --suffix -t --target-directory' },
  ln: { values: '-S --suffix' },
  tee: {},
  install: { values: '-m -o -g -S --mode --owner --group --suffix' },
  patch: { values: '-i --input -d --directory -p -F -D -V -z -B -Y --strip --fuzz' },
  split: { values: '-a -b -C -l -n', unless: { '--filter': 'hidden' } },
  csplit: { values: '-b -f -n' },
  mktemp: { values: '--suffix' },
  mkfifo: { values: '-m' },
  chmod: { skip: 1, goesBelow: true, unless: { '-R': 'destructive', '--recursive': 'destructive' } },
  chown: { skip: 1, goesBelow: true, unless: { '-R': 'destructive', '--recursive': 'destructive' } },
  chgrp: { skip: 1, goesBelow: true, unless: { '-R': 'destructive', '--recursive': 'destructive' } },
  gzip: {},
  gunzip: {},
  bzip2: {},
  bunzip2: {},
  xz: {},
  unxz: {},
  zstd: { values: '-o' },
  unzip: { values: '-P', unless: { '-:': 'outside' } },
  zip: {
    values: '-P -i -x',
    readsFolders: true,
    followsUnless: '-y --symlinks',
    unless: {
      '-TT': 'hidden',
      '--unzip-command': 'hidden',
      '-m': 'destructive',
      '--move': 'destructive',
      '-T': 'hidden',
    },
  },
  dos2unix: {},
  unix2dos: {},
  make: {
    ...own,
    checks: 'check test tests build lint typecheck',
    values: '-j -l -O',
    unless: { '--eval': 'hidden', '-E': 'hidden' },
  },
  gmake: {
    ...own,
    checks: 'check test tests build lint typecheck',
    values: '-j -l -O',
    unless: { '--eval': 'hidden', '-E': 'hidden' },
  },
  cmake: { ...own, values: '-D -U -G -A -T -j', unless: { '-E': 'hidden' } },
  ninja: { ...own, values: '-j -k -l' },
  meson: own,
  gcc: compile,
  'g++': compile,
  cc: compile,
  'c++': compile,
  clang: compile,
  'clang++': compile,
  rustc: compile,
  javac: compile,
  tsc: compile,
  esbuild: compile,
  vite: own,
  webpack: own,
  rollup: own,
  eslint: check,
  prettier: own,
  biome: own,
  vitest: check,
  jest: check,
  mocha: check,
  pytest: check,
  tox: check,
  nox: check,
  ruff: { why: 'keeps a cache in the project unless --no-cache is given, or changes files' },
  black: own,
  mypy: {
    why: 'keeps a cache in the project unless --cache-dir=/dev/null is given, and may load plug-ins',
    checks: true,
  },
  pyright: check,
  rspec: check,
  phpunit: check,
  gradle: own,
  gradlew: own,
  mvn: own,
  mvnw: own,
  sbt: own,
  rake: { ...own, unless: { '-e': 'hidden', '--execute': 'hidden', '-E': 'hidden', '-p': 'hidden' } },
  mix: own,
  swift: own,
  just: { ...own, unless: { '--shell': 'hidden', '-c': 'hidden', '--command': 'hidden' } },
};
