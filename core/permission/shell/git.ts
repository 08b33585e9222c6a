/**
 * What a git command does, from its subcommand and options (git 2.5x manual pages). Options before the subcommand that
 * point git at another repository or change its settings may make it run programs: those are never a plain read.
 */
import { existsSync } from 'node:fs';
import { absolute } from '../paths.ts';
import { judgeGitChanges } from './git-changes.ts';
import { judgeConfig, PLAIN_SETTING, SHOWN_SETTING } from './git-config.ts';
import { judgeGitContent, judgeStashed, noteAdded, printsContent, putSecrets } from './git-content.ts';
import { hasBranch, repositoryOf } from './git-index.ts';
import { bareBelow, judgeOddGit, judgeTemplate, touchOperands, touchReadValues, touchRemotes } from './git-paths.ts';
import { findOption, isOption, splitArguments } from './options.ts';
import { runsByItself } from './repository-programs.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { judgeSearch } from './search-secrets.ts';
import { isComputed } from './syntax.ts';

const READ = new Set(
  'status log diff show blame annotate grep ls-files ls-tree rev-parse rev-list describe shortlog cat-file diff-tree diff-index diff-files name-rev merge-base for-each-ref show-ref whatchanged cherry count-objects check-ignore check-attr var version help range-diff fsck verify-commit verify-tag get-tar-commit-id stripspace patch-id show-branch'.split(
    ' ',
  ),
);
const WRITE = new Set(
  'add commit mv merge rebase cherry-pick revert am apply init notes bisect pack-refs repack maintenance gc update-index write-tree commit-tree hash-object read-tree sparse-checkout format-patch mergetool rerere stage switch'.split(
    ' ',
  ),
);
const NETWORK = new Set('fetch pull clone ls-remote request-pull send-pack fetch-pack lfs svn p4'.split(' '));

/** Options that write, or run a program, in subcommands that otherwise read. */
const NOT_READ: readonly (readonly [string, 'write' | 'hidden' | 'unknown'])[] = [
  ['--output', 'write'],
  ['--output-directory', 'write'],
  ['--ext-diff', 'hidden'],
  ['--textconv', 'unknown'],
  ['--open-files-in-pager', 'hidden'],
  ['-O', 'hidden'],
  ['--show-signature', 'unknown'],
  ['--filters', 'unknown'],
  ['--exec-path', 'hidden'],
  ['--lost-found', 'write'],
];

/** Judges the words after `git`. */
export function judgeGit(words: readonly string[], scene: Scene): Outcome {
  const values = new Set([
    '-C',
    '-c',
    '--git-dir',
    '--work-tree',
    '--namespace',
    '--exec-path',
    '--config-env',
    '--super-prefix',
    '--attr-source',
  ]);
  const { options, operands } = splitArguments(words, { values, stopAtOperand: true });
  const notes: Outcome[] = [];
  let { cwds } = scene;
  for (const { name, value = '' } of options) {
    if (name === '--no-pager' || name === '--no-optional-locks' || name === '--literal-pathspecs' || name === '-P')
      continue;
    if (name === '--version' || name === '--help' || name === '-h' || name === '-v') continue;
    if (name === '-c' && SHOWN_SETTING.test(value)) continue;
    if (name === '-c' && PLAIN_SETTING.test(value)) notes.push(outcome('unknown', `sets ${value} for git`));
    else if (name === '-c' || name === '--config-env' || name === '--exec-path') {
      notes.push(outcome('hidden', `changes a setting of git (${value || name}) that may make it run programs`));
    } else if (name === '-C' && cwds.every((cwd) => isSameRepository(value, cwd, scene))) {
      // Like `cd` into it.
      cwds = cwds.map((cwd) => absolute(value, cwd, scene.places.home));
    } else if (name === '-C' || name === '--git-dir' || name === '--work-tree') {
      notes.push(outcome('unknown', `points git at another repository (${value})`), touch(scene, [value], 'read'));
      // What is checked out goes into the work tree, which is the working directory where none is named.
      if (name !== '-C') notes.push(touch(scene, [name === '--work-tree' ? value : '.'], 'write'));
    } else notes.push(outcome('unknown', `git ${name} is not known to only read`));
  }
  const [subcommand, ...rest] = operands;
  if (subcommand === undefined) return combine(outcome('read'), ...notes);
  const there = cwds === scene.cwds ? scene : { ...scene, cwds };
  const bare = bareBelow(there);
  if (bare !== undefined)
    notes.push(outcome('unknown', `git works in ${bare}, a repository whose settings may make it run programs`));
  for (const cwd of cwds) {
    const runs = runsByItself(subcommand, cwd, scene.places);
    if (runs !== undefined) notes.push(outcome('unknown', runs));
  }
  const judged = combine(judgeSubcommand(subcommand, rest, there), judgeGitChanges(subcommand, rest, there));
  const { options: given, operands: named } = splitArguments(rest, { values: VALUED[subcommand] });
  notes.push(touchRemotes(subcommand, rest, there), judgeTemplate(subcommand, given, rest));
  return combine(judged, judgeGitContent(subcommand, rest, given, named, there), ...notes);
}

/** Options with a value that stands apart, where it could be taken for a file. */
const VALUED: Readonly<Record<string, ReadonlySet<string>>> = {
  log: new Set(['-n', '-S', '-G', '-L', '-O', '-l', '-U', '--since', '--until', '--author', '--grep', '--format']),
  show: new Set(['-S', '-G', '-L', '-O', '-l', '-U', '--format']),
  diff: new Set(['-S', '-G', '-O', '-l', '-U']),
  grep: new Set(['-e', '-f', '-A', '-B', '-C', '-m']),
  archive: new Set(['-o', '--output', '--prefix', '--format']),
};

/** A folder of the same work tree, which is no repository itself, also not a bare one. */
function isSameRepository(folder: string, cwd: string, scene: Scene): boolean {
  const path = absolute(folder, cwd, scene.places.home);
  if (/[*?[~]|(^|\/)\.\.(\/|$)/.test(folder) || existsSync(`${path}/HEAD`) || !existsSync(path)) return false;
  const here = repositoryOf(cwd);
  return (
    here !== undefined && repositoryOf(path)?.root === here.root && touch(scene, [folder], 'list').class === 'read'
  );
}

function judgeSubcommand(name: string, rest: readonly string[], scene: Scene): Outcome {
  const { options, operands } = splitArguments(rest);
  const has = (...names: string[]) => findOption(options, ...names) !== undefined;
  const first = operands[0];
  const gone = (what: string) => outcome('destructive', `git ${name} ${what}`);
  const write = () => combine(outcome('write', `git ${name} changes the repository`), touchOperands(rest, scene));
  const names = options.map((option) => option.name);
  const reads = () => judgeRead(name, rest, names, operands, scene);

  switch (name) {
    case 'reset':
      return has('--hard', '--merge', '--keep') ? gone('throws away uncommitted changes') : write();
    case 'clean':
      return has('-n', '--dry-run') ? outcome('read') : gone('deletes untracked files');
    case 'push':
      if (
        has('-f', '--force', '--force-with-lease', '--mirror', '--delete', '-d', '--prune') ||
        operands.slice(1).some((ref) => /^[+:]/.test(ref))
      ) {
        return gone('can overwrite or delete what others have');
      }
      if (has('--exec', '--receive-pack')) return outcome('hidden', 'git push runs a program that it is given');
      return { ...outcome('network', 'git push sends commits to another machine'), readOnly: false };
    case 'branch':
      if (has('-D') || (has('-d', '--delete') && has('-f', '--force')))
        return gone('deletes a branch that may hold unmerged work');
      if (
        has('-f', '--force', '-M', '-C') &&
        movesBranch(
          options.map(({ name: option }) => option),
          operands,
          scene,
        )
      )
        return gone('gives a branch another commit: those that only it had are lost');
      if (
        has(
          '-d',
          '--delete',
          '-m',
          '-M',
          '-c',
          '-C',
          '--move',
          '--copy',
          '-f',
          '--force',
          '-u',
          '--set-upstream-to',
          '--unset-upstream',
          '--edit-description',
        )
      )
        return write();
      return operands.length === 0 ||
        has('--list', '-l', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at')
        ? outcome('read')
        : write();
    case 'tag':
      if (has('-d', '--delete')) return gone('deletes a tag');
      if (has('-f', '--force')) return gone('moves a tag');
      return operands.length === 0 || has('-l', '--list', '-n', '--contains', '--points-at')
        ? outcome('read')
        : write();
    case 'checkout':
      return judgeCheckout(
        rest,
        options.map((option) => option.name),
        operands,
        scene,
      );
    case 'switch':
      return has('-f', '--force', '--discard-changes', '-C') ? gone('throws away uncommitted changes') : write();
    case 'add':
    case 'stage':
      if (!has('-u', '--update', '-n', '--dry-run'))
        noteAdded(
          operands.filter((path) => !/[*?[]/.test(path)),
          has('-f', '--force'),
          scene,
        );
      return write();
    case 'notes':
      return first === undefined || first === 'list' || first === 'show' ? outcome('read') : write();
    case 'read-tree':
      return has('--reset') ? gone('throws away uncommitted changes') : write();
    case 'checkout-index':
      putSecrets(rest.find((word) => word.startsWith('--prefix='))?.slice(9) ?? '.', scene);
      return has('-f', '--force') ? gone('throws away uncommitted changes') : write();
    case 'restore':
      return has('--staged', '-S') && !has('--worktree', '-W') ? write() : gone('throws away uncommitted changes');
    case 'rm':
      // The file stays, and what git knew of it stays in its history.
      return has('--cached') || has('-n', '--dry-run')
        ? combine(outcome('write', 'git rm changes the repository'), touch(scene, operands, 'list'))
        : has('-r', '-f', '--force')
          ? gone('deletes files')
          : write();
    case 'stash':
      if (first === 'list' || first === 'show') return reads();
      if (has('-u', '-a', '--include-untracked', '--all'))
        return combine(write(), judgeStashed(has('-a', '--all'), scene));
      return first === 'drop' || first === 'clear' ? gone(`${first} deletes stashed work`) : write();
    case 'worktree':
      if (first === 'list') return outcome('read');
      if (first === 'add') putSecrets(operands[1] ?? '', scene);
      return (first === 'remove' && has('-f', '--force')) || first === 'prune'
        ? gone('can delete a work tree')
        : write();
    case 'reflog':
      return first === 'expire' || first === 'delete' ? gone('deletes what lost commits are found by') : reads();
    case 'filter-branch':
    case 'filter-repo':
    case 'replace':
    case 'prune':
    case 'update-ref':
    case 'symbolic-ref':
      return name === 'symbolic-ref' && operands.length < 2 && !has('-d', '--delete')
        ? outcome('read')
        : gone('rewrites or deletes references or history');
    case 'gc':
      return has('--prune') || has('--aggressive') ? gone('can delete what lost commits are found by') : write();
    case 'remote':
      if (first === undefined || first === 'get-url' || (first === 'show' && operands.length < 2))
        return outcome('read');
      if (first === 'show' || first === 'update' || first === 'prune')
        return outcome('network', 'git remote asks another machine');
      return first === 'remove' || first === 'rm' ? gone('forgets a remote') : write();
    case 'submodule':
      if (first === undefined || first === 'status' || first === 'summary') return outcome('read');
      if (first === 'foreach') return outcome('hidden', 'git submodule foreach runs a command given as text');
      if (first === 'deinit') return gone('deletes the work trees of submodules');
      if (first === 'update' && has('-f', '--force')) return gone('throws away changes in submodules');
      return combine(
        { ...outcome('network', 'git submodule fetches from other machines'), readOnly: false },
        // They change a file that says where code comes from.
        /^(add|set-url|set-branch)$/.test(first) ? touch(scene, ['.gitmodules'], 'write') : outcome('read'),
      );
    case 'config':
      return judgeConfig(rest, scene);
    case 'bisect':
      if (first === 'run') return outcome('hidden', 'git bisect run runs a command many times');
      // What stands behind `view` and is no option is a command of git.
      if (first === 'view' || first === 'visualize')
        return operands.length > 1
          ? outcome('hidden', `git bisect ${first} runs a command that it is given`)
          : outcome('read');
      return first === 'log' ? outcome('read') : write();
    case 'rebase':
    case 'difftool':
    case 'mergetool':
      if (has('-x', '--exec', '--extcmd')) return outcome('hidden', `git ${name} runs a command given as text`);
      return name === 'rebase' ? write() : outcome('unknown', `git ${name} runs another program`);
    case 'archive':
      if (has('--remote', '--exec')) return outcome('network', 'git archive asks another machine');
      return has('-o', '--output') ? write() : combine(outcome('read'), touchArchived(rest, scene));
    case 'bundle':
      return first === 'verify' || first === 'list-heads'
        ? combine(outcome('read'), touch(scene, operands.slice(1), 'list'))
        : write();
    case 'commit':
      return has('--no-verify', '-n')
        ? combine(write(), outcome('unknown', 'skips the checks of the project'))
        : write();
  }
  if (READ.has(name)) return reads();
  if (NETWORK.has(name)) {
    if (
      has('--upload-pack', '--receive-pack', '-u', '--exec', '--config', '-c') ||
      operands.some((word) => word.startsWith('ext::'))
    ) {
      return outcome('hidden', `git ${name} can run a program that it is given`);
    }
    if (name === 'fetch' && operands.slice(1).some((ref) => /^\+[^:]*:(?!refs\/remotes\/)/.test(ref))) {
      return gone('can overwrite a branch');
    }
    const reach = outcome('network', `git ${name} reaches another machine`);
    if (name === 'fetch' && has('-p', '--prune', '-f', '--force')) return { ...reach, readOnly: false };
    // A fetch moves only what git remembers of the other side: no file and no branch of the project.
    const onlyLooks =
      name === 'ls-remote' || (name === 'fetch' && !operands.some((ref) => ref.includes(':') && !ref.includes('//')));
    return combine(
      { ...reach, readOnly: onlyLooks },
      name === 'clone' ? touchOperands(operands.slice(1), scene) : outcome('read'),
    );
  }
  if (name === 'apply' && has('--unsafe-paths')) return outcome('outside', 'git apply may write anywhere');
  // It only says what the patch would change, and whether it would apply.
  if (
    name === 'apply' &&
    has('--stat', '--numstat', '--summary', '--check') &&
    !has('--apply', '--build-fake-ancestor')
  )
    return touch(scene, operands, 'read');
  if (WRITE.has(name)) return write();
  return judgeOddGit(name, rest, scene);
}

/** Whether the branch that is made, or given another name, is there already. */
function movesBranch(options: readonly string[], operands: readonly string[], scene: Scene): boolean {
  const renames = options.some((option) => /^(-[mMcC]|--move|--copy)$/.test(option));
  const target = renames ? operands.at(-1) : operands[0];
  return target !== undefined && scene.cwds.some((cwd) => isComputed(target) || hasBranch(cwd, target));
}

function judgeRead(
  name: string,
  rest: readonly string[],
  options: readonly string[],
  operands: readonly string[],
  scene: Scene,
): Outcome {
  const notes: Outcome[] = [];
  if (name === 'help' && options.some((option) => option === '-w' || isOption(option, '--web')))
    notes.push(outcome('unknown', 'git help opens a browser'));
  for (const option of options) {
    for (const [risky, accessClass] of NOT_READ) {
      if (isOption(option, risky)) notes.push(outcome(accessClass, `git ${name} ${option} does more than read`));
    }
  }
  if (name === 'grep' && options.some((option) => isOption(option, '--untracked') || isOption(option, '--no-index'))) {
    // Like `grep -r`: it looks into files that git does not know, and those may be secrets.
    const paths = options.includes('-e') ? operands : operands.slice(1);
    notes.push(judgeSearch(scene, paths.length > 0 ? paths : ['.']));
  }
  notes.push(touchReadValues(name, rest, scene));
  const output = rest.find((word) => word.startsWith('--output'))?.split('=')[1];
  if (output !== undefined) notes.push(touch(scene, [output], 'write'));
  if (options.some((option) => isOption(option, '--no-index')) || name === 'grep') {
    const hasPattern = options.some((option) => option === '-e' || option === '-f');
    const named = name === 'grep' ? splitArguments(rest, { values: VALUED.grep! }).operands : operands;
    const paths = (name === 'grep' && !hasPattern ? named.slice(1) : named).filter((word) => !isExcluded(word));
    notes.push(touch(scene, paths, 'read'));
    if (name === 'diff') notes.push(judgeSearch(scene, paths));
  } else {
    // `HEAD:src/.env` and `-- .env` show a file's content; a plain revision is only a name that does not exist.
    notes.push(
      touch(
        scene,
        operands.filter((word) => !isExcluded(word)).map((word) => word.replace(/^[^:]*:\/*/, '')),
        printsContent(name, splitArguments(rest, { values: VALUED[name] }).options, operands) ? 'read' : 'list',
      ),
    );
  }
  return combine(outcome('read'), ...notes);
}

/** A pathspec that leaves something out. */
const isExcluded = (word: string): boolean => /^:([!^]|\(exclude\))/.test(word);

/** Files that are packed besides what git knows. */
const touchArchived = (words: readonly string[], scene: Scene): Outcome =>
  touch(
    scene,
    words.flatMap((word, index) => (/^--add-f/.test(words[index - 1] ?? '') ? word : [])),
    'read',
  );

function judgeCheckout(
  rest: readonly string[],
  options: readonly string[],
  operands: readonly string[],
  scene: Scene,
): Outcome {
  const has = (...names: string[]) => options.some((option) => names.some((name) => isOption(option, name)));
  const gone = outcome('destructive', 'git checkout throws away uncommitted changes');
  if (has('-f', '--force', '-B', '--ours', '--theirs')) return gone;
  const write = outcome('write', 'git checkout changes the work tree');
  if (has('-b', '--orphan', '--detach', '--track', '-t')) return write;
  if (rest.includes('--') || operands.length > 1 || has('--pathspec-from-file')) return gone;
  const only = operands[0];
  if (only === undefined) return write;
  // One word is a branch, or else a file that would be put back as it was.
  const isFile =
    only === '.' || /[*?[]/.test(only) || scene.cwds.some((cwd) => existsSync(absolute(only, cwd, scene.places.home)));
  return isFile ? gone : write;
}
