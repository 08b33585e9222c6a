/**
 * Judges one simple command by its program and arguments: tables first, then the programs with rules of their own. A
 * program that is in no table is unknown, and its arguments are read as paths.
 */
import { basename, dirname } from 'node:path';
import { judgePrinted } from './archives.ts';
import { judgeChecker } from './checkers.ts';
import { judgeComputedWords } from './computed-words.ts';
import { judgeElsewhere } from './elsewhere.ts';
import { readsEnvironment } from './environment.ts';
import { judgeGit } from './git.ts';
import { judgeHookInstaller } from './hook-installers.ts';
import { judgeCode } from './inline-code.ts';
import { judgeInterpreter } from './interpreters.ts';
import { judgeReader, judgeWriter } from './judge-table.ts';
import { judgeTool, tellsVersion } from './judge-tool.ts';
import { judgePacked } from './listed-files.ts';
import { judgeMachine } from './machine-settings.ts';
import { judgeNamed } from './named-commands.ts';
import { judgePackageRunner } from './package-runners.ts';
import { namedByProject } from './project-programs.ts';
import { READ_PROGRAMS } from './read-programs.ts';
import { scanWords } from './scan-words.ts';
import { combine, matchesOptionName, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { sentSecret } from './sent-secrets.ts';
import { judgeAssignments } from './settings.ts';
import { shadowingFolder } from './shadowed.ts';
import { SPECIAL_PROGRAMS } from './special-programs.ts';
import { SUBCOMMAND_TOOLS, saysDelete } from './subcommands.ts';
import { isComputed, SOME_FLAGS } from './syntax.ts';
import { HOSTING, SYSTEM_PROGRAMS } from './system-programs.ts';
import { isQuery, onlyAsks } from './system-queries.ts';
import { judgeToolOptions } from './tool-options.ts';
import { judgeUpload } from './uploads.ts';
import { judgeWrapper } from './wrappers.ts';
import { WRITE_PROGRAMS } from './write-programs.ts';
import { judgeLoaded } from './written-code.ts';
import { judgeWrittenProgram } from './written-files.ts';

/** Folders of programs that only the owner of the machine changes: a path into them is as good as the name. */
const SYSTEM_FOLDERS = new Set(['/bin', '/usr/bin', '/sbin', '/usr/sbin']);
/** They take the flags that `pkg-config` and its kin print. */
const COMPILERS = /^([\w]+-)*(gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(-\d+)?$/;
/** Built-ins that take names of variables and compute what stands in their brackets. */
const NAMING = new Set(
  'test [ printf read unset declare typeset local export readonly let wait mapfile readarray'.split(' '),
);
/** Of these no more is known than that they tell their version. */
const TELLING = new Set(
  'R Rscript ghc stack cabal zig nim kotlinc scalac ocaml ocamlc opam dune code clang-tidy pre-commit pandoc protoc buf ansible ffmpeg ffprobe valgrind'.split(
    ' ',
  ),
);
/** Programs that are part of the shell: PATH does not matter. */
const BUILT_IN = new Set(
  ': . [ alias bg break builtin cd command continue declare echo eval exec exit export false fg getopts hash jobs kill let local popd printf pushd pwd read readonly return set shift source test times trap true type typeset ulimit umask unset wait'.split(
    ' ',
  ),
);

/** The outcome for the words of one simple command. Never throws. */
export function judgeProgram(words: readonly string[], scene: Scene): Outcome {
  const written = words[0] ?? '';
  const byPath = written.includes('/');
  const isSystem = byPath && SYSTEM_FOLDERS.has(dirname(written));
  const exact = byPath ? basename(written) : written;
  const name = exact.toLowerCase() !== exact && !known(exact) ? exact.toLowerCase() : exact;
  const args = COMPILERS.test(name) ? words.slice(1).filter((word) => word !== SOME_FLAGS) : words.slice(1);

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
  const installs = judgeHookInstaller(name, args);
  if (installs.class !== 'read') notes.push(installs);
  const beyond = judgeMachine(name, args);
  if (beyond.class !== 'read') notes.push(beyond);
  const shows = readsEnvironment(name, args);
  if (shows !== undefined) notes.push({ ...outcome('outside', shows), readOnly: true });
  const sent = sentSecret(name, args, scene);
  if (sent !== undefined) notes.push({ ...outcome('outside', sent), readOnly: true });
  const byTables = judgeByTables(name, args, scene);
  // What builds and tests runs the project's code anyway.
  const told = byTables.readOnly && byTables.class !== 'write' ? namedByProject(name, scene) : undefined;
  if (told !== undefined) notes.push(outcome('unknown', told));
  if (byTables.class !== 'read' || /^(python|pypy)/.test(name)) notes.push(judgeLoaded(name, args, scene));
  const judged = judgeComputedWords(name, args, notes.length > 0 ? combine(byTables, ...notes) : byTables);
  const shadowing = byPath || BUILT_IN.has(written) ? undefined : shadowingFolder(written, scene);
  if (shadowing !== undefined)
    return combine(judged, outcome('unknown', `${written} is found in ${shadowing}, where anybody may have put it`));
  if (byPath && !isSystem) {
    const own = judgeWrittenProgram(written, args, scene);
    return combine(
      judged,
      outcome('unknown', `runs the program ${written}`),
      touch(scene, [written], 'list'),
      own ?? outcome('read'),
    );
  }
  return name === exact ? judged : combine(judged, outcome('unknown', `runs the program ${written}`));
}

function judgeByTables(name: string, args: readonly string[], scene: Scene): Outcome {
  const wrapped = judgeWrapper(name, args, scene);
  if (wrapped) return wrapped;
  const checked = judgeChecker(name, args, scene);
  if (checked) return checked;
  const printed = judgePrinted(name, args, scene);
  if (printed) return printed;
  if (isQuery(name, args)) return outcome('read');
  if (name === 'git') return judgeGit(args, scene);
  if (Object.hasOwn(SPECIAL_PROGRAMS, name)) {
    const judged = SPECIAL_PROGRAMS[name]!(args, scene);
    return /^(export|declare|typeset|local|readonly)$/.test(name)
      ? combine(judged, judgeAssignments(args.filter((word) => /^\w+=/.test(word)).map(split), scene))
      : judged;
  }
  if (Object.hasOwn(READ_PROGRAMS, name)) return judgeReader(name, READ_PROGRAMS[name]!, args, scene);
  if (tellsVersion(name, args) && known(name) && !SYSTEM_PROGRAMS.has(name)) return judgeToolOptions(name, [], scene);
  if (name === 'tee' && onlyShows(args)) return outcome('read');
  if (Object.hasOwn(WRITE_PROGRAMS, name)) return judgeWriter(name, WRITE_PROGRAMS[name]!, args, scene);
  const elsewhere = judgeElsewhere(name, args, scene);
  if (elsewhere) return elsewhere;
  const runner = judgePackageRunner(name, args, scene);
  if (runner) return runner;
  const isCode = name === 'bun' && args.some((word) => /^(-e|-p|--eval|--print)(=|$)/.test(word));
  if (Object.hasOwn(SUBCOMMAND_TOOLS, name) && !isCode)
    return combine(
      judgeTool(name, SUBCOMMAND_TOOLS[name]!, args, scene),
      judgeToolOptions(name, args, scene),
      judgeUpload(name, args, scene),
    );
  if (SYSTEM_PROGRAMS.has(name) && onlyAsks(name, args)) return outcome('read');
  const system = SYSTEM_PROGRAMS.get(name) ?? SYSTEM_PROGRAMS.get(name.replace(/^(mkfs|newfs)[._].*$/, '$1'));
  const verbs = args.filter((word) => !word.startsWith('-')).slice(0, 4);
  const deletes = () => outcome('destructive', `tells ${name} to delete something`);
  if (system) {
    const isTold = system[1] === HOSTING && verbs.some(saysDelete);
    const judged = combine({ ...outcome(...system), readOnly: false }, scanWords(args, scene));
    return isTold ? combine(judged, deletes()) : judged;
  }
  const judged = judgeInterpreter(name, args, scene) ?? judgeUnknown(name, args, scene);
  // A jar, a script or a program of which nothing is known, told to delete.
  return verbs.some(saysDelete) && !judged.readOnly ? combine(judged, deletes()) : judged;
}

/** A program that is in no table: its words may be paths, and those with spaces may be code. */
function judgeUnknown(name: string, args: readonly string[], scene: Scene): Outcome {
  const given = scene.fed === undefined ? args : [...args, scene.fed];
  const texts = given.filter((word) => /\s/.test(word)).map((word) => judgeCode(name, word, scene));
  const what = name === '' ? 'an empty name' : name;
  return combine(
    outcome('unknown', `${what} is not a program that ada knows`),
    scanWords(args, scene),
    judgePacked(name, args, scene),
    ...texts.filter((text) => text.class === 'destructive'),
  );
}

/** `tee /dev/stderr`: what it is given is shown, and no file is written. */
const onlyShows = (args: readonly string[]): boolean =>
  args.every((word) => /^(-[aip]+|\/dev\/(stderr|stdout|null|tty))$/.test(word));

function known(name: string): boolean {
  return (
    Object.hasOwn(READ_PROGRAMS, name) ||
    Object.hasOwn(WRITE_PROGRAMS, name) ||
    Object.hasOwn(SPECIAL_PROGRAMS, name) ||
    Object.hasOwn(SUBCOMMAND_TOOLS, name) ||
    TELLING.has(name) ||
    SYSTEM_PROGRAMS.has(name)
  );
}

function split(word: string): { name: string; value: string } {
  const equals = word.indexOf('=');
  return { name: word.slice(0, equals), value: word.slice(equals + 1) };
}
