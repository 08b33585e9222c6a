/**
 * Judges a shell command: reads it as simple commands, follows `cd`, and gives each part its class. Nothing is run; the
 * file system is only looked at, to find out where paths really lead.
 */
import { statSync } from 'node:fs';
import { normalize } from 'node:path';
import type { Mode, Verdict } from '../types.ts';
import { modeVerdict } from './modes.ts';
import { absolute, createPlaces, type Places, placePath } from './paths.ts';
import { parseCommand, type SimpleCommand } from './shell/parse.ts';
import { judgeProgram } from './shell/programs.ts';
import { combine, type Outcome, outcome, type Part, type Scene, touch } from './shell/scene.ts';
import { judgeAssignments } from './shell/wrappers.ts';
import { type Summary, summarize } from './summarize.ts';

const MAX_DEPTH = 6;
const MAX_DIRECTORIES = 8;
/** Filters that leave names of files as they are. */
const FILTERS = new Set(['sort', 'uniq', 'head', 'tail', 'grep', 'rg']);

export interface JudgeOptions {
  cwd: string;
  project: string;
  directories?: readonly string[];
  home: string;
  adaHome?: string;
  protectedPaths?: readonly string[];
  mode: Mode;
}

/** What `ada lab judge` answers: the verdict of the mode alone, without rules. */
export type CommandVerdict = Summary & Pick<Verdict, 'verdict'>;

/** Judges a command for a mode. Never throws. */
export function judgeCommand(command: string, options: JudgeOptions): CommandVerdict {
  const summary = summarize(readCommand(command, options.cwd, createPlaces(options)));
  return { verdict: modeVerdict(summary.class, options.mode), ...summary };
}

/** The parts of a command: simple commands with those inside them, and redirects. A command that cannot be read is one hidden part. */
export function readCommand(command: string, cwd: string, places: Places): readonly Part[] {
  const scene: Scene = {
    places,
    cwds: [cwd],
    stdin: 'none',
    depth: 0,
    command: (words, inner) => judgeWords(words, { ...inner, depth: inner.depth + 1 }),
    code: (source, inner) => judgeCode(source, inner),
  };
  const parts = judgeCode(command, scene);
  if (parts.length === 0 || placePath(cwd, '/', places).inside) return parts;
  return [...parts, toPart([], outcome('outside', `the working directory ${cwd} is outside the project`))];
}

const toPart = (words: readonly string[], judged: Outcome): Part => ({
  words,
  class: judged.class,
  readOnly: judged.readOnly,
  reasons: judged.reasons,
  reads: judged.reads ?? [],
  writes: judged.writes ?? [],
  guarded: judged.guarded ?? false,
});

function judgeCode(source: string, scene: Scene): readonly Part[] {
  if (scene.depth > MAX_DEPTH) return [toPart([], outcome('hidden', 'commands are nested too deeply'))];
  const parsed = parseCommand(source);
  if (!parsed.ok) return [toPart([], outcome('hidden', `the command cannot be read: ${parsed.reason}`))];
  const parts: Part[] = [];
  const seen = new Set(scene.cwds);
  let cwds = scene.cwds;
  let { stdin, named } = scene;
  let inPipe = false;
  for (const command of parsed.commands) {
    const here: Scene = { ...scene, cwds, stdin: inputOf(command, stdin), named };
    parts.push(...judgeSimple(command, here));
    const isPiped = command.separator === '|' || command.separator === '|&';
    const [program] = command.words;
    // In a pipeline or in the background a `cd` changes only its own process.
    if (/^(cd|pushd|popd)$/.test(program ?? '') && !isPiped && !inPipe && command.separator !== '&') {
      cwds = follow(command.words.slice(1), cwds, seen, scene.places);
      if (cwds.length > MAX_DIRECTORIES)
        return [...parts, toPart([], outcome('hidden', 'it is not clear where later commands run'))];
    }
    const lists = isPiped && parts.at(-1)?.class === 'read' && listsNames(command, here.stdin);
    if (here.stdin !== 'names') named = foldersOf(command, here);
    stdin = lists ? 'names' : isPiped ? 'pipe' : 'none';
    inPipe = isPiped;
  }
  return parts;
}

/** True when a command of a pipeline passes on only names of files: listing programs, and filters behind them. */
function listsNames({ words }: SimpleCommand, stdin: Scene['stdin']): boolean {
  const [program, ...args] = words;
  if (program === 'find') return !args.some((word) => /printf|^-files0/.test(word));
  if (program === 'ls' || program === 'fd') return true;
  if (
    (program === 'rg' || program === 'grep') &&
    args.some((word) => /^-\w*l\w*$|^--files(-with-matches)?$/.test(word))
  )
    return true;
  if (program === 'git') return args[0] === 'ls-files';
  // A filter that is given a file of its own passes on its lines, which may be anything.
  const operands = args.filter((word) => !word.startsWith('-') && !/^\d+$/.test(word)).length;
  return (
    stdin === 'names' &&
    FILTERS.has(program ?? '') &&
    operands <= (program === 'grep' || program === 'rg' ? 1 : 0) &&
    !args.some((word) => /^(-[a-zA-Z]*[oer]|--only-matching|--replace|--file)/.test(word))
  );
}

/** The folders that a listing program looks through, as far as they can be told. */
function foldersOf({ words }: SimpleCommand, scene: Scene): readonly string[] {
  const folders = words
    .slice(1)
    .filter(
      (word) => !word.startsWith('-') && scene.cwds.some((cwd) => isFolder(absolute(word, cwd, scene.places.home))),
    );
  return folders.length > 0 ? folders : ['.'];
}

function inputOf(command: SimpleCommand, before: Scene['stdin']): Scene['stdin'] {
  return command.redirects.some(({ op, fd }) => op.startsWith('<') && (fd ?? 0) === 0) ? 'file' : before;
}

/** Where later commands run after a `cd`: the new folder when it is there now, else either. */
function follow(
  args: readonly string[],
  cwds: readonly string[],
  seen: Set<string>,
  places: Places,
): readonly string[] {
  const target = args.find((word) => !/^-[LPe@]+$/.test(word) && word !== '--');
  const next = new Set<string>();
  for (const cwd of cwds) {
    if (target === '-' || (target !== undefined && /^[-+]\d+$/.test(target))) {
      for (const old of seen) next.add(old);
      next.add(cwd);
      continue;
    }
    const to = normalize(absolute(target ?? '~', cwd, places.home)).replace(/(.)\/$/, '$1');
    if (!isFolder(to)) next.add(cwd);
    next.add(to);
  }
  for (const cwd of next) seen.add(cwd);
  return [...next];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function judgeSimple(command: SimpleCommand, scene: Scene): readonly Part[] {
  const parts: Part[] = [];
  const set = judgeAssignments(command.assignments);
  if (set.class !== 'read') parts.push(toPart([], set));
  for (const redirect of command.redirects) {
    const judged = judgeRedirect(redirect.op, redirect.target, scene);
    if (judged) parts.push(toPart([], judged));
  }
  if (command.words.length > 0) parts.push(...judgeWords(command.words, scene));
  return parts;
}

function judgeRedirect(op: string, target: string, scene: Scene): Outcome | undefined {
  if ((op === '>&' || op === '<&') && /^(\d+-?|-)$/.test(target)) return undefined;
  if (op === '<' || op === '<&') return combine(outcome('read'), touch(scene, [target], 'read'));
  const touched = touch(scene, [target], 'write');
  const isDevice = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+|zero|full)$/.test(target);
  return isDevice ? undefined : combine(outcome('write', `writes ${target}`), touched);
}

function judgeWords(words: readonly string[], scene: Scene): readonly Part[] {
  if (scene.depth > MAX_DEPTH) return [toPart(words, outcome('hidden', 'commands are nested too deeply'))];
  const [program, ...args] = words;
  const judged =
    program === 'cd' || program === 'pushd' || program === 'popd' ? judgeCd(args, scene) : judgeProgram(words, scene);
  return [toPart(words, judged), ...(judged.inner ?? [])];
}

function judgeCd(args: readonly string[], scene: Scene): Outcome {
  const target = args.find((word) => !/^-[LPe@]+$/.test(word) && word !== '--');
  if (target === '-' || (target !== undefined && /^[-+]\d+$/.test(target))) return outcome('read');
  return touch(scene, [target ?? '~'], 'list');
}
