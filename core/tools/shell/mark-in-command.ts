/** Refuses commands that would write a mark in the place of a secret. */
import { marksIn } from '../../redact.ts';

/** Why the command is not run; undefined when it has no mark. Where it would write one cannot be told from its text. */
export function markInCommand(command: string): string | undefined {
  const [first] = marksIn(command);
  if (!first) return undefined;
  return `The command was not run: ${first.mark} in it is only a mark that stands for a secret that you were not shown; written to a file, it would take its place. Change other lines with edit_file and leave the secret's line out. To search for the mark itself, escape its brackets: ${first.mark.replace(/[[\]]/g, '\\$&')}`;
}
