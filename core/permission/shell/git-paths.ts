/**
 * Paths in the words of a git command, whatever its subcommand: what leads out of the project, or into what is protected,
 * counts as it does for any program. Sources: the manual pages of git 2.5x.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin } from '../paths.ts';
import { type Option, splitArguments } from './options.ts';
import { scanWords } from './scan-words.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';

/** Long options whose value is text: messages, patterns, formats, names of people and of branches. */
const TEXT = new Set(
  '--format --pretty --grep --author --committer --since --until --after --before --date --message --trailer --title --glob --exclude --branches --remotes --tags --decorate-refs --decorate-refs-exclude --word-diff-regex --src-prefix --dst-prefix --line-prefix --relative --strategy-option --sort --contains --no-contains --merged --no-merged --points-at --match --subject-prefix --in-reply-to --to --cc --from --branch --origin --fixup --squash --reuse-message --reedit-message --gpg-sign --local-user --filter --color --abbrev --depth --server-option --push-option --onto --cleanup --ours --theirs --base --signature --suffix --add-virtual-file --anchored --ignore-matching-lines --find-object --diff-filter --submodule --stat --path-format --default --symbolic'.split(
    ' ',
  ),
);
/** Subcommands of which an attached value of these letters is text: a message, a pattern, a range of lines. */
const TEXT_LETTERS = /^-[a-zA-Z]*[mSGLeIn]/;
/** Such text may stand apart, too. */
const APART = /^(-m|-am|--message|--author|--date|--trailer|--fixup|--squash|--grep|--format|--branch|-b|-B)$/;
const REMOTES = new Set(
  'fetch pull push clone ls-remote request-pull send-pack fetch-pack remote submodule archive'.split(' '),
);

/** Paths that a subcommand which reads is given as values of options. */
export function touchReadValues(name: string, words: readonly string[], scene: Scene): Outcome {
  const patterns = name === 'grep' ? words.filter((_word, at) => /^-[a-zA-Z]*f$/.test(words[at - 1] ?? '')) : [];
  return touch(scene, [...valuesOf(words), ...patterns], 'read');
}

/** Words of a writing subcommand that name something outside or protected; messages and references are no paths. */
export function touchOperands(words: readonly string[], scene: Scene): Outcome {
  const paths: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (APART.test(word)) at++;
    else if (word.startsWith('-')) paths.push(...valuesOf([word]));
    else paths.push(...placeOf(word));
  }
  return touch(scene, paths, 'write');
}

/** Other repositories that a command is given as a path: it reads them, and `push` writes there. */
export function touchRemotes(name: string, words: readonly string[], scene: Scene): Outcome {
  // Bridges to other tools: of what they take nothing is known.
  if (/^(svn|p4|lfs)$/.test(name))
    return combine(scanWords(words, scene), touch(scene, words.flatMap(placeOf), 'list'));
  if (!REMOTES.has(name)) return outcome('read');
  const values = valuesOf(words);
  const { operands } = splitArguments(words, {
    values: new Set(['-b', '-o', '-c', '-j', '-m', '--branch', '--depth', '--origin', '--reference']),
  });
  const places = operands.flatMap(placeOf);
  const isClone = name === 'clone';
  return combine(
    touch(scene, values, name === 'fetch' || name === 'ls-remote' ? 'list' : 'write'),
    touch(scene, isClone ? places.slice(0, 1) : places, name === 'push' || name === 'send-pack' ? 'write' : 'list'),
    isClone ? touch(scene, operands.slice(1), 'write') : outcome('read'),
    runsHelper(words),
  );
}

/** A subcommand that is not known: all its words may be paths, and some of its kind run what they are given. */
export function judgeOddGit(name: string, words: readonly string[], scene: Scene): Outcome {
  const rest = combine(scanWords(words, scene), touch(scene, words.flatMap(placeOf), 'write'), runsHelper(words));
  if (/^(shell|merge-index|for-each-repo|submodule--helper|remote-ext|remote-fd)$/.test(name))
    return combine(outcome('hidden', `git ${name} runs a program that it is given`), rest);
  const runs = words.find((word) =>
    /^--(smtp-server|sendmail-cmd|to-cmd|cc-cmd|header-cmd|tocmd|cccmd|exec|upload-pack|receive-pack|init-hook|access-hook|interpolated-path)(=|$)/.test(
      word,
    ),
  );
  if (runs !== undefined)
    return combine(outcome('hidden', `git ${name} ${runs.replace(/=.*/s, '')} can run a program`), rest);
  return combine(outcome('unknown', `git ${name} is not known to ada`), rest);
}

/** A folder of the project that git takes for a repository although it is none of its own: files of the project set it up. */
export function bareBelow({ cwds, places }: Scene): string | undefined {
  for (const cwd of cwds)
    for (let folder = cwd; isWithin(folder, places.project) && folder !== places.project; folder = dirname(folder)) {
      if (existsSync(`${folder}/.git`)) break;
      if (existsSync(`${folder}/HEAD`) && existsSync(`${folder}/objects`)) return folder;
    }
  return undefined;
}

const runsHelper = (words: readonly string[]): Outcome =>
  words.some((word) => /(^|=)(ext|fd)::/.test(word))
    ? outcome('hidden', 'git can run a program that stands in the address of a remote')
    : outcome('read');

/** `.git/hooks` of a new repository is filled from a folder of templates. */
export function judgeTemplate(name: string, options: readonly Option[], words: readonly string[]): Outcome {
  if (name !== 'init' && name !== 'clone') return outcome('read');
  const option = options.find(({ name: one }) => one.length > 2 && '--template'.startsWith(one));
  if (!option) return outcome('read');
  const value = option.value ?? words[words.indexOf(option.name) + 1] ?? '';
  if (value === '' || value === '/dev/null') return outcome('read');
  return {
    ...outcome('outside', `git ${name} --template puts what lies in ${value} into .git/hooks, which is protected`),
    readOnly: false,
    guarded: true,
  };
}

/** The values of options that may be paths. */
function valuesOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    const [, option = '', value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (value !== undefined) return TEXT.has(option) ? [] : placeOf(value);
    if (word.startsWith('--') || TEXT_LETTERS.test(word)) return [];
    const attached = /^-[A-Za-z](.+)$/s.exec(word)?.[1];
    return attached !== undefined && /[/.~]/.test(attached) ? placeOf(attached) : [];
  });
}

/** What a word is as a path: an address is none, but for one of this machine, and neither is a text with spaces. */
function placeOf(word: string): readonly string[] {
  const local = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(word)?.[1];
  if (local !== undefined) return [decode(local)];
  if (/^[a-z][a-z+.-]*:\/\//i.test(word)) return [];
  return /\s/.test(word) && !/^(\/|~|\.\.?(\/|$))/.test(word) ? [] : [word];
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
