/**
 * Judges one simple command by its program and arguments: tables first, then the programs with rules of their own. A
 * program that is in no table is unknown, and its arguments are read as paths.
 */
import { basename, dirname } from 'node:path';
import { CLASSES } from '../modes.ts';
import { judgeChecker } from './checkers.ts';
import { judgeComputedWords } from './computed-words.ts';
import { readsEnvironment } from './environment.ts';
import { judgeGit } from './git.ts';
import { isInterpreter, judgeCode, judgeInterpreter } from './interpreters.ts';
import { judgeMakeWords } from './make-words.ts';
import { judgeNamed } from './named-commands.ts';
import { isOption, splitArguments } from './options.ts';
import { judgePackageRunner } from './package-runners.ts';
import { READ_PROGRAMS, type ReadProgram } from './read-programs.ts';
import { scanWords } from './scan-words.ts';
import { combine, findSecret, matchesOptionName, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { shadowingFolder } from './shadowed.ts';
import { SPECIAL_PROGRAMS } from './special-programs.ts';
import { optionDeletes, SUBCOMMAND_TOOLS, type SubcommandTool, saysDelete } from './subcommands.ts';
import { isComputed } from './syntax.ts';
import { HOSTING, SYSTEM_PROGRAMS } from './system-programs.ts';
import { judgeToolOptions } from './tool-options.ts';
import { judgeAssignments, judgeWrapper } from './wrappers.ts';
import { WRITE_PROGRAMS, type WriteProgram } from './write-programs.ts';

/** Folders of programs that only the owner of the machine changes: a path into them is as good as the name. */
const SYSTEM_FOLDERS = new Set(['/bin', '/usr/bin', '/sbin', '/usr/sbin']);
/** Built-ins that take names of variables and compute what stands in their brackets. */
const NAMING = new Set(
  'test [ printf read unset declare typeset local export readonly let wait mapfile readarray'.split(' '),
);
/** Programs that are part of the shell: PATH does not matter. */
const BUILT_IN = new Set(
  ': . [ alias bg break builtin cd command continue declare echo eval exec exit export false fg getopts hash jobs kill let local popd printf pushd pwd read readonly return set shift source test times trap true type typeset ulimit umask unset wait'.split(
    ' ',
  ),
);
/** Options with which a check changes sources, or puts what it makes elsewhere. */
const CHANGES = /^(-u|-w|-o|-f|-C|--(fix|write|update|install|output|out|target-dir|in-place|snapshot-update).*)$/i;
/** Programs that tell their version with a lone option, and nothing else. */
const LONE_OPTION = /^(--version|-V|--help|-version)$/;

/** The outcome for the words of one simple command. Never throws. */
export function judgeProgram(words: readonly string[], scene: Scene): Outcome {
  const written = words[0] ?? '';
  const byPath = written.includes('/');
  const isSystem = byPath && SYSTEM_FOLDERS.has(dirname(written));
  const exact = byPath ? basename(written) : written;
  const name = exact.toLowerCase() !== exact && !known(exact) ? exact.toLowerCase() : exact;
  const args = words.slice(1);

  if (isComputed(written)) return outcome('hidden', 'what it runs is known only when it runs');
  if (!/^[\x20-\x7e]*$/.test(name)) return outcome('hidden', 'the program has letters that can be mistaken for others');
  if (NAMING.has(name) && args.some((word) => /\[.*[$`]|\$\(|`/s.test(word))) {
    return outcome('hidden', `${name} may run what stands in its brackets`);
  }
  const turned = args.find((word) => matchesOptionName(word, scene));
  if (turned !== undefined) return outcome('hidden', `${turned} matches a file whose name begins with a dash`);

  const notes: Outcome[] = [];
  const named = judgeNamed(name, args);
  if (named) notes.push({ ...outcome(...named), readOnly: named[0] === 'outside' });
  const shows = readsEnvironment(name, args);
  if (shows !== undefined) notes.push({ ...outcome('outside', shows), readOnly: true });
  const judged = judgeComputedWords(
    name,
    args,
    notes.length > 0 ? combine(judgeByTables(name, args, scene), ...notes) : judgeByTables(name, args, scene),
  );
  const shadowing = byPath || BUILT_IN.has(written) ? undefined : shadowingFolder(written, scene);
  if (shadowing !== undefined)
    return combine(judged, outcome('unknown', `${written} is found in ${shadowing}, where anybody may have put it`));
  if (byPath && !isSystem) {
    return combine(judged, outcome('unknown', `runs the program ${written}`), touch(scene, [written], 'list'));
  }
  return name === exact ? judged : combine(judged, outcome('unknown', `runs the program ${written}`));
}

function judgeByTables(name: string, args: readonly string[], scene: Scene): Outcome {
  const wrapped = judgeWrapper(name, args, scene);
  if (wrapped) return wrapped;
  const checked = judgeChecker(name, args, scene);
  if (checked) return checked;
  if (name === 'git') return judgeGit(args, scene);
  if (Object.hasOwn(SPECIAL_PROGRAMS, name)) {
    const judged = SPECIAL_PROGRAMS[name]!(args, scene);
    return /^(export|declare|typeset|local|readonly)$/.test(name)
      ? combine(judged, judgeAssignments(args.filter((word) => /^\w+=/.test(word)).map(split)))
      : judged;
  }
  if (Object.hasOwn(READ_PROGRAMS, name)) return judgeReader(name, READ_PROGRAMS[name]!, args, scene);
  if (args.length === 1 && LONE_OPTION.test(args[0]!) && known(name) && !SYSTEM_PROGRAMS.has(name))
    return judgeToolOptions(name, [], scene);
  if (Object.hasOwn(WRITE_PROGRAMS, name)) return judgeWriter(name, WRITE_PROGRAMS[name]!, args, scene);
  const runner = judgePackageRunner(name, args, scene);
  if (runner) return runner;
  const isCode = name === 'bun' && args.some((word) => /^(-e|-p|--eval|--print)(=|$)/.test(word));
  if (Object.hasOwn(SUBCOMMAND_TOOLS, name) && !isCode)
    return combine(judgeTool(name, SUBCOMMAND_TOOLS[name]!, args, scene), judgeToolOptions(name, args, scene));
  const system = SYSTEM_PROGRAMS.get(name) ?? SYSTEM_PROGRAMS.get(name.replace(/^(mkfs|newfs)[._].*$/, '$1'));
  const verbs = args.filter((word) => !word.startsWith('-')).slice(0, 4);
  const deletes = () => outcome('destructive', `tells ${name} to delete something`);
  if (system) {
    const isTold = system[1] === HOSTING && verbs.some(saysDelete);
    const judged = combine({ ...outcome(...system), readOnly: false }, scanWords(args, scene));
    return isTold ? combine(judged, deletes()) : name === 'socat' ? combine(judged, judgeSocat(args, scene)) : judged;
  }
  const judged = judgeInterpreter(name, args, scene) ?? judgeUnknown(name, args, scene);
  // A jar, a script or a program of which nothing is known, told to delete.
  return verbs.some(saysDelete) && !judged.readOnly ? combine(judged, deletes()) : judged;
}

/** `exec:` and `system:` name a command. */
function judgeSocat(args: readonly string[], scene: Scene): Outcome {
  const code = args.flatMap((word) => /^(?:exec|system|shell)[:,](.*)$/is.exec(word)?.[1] ?? []);
  if (code.length === 0) return outcome('read');
  return { ...outcome('hidden', 'socat runs a command'), inner: code.flatMap((text) => scene.code(text, scene)) };
}

/** A program that is in no table: its words may be paths, and those with spaces may be code. */
function judgeUnknown(name: string, args: readonly string[], scene: Scene): Outcome {
  const given = scene.fed === undefined ? args : [...args, scene.fed];
  const texts = given.filter((word) => /\s/.test(word)).map((word) => judgeCode(name, word, scene));
  const what = name === '' ? 'an empty name' : name;
  return combine(
    outcome('unknown', `${what} is not a program that ada knows`),
    scanWords(args, scene),
    ...texts.filter((text) => text.class === 'destructive'),
  );
}

function known(name: string): boolean {
  return (
    Object.hasOwn(READ_PROGRAMS, name) ||
    Object.hasOwn(WRITE_PROGRAMS, name) ||
    Object.hasOwn(SPECIAL_PROGRAMS, name) ||
    Object.hasOwn(SUBCOMMAND_TOOLS, name) ||
    SYSTEM_PROGRAMS.has(name)
  );
}

function split(word: string): { name: string; value: string } {
  const equals = word.indexOf('=');
  return { name: word.slice(0, equals), value: word.slice(equals + 1) };
}

const sets = new Map<string, ReadonlySet<string>>();
function asSet(list: string | undefined): ReadonlySet<string> {
  const key = list ?? '';
  let found = sets.get(key);
  if (!found) sets.set(key, (found = new Set(key.split(' ').filter((word) => word !== ''))));
  return found;
}

function judgeReader(name: string, program: ReadProgram, args: readonly string[], scene: Scene): Outcome {
  const files = asSet(program.files);
  const writes = asSet(program.writes);
  const values = new Set([...asSet(program.values), ...files, ...writes]);
  const { options, operands } = splitArguments(args, { values });
  const notes: Outcome[] = [];
  for (const option of options) {
    for (const [risky, accessClass] of Object.entries(program.unless ?? {})) {
      if (isOption(option.name, risky)) notes.push(outcome(accessClass, `${name} ${risky} does more than read`));
    }
    for (const writing of writes) {
      if (isOption(option.name, writing))
        notes.push(outcome('write', `${name} ${writing} writes a file`), touch(scene, [option.value ?? ''], 'write'));
    }
    // An option that is not in the table, or is shortened, may name a file.
    const isPath = files.has(option.name) || (!values.has(option.name) && !writes.has(option.name));
    if (option.value !== undefined && isPath) notes.push(touch(scene, [option.value], 'read'));
  }
  if ((name === 'less' || name === 'more') && operands.some((word) => word.startsWith('+'))) {
    notes.push(outcome('hidden', `${name} runs a command of its own at the start`));
  }
  if (program.operands === 'none') return combine(outcome('read'), ...notes);
  const hasScript = program.scriptOptions?.some((script) => options.some((option) => option.name === script)) ?? false;
  const paths = hasScript ? operands : operands.slice(program.skip ?? 0);
  notes.push(
    touch(
      scene,
      name === 'test' || name === '[' ? testedPaths(args) : paths,
      program.operands === 'content' ? 'read' : 'list',
    ),
  );
  const recursive =
    program.recursive === true || program.recursive?.some((flag) => options.some((option) => option.name === flag));
  const why = recursive
    ? findSecret(
        scene,
        paths.length > 0 ? paths : ['.'],
        options.some((option) => option.name === '-R'),
      )
    : undefined;
  if (why !== undefined) notes.push(outcome('outside', why));
  return combine(outcome('read'), ...notes);
}

/** Words of `test` that may name files; a computed word does so only beside a test of files. */
function testedPaths(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => {
    if (/^[=!<>\]-]/.test(word)) return false;
    const [before = '', after = ''] = [args[index - 1], args[index + 1]];
    return !isComputed(word) || /^-([a-hkprstuwxLOGSN]|nt|ot|ef)$/.test(before) || /^-(nt|ot|ef)$/.test(after);
  });
}

function judgeWriter(name: string, program: WriteProgram, args: readonly string[], scene: Scene): Outcome {
  const { options, operands } = splitArguments(args, { values: asSet(program.values) });
  let milder: Outcome | undefined;
  const notes: Outcome[] = [];
  for (const option of options) {
    for (const [special, accessClass] of Object.entries(program.unless ?? {})) {
      if (!isOption(option.name, special)) continue;
      if (accessClass === 'read') milder = outcome('read');
      else
        notes.push(
          outcome(
            accessClass,
            `${name} ${special} ${accessClass === 'hidden' ? 'runs a command that it is given' : 'does more than write'}`,
          ),
        );
    }
  }
  if (name === 'tee' && operands.length === 0) milder = outcome('read');
  const skipped = operands.slice(0, program.skip ?? 0);
  const scanned = scanWords(
    args.filter((word) => !skipped.includes(word)),
    scene,
  );
  // Code is run: what it is named with is read, and what it writes is not known.
  const paths = { ...scanned, readOnly: milder !== undefined };
  if (name === 'mv' && operands.at(-1) === '/dev/null') notes.push(outcome('destructive', 'throws files away'));
  if (name === 'make' || name === 'gmake') notes.push(judgeMakeWords(args, scene));
  const judged = combine(milder ?? outcome('write', program.why ?? 'changes files'), paths, ...notes);
  const named = asSet(typeof program.checks === 'string' ? program.checks : '');
  const onlyChecks =
    program.checks === true || (named.size > 0 && operands.length > 0 && operands.every((word) => named.has(word)));
  return onlyChecks && judged.class === 'write' && !options.some(({ name: option }) => CHANGES.test(option))
    ? { ...judged, readOnly: true }
    : judged;
}

/** Folders in which a tool is told to work, in front of its subcommand: `npm --prefix DIR`, `terraform -chdir=DIR`. */
function elsewhere(before: readonly string[]): readonly string[] {
  return before.flatMap((word, index) => {
    const [, option = '', value] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (!/^(--prefix|--cwd|--dir|--directory|--chdir|-chdir|-C|--manifest-path|--project-directory)$/.test(option))
      return [];
    return value ?? before[index + 1] ?? [];
  });
}

function judgeTool(name: string, tool: SubcommandTool, args: readonly string[], scene: Scene): Outcome {
  const { options, operands } = splitArguments(args, { values: asSet(tool.values) });
  const first = operands[0];
  const start = args.indexOf(first ?? '');
  const paths = combine(
    scanWords(args.slice(start + 1), scene),
    touch(scene, elsewhere(args.slice(0, start)), 'write'),
  );
  const listed = (list: string | undefined) => first !== undefined && asSet(list).has(first);
  const isDry =
    tool.dry !== undefined && options.some((option) => asSet(tool.dry).has(option.name) && option.value !== 'none');

  // `redis-cli` and its kin take their commands from standard input.
  if (first === undefined && tool.reads && scene.stdin !== 'none') {
    const lines = scene.fed?.split('\n').filter((line) => line.trim() !== '');
    if (lines === undefined) return outcome('hidden', `${name} is given commands that are not known`);
    return combine(
      ...lines.map((line) => judgeTool(name, tool, line.trim().split(/\s+/), { ...scene, stdin: 'none' })),
    );
  }
  if (first === undefined && tool.alone && options.every(({ name: option }) => !LONE_OPTION.test(option)))
    return outcome(...tool.alone);
  if (first === undefined)
    return options.length === 0 ||
      options.every(({ name: option }) => LONE_OPTION.test(option) || option === '-v' || option.startsWith('--list'))
      ? outcome('read')
      : outcome(tool.otherwise, `runs ${name}`);
  if (tool.runs !== undefined && asSet(tool.runs).has(first)) return judgeRunner(name, first, args, scene);
  if (tool.applies !== undefined && isBareApply(operands))
    return combine(outcome('destructive', `${name} apply without a plan may destroy what it manages`), paths);
  const shape = (word: string) => /^[A-Za-z][\w:.-]*$/.test(word);
  const verbs = asSet(tool.verbs);
  const isVerb = (word: string) => verbs.has(word) || verbs.has(word.toLowerCase());
  const deletes =
    operands
      .slice(0, 4)
      .filter(shape)
      .some((word, index) => isVerb(word) || ((index === 0 || tool.otherwise === 'network') && saysDelete(word))) ||
    args.some((word) => optionDeletes(word) || isVerb(word));
  const isNamed =
    listed(tool.read) ||
    listed(tool.look) ||
    listed(tool.write) ||
    (listed(tool.network) && tool.otherwise !== 'network');
  if (listed(tool.destructive) || (deletes && !isNamed)) {
    if (!isDry)
      return combine(outcome('destructive', `tells ${name} to delete or overwrite something for good`), paths);
    return combine(outcome('network', `asks ${name} what it would do`), paths);
  }
  const inner =
    ['run', 'exec'].includes(first) && ['docker', 'podman', 'nerdctl', 'docker-compose', 'kubectl', 'oc'].includes(name)
      ? judgeContained(
          operands.slice(1),
          options.map(({ name: option }) => option),
          args,
          scene,
        )
      : outcome('read');
  if (listed(tool.read)) return combine(outcome('read'), { ...paths, readOnly: true }, inner);
  if (listed(tool.look))
    return combine({ ...outcome('network', `asks ${name}`), readOnly: true }, { ...paths, readOnly: true }, inner);
  if (listed(tool.write)) {
    const onlyChecks = listed(tool.checks) && !options.some(({ name: option }) => CHANGES.test(option));
    const judged = combine(
      outcome('write', `${name} ${first} changes files or runs the project's own code`),
      paths,
      inner,
    );
    return onlyChecks && judged.class === 'write' ? { ...judged, readOnly: true } : judged;
  }
  if (listed(tool.outside)) return combine(outcome('outside', `${name} ${first} changes the machine`), paths);
  if (listed(tool.network)) {
    const isGlobal = options.some(
      ({ name: option }) => option === '-g' || option === '--global' || option === '--location',
    );
    return combine(
      {
        ...outcome(
          isGlobal ? 'outside' : 'network',
          `${name} ${first} ${isGlobal ? 'changes the machine' : 'reaches the network'}`,
        ),
        readOnly: false,
      },
      paths,
      inner,
    );
  }
  const what = tool.otherwise === 'unknown' ? 'is not known to ada' : 'reaches the network or a service';
  return combine({ ...outcome(tool.otherwise, `${name} ${first} ${what}`), readOnly: false }, paths, inner);
}

/** `terraform apply` without the file of a plan: what it changes and destroys is worked out only when it runs. */
function isBareApply(operands: readonly string[]): boolean {
  const at = operands.slice(0, 3).indexOf('apply');
  return at >= 0 && operands.slice(at + 1).every((word) => word.includes('=') || /\.tfvars(\.json)?$/.test(word));
}

/** `uv run pytest`, `doppler run -- make`: the words after it are a command. */
function judgeRunner(name: string, first: string, args: readonly string[], scene: Scene): Outcome {
  const rest = args.slice(args.indexOf(first) + 1);
  const dashes = rest.indexOf('--');
  const command = dashes >= 0 ? rest.slice(dashes + 1) : rest;
  if (command[0]?.startsWith('-'))
    return combine(outcome('unknown', `runs a command through ${name}`), scanWords(rest, scene));
  return combine(outcome('unknown', `runs a command through ${name}`), {
    ...outcome('read'),
    inner: command.length > 0 ? scene.command(command, scene) : [],
  });
}

/** A command in a container: what it can reach of this machine, and whether it deletes. */
function judgeContained(
  operands: readonly string[],
  options: readonly string[],
  args: readonly string[],
  scene: Scene,
): Outcome {
  const reach =
    options.some((option) =>
      /^(-v|--volume|--mount|--privileged|--pid|--device|--network|--net|--cap-add|--security-opt|--userns|--ipc)$/.test(
        option,
      ),
    ) || args.some((word) => /^-v./.test(word));
  const start = operands.findIndex(
    (word, index) => index > 0 && (known(basename(word)) || isInterpreter(basename(word))),
  );
  const inner =
    start < 0
      ? []
      : scene
          .command(operands.slice(start), scene)
          .filter((part) => CLASSES.indexOf(part.class) >= CLASSES.indexOf('hidden'));
  return combine(reach ? outcome('outside', 'the container can reach this machine') : outcome('read'), {
    ...outcome('read'),
    inner,
  });
}
