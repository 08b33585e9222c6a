/** What `git config` does: it shows settings, or changes some of which many make git run programs (manual of git 2.5x). */
import { findOption, splitArguments } from './options.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';

/** Settings that only change what is shown or who is named. */
export const PLAIN_SETTING =
  /^(user\.(name|email)|color\.[\w.]+|core\.(quotepath|abbrev|autocrlf|filemode|ignorecase|precomposeunicode)|advice\.\w+|log\.(date|decorate|abbrevcommit)|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|diff\.(renames|algorithm|context|noprefix|mnemonicprefix)|pull\.(rebase|ff)|push\.default|merge\.(ff|conflictstyle)|column\.\w+|status\.\w+|gc\.auto|rebase\.(autostash|autosquash))(=.*)?$/i;

/** Those that only say how output looks. */
export const SHOWN_SETTING =
  /^(color\.[\w.]+|core\.(quotepath|abbrev)|advice\.\w+|log\.(date|decorate|abbrevcommit)|diff\.(renames|algorithm|context|noprefix|mnemonicprefix)|column\.\w+|status\.\w+)(=[\w.-]*)?$/i;

const VALUES = new Set('-f --file --blob --type --default --comment --value --url'.split(' '));
const SHOWS = [
  ...'-l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --show-origin'.split(' '),
] as const;

export function judgeConfig(words: readonly string[], scene: Scene): Outcome {
  const { options, operands } = splitArguments(words, { values: VALUES });
  const has = (...names: string[]) => findOption(options, ...names) !== undefined;
  // Any file can be shown as settings.
  const files = options.flatMap(({ name, value }) => (/^(-f|--f(i(le?)?)?)$/.test(name) ? (value ?? '') : []));
  const apart = words.flatMap((word, at) => (/^--fi?l?$/.test(words[at - 1] ?? '') ? word : []));
  const blobs = options.flatMap(({ name, value = '' }) =>
    /^--bl?o?b?$/.test(name) ? value.replace(/^[^:]*:\/*/, '') : [],
  );
  const shown = touch(scene, [...files, ...apart, ...blobs], 'read');
  if (has(...SHOWS) || operands[0] === 'get' || operands[0] === 'list') return combine(outcome('read'), shown);
  if (has('-e', '--edit') || operands[0] === 'edit') return outcome('hidden', 'git config opens an editor');
  if (
    operands.length === 1 &&
    options.every(({ name }) => /^(-f|--file|--blob|--type|-z|--null|--bool|--int|--path)$/.test(name))
  )
    return combine(outcome('read'), shown);
  if (has('--global', '--system', '-f', '--file', '--worktree'))
    return combine(
      outcome('outside', 'git config changes settings beyond this repository'),
      touch(scene, files, 'write'),
    );
  const [key, value] = operands[0] === 'set' ? operands.slice(1) : operands;
  if (key !== undefined && PLAIN_SETTING.test(value === undefined ? key : `${key}=${value}`))
    return outcome('write', 'git config changes the repository');
  return outcome('hidden', `git config changes a setting (${key ?? ''}) that may make git run programs`);
}
