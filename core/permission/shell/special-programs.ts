/**
 * Programs whose arguments need more than a table: small languages (find, sed, awk), deletion, copying over the network.
 */
import { isWithin, placePath } from '../paths.ts';
import { findOption, type Option, splitArguments } from './options.ts';
import { scanWords } from './scan-words.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { judgeComputed } from './wrappers.ts';

type Judge = (words: readonly string[], scene: Scene) => Outcome;

const set = (names: string) => new Set(names.split(' '));

/** `rm` in a folder for temporary files, outside the project, asks but is not called destructive. */
function isTemporary(path: string, scene: Scene): boolean {
  return scene.cwds.every((cwd) => {
    const placed = placePath(path, cwd, scene.places);
    const real = placed.real ?? '';
    const holds = [scene.places.home, scene.places.project, cwd].some((folder) => isWithin(folder, real));
    return (
      !placed.inside &&
      !holds &&
      ['/tmp', '/var/tmp', '/private/tmp'].some(
        (root) => real !== root && isWithin(real, root) && isWithin(placed.path, root),
      ) &&
      !/[*?[]/.test(path.split('/').slice(0, 3).join('/'))
    );
  });
}

const judgeRm: Judge = (words, scene) => {
  const { options, operands } = splitArguments(words);
  if (findOption(options, '--help', '--version')) return outcome('read');
  const touched = touch(scene, operands, 'write');
  const sweeping = findOption(options, '-r', '-R', '-f', '--recursive', '--force') !== undefined;
  const everything = operands.find((path) => /^[.*?/]+$/.test(path) || path === '~');
  if (
    (!sweeping && everything === undefined) ||
    (operands.length > 0 && operands.every((path) => isTemporary(path, scene)))
  ) {
    return combine(outcome('write', 'deletes files'), touched);
  }
  return combine(
    outcome(
      'destructive',
      sweeping ? 'rm with -r or -f deletes without a way back' : `deletes everything that ${everything} matches`,
    ),
    touched,
  );
};

/** Tests and actions of find that take values; the count is how many words follow. */
const FIND_VALUES = new Map(
  'name iname path ipath wholename iwholename regex iregex lname ilname type xtype maxdepth mindepth size mtime atime ctime mmin amin cmin perm user group uid gid links inum printf regextype fstype used context D'
    .split(' ')
    .map((name) => [`-${name}`, 1]),
);
const FIND_FILES = set('-newer -anewer -cnewer -samefile -files0-from');

const judgeFind: Judge = (words, scene) => {
  const notes: Outcome[] = [];
  const roots: string[] = [];
  let at = 0;
  for (; at < words.length && !/^[-(!,)]/.test(words[at]!); at++) roots.push(words[at]!);
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (/^-(exec|execdir|ok|okdir)$/.test(word)) {
      const end = words.findIndex(
        (other, index) => index > at && (other === ';' || (other === '+' && words[index - 1] === '{}')),
      );
      const inner = words.slice(at + 1, end < 0 ? words.length : end);
      notes.push({ ...outcome('read'), inner: judgeComputed(inner, 'names', scene, roots.length > 0 ? roots : ['.']) });
      if (/dir$/.test(word)) notes.push(outcome('unknown', `find ${word} runs in the folders that it finds`));
      at = end < 0 ? words.length : end;
    } else if (word === '-delete') notes.push(outcome('destructive', 'find -delete deletes what it finds'));
    else if (/^-f(print0?|ls|printf)$/.test(word)) {
      notes.push(outcome('write', `find ${word} writes a file`), touch(scene, [words[at + 1] ?? ''], 'write'));
      at += word === '-fprintf' ? 2 : 1;
    } else if (FIND_FILES.has(word) || /^-newer[aBcm][aBcmt]$/.test(word)) {
      notes.push(touch(scene, [words[++at] ?? ''], 'list'));
    } else at += FIND_VALUES.get(word) ?? 0;
  }
  return combine(outcome('read'), touch(scene, roots, 'list'), ...notes);
};

const judgeSed: Judge = (words, scene) => {
  const values = set('-e -f -l --expression --file --line-length');
  const { options, operands } = splitArguments(sedWords(words), { values });
  const inPlace = findOption(options, '-i', '--in-place') !== undefined;
  const given = options.filter(({ name }) => /^(-e|--e.*)$/.test(name)).map(({ value = '' }) => value);
  const files = options.filter(({ name }) => name === '-f' || name === '--file').map(({ value = '' }) => value);
  const hasScript = given.length + files.length > 0;
  const scripts = hasScript ? given : operands.slice(0, 1);
  const paths = hasScript ? operands : operands.slice(1);
  const notes = scripts.map((script) => judgeSedScript(script, scene));
  if (files.length > 0) notes.push(outcome('unknown', 'sed runs a script from a file'), touch(scene, files, 'read'));
  if (inPlace) return combine(outcome('write', 'sed -i changes files'), touch(scene, paths, 'write'), ...notes);
  return combine(outcome('read'), touch(scene, paths, 'read'), ...notes);
};

/** `-i.bak` and `-ri` carry no further options after the `i`. */
function sedWords(words: readonly string[]): readonly string[] {
  return words.map((word) => (/^-[nErsuz]*i/.test(word) ? `${word.slice(0, word.indexOf('i'))}i` : word));
}

/** Commands of sed that write files or run programs: `w`, `W`, `e`, and these flags of `s`. */
function judgeSedScript(script: string, scene: Scene): Outcome {
  const plain =
    /^\s*((\d+|\$|\/(\\.|[^/\\])*\/I?)(\s*,\s*[+~]?(\d+|\$|\/(\\.|[^/\\])*\/I?))?\s*!?\s*)?([pdDPNnGhHgxlq=]\s*\d*|y(.)(\\.|(?!\8).)*\8(\\.|(?!\8).)*\8)?\s*$/;
  for (const command of splitSed(script)) {
    const substitution =
      /^\s*((\d+|\$|\/(\\.|[^/\\])*\/I?)(\s*,\s*[+~]?(\d+|\$|\/(\\.|[^/\\])*\/I?))?\s*!?\s*)?s(?<mark>[^\w\s\\])/.exec(
        command,
      );
    if (substitution) {
      const rest = command.slice(substitution[0].length);
      const mark = substitution.groups!.mark!;
      const parts = splitUnescaped(rest, mark);
      if (parts.length === 3 && /^\s*[gpiIm\d]*\s*$/.test(parts[2]!)) continue;
      const target = /^[gpiIm\d]*w\s*(.*)$/s.exec(parts[2] ?? '')?.[1];
      if (target !== undefined)
        return combine(outcome('write', 'the sed script writes a file'), touch(scene, [target], 'write'));
      return outcome('hidden', 'the sed script runs a command, or cannot be read');
    }
    if (plain.test(command)) continue;
    const target = /^[^a-zA-Z]*[wW]\s+(.*)$/s.exec(command)?.[1];
    if (target !== undefined)
      return combine(outcome('write', 'the sed script writes a file'), touch(scene, [target], 'write'));
    if (/^[^a-zA-Z/]*[aic]/.test(command)) continue;
    return outcome('hidden', 'the sed script runs a command, or cannot be read');
  }
  return outcome('read');
}

function splitSed(script: string): string[] {
  // Text of a substitution may hold `;`: only a script of plain commands is split there.
  return /s[^\w\s\\].*;.*[^\w\s\\]/.test(script)
    ? script.split(/\n|;(?=\s*(?:\d+|\$)?\s*s[^\w\s\\])/)
    : script.split(/[;\n]/);
}

function splitUnescaped(text: string, mark: string): string[] {
  const parts = [''];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\' && i + 1 < text.length) parts[parts.length - 1] += text[i]! + text[++i]!;
    else if (text[i] === mark) parts.push('');
    else parts[parts.length - 1] += text[i]!;
  }
  return parts;
}

const judgeAwk: Judge = (words, scene) => {
  const values = set(
    '-F -v -f -i -l -e -E -o -p -d --field-separator --assign --file --include --load --source --exec --output-file',
  );
  const { options, operands } = splitArguments(words, { values });
  const odd = options.find(
    ({ name }) => !/^(-F|-v|--field-separator|--assign|--posix|--re-interval|-r|-n|--version|-e|--source)$/.test(name),
  );
  const source = options.find(({ name }) => name === '-e' || name === '--source')?.value;
  const program = source ?? operands[0] ?? '';
  const files = touch(scene, source === undefined ? operands.slice(1) : operands, 'read');
  if (
    options.some(({ name, value = '' }) => /^(-i|--include)$/.test(name) && /inplace/.test(value)) ||
    options.some(({ name, value }) => name === '--include' && value === 'inplace')
  ) {
    return combine({ ...outcome('write', 'awk changes files in place'), readOnly: false }, files);
  }
  if (odd) return combine(outcome('unknown', `awk ${odd.name} is not known to only read`), files);
  // Only text without anything that runs, reads or writes something else; `>` outside a text is taken as a redirect.
  const code = program.replace(/"(?:\\.|[^"\\])*"/g, '""');
  if (/\bsystem\b|\||@/.test(code)) return combine(outcome('hidden', 'the awk program runs a command'), files);
  if (/\bgetline\b|>|\bclose\b/.test(code))
    return combine(outcome('unknown', 'the awk program may write or read other files'), files);
  return combine(outcome('read'), files);
};

const CURL_VALUES = set(
  '-A -b -c -C -d -D -e -E -F -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --output --data --data-raw --data-binary --data-urlencode --data-ascii --json --header --form --form-string --request --user --user-agent --upload-file --cookie --cookie-jar --config --max-time --connect-timeout --retry --retry-delay --url --proxy --cacert --cert --key --referer --write-out --range --resolve --dump-header --output-dir --interface --limit-rate --max-redirs --netrc-file --trace --trace-ascii --stderr --unix-socket --etag-save --etag-compare --hsts --alt-svc --engine --ciphers --noproxy --url-query --variable --libcurl --speed-limit --speed-time --dns-servers --connect-to --capath --crlfile --pubkey --rate --proto --tls-max --time-cond --request-target --expand-url --expand-data --oauth2-bearer --aws-sigv4',
);

const judgeCurl: Judge = (words, scene) => {
  const { options, operands } = splitArguments(words, { values: CURL_VALUES });
  if (findOption(options, '-V', '--version', '-h', '--help', '-M', '--manual')) return outcome('read');
  const value = (...names: string[]) =>
    options.filter(({ name }) => names.includes(name)).map((option) => option.value ?? '');
  const method = value('-X', '--request').at(-1)?.toUpperCase();
  const notes: Outcome[] = [];
  const saves = value(
    '-o',
    '--output',
    '-c',
    '--cookie-jar',
    '-D',
    '--dump-header',
    '--trace',
    '--trace-ascii',
    '--stderr',
    '--output-dir',
    '--etag-save',
    '--hsts',
    '--alt-svc',
    '--libcurl',
  ).filter((path) => path !== '-');
  if (saves.length > 0) notes.push(outcome('write', 'saves what it gets'), touch(scene, saves, 'write'));
  if (findOption(options, '-O', '--remote-name', '--remote-name-all', '-J', '--remote-header-name'))
    notes.push(outcome('write', 'saves what it gets'));
  const data = value(
    '-d',
    '--data',
    '--data-binary',
    '--data-urlencode',
    '--data-ascii',
    '--json',
    '-F',
    '--form',
    '--expand-data',
  );
  const sent = [
    ...value('-T', '--upload-file', '-K', '--config', '--netrc-file', '-E', '--cert', '--key'),
    ...data.flatMap((text) => /(?:^|[=;])[@<]([^;]*)/.exec(text)?.[1] ?? []),
    ...value('-b', '--cookie').filter((text) => !text.includes('=')),
    ...value('-H', '--header')
      .filter((text) => text.startsWith('@'))
      .map((text) => text.slice(1)),
  ];
  if (sent.length > 0) notes.push(touch(scene, sent, 'read'));
  if (findOption(options, '-K', '--config')) notes.push(outcome('hidden', 'curl reads its options from a file'));
  if (findOption(options, '-n', '--netrc', '--netrc-optional', '--netrc-file'))
    notes.push(outcome('outside', 'curl sends stored passwords'));
  const files = operands.filter((url) => /^file:/i.test(url)).map((url) => url.replace(/^file:\/*/i, '/'));
  if (files.length > 0) notes.push(touch(scene, files, 'read'));
  const changes =
    (method !== undefined && method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') ||
    data.length > 0 ||
    sent.length > 0 ||
    value('--data-raw', '--form-string').length > 0;
  const deletes =
    method === 'DELETE' ||
    (changes &&
      operands.some((url) =>
        /(^|[/_-]|do)(delete|destroy|purge|drop|wipe|remove)([A-Z?/_-]|$)/i.test(url.replace(/^[a-z]+:\/\/[^/]*/i, '')),
      ));
  if (deletes) notes.push(outcome('destructive', 'asks a server to delete something'));
  return combine(
    { ...outcome('network', 'reaches the network'), readOnly: !changes && !findOption(options, '-Q', '--quote') },
    ...notes,
  );
};

const judgeWget: Judge = (words, scene) => {
  const values = set(
    '-O -o -a -P -i -t -T -w -e -U -A -R -D -l -Q --output-document --output-file --append-output --directory-prefix --input-file --tries --timeout --wait --execute --user-agent --header --post-data --post-file --body-data --body-file --method --user --password --load-cookies --save-cookies --config --use-askpass --ca-certificate --certificate --private-key',
  );
  const { options } = splitArguments(words, { values });
  if (findOption(options, '--version', '-V', '--help', '-h')) return outcome('read');
  const value = (...names: string[]) =>
    options.filter(({ name }) => names.includes(name)).map((option) => option.value ?? '');
  const notes: Outcome[] = [];
  if (findOption(options, '-e', '--execute', '--use-askpass', '--config'))
    notes.push(outcome('hidden', 'wget is given settings that may run programs'));
  notes.push(
    touch(
      scene,
      value('--post-file', '--body-file', '-i', '--input-file', '--load-cookies', '--certificate', '--private-key'),
      'read',
    ),
  );
  const sends =
    findOption(options, '--post-data', '--post-file', '--body-data', '--body-file', '--method') !== undefined;
  if (value('--method').some((method) => method.toUpperCase() === 'DELETE'))
    notes.push(outcome('destructive', 'asks a server to delete something'));
  const saved = value(
    '-O',
    '--output-document',
    '-o',
    '--output-file',
    '-a',
    '--append-output',
    '-P',
    '--directory-prefix',
    '--save-cookies',
  );
  const quiet =
    findOption(options, '--spider') !== undefined ||
    (saved.length > 0 && saved.every((path) => path === '-' || path === '/dev/null'));
  notes.push(quiet ? outcome('read') : outcome('write', 'saves what it gets'), touch(scene, saved, 'write'));
  return combine({ ...outcome('network', 'reaches the network'), readOnly: !sends }, ...notes);
};

const judgeRsync: Judge = (words, scene) => {
  const { options, operands } = splitArguments(words, {
    values: set(
      '-e -f -T -M -B --rsh --exclude --include --filter --exclude-from --include-from --files-from --bwlimit --chmod --chown --log-file --partial-dir --backup-dir --temp-dir --rsync-path --port --timeout --max-size --min-size --compare-dest --copy-dest --link-dest --password-file',
    ),
  });
  const dry = findOption(options, '-n', '--dry-run') !== undefined;
  const notes: Outcome[] = [];
  if (findOption(options, '-e', '--rsh', '--rsync-path', '-M', '--remote-option'))
    notes.push(outcome('hidden', 'rsync runs a program that it is given'));
  if (!dry && options.some(({ name }) => /^--(del|remove-source-files|remove-sent-files)/.test(name)))
    notes.push(outcome('destructive', 'rsync deletes files'));
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

const judgeSsh: Judge = (words, scene) => {
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
  if (operands.length > 1) {
    const remote = scene
      .code(operands.slice(1).join(' '), scene)
      .filter((part) => part.class === 'destructive' || part.class === 'hidden');
    notes.push({ ...outcome('read'), inner: remote });
  }
  return combine(...notes);
};

const judgeScp: Judge = (words, scene) =>
  combine(
    { ...outcome('network', 'copies to or from another machine'), readOnly: false },
    options(words).some(({ name }) => /^-[oSFJ]/.test(name))
      ? outcome('hidden', 'scp is given settings that may run programs')
      : outcome('read'),
    scanWords(
      words.filter((word) => !/^[\w.@-]+:/.test(word)),
      scene,
    ),
  );

const options = (words: readonly string[]): readonly Option[] => splitArguments(words).options;

const judgeTar: Judge = (words, scene) => {
  const bundle = words[0] !== undefined && !words[0].startsWith('-') ? [`-${words[0]}`, ...words.slice(1)] : words;
  const { options: given, operands } = splitArguments(bundle, {
    values: set(
      '--file --directory --exclude --transform --files-from --exclude-from --strip-components --owner --group --mode --mtime --newer --to-command --checkpoint-action --use-compress-program --rsh-command --new-volume-script --info-script -I -F -T -X -C',
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
  const lists = letters.includes('t') && !letters.some((letter) => 'xcru'.includes(letter!));
  if (lists || findOption(given, '--list')) return combine(outcome('read'), touch(scene, operands, 'read'));
  return combine(outcome('write', 'packs or unpacks files'), paths);
};

const judgeKill: Judge = (words) => {
  if (words.includes('-l') || words.includes('-L')) return outcome('read');
  const targets = words.filter((word, index) => !(index === 0 && /^-([A-Z]+|[2-9]|\d\d)/.test(word)) && word !== '--');
  if (
    targets.some((word) => /^(-1|0|1)$/.test(word)) &&
    !(words[0] === '-1' && words.length > 1 && targets.filter((word) => /^(-1|0|1)$/.test(word)).length < 2)
  ) {
    return outcome('destructive', 'ends many processes, or the first one');
  }
  return words.some((word) => /^%\d+$/.test(word))
    ? outcome('write', 'ends a job')
    : outcome('unknown', 'ends a process');
};

const judgeUniq: Judge = (words, scene) => {
  const { operands } = splitArguments(words, { values: set('-f -s -w --skip-fields --skip-chars --check-chars') });
  const written = operands.slice(1);
  return combine(
    written.length > 0 ? outcome('write', 'writes a file') : outcome('read'),
    touch(scene, operands.slice(0, 1), 'read'),
    touch(scene, written, 'write'),
    written.length > 0 ? outcome('write') : outcome('read'),
  );
};

const judgeHostname: Judge = (words) =>
  words.some((word) => !word.startsWith('-')) || words.some((word) => /^-(F|b)|^--(file|boot)/.test(word))
    ? outcome('outside', 'renames the machine')
    : outcome('read');

const judgeUnlink: Judge = (words, scene) => combine(outcome('write', 'deletes a file'), touch(scene, words, 'write'));

const judgeExport: Judge = (words) => {
  if (words.some((word) => /^-.*[fn]/.test(word))) return outcome('hidden', 'changes how later commands are read');
  const names = words.filter((word) => !word.startsWith('-'));
  const inner = names.every((word) => /^[A-Za-z_]\w*(=.*)?$/s.test(word));
  return inner ? outcome('read') : outcome('hidden', 'sets a name that the shell computes');
};

const judgeSet: Judge = (words) =>
  words.every((word) =>
    /^[-+][euxvfC]+$|^[-+][eux]*o$|^(pipefail|errexit|nounset|xtrace|noclobber|noglob)$|^--$/.test(word),
  )
    ? outcome('read')
    : outcome('unknown', 'changes how the shell works');

const judgeRead: Judge = (words) =>
  words.every((word) => /^-\w+$|^[A-Za-z_]\w*$|^\d+$/.test(word))
    ? outcome('read')
    : outcome('hidden', 'sets a name that the shell computes');

const judgeEval: Judge = (words, scene) => ({
  ...outcome('read'),
  inner: scene.code(words.join(' '), { ...scene, depth: scene.depth + 1 }),
});

const judgeTrap: Judge = (words, scene) => {
  const first = words.find((word) => word !== '--');
  if (first === undefined || words.length < 2 || first === '-' || first === '' || first === '-l' || first === '-p')
    return outcome('read');
  return { ...outcome('read'), inner: scene.code(first, { ...scene, depth: scene.depth + 1 }) };
};

const judgeXxd: Judge = (words, scene) => {
  const { options: given, operands } = splitArguments(words, { values: set('-c -g -l -s -o -n -cols -len -seek') });
  if (operands.length < 2 && !findOption(given, '-r', '-revert'))
    return combine(outcome('read'), touch(scene, operands, 'read'));
  return combine(outcome('write', 'writes a file'), touch(scene, operands, 'write'));
};

const judgeDate: Judge = (words, scene) => {
  const { options: given, operands } = splitArguments(words, { values: set('-d -f -r --date --file --reference') });
  if (findOption(given, '-s', '--set') || operands.some((word) => !word.startsWith('+')))
    return outcome('outside', 'sets the clock');
  return combine(
    outcome('read'),
    touch(
      scene,
      given.filter(({ name }) => /^(-f|-r|--file|--reference)$/.test(name)).map(({ value = '' }) => value),
      'read',
    ),
  );
};

export const SPECIAL_PROGRAMS: Readonly<Record<string, Judge>> = {
  rm: judgeRm,
  unlink: judgeUnlink,
  find: judgeFind,
  gfind: judgeFind,
  sed: judgeSed,
  gsed: judgeSed,
  awk: judgeAwk,
  gawk: judgeAwk,
  mawk: judgeAwk,
  nawk: judgeAwk,
  curl: judgeCurl,
  wget: judgeWget,
  rsync: judgeRsync,
  ssh: judgeSsh,
  scp: judgeScp,
  tar: judgeTar,
  gtar: judgeTar,
  bsdtar: judgeTar,
  kill: judgeKill,
  uniq: judgeUniq,
  hostname: judgeHostname,
  export: judgeExport,
  declare: judgeExport,
  typeset: judgeExport,
  local: judgeExport,
  readonly: judgeExport,
  set: judgeSet,
  read: judgeRead,
  eval: judgeEval,
  trap: judgeTrap,
  xxd: judgeXxd,
  date: judgeDate,
};
