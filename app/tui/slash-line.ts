import { nearest } from '../../core/nearest.ts';

/**
 * The command in a line that begins with a slash, known or not, even without a name: such a line is never for the
 * model. A first word with another slash in it is a path, and no command (null).
 */
export function slashLine(line: string): { name: string; argument: string } | null {
  const [, name, argument = ''] = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), argument };
}

/** Nobody gets into a mode that allows more by a slip. */
const NEVER_GUESSED: ReadonlySet<string> = new Set(['ask', 'auto', 'run']);

/** What a person is told of a command that there is not; one is named only when at most a third of it was mistyped. */
export function noSuchCommand(name: string, names: readonly string[]): string {
  if (name === '') return 'a / alone is no command (/help lists all)';
  const safe = names.filter((one) => !NEVER_GUESSED.has(one));
  const near = nearest(name, safe, Math.floor(name.length / 3));
  return `there is no command /${name}${near ? `; the nearest is /${near}` : ''} (/help lists all)`;
}
