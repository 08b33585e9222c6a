/**
 * Programs that only read, as data: which of their operands are files, which options take a value, and which options make
 * them do more than read. A program that is not here, and not in another table, is unknown.
 */
import type { AccessClass } from '../../types.ts';
import { SEARCH_PROGRAMS } from './search-programs.ts';

export interface ReadProgram {
  /**
   * What the operands are: files whose content is shown (`content`), names that are only looked at (`names`), or no
   * paths at all (`none`).
   */
  operands: 'content' | 'names' | 'none';
  /** Operands before the paths (the pattern of grep), unless one of `scriptOptions` gives it. */
  skip?: number;
  scriptOptions?: readonly string[];
  /** Options with a value that is not a path. */
  values?: string;
  /** Options whose value is a file that is read. */
  files?: string;
  /** Options whose value is a file that names the files which are read, and `@FILE`, which holds further words. */
  lists?: string;
  atFiles?: true;
  /** Options whose value is a file that is written. */
  writes?: string;
  /** Options that make it something else, with the class. */
  unless?: Readonly<Record<string, AccessClass>>;
  /** Options that make it read whole folders; `true` when it always does. */
  recursive?: true | readonly string[];
  /** Options with which it goes through links below its folders; `true`: always, with one of `followsIf`. */
  follows?: true | readonly string[];
  followsIf?: readonly string[];
  /** Without operands it looks at the working directory. */
  here?: true;
  /** It prints the lines that it finds, unless an option says that only names or counts are wanted. */
  search?: true;
  /** It is at least this, with the reason. */
  least?: readonly [AccessClass, string];
}

const none: ReadProgram = { operands: 'none' };
const content: ReadProgram = { operands: 'content' };
const names: ReadProgram = { operands: 'names' };
/** The index of the manual pages; another one may lie anywhere. */
const index: ReadProgram = {
  operands: 'none',
  values: '-s -L --sections --section --locale',
  unless: {
    '-C': 'unknown',
    '--config-file': 'unknown',
    '-M': 'unknown',
    '--manpath': 'unknown',
    '-m': 'unknown',
    '--systems': 'unknown',
  },
};
const sum: ReadProgram = { operands: 'content' };
/** Programs of the binutils replace `@FILE` by the words in it. */
const binary = (values: string, more: Partial<ReadProgram> = {}): ReadProgram => ({
  operands: 'content',
  values,
  atFiles: true,
  ...more,
});

const bat: ReadProgram = {
  operands: 'content',
  values:
    '-l -m -H -r -p --language --map-syntax --highlight-line --line-range --style --theme --color --tabs --wrap --terminal-width --file-name --decorations --paging',
  unless: {
    '--pager': 'hidden',
    '--lessopen': 'hidden',
    '--config-file': 'unknown',
    '--generate-config-file': 'write',
    '--build': 'write',
    '--clear': 'write',
  },
};
const fd: ReadProgram = {
  operands: 'names',
  skip: 1,
  values:
    '-d -t -e -S -E -c -j -o --max-depth --min-depth --type --extension --size --exclude --color --threads --owner --changed-within --changed-before --format --max-results --and',
  files: '--search-path --base-directory --ignore-file',
  follows: ['-L', '--follow'],
  unless: { '-x': 'hidden', '-X': 'hidden', '--exec': 'hidden', '--exec-batch': 'hidden' },
};

/** By program name. Sources: the manual pages of GNU coreutils 9, grep 3, ripgrep 15, and of each program. */
export const READ_PROGRAMS: Readonly<Record<string, ReadProgram>> = {
  cat: content,
  tac: content,
  head: { operands: 'content', values: '-n -c --lines --bytes' },
  tail: { operands: 'content', values: '-n -c -s --lines --bytes --pid --sleep-interval --max-unchanged-stats' },
  less: {
    operands: 'content',
    unless: {
      '-o': 'write',
      '-O': 'write',
      '--log-file': 'write',
      '--LOG-FILE': 'write',
      '-k': 'hidden',
      '-t': 'outside',
      '--tag': 'outside',
      '--lesskey-file': 'hidden',
      '--lesskey-src': 'hidden',
      '--lesskey-content': 'hidden',
      '--cmd': 'hidden',
    },
  },
  more: content,
  wc: { operands: 'names', lists: '--files0-from' },
  nl: { operands: 'content', values: '-b -d -f -h -i -l -n -s -v -w' },
  cut: { operands: 'content', values: '-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter' },
  paste: { operands: 'content', values: '-d --delimiters' },
  join: { operands: 'content', values: '-a -e -i -j -o -t -v -1 -2' },
  comm: { operands: 'content', values: '--output-delimiter' },
  fold: { operands: 'content', values: '-w --width' },
  fmt: { operands: 'content', values: '-w -g -p --width --goal --prefix' },
  expand: { operands: 'content', values: '-t --tabs' },
  unexpand: { operands: 'content', values: '-t --tabs' },
  column: { operands: 'content', values: '-c -s -o -N -O -R -T -W -H -E' },
  rev: content,
  shellcheck: {
    operands: 'content',
    values:
      '-s -e -i -f -S -o -W -C -P --shell --exclude --include --format --severity --enable --wiki-link-count --color',
    files: '--rcfile',
    unless: { '-x': 'unknown', '--external-sources': 'unknown', '-P': 'unknown', '--source-path': 'unknown' },
  },
  strings: binary('-n -t -e -T'),
  od: { operands: 'content', values: '-A -j -N -S -t -w' },
  hexdump: { operands: 'content', values: '-e -n -s', files: '-f' },
  xxd: { operands: 'content', values: '-c -g -l -s -o -n', unless: { '-r': 'write', '-revert': 'write' } },
  base64: { operands: 'content', values: '-w -b --wrap', writes: '-o --output', files: '-i --input' },
  base32: { operands: 'content', values: '-w --wrap' },
  cksum: sum,
  sum: sum,
  md5sum: sum,
  sha1sum: sum,
  sha224sum: sum,
  sha256sum: sum,
  sha384sum: sum,
  sha512sum: sum,
  b2sum: sum,
  shasum: { operands: 'content', values: '-a --algorithm' },
  tr: none,
  diff: {
    operands: 'content',
    values:
      '-U -C -I -x -W -F -L --label --unified --context --exclude --ignore-matching-lines --width --color --to-file --from-file',
    files: '-X --exclude-from --to-file --from-file',
    writes: '--output',
    recursive: ['-r', '--recursive'],
    follows: true,
    followsIf: ['-r', '--recursive'],
  },
  diff3: { operands: 'content', unless: { '--diff-program': 'hidden' } },
  bc: { operands: 'content' },
  pr: content,
  tsort: content,
  shuf: { operands: 'content', values: '-n -i --head-count --input-range', writes: '-o --output' },
  nm: binary('-t -C --radix --format', { unless: { '--plugin': 'hidden' } }),
  size: binary('--format --radix'),
  readelf: binary('-x -p -R -w --hex-dump --string-dump'),
  objdump: binary(
    '-j -M -b -m -E --section --disassembler-options --target --architecture --start-address --stop-address',
    {
      // Sources are found by the paths that the file itself names.
      unless: {
        '-S': 'outside',
        '--source': 'outside',
        '--source-comment': 'outside',
        '-W': 'unknown',
        '--dwarf': 'unknown',
      },
    },
  ),
  iconv: { operands: 'content', values: '-f -t --from-code --to-code', writes: '-o --output' },
  cmp: { operands: 'content', values: '-i -n --ignore-initial --bytes' },
  sort: {
    operands: 'content',
    values: '-k -t -S --key --field-separator --buffer-size --parallel --batch-size --sort --check --random-source',
    files: '--random-source',
    lists: '--files0-from',
    writes: '-o --output -T --temporary-directory',
    unless: { '--compress-program': 'hidden' },
  },
  ...SEARCH_PROGRAMS,
  bat,
  batcat: bat,
  yq: {
    operands: 'content',
    skip: 1,
    scriptOptions: ['--from-file', '--expression'],
    values: '-o -p -I --output-format --input-format --indent --expression --front-matter --header-preprocess',
    files: '--from-file',
    unless: {
      '-i': 'write',
      '--inplace': 'write',
      '--in-place': 'write',
      // Files that an expression names.
      '-s': 'outside',
      '--split-exp': 'outside',
      '--split-exp-file': 'outside',
    },
  },
  ss: {
    operands: 'none',
    values: '-f --family -A --query --socket',
    files: '-F --filter',
    writes: '-D --diag',
    unless: { '-K': 'destructive', '--kill': 'destructive' },
  },
  ls: {
    operands: 'names',
    follows: ['-L', '--dereference'],
    followsIf: ['-R', '--recursive'],
    values:
      '-I -T -w --ignore --hide --color --format --sort --time --time-style --tabsize --width --indicator-style --quoting-style --block-size',
  },
  fd,
  fdfind: fd,
  dir: names,
  tree: {
    operands: 'names',
    follows: ['-l'],
    values: '-L -P -I -H -T --filelimit --charset --sort --timefmt',
    writes: '-o',
    files: '--gitfile --infofile --fromfile',
  },
  zipinfo: { operands: 'names' },
  stat: { operands: 'names', values: '-c -f -t --format --printf' },
  file: {
    operands: 'names',
    values: '-F -e -P --separator --exclude --parameter',
    files: '-m --magic-file',
    lists: '-f --files-from',
    unless: { '-C': 'write', '--compile': 'write', '-z': 'unknown', '--uncompress': 'unknown' },
  },
  du: {
    operands: 'names',
    follows: ['-L', '--dereference'],
    values: '-d -B -t --max-depth --block-size --threshold --exclude --time --time-style',
    files: '-X --exclude-from',
    lists: '--files0-from',
  },
  df: { operands: 'names', values: '-B -t -x --block-size --type --exclude-type --output' },
  realpath: { operands: 'names', values: '--relative-to --relative-base' },
  readlink: names,
  basename: none,
  dirname: none,
  pathchk: none,
  pwd: none,
  echo: none,
  printf: { operands: 'none', unless: { '-v': 'hidden' } },
  true: none,
  false: none,
  ':': none,
  test: names,
  '[': names,
  expr: none,
  seq: none,
  sleep: none,
  yes: none,
  date: {
    operands: 'none',
    values: '-d -I --date --iso-8601 --rfc-3339',
    files: '-f -r --file --reference',
    unless: { '-s': 'outside', '--set': 'outside' },
  },
  cal: none,
  uname: none,
  arch: none,
  nproc: none,
  whoami: none,
  id: none,
  groups: none,
  uptime: none,
  who: content,
  w: none,
  ps: none,
  free: none,
  tty: none,
  locale: none,
  getconf: none,
  printenv: none,
  lscpu: none,
  lsblk: none,
  lsmod: none,
  lspci: none,
  lsusb: none,
  vmstat: none,
  netstat: none,
  last: none,
  sw_vers: none,
  'pkg-config': none,
  lsof: none,
  pgrep: none,
  which: none,
  whereis: none,
  type: none,
  whatis: index,
  apropos: index,
  tput: none,
  cloc: {
    operands: 'content',
    lists: '--list-file --diff-list-file --diff-list-files',
    writes:
      '--ignored --counted --categorized --found --sql --report-file --out --write-lang-def --write-lang-def-incl-dup',
    unless: {
      '--extract-with': 'hidden',
      '--config': 'unknown',
      '--git': 'unknown',
      '--vcs': 'hidden',
      '--sum-reports': 'write',
      '--strip-comments': 'write',
      '--strip-code': 'write',
    },
  },
  tokei: { operands: 'names' },
  // Built-ins of the shell that change nothing that later commands run by.
  exit: none,
  return: none,
  break: none,
  continue: none,
  shift: none,
  wait: none,
  jobs: none,
  times: none,
  umask: none,
  ulimit: none,
  disown: none,
  unset: none,
};
