import { nearest } from '../../core/nearest.ts';

/**
 * The command in a line that begins with a slash, known or not, even without a name: such a line is never for the
 * model. A first word with another slash in it is a path, and no command (null).
 */
export function slashLine(line: string): { name: string; argument: string } | null {
  const [, name, argument = ''] = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), argument };
}

/** What a person is told of a command that there is not. */
export function noSuchCommand(name: string, names: readonly string[]): string {
  if (name === '') return 'a / alone is no command (/help lists all)';
  const near = nearest(name, names);
  return `there is no command /${name}${near ? `; the nearest is /${near}` : ''} (/help lists all)`;
}
