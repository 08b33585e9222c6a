/**
 * Judges a shell command: reads it as statements, follows them, and gives each part its class. Nothing is run; the file
 * system is only looked at, to find out where paths really lead.
 */
import type { Mode, Verdict } from '../types.ts';
import { unixLineEnds } from './line-ends.ts';
import { modeVerdict } from './modes.ts';
import { createPlaces, type Places, placePath } from './paths.ts';
import { noteLinks } from './shell/carried-links.ts';
import { changesDirectory, directoryIn, whereTo } from './shell/change-directory.ts';
import { judgeStatements } from './shell/judge-statements.ts';
import { isFolder } from './shell/known-output.ts';
import { GrammarNeeded, loadGrammar, parseCommand } from './shell/parse.ts';
import { judgeProgram } from './shell/programs.ts';
import { salvage, salvageWords } from './shell/salvage.ts';
import { outcome, type Part, type Scene, toPart, touch } from './shell/scene.ts';
import { createShell, type Shell } from './shell/shell-state.ts';
import { isComputed } from './shell/syntax.ts';
import { type Summary, summarize } from './summarize.ts';

const MAX_DEPTH = 6;
/** Characters that stand for something in words that are judged. */
const MARKS = /[\ue000-\ue002\ufffe\uffff]/;

export interface JudgeOptions {
  cwd: string;
  project: string;
  directories?: readonly string[];
  home: string;
  adaHome?: string;
  protectedPaths?: readonly string[];
  /** The PATH that the command will run with: a program that it finds inside the project is none that ada knows. */
  path?: string | undefined;
  mode: Mode;
}

/** What `ada lab judge` answers: the verdict of the mode alone, without rules. */
export type CommandVerdict = Summary & Pick<Verdict, 'verdict'>;

/** Judges a command for a mode; `places` are those of the options, where they are known already. Never rejects. */
export async function judgeCommand(
  command: string,
  options: JudgeOptions,
  places: Places = createPlaces(options),
): Promise<CommandVerdict> {
  const summary = summarize(await readCommand(command, options.cwd, places));
  return { verdict: modeVerdict(summary.class, options.mode), ...summary };
}

/**
 * The parts of a command: simple commands with those inside them, and redirects. A command that cannot be read is one
 * hidden part. The grammar is loaded with the first command that needs it.
 */
export async function readCommand(written: string, cwd: string, places: Places): Promise<readonly Part[]> {
  const command = unixLineEnds(written);
  try {
    return judgeWhole(command, cwd, places);
  } catch (error) {
    if (!(error instanceof GrammarNeeded)) throw error;
    await loadGrammar();
    return judgeWhole(command, cwd, places);
  }
}

function judgeWhole(command: string, cwd: string, places: Places): readonly Part[] {
  const shell = createShell([cwd]);
  const scene: Scene = {
    places,
    placed: new Map(),
    cwds: shell.cwds,
    stdin: 'none',
    depth: 0,
    shell,
    command: (words, inner) => judgeWords(words, { ...inner, depth: inner.depth + 1 }),
    code: (source, inner, args) => judgeCode(source, inner, createShell(inner.cwds, inner.shell, args)),
    evaluate: (source, inner) => judgeSource(source, inner, inner.shell),
  };
  const parts = MARKS.test(command)
    ? unreadable('the command cannot be read: it has characters that are no text', command, scene)
    : judgeCode(command, scene, shell);
  if (parts.length === 0 || placePath(cwd, '/', places).inside || leavesFor(command, places)) return parts;
  return [...parts, toPart([], outcome('outside', `the working directory ${cwd} is outside the project`))];
}

/** Whether the first that it does is to go to a folder of the project that is there. */
function leavesFor(command: string, places: Places): boolean {
  const [, folder] = /^\s*cd\s+(?:--\s+)?(["']?)(\/[\w./@+-]*)\1\s*(?:&&|;|\n|$)/.exec(command)?.slice(1) ?? [];
  return folder !== undefined && isFolder(folder) && placePath(folder, '/', places).inside;
}

/** A shell of its own, to its end. */
function judgeCode(source: string, scene: Scene, shell: Shell): readonly Part[] {
  const parts = [...judgeSource(source, scene, shell)];
  // A function that nothing calls here is judged too: something else may.
  for (const [name, bodies] of shell.functions) {
    if (shell.called.has(name)) continue;
    shell.called.add(name);
    shell.course.isChanged = true;
    const fresh = createShell(shell.cwds, shell);
    parts.push(...judgeStatements(bodies, { ...scene, cwds: shell.cwds, shell: fresh }));
  }
  return parts;
}

function judgeSource(source: string, scene: Scene, shell: Shell): readonly Part[] {
  if (scene.depth > MAX_DEPTH) return unreadable('commands are nested too deeply', source, scene);
  if (isComputed(source)) return unreadable('what it runs is put together only when it runs', source, scene);
  const parsed = parseCommand(source);
  if (!parsed.ok) return unreadable(`the command cannot be read: ${parsed.reason}`, source, scene);
  const parts = judgeStatements(parsed.statements, { ...scene, cwds: shell.cwds, shell });
  return parts.some((part) => part.unread) ? [...parts, ...salvage(source, scene)] : parts;
}

/** What cannot be read is hidden, and must not hide what can: the worst of both counts. */
function unreadable(reason: string, source: string, scene: Scene): readonly Part[] {
  return [{ ...toPart([], outcome('hidden', reason)), unread: true }, ...salvage(source, scene)];
}

function judgeWords(words: readonly string[], scene: Scene): readonly Part[] {
  if (scene.depth > MAX_DEPTH)
    return [toPart(words, outcome('hidden', 'commands are nested too deeply')), ...salvageWords(words, scene)];
  const [program, ...args] = words;
  if (program !== undefined && scene.shell.functions.has(program))
    return [toPart(words, outcome('hidden', `${program} is a function, called in a way that is not followed`))];
  const judged =
    program !== undefined && changesDirectory(program)
      ? judgeCd(program, directoryIn(program, args), scene)
      : judgeProgram(words, scene);
  if (program !== undefined) noteLinks(program.slice(program.lastIndexOf('/') + 1), args, scene);
  const parts = [toPart(words, judged), ...(judged.inner ?? [])];
  return judged.class === 'hidden' ? [...parts, ...salvageWords(args, scene)] : parts;
}

function judgeCd(program: string, args: readonly string[], scene: Scene) {
  const { target } = whereTo(args);
  const { before, seen, variables } = scene.shell;
  const isKnown = program === 'cd' ? before.length > 0 && !variables.has('OLDPWD') : seen.size > 1;
  if (target === '-' && !isKnown) return outcome('outside', 'where cd - leads is not known');
  // Each was judged when the shell went there, but for the one that it started in.
  if (target === '-' && program === 'cd') return touch(scene, before, 'list');
  if (target === '-' || (target !== undefined && /^[-+]\d+$/.test(target))) return touch(scene, [...seen], 'list');
  return touch(scene, [target ?? '~'], 'list');
}
