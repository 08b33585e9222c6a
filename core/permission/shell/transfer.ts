/** Programs that move files and text to and from other machines, or into and out of archives. */
import { mayChange } from './changed-files.ts';
import { tellsSecret } from './elsewhere.ts';
import { findOption, isOption, splitArguments } from './options.ts';
import { scanWords } from './scan-words.ts';
import { combine, type Judge, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { searchFilter } from './search-filter.ts';
import { findSecret, judgeSearch } from './search-secrets.ts';

const set = (names: string) => new Set(names.split(' '));

/** Options of rsync whose value is a path of this machine. */
const RSYNC_FILES =
  '--log-file --partial-dir --backup-dir --temp-dir -T --files-from --exclude-from --include-from --password-file --compare-dest --copy-dest --link-dest --write-batch --only-write-batch --read-batch'.split(
    ' ',
  );

export const judgeRsync: Judge = (words, scene) => {
  const { options, operands } = splitArguments(words, {
    values: set(
      '-e -f -T -M -B --rsh --exclude --include --filter --exclude-from --include-from --files-from --bwlimit --chmod --chown --log-file --partial-dir --backup-dir --temp-dir --rsync-path --port --timeout --max-size --min-size --compare-dest --copy-dest --link-dest --password-file --write-batch --only-write-batch --read-batch',
    ),
  });
  const dry = findOption(options, '-n', '--dry-run') !== undefined;
  const notes: Outcome[] = [];
  if (findOption(options, '-e', '--rsh', '--rsync-path', '-M', '--remote-option'))
    notes.push(outcome('hidden', 'rsync runs a program that it is given'));
  if (!dry && options.some(({ name }) => /^--(del|remove-source-files|remove-sent-files)/.test(name)))
    notes.push(outcome('destructive', 'rsync deletes files'));
  const files = options.filter(
    ({ name }) => name !== '--exclude' && name !== '--include' && RSYNC_FILES.some((file) => isOption(name, file)),
  );
  notes.push(
    scanWords(
      files.map(({ value }) => value ?? ''),
      scene,
    ),
  );
  if (files.some(({ name }) => isOption(name, '--log-file') || /write-batch/.test(name)))
    notes.push(outcome('write', 'rsync writes a file of its own'));
  notes.push(
    judgeSearch(
      scene,
      operands.slice(0, -1).filter((path) => !/^[\w.@-]+:/.test(path)),
      searchFilter(words),
      findOption(options, '-L', '--copy-links', '-k', '--copy-dirlinks', '--copy-unsafe-links') !== undefined,
    ),
  );
  if (!dry && operands.length > 1 && !/^[\w.@-]+:/.test(operands.at(-1)!))
    notes.push(mayChange(operands.at(-1)!, scene));
  const remote = operands.some((path) => /^[\w.@-]+::?/.test(path) || path.startsWith('rsync://'));
  if (remote) notes.push({ ...outcome('network', 'copies to or from another machine'), readOnly: false });
  return combine(
    dry ? outcome('read') : outcome('write', 'copies files'),
    scanWords(
      operands.filter((path) => !/^[\w.@-]+:/.test(path)),
      scene,
    ),
    ...notes,
  );
};

export const judgeSsh: Judge = (words, scene) => {
  const values = set('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w');
  const { options, operands } = splitArguments(words, { values, stopAtOperand: true });
  const notes: Outcome[] = [{ ...outcome('network', 'reaches another machine'), readOnly: false }];
  if (
    options.some(
      ({ name, value = '' }) =>
        name === '-F' ||
        (name === '-o' &&
          !/^(ConnectTimeout|BatchMode|Port|User|ServerAlive\w+|LogLevel|IdentitiesOnly)[= ]/i.test(value)),
    )
  ) {
    notes.push(outcome('hidden', 'ssh is given settings that may run programs'));
  }
  if (operands.length === 1 && scene.stdin !== 'none') {
    const { fed } = scene;
    if (fed === undefined) notes.push(outcome('hidden', 'ssh runs commands that are not known'));
    else {
      const remote = scene.code(fed, { ...scene, stdin: 'none', fed: undefined, depth: scene.depth + 1 });
      notes.push({
        ...outcome('read'),
        inner: remote.filter((part) => part.class === 'destructive' || part.class === 'hidden' || tellsSecret(part)),
      });
    }
  }
  if (operands.length > 1) {
    const remote = scene
      .code(operands.slice(1).join(' '), scene)
      .filter((part) => part.class === 'destructive' || part.class === 'hidden' || tellsSecret(part));
    notes.push({ ...outcome('read'), inner: remote });
  }
  return combine(...notes);
};

export const judgeScp: Judge = (words, scene) =>
  combine(
    { ...outcome('network', 'copies to or from another machine'), readOnly: false },
    splitArguments(words).options.some(({ name }) => /^-[oSFJ]/.test(name))
      ? outcome('hidden', 'scp is given settings that may run programs')
      : outcome('read'),
    scanWords(
      words.filter((word) => !/^[\w.@-]+:/.test(word)),
      scene,
    ),
    words.some((word) => /^-\w*r/.test(word))
      ? judgeSearch(
          scene,
          words.slice(0, -1).filter((word) => !/^-|^[\w.@-]+:/.test(word)),
          undefined,
          true,
        )
      : outcome('read'),
  );

/** The folders that go into an archive, and the files whose names come from elsewhere. */
function judgePacked(
  words: readonly string[],
  options: readonly { name: string; value?: string }[],
  operands: readonly string[],
  scene: Scene,
): Outcome {
  const folder = options.filter(({ name }) => name === '-C' || name === '--directory').at(-1)?.value;
  const sources =
    folder === undefined ? operands : operands.map((path) => (path.startsWith('/') ? path : `${folder}/${path}`));
  const follows = findOption(options, '-h', '-L', '--dereference') !== undefined;
  const notes = [judgeSearch(scene, sources, searchFilter(words), follows)];
  const lists = options.filter(({ name }) => name === '-T' || name === '--files-from' || name === '--file-list');
  if (lists.length > 0) {
    const isPiped = lists.every(({ value }) => value === '-' || value === '/dev/stdin') && scene.stdin === 'names';
    const why = isPiped
      ? findSecret(scene, scene.named ?? [], true)
      : 'packs files whose names are known only when it runs';
    notes.push(why === undefined ? { ...outcome('read'), searches: scene.named ?? [] } : outcome('outside', why));
  }
  return combine(...notes);
}

/** Options of tar whose value is a file or a folder that it makes (manual of GNU tar 1.35). */
const WRITTEN = ['--index-file', '--listed-incremental', '--volno-file', '--one-top-level', '-g'];

export const judgeTar: Judge = (words, scene) => {
  const bundle = words[0] !== undefined && !words[0].startsWith('-') ? [`-${words[0]}`, ...words.slice(1)] : words;
  const { options: given, operands } = splitArguments(bundle, {
    values: set(
      '--file --directory --exclude --transform --files-from --exclude-from --strip-components --owner --group --mode --mtime --newer --to-command --checkpoint-action --use-compress-program --rsh-command --new-volume-script --info-script --index-file --listed-incremental --volno-file -I -F -T -X -C -g',
    ),
  });
  if (
    findOption(
      given,
      '--to-command',
      '--checkpoint-action',
      '--use-compress-program',
      '--rsh-command',
      '--new-volume-script',
      '--info-script',
      '-I',
      '-F',
      '--rmt-command',
    )
  ) {
    return outcome('hidden', 'tar runs a program that it is given');
  }
  if (findOption(given, '--remove-files', '--delete', '--recursive-unlink'))
    return outcome('destructive', 'tar deletes files');
  const letters = given.filter(({ name }) => name.length === 2).map(({ name }) => name[1]);
  const paths = scanWords(
    bundle.slice(1).filter((word) => !/^--(exclude|transform|owner|group)/.test(word)),
    scene,
  );
  if (findOption(given, '-P', '--absolute-names')) return combine(outcome('outside', 'tar may write anywhere'), paths);
  const archives = [
    ...operands,
    ...given.flatMap(({ name, value }) => (isOption(name, '--file') ? (value ?? []) : [])),
  ];
  // `host:file` is read through a remote shell.
  if (!findOption(given, '--force-local') && archives.some((path) => /^[^/:]+:/.test(path)))
    return combine(outcome('unknown', 'tar reaches an archive on another machine'), paths);
  const written = given.filter(({ name }) => WRITTEN.some((one) => isOption(name, one)));
  if (written.length > 0) {
    // In the old form the letters stand before all of their values.
    const files = [...written.flatMap(({ value }) => value ?? []), ...operands];
    return combine(outcome('write', 'tar writes a file beside the archive'), paths, touch(scene, files, 'write'));
  }
  const lists = letters.includes('t') && !letters.some((letter) => 'xcru'.includes(letter!));
  if (lists || findOption(given, '--list')) return combine(outcome('read'), touch(scene, archives, 'read'));
  const packs =
    letters.some((letter) => 'cru'.includes(letter!)) || findOption(given, '--create', '--append', '--update');
  const folder = given.filter(({ name }) => name === '-C' || isOption(name, '--directory')).at(-1)?.value;
  const isPrinted = letters.includes('O') || findOption(given, '--to-stdout') !== undefined;
  const packed = packs
    ? judgePacked(bundle, given, operands, scene)
    : isPrinted
      ? outcome('read')
      : mayChange(folder ?? '.', scene);
  return combine(outcome('write', 'packs or unpacks files'), paths, packed);
};
