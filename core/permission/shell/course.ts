/** Whether what was looked up of files and of the repository may be another after, or beside, a command. */
import { isOwnText } from './plain-output.ts';
import { READ_PROGRAMS } from './read-programs.ts';
import type { Part } from './scene.ts';
import type { Shell } from './shell-state.ts';
import { isPattern, plainText, type SimpleCommand, type Statement, type Word } from './syntax.ts';

/** Programs that do nothing before the one in front of them in a pipeline has printed. */
const WAITING = /^(xargs|tee|grep|rg|head|tail|sort|uniq|cut|wc|tr|cat|less|jq|nl)$/;

/** Whether a statement is a simple command whose program is one of these. */
export const isCommand = (statement: Statement | undefined, isOne: (program: string) => boolean): boolean =>
  statement?.kind === 'command' && isOne(plainText(statement.words[0] ?? []) ?? '');

export const waitsForInput = (statement: Statement): boolean => isCommand(statement, (name) => WAITING.test(name));

/** Commands after which the next one does not run. */
export const leaves = (program: string): boolean => /^(exit|return|break|continue)$/.test(program);

export function mayChange(program: string, args: readonly string[], parts: readonly Part[]): boolean {
  if (program === 'mkdir' || (program === 'git' && /^(add|stage)$/.test(args[0] ?? ''))) return false;
  return !isOwnText(program, args) && parts.some((part) => !part.readOnly && !part.structure);
}

/**
 * With `shopt -s nullglob` a pattern that matches nothing is no word at all, so that the next one stands in its place. For
 * programs that read that changes which files they read, and nothing else.
 */
export function mayLoseWords(
  { words }: SimpleCommand,
  forms: readonly (readonly string[])[],
  { patterns }: Pick<Shell, 'patterns'>,
): boolean {
  if (!patterns.has('nullglob')) return false;
  const isOpen = (word: Word) =>
    isPattern(word) || word.some((atom) => atom.kind !== 'text' && atom.kind !== 'process' && !atom.quoted);
  if (!words.some(isOpen) || !forms.some((form) => form.some((word) => /[*?[]/.test(word)))) return false;
  return !forms.every(([program]) => program !== undefined && Object.hasOwn(READ_PROGRAMS, program));
}
