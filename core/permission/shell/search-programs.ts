/**
 * Programs that search through the content of files, as data, all under one rule: lines of a secret need a yes, names and
 * counts do not. Sources: the manual pages of grep 3, ripgrep 15, ag 2, ack 3 and ugrep 7.
 */
import type { ReadProgram } from './read-programs.ts';

const grep: ReadProgram = {
  operands: 'content',
  skip: 1,
  scriptOptions: ['-e', '-f', '--regexp', '--file'],
  values:
    '-A -B -C -m -e -d -D --after-context --before-context --context --max-count --regexp --include --exclude --exclude-dir --label --binary-files --directories --devices --color --colour',
  files: '-f --file --exclude-from',
  recursive: ['-r', '-R', '--recursive', '--dereference-recursive'],
  follows: ['-R', '--dereference-recursive'],
  search: true,
};
/** It reads hidden and ignored files too where it goes through folders, or is taken to. */
const ugrep: ReadProgram = {
  operands: 'content',
  skip: 1,
  scriptOptions: ['-e', '-f', '-N', '--regexp', '--file', '--neg-regexp', '--files'],
  values:
    '-A -B -C -D -d -e -g -J -K -m -M -N -O -t --after-context --before-context --context --devices --directories --regexp --neg-regexp --glob --iglob --include --exclude --include-dir --exclude-dir --jobs --range --max-count --file-magic --file-extension --file-type --encoding --binary-files --color --colour --colors --depth --min-count --max-files --replace --tabs --width --zmax --sort --label --include-fs --exclude-fs',
  files: '-f --file --include-from --exclude-from --ignore-files',
  unless: {
    '--filter': 'hidden',
    '--filter-magic-label': 'hidden',
    '--pager': 'hidden',
    '--view': 'hidden',
    '-Q': 'hidden',
    '--query': 'hidden',
    '--config': 'hidden',
    '---': 'hidden',
    '--save-config': 'write',
    '-z': 'unknown',
    '--decompress': 'unknown',
  },
  recursive: true,
  follows: ['-R', '-S', '--dereference-recursive', '--dereference-files'],
  search: true,
};

const rg: ReadProgram = {
  operands: 'content',
  skip: 1,
  scriptOptions: ['-e', '-f', '--regexp', '--file', '--files', '--type-list'],
  values:
    '-A -B -C -E -M -T -d -e -g -j -m -r -t --after-context --before-context --context --encoding --max-columns --type-not --max-depth --regexp --glob --iglob --threads --max-count --replace --type --color --colors --context-separator --sort --sortr --type-add --type-clear --max-filesize --engine --field-context-separator --field-match-separator --path-separator --hyperlink-format --dfa-size-limit --regex-size-limit --generate --pre-glob',
  files: '-f --file --ignore-file',
  unless: { '--pre': 'hidden', '--hostname-bin': 'hidden', '-z': 'unknown', '--search-zip': 'unknown' },
  recursive: ['-.', '--hidden', '-u', '-uu', '-uuu', '--unrestricted'],
  follows: ['-L', '--follow'],
  here: true,
  search: true,
};

export const SEARCH_PROGRAMS: Readonly<Record<string, ReadProgram>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: { ...grep, unless: {} },
  rgrep: { ...grep, recursive: true },
  ugrep,
  ug: { ...ugrep, least: ['unknown', 'ug reads settings of the folder, which may run programs'] },
  ack: {
    operands: 'content',
    skip: 1,
    scriptOptions: ['--match', '-f', '-g'],
    values:
      '-A -B -C -m --after-context --before-context --context --match --max-count --ignore-dir --noignore-dir --ignore-directory --noignore-directory --ignore-file --type --type-add --type-set --type-del --color-match --color-filename --color-lineno --color-colno --colour --output --proximate --range-start --range-end -g -t -T',
    lists: '--files-from',
    unless: { '--pager': 'hidden', '-x': 'outside', '--ackrc': 'unknown' },
    recursive: true,
    follows: ['--follow'],
    search: true,
  },
  ag: {
    operands: 'content',
    skip: 1,
    values:
      '-A -B -C -G -m -W --after --before --context --ignore --ignore-dir --max-count --depth --file-search-regex --color-path --color-match --color-line-number --width',
    files: '-p --path-to-ignore',
    unless: { '--pager': 'hidden', '-z': 'unknown', '--search-zip': 'unknown' },
    recursive: [
      '-a',
      '--all-types',
      '-u',
      '--unrestricted',
      '--hidden',
      '-U',
      '--skip-vcs-ignores',
      '-t',
      '--all-text',
    ],
    follows: ['-f', '--follow'],
    here: true,
    search: true,
  },
  rg,
  rga: { ...rg, least: ['unknown', 'rga runs converters for files that are no text'] },
};
