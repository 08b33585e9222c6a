/**
 * Programs that run another command: they are judged by what they run. An option that is not listed here could swallow a
 * word, so that another command would run than the one that is read: that is hidden.
 */
import type { AccessClass } from '../../types.ts';
import type { Search } from './file-walk.ts';
import { isInterpreter } from './interpreters.ts';
import { splitArguments } from './options.ts';
import { combine, type Outcome, outcome, type Part, type Scene, touch } from './scene.ts';
import { findSecret } from './search-secrets.ts';
import { judgeAssignments } from './settings.ts';
import { mayBeOption, SOME_NUMBER } from './syntax.ts';
import { toldCommands } from './told-commands.ts';

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
  strace: {
    values: '-e -s -p -u -P -o -a -E -O -S --output',
    flags: '-f -c -q -t -tt -T -v -y',
    least: ['unknown', 'traces another program'],
  },
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
  npx: { values: '-p --package', flags: '-y -q --yes --no --no-install --quiet', least: packages },
  bunx: { flags: '--bun', least: packages },
  uvx: { least: packages },
};

const XARGS_VALUES = new Set(
  '-I -n -L -P -s -d -E -a --arg-file --max-args --max-lines --max-procs --max-chars --delimiter --replace'.split(' '),
);
const XARGS_FLAGS = new Set('-0 -i -r -t -x -o --null --no-run-if-empty --verbose --exit --open-tty'.split(' '));

/** Judges a wrapper with its words; undefined when the program is none. */
export function judgeWrapper(name: string, words: readonly string[], scene: Scene): Outcome | undefined {
  if (name === 'xargs') return judgeXargs(words, scene);
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name]! : undefined;
  if (!wrapper) return undefined;
  const values = new Set(wrapper.values?.split(' '));
  const flags = new Set(wrapper.flags?.split(' '));
  const { options, operands } = splitArguments(words, { values, stopAtOperand: true });
  const writes = name === 'nohup' && !scene.piped ? outcome('write', 'nohup writes nohup.out') : outcome('read');
  const least = wrapper.least ? outcome(...wrapper.least) : writes;
  if (wrapper.readOptions && options.some((option) => wrapper.readOptions!.includes(option.name))) return least;
  // `nice -10 make`: a number is a level.
  const odd = options.find(
    (option) => !values.has(option.name) && !flags.has(option.name) && !(name === 'nice' && /^-\d$/.test(option.name)),
  );
  if (odd) return outcome('hidden', `${name} ${odd.name} is not known, so what it runs cannot be told`);
  // What it saw goes into a file, or behind a `|` into a program.
  const trace = options.find((option) => name === 'strace' && /^(-o|--output)$/.test(option.name))?.value;
  if (trace !== undefined && /^[|!]/.test(trace)) return outcome('hidden', 'strace runs a program that it is given');
  const made = name === 'flock' ? operands[0] : trace;
  const traced = made === undefined ? outcome('read') : touch(scene, [made], 'write');
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
  const set = judgeAssignments(assignments, scene);
  if (rest.length === 0) return combine(least, set);
  // `watch` gives its words to a shell, joined.
  const inner = name === 'watch' ? scene.code(rest.join(' '), scene) : scene.command(rest, scene);
  return combine(least, set, traced, { ...outcome('read'), inner });
}

function judgeXargs(words: readonly string[], scene: Scene): Outcome {
  const { options, operands } = splitArguments(words, { values: XARGS_VALUES, stopAtOperand: true });
  const odd = options.find(({ name }) => !XARGS_VALUES.has(name) && !XARGS_FLAGS.has(name));
  if (words.slice(0, words.length - operands.length).some((word) => mayBeOption(word)))
    return outcome('hidden', 'xargs is given options that are known only when it runs');
  // What is attached to `-i` is the mark.
  if (words.slice(0, words.length - operands.length).some((word) => /^-[0rtxo]*i./.test(word)))
    return outcome('hidden', 'xargs -i with a mark of its own is not followed');
  if (odd) return outcome('hidden', `xargs ${odd.name} is not known, so what it runs cannot be told`);
  const file = options.find(({ name }) => name === '-a' || name === '--arg-file')?.value;
  const note = file === undefined ? outcome('read') : touch(scene, [file], 'read');
  if (operands.length === 0) return note;
  // One identifier a line, whatever it is.
  const isTold = file === undefined && (scene.stdin === 'pipe' || scene.stdin === 'text');
  const fed = isTold ? scene.fed : undefined;
  if (fed?.trim() === SOME_NUMBER) {
    const mark = options.find(({ name }) => name === '-I' || name === '--replace')?.value;
    const number = fed.trim();
    const words = mark ? operands.map((word) => word.replaceAll(mark, number)) : [...operands, number];
    return combine(note, {
      ...outcome('read'),
      inner: scene.command(words, { ...scene, stdin: 'none', fed: undefined }),
    });
  }
  const mark = options.find(({ name }) => name === '-I' || name === '--replace')?.value;
  const told = fed === undefined ? undefined : toldCommands(operands, options, fed);
  if (told) {
    const own = { ...scene, stdin: 'none', fed: undefined } as const;
    return combine(note, { ...outcome('read'), inner: told.flatMap((command) => scene.command(command, own)) });
  }
  return combine(note, {
    ...outcome('read'),
    inner: judgeComputed(
      mark ? operands.map((word) => word.replaceAll(mark, '{}')) : operands,
      scene,
      scene.stdin === 'names' && file === undefined ? (scene.named ?? []) : undefined,
    ),
  });
}

/**
 * Judges a command whose further arguments come from elsewhere: names of files that lie in `named`, or text that is not
 * known before it runs.
 */
export function judgeComputed(
  words: readonly string[],
  scene: Scene,
  named: readonly Search[] | undefined,
): readonly Part[] {
  const parts = scene.command(words, { ...scene, stdin: 'none' });
  return parts.map((judged) => {
    const part: Part =
      named && !judged.readOnly ? { ...judged, changes: [...(judged.changes ?? []), ...named] } : judged;
    const program = part.words[0] ?? '';
    if (part.class === 'destructive' || part.class === 'hidden') return part;
    if (program === 'rm' || program === 'unlink' || program === 'rmdir')
      return raise(part, 'destructive', 'deletes files that are found only when it runs');
    if (ONLY_WORDS.has(program)) return part;
    if (named && ONLY_LOOKS.has(program)) {
      const led = FOLLOWS.has(program) ? findSecret(scene, named, 'only') : undefined;
      return led === undefined ? part : raise(part, 'outside', led);
    }
    if (scene.shell.files.size > 0 && isInterpreter(program))
      return raise(part, 'hidden', 'may run a file that this very command writes');
    // Names of packages are no paths.
    if (PACKAGES.test(program) && part.class === 'network' && part.readOnly) return part;
    if (!named) return raise(part, 'outside', 'works on paths that are known only when it runs');
    const why = findSecret(scene, named, true);
    const found = { ...part, searches: named };
    return why === undefined ? found : raise(found, 'outside', why);
  });
}

const PACKAGES = /^(npm|pnpm|yarn|pip3?|cargo|gem)$/;
const ONLY_WORDS = new Set('echo printf basename dirname true false'.split(' '));
/** They tell of a file what is no secret; of a link where it leads, or what lies there. */
const ONLY_LOOKS = new Set('ls stat wc file test [ realpath readlink'.split(' '));
const FOLLOWS = new Set('ls wc file'.split(' '));

function raise(part: Part, to: AccessClass, reason: string): Part {
  const { class: accessClass, reasons } = combine(part, outcome(to, reason));
  return { ...part, class: accessClass, reasons, readOnly: part.readOnly && to === 'outside' };
}
