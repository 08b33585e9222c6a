/**
 * Programs that run another command: they are judged by what they run. An option that is not listed here could swallow a
 * word, so that another command would run than the one that is read: that is hidden.
 */
import type { AccessClass } from '../../types.ts';
import { splitArguments } from './options.ts';
import { combine, findSecret, type Outcome, outcome, type Part, type Scene, touch } from './scene.ts';
import { mayBeOption, Unreadable } from './syntax.ts';

interface Wrapper {
  values?: string;
  flags?: string;
  /** Operands before the command (the duration of timeout). */
  skip?: number;
  /** `NAME=value` words before the command. */
  assignments?: true;
  /** It is at least this, with the reason. */
  least?: readonly [AccessClass, string];
  /** With these options, or without a command, it only reads. */
  readOptions?: readonly string[];
}

const rights = ['outside', 'runs with the rights of another user'] as const;
const packages = ['network', 'may download and run a package'] as const;

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    values: '-u -g -h -p -C -T -R -D -r -t --user --group --host --prompt',
    flags: '-n -E -H -k -K -S -b -A -P --non-interactive --preserve-env --set-home',
    assignments: true,
    least: rights,
    readOptions: ['-l', '-v', '-V'],
  },
  doas: { values: '-u -C', flags: '-n', least: rights },
  env: { values: '-u --unset', flags: '-i -0 -v --ignore-environment --null --debug', assignments: true },
  nice: { values: '-n --adjustment' },
  ionice: { values: '-c -n --class --classdata', flags: '-t' },
  nohup: {},
  setsid: { flags: '-c -f -w --ctty --fork --wait' },
  stdbuf: { values: '-i -o -e --input --output --error' },
  timeout: { values: '-s -k --signal --kill-after', flags: '-v --foreground --preserve-status --verbose', skip: 1 },
  gtimeout: { values: '-s -k --signal --kill-after', flags: '-v --foreground --preserve-status --verbose', skip: 1 },
  time: { values: '-f --format', flags: '-p -v --portability --verbose' },
  command: { flags: '-p', readOptions: ['-v', '-V'] },
  builtin: {},
  exec: { values: '-a', flags: '-c -l' },
  busybox: { readOptions: ['--list', '--help'] },
  toybox: {},
  chronic: {},
  unbuffer: { flags: '-p' },
  caffeinate: { values: '-t -w', flags: '-d -i -m -s -u' },
  taskset: { skip: 1, flags: '-c' },
  chrt: { skip: 1, flags: '-b -f -i -o -r' },
  strace: { values: '-e -s -p -u -P', flags: '-f -c -q -t -tt -T -v -y', least: ['unknown', 'traces another program'] },
  watch: {
    values: '-n --interval',
    flags: '-d -t -g -e -c -b -x --differences --no-title',
    least: ['unknown', 'runs a command again and again'],
  },
  flock: {
    values: '-w -E --timeout',
    flags: '-n -x -s -e -u -o --nonblock --exclusive --shared',
    skip: 1,
    least: ['write', 'makes a lock file'],
  },
  npx: { flags: '-y -q --yes --no --no-install --quiet', least: packages },
  bunx: { flags: '--bun', least: packages },
  uvx: { least: packages },
};

const XARGS_VALUES = new Set(
  '-I -n -L -P -s -d -E -a --arg-file --max-args --max-lines --max-procs --max-chars --delimiter --replace'.split(' '),
);
const XARGS_FLAGS = new Set('-0 -r -t -x -o --null --no-run-if-empty --verbose --exit --open-tty'.split(' '));

/** Settings of the environment that make programs run code, or find other programs. */
const RISKY_VARIABLE = new RegExp(
  `^(${[
    'PATH|IFS|ENV|BASH_\\w+|BASHOPTS|SHELLOPTS|SHELL|PS[0-4]|PROMPT_COMMAND|CDPATH|HOME|HISTFILE|INPUTRC|FCEDIT',
    'XDG_\\w+|LD_\\w+|DYLD_\\w+|GCONV_PATH|LOCPATH|NLSPATH|TERMINFO\\w*|TERMCAP|OPENSSL_\\w+|COMPILER_PATH|GCC_\\w+',
    'GIT_\\w+|SSH_ASKPASS|RSYNC_RSH|CVS_RSH|SVN_SSH|HG\\w*|TAPE|GNUPGHOME',
    '\\w*PAGER|MANOPT|MANPATH|MANROFFSEQ|GROFF_\\w+|LESS\\w*|(\\w*_)?EDITOR|VISUAL|BROWSER|VIMINIT|EXINIT|MYVIMRC',
    'NODE_OPTIONS|NODE_PATH|PYTHON\\w*|PERL\\w*|RUBY\\w*|GEM_\\w+|BUNDLE_\\w+|LUA_\\w+|PHPRC|PHP_INI_SCAN_DIR|AWK\\w*|R_PROFILE\\w*',
    'JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_(HOME|OPTS)|CLASSPATH|(MAVEN|GRADLE|ANT|SBT)_(OPTS|HOME)|DOTNET_STARTUP_HOOKS|CORECLR_\\w+',
    'GO(FLAGS|ENV|ROOT|PATH|TOOLDIR|TOOLCHAIN)|RUSTC|RUSTDOC|RUSTFLAGS|RUSTUP_\\w+|CARGO_\\w+|CC|CXX|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES',
    'RIPGREP_CONFIG_PATH|GREP_OPTIONS|TAR_OPTIONS|UNZIP\\w*|ZIP\\w*|GZIP|ACKRC|BAT_\\w+|FZF_\\w+|CURL_HOME|WGETRC|KUBECONFIG|AWS_CONFIG_FILE|DOCKER_CONFIG',
    'npm_config_\\w+|NPM_CONFIG_\\w+|YARN_\\w+|PIP_\\w+|UV_\\w+|\\w+_PRELOAD|\\w+_ASKPASS|\\w+_WRAPPER',
  ].join('|')})$`,
);
const HARMLESS_SETTING =
  /^((GIT_)?PAGER|MANPAGER)=(cat)?$|^(GIT_)?(EDITOR|SEQUENCE_EDITOR)=(true|:|false)$|^VISUAL=(true|:)$|^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)=|^GIT_TERMINAL_PROMPT=|^GIT_OPTIONAL_LOCKS=|^PYTHON(UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|IOENCODING|UTF8)=|^CARGO_(TERM_COLOR|INCREMENTAL)=|^NODE_OPTIONS=--(max-old-space-size=\d+|no-warnings)$/;

/** A name that no command may set unseen, in whatever way a shell sets variables. */
export function checkName(name: string): void {
  if (RISKY_VARIABLE.test(name)) throw new Unreadable(`it sets ${name}, which can change what runs`);
}

/** Judges settings before a command, or alone. */
export function judgeAssignments(assignments: readonly { name: string; value: string }[]): Outcome {
  const risky = assignments.filter(
    ({ name, value }) => RISKY_VARIABLE.test(name) && !HARMLESS_SETTING.test(`${name}=${value}`),
  );
  if (risky.length === 0) return outcome('read');
  return outcome('hidden', `sets ${risky.map(({ name }) => name).join(', ')}, which can change what runs`);
}

/** Judges a wrapper with its words; undefined when the program is none. */
export function judgeWrapper(name: string, words: readonly string[], scene: Scene): Outcome | undefined {
  if (name === 'xargs') return judgeXargs(words, scene);
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name]! : undefined;
  if (!wrapper) return undefined;
  const values = new Set(wrapper.values?.split(' '));
  const flags = new Set(wrapper.flags?.split(' '));
  const { options, operands } = splitArguments(words, { values, stopAtOperand: true });
  const least = wrapper.least ? outcome(...wrapper.least) : outcome('read');
  if (wrapper.readOptions && options.some((option) => wrapper.readOptions!.includes(option.name))) return least;
  // `nice -10 make`: a number is a level.
  const odd = options.find(
    (option) => !values.has(option.name) && !flags.has(option.name) && !(name === 'nice' && /^-\d$/.test(option.name)),
  );
  if (odd) return outcome('hidden', `${name} ${odd.name} is not known, so what it runs cannot be told`);
  const before = words.slice(0, words.length - operands.length + (wrapper.skip ?? 0));
  if (before.some((word) => mayBeOption(word)))
    return outcome('hidden', `${name} is given options that are known only when it runs`);
  let rest = operands.slice(wrapper.skip ?? 0);
  const assignments: { name: string; value: string }[] = [];
  while (wrapper.assignments && /^[A-Za-z_]\w*=/.test(rest[0] ?? '')) {
    const equals = rest[0]!.indexOf('=');
    assignments.push({ name: rest[0]!.slice(0, equals), value: rest[0]!.slice(equals + 1) });
    rest = rest.slice(1);
  }
  const set = judgeAssignments(assignments);
  if (rest.length === 0) return combine(least, set);
  // `watch` gives its words to a shell, joined.
  const inner = name === 'watch' ? scene.code(rest.join(' '), scene) : scene.command(rest, scene);
  return combine(least, set, { ...outcome('read'), inner });
}

function judgeXargs(words: readonly string[], scene: Scene): Outcome {
  const { options, operands } = splitArguments(words, { values: XARGS_VALUES, stopAtOperand: true });
  const odd = options.find(({ name }) => !XARGS_VALUES.has(name) && !XARGS_FLAGS.has(name));
  if (words.slice(0, words.length - operands.length).some((word) => mayBeOption(word)))
    return outcome('hidden', 'xargs is given options that are known only when it runs');
  if (odd) return outcome('hidden', `xargs ${odd.name} is not known, so what it runs cannot be told`);
  const file = options.find(({ name }) => name === '-a' || name === '--arg-file')?.value;
  const note = file === undefined ? outcome('read') : touch(scene, [file], 'read');
  if (operands.length === 0) return note;
  return combine(note, {
    ...outcome('read'),
    inner: judgeComputed(operands, scene.stdin === 'names' ? 'names' : 'unknown', scene, scene.named ?? ['.']),
  });
}

/**
 * Judges a command whose further arguments come from elsewhere: names found inside the project (`names`), or text that
 * is not known before it runs.
 */
export function judgeComputed(
  words: readonly string[],
  computed: 'names' | 'unknown',
  scene: Scene,
  folders: readonly string[],
): readonly Part[] {
  const parts = scene.command(words, { ...scene, stdin: 'none' });
  return parts.map((part) => {
    const program = part.words[0] ?? '';
    if (part.class === 'destructive' || part.class === 'hidden') return part;
    if (program === 'rm' || program === 'unlink' || program === 'rmdir')
      return raise(part, 'destructive', 'deletes files that are found only when it runs');
    if (ONLY_NAMES.has(program)) return part;
    if (computed === 'unknown') return raise(part, 'outside', 'works on paths that are known only when it runs');
    const why = findSecret(scene, folders, true);
    return why === undefined ? part : raise(part, 'outside', why);
  });
}

const ONLY_NAMES = new Set(
  'echo printf ls basename dirname stat wc file test [ true false mkdir touch realpath readlink'.split(' '),
);

function raise(part: Part, to: AccessClass, reason: string): Part {
  const { class: accessClass, reasons } = combine(part, outcome(to, reason));
  return { ...part, class: accessClass, reasons, readOnly: part.readOnly && to === 'outside' };
}
