/**
 * Judges statements in the order in which a shell runs them, following `cd`, variables, functions and what is piped. Of a
 * command that may have several forms each is judged.
 */
import { changesDirectory, directoryIn, follow, goOn, noteFolders, noteOptions } from './change-directory.ts';
import { isCommand, leaves, mayChange, mayLoseWords, waitsForInput } from './course.ts';
import { declaredWords, mayDeclare, noteDeclared, valuesOf } from './declarations.ts';
import { shownSecret } from './environment.ts';
import { passesPlain } from './environment-filter.ts';
import { checkNumbers, expandText, expandWords, type Surroundings } from './expand.ts';
import { listsNames, namesPassedOn, outputOf, printedBy } from './known-output.ts';
import { loopValues } from './loop-values.ts';
import { fileInput, judgeRedirect } from './redirect.ts';
import { outcome, type Part, type Scene, toPart, touch } from './scene.ts';
import { namedSecrets, noteSecret } from './sent-secrets.ts';
import { checkName, judgeAssignments } from './settings.ts';
import { become, fork, isSame, MAX_DIRECTORIES, type Shell, setVariable, valuesIn } from './shell-state.ts';
import {
  ANY_TEXT,
  ANY_WORDS,
  isComputed,
  type Redirect,
  type SimpleCommand,
  type Statement,
  Unreadable,
} from './syntax.ts';
import { noteProgram, noteRedirects } from './written-files.ts';

const MAX_PASSES = 4;
type Input = Pick<Scene, 'stdin' | 'fed' | 'from' | 'named' | 'leads' | 'piped'>;
type Written = Parameters<typeof noteRedirects>[0];

/** The parts of a list of statements; `scene.shell` is afterwards as they left it. */
export function judgeStatements(statements: readonly Statement[], scene: Scene): readonly Part[] {
  return statements.flatMap((statement) => judge(statement, scene));
}

function judge(statement: Statement, scene: Scene): readonly Part[] {
  const { shell } = scene;
  if (--shell.budget.left < 0) return [unread('it does more than can be looked at')];
  if (shell.cwds.length > MAX_DIRECTORIES) return [unread('it is not clear where later commands run')];
  try {
    return judgeKind(statement, { ...scene, cwds: shell.cwds });
  } catch (error) {
    if (error instanceof Unreadable) return [unread(`the command cannot be read: ${error.message}`)];
    throw error;
  }
}

function judgeKind(statement: Statement, scene: Scene): readonly Part[] {
  const { shell } = scene;
  switch (statement.kind) {
    case 'command':
      return judgeSimple(statement, scene).parts;
    case 'pipeline':
      return judgePipeline(statement.parts, scene).parts;
    case 'and-or': {
      const start = fork(shell);
      const states: Shell[] = [];
      const parts: Part[] = [];
      for (const [index, item] of statement.items.entries()) {
        const [first] = statement.items;
        // Behind `||` any of the earlier commands may have been the last one; a `cd` that failed led nowhere.
        if (index === 1 && statement.operators[0] === '||' && isCommand(first, changesDirectory))
          become(shell, [start]);
        else if (statement.operators.slice(0, index).includes('||')) become(shell, states);
        parts.push(...judge(item, scene));
        // What comes after it runs only where that was not reached.
        if (statement.operators[index - 1] !== '||' || !isCommand(item, leaves)) states.push(fork(shell));
        // Behind `&&` it is where the `cd` went; that it failed is one of the states.
        if (statement.operators[index] === '&&' && isCommand(item, changesDirectory)) goOn(shell);
      }
      become(shell, states);
      return parts;
    }
    case 'group':
      return judgeStatements(statement.body, scene);
    case 'background':
      // It runs beside what comes after it.
      shell.course.isChanged = true;
      return judge(statement.body, { ...scene, shell: fork(shell), stdin: 'none' });
    case 'subshell':
      return judgeSubshell(statement.body, scene);
    case 'branches':
      return judgeBranches(statement, scene);
    case 'loop':
      return judgeLoop(statement, scene);
    case 'function':
      shell.functions.set(statement.name, [...(shell.functions.get(statement.name) ?? []), statement.body]);
      return [];
    case 'redirected': {
      const redirected = judgeRedirects(statement.redirects, scene);
      const judged =
        statement.body.kind === 'subshell'
          ? judgeStatements(statement.body.body, { ...scene, ...redirected.input, shell: fork(shell) })
          : judge(statement.body, { ...scene, ...redirected.input });
      noteRedirects(redirected.written, undefined, scene);
      return [...redirected.parts, ...judged];
    }
    case 'test': {
      const { around, parts } = surroundings(scene);
      for (const word of statement.all) expandText(word, around);
      checkNumbers(statement.numeric, around);
      const files = statement.words.flatMap((word) => expandText(word, around));
      return [...parts, toPart(['[['], touch(scene, files, 'list'))];
    }
    case 'arithmetic': {
      const { around } = surroundings(scene);
      checkNumbers(statement.names, around);
      for (const name of statement.sets) around.set(name, ['0']);
      return [];
    }
  }
}

/**
 * Where it goes and what it sets stays inside; it is as bad as the worst of its parts. One that only reads, and needs no
 * shell of its own for that, is asked about all the same: the collections of commands that are approved unasked want it so.
 */
function judgeSubshell(body: readonly Statement[], scene: Scene): readonly Part[] {
  const own = fork(scene.shell);
  const parts = judgeStatements(body, { ...scene, shell: own });
  if (!isSame(own, scene.shell) || parts.some((part) => part.class !== 'read')) return parts;
  const form = toPart([], { ...outcome('unknown', 'runs in a shell of its own'), readOnly: true });
  return [...parts, { ...form, structure: true }];
}

const hidden = (reason: string): Part => toPart([], outcome('hidden', reason));
const unread = (reason: string): Part => ({ ...hidden(reason), unread: true });

/** `end`: its last command, or one alone, with what it was judged in. */
type Pipeline = { parts: readonly Part[]; end?: { command: SimpleCommand; judged: Judged; here: Scene } };

/** Its commands run side by side: what a later one changes an earlier one may see. */
function judgePipeline(statements: readonly Statement[], scene: Scene): Pipeline {
  const wasChanged = scene.shell.course.isChanged;
  const first = judgeStages(statements, scene);
  const isMixed = !wasChanged && scene.shell.course.isChanged && !statements.slice(1).every(waitsForInput);
  return isMixed ? judgeStages(statements, scene) : first;
}

function judgeStages(statements: readonly Statement[], scene: Scene): Pipeline {
  const parts: Part[] = [];
  let input: Input = { stdin: scene.stdin, fed: scene.fed, from: scene.from, named: scene.named, piped: scene.piped };
  for (const [index, statement] of statements.entries()) {
    // Each command of a pipeline is a process of its own: a `cd` or a variable in it ends with it.
    const isLast = index === statements.length - 1;
    const here: Scene = {
      ...scene,
      from: undefined,
      ...input,
      piped: isLast ? scene.piped : true,
      shell: fork(scene.shell),
    };
    if (statement.kind !== 'command') {
      parts.push(...judge(statement.kind === 'subshell' ? { ...statement, kind: 'group' } : statement, here));
      input = { stdin: 'pipe' };
      continue;
    }
    const judged = judgeGuarded(statement, here);
    const shows = !passesPlain(statement, statements[index + 1]);
    parts.push(...(shows ? judged.parts : judged.parts.filter((part) => part.class !== 'outside')));
    if (isLast) return { parts, end: { command: statement, judged, here } };
    const { words } = judged;
    const only = words?.length === 1 ? words[0]! : undefined;
    const isRead = judged.parts.every((part) => part.class === 'read');
    if (only && isRead && listsNames(only, judged.input.stdin))
      input = namesPassedOn(only, { ...here, ...judged.input });
    else input = { stdin: 'pipe', fed: only && outputOf(only, { ...here, ...judged.input }) };
  }
  return { parts };
}

function judgeGuarded(command: SimpleCommand, scene: Scene): Judged {
  try {
    return judgeSimple(command, { ...scene, cwds: scene.shell.cwds });
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { parts: [unread(`the command cannot be read: ${error.message}`)], input: { stdin: 'pipe' } };
  }
}

function judgeBranches(statement: Extract<Statement, { kind: 'branches' }>, scene: Scene): readonly Part[] {
  const { shell } = scene;
  const { around, parts } = surroundings(scene);
  for (const word of statement.about) expandText(word, around);
  const ends: Shell[] = [];
  let hasElse = false;
  for (const branch of statement.branches) {
    parts.push(...judgeStatements(branch.condition, scene));
    const inner = fork(shell);
    parts.push(...judgeStatements(branch.body, { ...scene, shell: inner }));
    ends.push(inner);
    if (branch.otherwise) hasElse = true;
  }
  become(shell, hasElse ? ends : [...ends, fork(shell)]);
  return parts;
}

function judgeLoop(statement: Extract<Statement, { kind: 'loop' }>, scene: Scene): readonly Part[] {
  const { shell } = scene;
  const { around, parts } = surroundings(scene);
  const chosen: (readonly string[])[] = [];
  if (statement.variable !== undefined) {
    checkName(statement.variable);
    noteSecret(statement.variable, statement.values ?? [], shell);
    for (const values of statement.values ? loopValues(statement.values, statement.body, around, scene) : [[ANY_TEXT]])
      if (values.length > 0) {
        setVariable(shell, statement.variable, values);
        chosen.push(shell.variables.get(statement.variable)!);
      }
  }
  const outer = shell.exits;
  for (let pass = 0; ; pass++) {
    const before = fork(shell);
    const wasChanged = shell.course.isChanged;
    for (const values of chosen.length > 0 ? chosen : [undefined]) {
      const start = fork(shell);
      shell.exits = [];
      parts.push(...judgeStatements(statement.condition, scene));
      const left = fork(shell);
      if (values) shell.variables.set(statement.variable!, values);
      parts.push(...judge(statement.body, scene));
      become(shell, [start, left, fork(shell), ...shell.exits]);
      if (chosen.length > 1) shell.variables.set(statement.variable!, [ANY_TEXT]);
    }
    if (isSame(before, shell) && wasChanged === shell.course.isChanged) break;
    if (pass === MAX_PASSES) {
      parts.push(hidden('what a loop does changes each time'));
      break;
    }
  }
  shell.exits = outer;
  return parts;
}

interface Judged {
  parts: readonly Part[];
  input: Input;
  /** Every form that the words may take. */
  words?: readonly (readonly string[])[];
}

function judgeSimple(command: SimpleCommand, scene: Scene): Judged {
  const { shell } = scene;
  const { around, parts } = surroundings(scene);
  const words = expandWords(declaredWords(command), around);
  const redirected = judgeRedirects(command.redirects, scene);
  parts.push(...redirected.parts);
  const here: Scene = { ...scene, ...redirected.input, secrets: namedSecrets(command, scene) };
  const program = words[0]?.[0];

  const set = command.assignments.map((assignment) => ({ assignment, values: valuesOf(assignment, around, shell) }));
  const settings = set.flatMap(({ assignment, values }) => values.map((value) => ({ name: assignment.name, value })));
  // `IFS= read line` splits what is read, and nothing else.
  const risky = judgeAssignments(
    settings.filter(({ name }) => !(name === 'IFS' && program === 'read')),
    here,
  );
  if (risky.class !== 'read') parts.push(toPart([], risky));
  if (words.every((list) => list.length === 0)) {
    for (const { assignment, values } of set) setVariable(shell, assignment.name, values);
    noteRedirects(redirected.written, [], here);
    return { parts, input: redirected.input };
  }
  if (command.words[0]!.some((atom) => atom.kind === 'command'))
    parts.push(hidden('what it runs is the output of another command'));
  const shown = shownSecret(program, command, (name) => shell.variables.has(name));
  if (shown !== undefined) parts.push(toPart([], { ...outcome('outside', shown), readOnly: true }));
  if (mayLoseWords(command, words, shell)) parts.push(hidden('it may lose words: patterns that match nothing'));
  // Each list is another way that it may go, from the same start.
  const ends = words.map((list) => {
    const own = words.length > 1 ? fork(shell) : shell;
    if (list.length > 0) parts.push(...judgeCall(list, { ...here, shell: own }));
    return own;
  });
  if (ends.length > 1) become(shell, ends);
  if (redirected.written.length > 0) noteRedirects(redirected.written, words.length === 1 ? words[0] : undefined, here);
  if (redirected.parts.some((part) => !part.readOnly)) shell.course.isChanged = true;
  return { parts, input: { stdin: here.stdin, fed: here.fed, from: here.from, named: here.named }, words };
}

/** One command with its words, and what it does to the shell. */
function judgeCall(words: readonly string[], scene: Scene): readonly Part[] {
  const { shell } = scene;
  const bodies = shell.functions.get(words[0]!);
  if (bodies) return callFunction(words[0]!, bodies, words, scene);
  const parts = scene.command(words, { ...scene, depth: scene.depth - 1 });
  // `command cd x`, `builtin cd x` and `time cd x` are `cd x`.
  const start = words.findIndex((word) => !/^(command|builtin|time|-p|--)$/.test(word));
  const [program = '', ...args] = words.slice(Math.max(0, start));
  noteProgram(program, args, scene);
  if (mayChange(program, args, parts)) shell.course.isChanged = true;
  noteFolders(program, args, scene);
  if (changesDirectory(program)) follow(program, directoryIn(program, args), scene);
  else if (program !== 'exit' && leaves(program)) shell.exits.push(fork(shell));
  else if (/^(set|shift|setopt|shopt)$/.test(program)) noteOptions(shell, program, args);
  else if (mayDeclare(program)) noteDeclared(program, args, scene);
  return parts;
}

function callFunction(
  name: string,
  bodies: readonly Statement[],
  words: readonly string[],
  scene: Scene,
): readonly Part[] {
  const { shell } = scene;
  if (scene.depth > 6) return [unread('functions call each other too deeply')];
  shell.called.add(name);
  const { args } = shell;
  const given = words.some((word) => word.includes(ANY_WORDS)) ? undefined : words;
  const outer = shell.exits;
  const ends: Shell[] = [];
  const parts: Part[] = [];
  for (const body of bodies) {
    const inner = fork(shell);
    inner.args = given;
    inner.exits = [];
    parts.push(...judge(body, { ...scene, shell: inner, depth: scene.depth + 1 }));
    ends.push(inner, ...inner.exits);
  }
  become(shell, ends);
  shell.exits = outer;
  shell.args = args;
  // It may have been defined only in a branch that was not taken.
  const without: Scene = { ...scene, shell: { ...shell, functions: new Map() } };
  return [...parts, ...scene.command(words, without).filter((part) => part.class !== 'unknown')];
}

/** What `expand` needs of the shell, and the parts that substitutions add. */
function surroundings(scene: Scene): { around: Surroundings; parts: Part[] } {
  const { shell } = scene;
  const parts: Part[] = [];
  const inner = (stdin: Scene['stdin']): Scene => ({
    ...scene,
    stdin,
    fed: undefined,
    from: undefined,
    named: undefined,
    piped: true,
    shell: fork(shell),
  });
  return {
    parts,
    around: {
      values: (name) => valuesIn(shell, name, scene.places.home),
      set(name, values) {
        checkName(name);
        setVariable(shell, name, values);
      },
      isSourced: () => shell.course.isSourced,
      output(body) {
        const here = inner(scene.stdin === 'pipe' ? 'pipe' : 'none');
        const [only] = body;
        if (body.length !== 1 || (only!.kind !== 'command' && only!.kind !== 'pipeline')) {
          parts.push(...judgeStatements(body, here));
          return undefined;
        }
        const run = judgePipeline(only!.kind === 'pipeline' ? only!.parts : body, here);
        parts.push(...run.parts);
        if (!run.end) return undefined;
        const { command, judged } = run.end;
        return printedBy(command, judged.words ?? [], judged.parts, { ...run.end.here, ...judged.input });
      },
      process: (body, into) => {
        parts.push(...judgeStatements(body, inner(into ? 'pipe' : 'none')));
      },
    },
  };
}

function judgeRedirects(
  redirects: readonly Redirect[],
  scene: Scene,
): { parts: readonly Part[]; input: Input; written: Written } {
  const { around, parts } = surroundings(scene);
  let input: Input = { stdin: scene.stdin, fed: scene.fed, from: scene.from, named: scene.named, piped: scene.piped };
  const written: { op: Redirect['op']; fd?: number; targets: readonly string[] }[] = [];
  for (const { op, target, fd } of redirects) {
    const targets = expandText(target, around);
    const isInput = op.startsWith('<') && (fd ?? 0) === 0;
    if (op === '<<' || op === '<<<') {
      const only = targets.length === 1 && !isComputed(targets[0]!) ? targets[0]! : undefined;
      if (op === '<<<' && target.some((atom) => atom.kind === 'command'))
        parts.push(hidden('a program is fed with what another command gives'));
      if (isInput) input = { ...input, stdin: 'text', fed: only };
      continue;
    }
    const isProcess = target.some((atom) => atom.kind === 'process');
    if (isInput) input = { ...input, ...(isProcess ? { stdin: 'pipe', fed: undefined } : fileInput(targets, scene)) };
    if (!op.startsWith('<') && (fd ?? 1) === 1) input = { ...input, piped: true };
    written.push({ op, targets, ...(fd === undefined ? {} : { fd }) });
    for (const one of targets) {
      const judged = judgeRedirect(op, one, scene);
      if (judged) parts.push(toPart([], judged));
    }
  }
  return { parts, input, written };
}
