/** What the model and the log get of a tool's result. */
import { knowProjectSecrets } from './project-secrets.ts';
import { findSecrets, type HiddenText, redact, replaced } from './redact.ts';
import type { ToolOutput } from './types.ts';

/** The result with its secrets replaced, and a last line that says so: else a model takes the marks for the file's text. */
export function withoutSecrets(result: ToolOutput, project: string): ToolOutput {
  knowProjectSecrets(project);
  const display = result.display && { ...result.display };
  if (display?.kind === 'terminal') {
    display.output = redact(display.output);
    display.command = redact(display.command);
  } else if (display?.kind === 'text') display.text = redact(display.text);
  else if (display?.kind === 'diff') display.patch = redact(display.patch);
  const hidden = findSecrets(result.output);
  const note = hidden.length > 0 ? `\n${hiddenNote(hidden)}` : '';
  return { ...result, output: replaced(result.output, hidden) + note, display };
}

function hiddenNote(hidden: readonly HiddenText[]): string {
  const what = hidden.length === 1 ? '1 secret is hidden above' : `${hidden.length} secrets are hidden above`;
  const stands =
    hidden.length === 1
      ? `its mark ${hidden[0]!.mark} is not the text that is there; do not write it`
      : `marks such as ${hidden[0]!.mark} are not the text that is there; do not write them`;
  return `(${what}: ${stands} into a file or command)`;
}
