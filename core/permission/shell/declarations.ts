/** Assignments: what they give, and those behind `export`, `declare` and their kin. */
import { expandText, expandWords, type Surroundings } from './expand.ts';
import { lineRead } from './known-output.ts';
import type { Scene } from './scene.ts';
import { checkName } from './settings.ts';
import { type Shell, setVariable } from './shell-state.ts';
import { ANY_TEXT, type Assignment, type SimpleCommand, SOME_NUMBER, type Word } from './syntax.ts';

const DECLARES = /^(export|declare|typeset|local|readonly)$/;
const SETS = /^(read|unset|mapfile|readarray|printf|let)$/;

export const declares = (program: string): boolean => DECLARES.test(program);

/** Whether a program may set variables that its words name. */
export const mayDeclare = (program: string): boolean => DECLARES.test(program) || SETS.test(program);

/** The words of a command: those of a declaration give one value each, however many words it has. */
export function declaredWords({ words }: SimpleCommand): readonly Word[] {
  const [atom] = words[0] ?? [];
  const isDeclaration = words[0]?.length === 1 && atom?.kind === 'text' && declares(atom.text);
  return isDeclaration ? words.map(asAssignment) : words;
}

/** `export A=$x` gives one value. */
function asAssignment(word: Word): Word {
  const [first] = word;
  if (first?.kind !== 'text' || !/^[A-Za-z_]\w*\+?=/.test(first.text)) return word;
  return word.map((atom) => (atom.kind === 'process' ? atom : { ...atom, quoted: true }));
}

/** Every value that an assignment may give. */
export function valuesOf({ value, append, name }: Assignment, around: Surroundings, shell: Shell): readonly string[] {
  if ('items' in value) {
    expandWords(value.items, around);
    return [ANY_TEXT];
  }
  const values = expandText(value as Word, around);
  if (!append) return values;
  return (shell.variables.get(name) ?? [ANY_TEXT]).flatMap((before) => values.map((after) => before + after));
}

/** Sets the variables that `read`, `unset`, `export` and their kin name. */
export function noteDeclared(program: string, args: readonly string[], scene: Scene): void {
  const { shell } = scene;
  if (/^(mapfile|readarray|printf|let)$/.test(program)) {
    noteGiven(program, args, shell);
    return;
  }
  for (const word of args) {
    const declared = /^([A-Za-z_]\w*)(\+?=)?/.exec(word);
    if (!declared) continue;
    const value = word.slice(declared[0].length);
    if (program === 'read') checkName(declared[1]!);
    if (declared[2] === '=') setVariable(shell, declared[1]!, [value]);
    else if (program === 'read') setVariable(shell, declared[1]!, [lineRead(args, scene)]);
    else if (declared[2]) setVariable(shell, declared[1]!, [ANY_TEXT]);
    else if (program === 'unset') setVariable(shell, declared[1]!, ['', ANY_TEXT]);
  }
  if (program === 'read') setVariable(shell, 'REPLY', [ANY_TEXT]);
}

/** Variables that other built-ins set. */
function noteGiven(program: string, args: readonly string[], shell: Shell): void {
  const names =
    program === 'printf'
      ? args.slice(0, 2).filter((_word, at) => at === 1 && args[0] === '-v')
      : program === 'let'
        ? args.flatMap((word) => word.match(/[A-Za-z_]\w*/g) ?? [])
        : [...args.filter((word) => /^[A-Za-z_]\w*$/.test(word)), 'MAPFILE'];
  for (const name of names) {
    if (!/^[A-Za-z_]\w*$/.test(name)) continue;
    checkName(name);
    setVariable(shell, name, [program === 'let' ? SOME_NUMBER : ANY_TEXT]);
  }
}
