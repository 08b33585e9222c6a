/** Assignments: what they give, and those behind `export`, `declare` and their kin. */
import { expandText, expandWords, type Surroundings } from './expand.ts';
import type { Shell } from './shell-state.ts';
import { ANY_TEXT, type Assignment, type SimpleCommand, type Word } from './syntax.ts';

const DECLARES = /^(export|declare|typeset|local|readonly)$/;

export const declares = (program: string): boolean => DECLARES.test(program);

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
