/**
 * What a shell remembers between commands: where it is, its variables, its functions. Where it is not known which way it
 * went, every possibility is kept.
 */
import { tmpdir } from 'node:os';
import { type Links, noLinks } from './brought-links.ts';
import type { Search } from './file-walk.ts';
import { ANY_TEXT, type Statement } from './syntax.ts';

const MAX_VALUES = 8;
export const MAX_DIRECTORIES = 8;
const MAX_STATEMENTS = 3_000;

export interface Shell {
  /** Every directory that the next command may run in. */
  cwds: readonly string[];
  /** With the last `cd`: where it runs if that went well. */
  arrived: readonly string[];
  /** `set -P`: it may go by where links lead, not by their names. */
  isPhysical: boolean;
  /** `shopt -s`: patterns that match nothing are left out, and `**` goes below folders. */
  patterns: ReadonlySet<string>;
  /** Every directory that it was in: what `popd` may lead to. */
  seen: Set<string>;
  /** Where it may have been before the last `cd`: what `cd -` leads to. Empty where that is not known. */
  before: readonly string[];
  /** Every value that a variable may have; a variable that is not here comes from the environment. */
  variables: Map<string, readonly string[]>;
  functions: Map<string, readonly Statement[]>;
  /** Names of functions that were called. */
  called: Set<string>;
  /** `$0`, `$1` …, where they are known. */
  args?: readonly string[] | undefined;
  /** States at `break`, `continue` and `return`, for the loop or function that is left. */
  exits: Shell[];
  /** Folders that surely are there, because it made them. */
  made: Set<string>;
  /** Files that it wrote, with every text that they may have; undefined stands for a text that is not known. */
  files: Map<string, readonly (string | undefined)[]>;
  /** Links that it made, moved or copied. */
  links: Links;
  /** What it puts into files with `sed -i`, where that is known. */
  edits: Map<string, readonly string[]>;
  /** Where the files lie whose names stand in words of commands. */
  found: Search[];
  /** Folders into which secrets were put. */
  holders: Set<string>;
  /** Variables that a secret was put into, whatever they are called. */
  tainted: Set<string>;
  /** How much may still be judged. */
  budget: { left: number };
  /**
   * Whether something ran that may have changed files or the repository: what was looked up may not hold any more; and whether
   * a file was read that may have set any variable.
   */
  course: { isChanged: boolean; isSourced: boolean };
}

/** A shell of its own; the files are those of `parent`. */
export function createShell(
  cwds: readonly string[],
  parent?: Pick<
    Shell,
    'budget' | 'course' | 'files' | 'found' | 'holders' | 'links' | 'edits' | 'tainted' | 'isPhysical' | 'patterns'
  >,
  args?: readonly string[],
): Shell {
  return {
    cwds,
    arrived: cwds,
    isPhysical: parent?.isPhysical ?? false,
    patterns: parent?.patterns ?? new Set(),
    seen: new Set(cwds),
    before: [],
    variables: new Map(),
    functions: new Map(),
    called: new Set(),
    exits: [],
    made: new Set(),
    files: parent?.files ?? new Map(),
    links: parent?.links ?? noLinks(),
    edits: parent?.edits ?? new Map(),
    found: parent?.found ?? [],
    holders: parent?.holders ?? new Set(),
    tainted: parent?.tainted ?? new Set(),
    budget: parent?.budget ?? { left: MAX_STATEMENTS },
    course: parent?.course ?? { isChanged: false, isSourced: false },
    ...(args === undefined ? {} : { args }),
  };
}

/** A copy, whose changes stay its own; what was called, left and written is shared. */
export function fork(shell: Shell): Shell {
  return {
    ...shell,
    seen: new Set(shell.seen),
    made: new Set(shell.made),
    variables: new Map(shell.variables),
    functions: new Map(shell.functions),
  };
}

/** Gives `shell` every possibility of the states. */
export function become(shell: Shell, states: readonly Shell[]): void {
  const names = new Set(states.flatMap((state) => [...state.variables.keys()]));
  const variables = new Map<string, readonly string[]>();
  for (const name of names) {
    const values = [...new Set(states.flatMap((state) => state.variables.get(name) ?? [ANY_TEXT]))];
    variables.set(name, values.length > MAX_VALUES ? [ANY_TEXT] : values);
  }
  const functions = new Map<string, readonly Statement[]>();
  for (const state of states)
    for (const [name, bodies] of state.functions)
      functions.set(name, [...new Set([...(functions.get(name) ?? []), ...bodies])]);
  shell.cwds = [...new Set(states.flatMap((state) => state.cwds))];
  shell.arrived = [...new Set(states.flatMap((state) => state.arrived))];
  shell.patterns = new Set(states.flatMap((state) => [...state.patterns]));
  shell.isPhysical = states.some((state) => state.isPhysical);
  shell.seen = new Set(states.flatMap((state) => [...state.seen]));
  const isKnown = states.every((state) => state.before.length > 0);
  shell.before = isKnown ? [...new Set(states.flatMap((state) => state.before))] : [];
  shell.made = new Set(
    [...(states[0]?.made ?? [])].filter((folder) => states.every((state) => state.made.has(folder))),
  );
  shell.variables = variables;
  shell.functions = functions;
  const [first] = states;
  shell.args = states.every((state) => state.args === first?.args) ? first?.args : undefined;
}

/** Whether two states hold the same. */
export function isSame(a: Shell, b: Shell): boolean {
  const list = (values: readonly string[] | undefined) => [...(values ?? [])].sort().join('\0');
  if (a.seen.size !== b.seen.size || list(a.before) !== list(b.before)) return false;
  if (list(a.cwds) !== list(b.cwds) || a.variables.size !== b.variables.size || a.args !== b.args) return false;
  return [...b.variables].every(([name, values]) => list(a.variables.get(name)) === list(values));
}

export function setVariable(shell: Shell, name: string, values: readonly string[]): void {
  const known = [...new Set(values)];
  shell.variables.set(
    name,
    known.length > MAX_VALUES || known.some((value) => value.length > 20_000) ? [ANY_TEXT] : known,
  );
}

/** What `$name` may be; undefined where nothing tells. */
export function valuesIn(shell: Shell, name: string, home: string): readonly string[] | undefined {
  if (/^\d+$/.test(name)) return shell.args && [shell.args[Number(name)] ?? ''];
  const values = shell.variables.get(name);
  if (values !== undefined) return values;
  if (name === 'HOME') return [home];
  // Where it is not set, what stands behind it begins at the root: outside as well.
  if (name === 'TMPDIR') return [tmpdir()];
  return name === 'PWD' ? shell.cwds : undefined;
}
