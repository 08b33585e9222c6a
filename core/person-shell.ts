/** A shell command that the person types into the conversation (`!git status`): run by their own hand, so nobody asks. */
import { interruption } from './interruption.ts';
import { redact } from './redact.ts';
import { appendResult, type CallPort } from './run-calls.ts';
import type { ActivityEvent, Command } from './types.ts';

/**
 * Runs it as `bash` would, and tells the model of it in a note unless it is kept `apart`. Gives why it did not run, in
 * one line for a person.
 */
export async function runForPerson(
  { command, apart }: Extract<Command, { type: 'shell' }>,
  port: CallPort,
  doing: (what: ActivityEvent['doing']) => void,
): Promise<string | undefined> {
  const tool = port.tools.find(({ name }) => name === 'bash');
  if (!tool) return 'bash is not among the tools of this session';
  const id = `person_${port.state.lastSeq + 1}`;
  const input = { command: redact(command) };
  const { cwd } = port.state;
  doing('running a command');
  try {
    port.emit({ type: 'tool_call', id, name: tool.name, detail: tool.title(input), input });
    const result = await tool.run({ command }, port.context(id)).catch((error: Error) => ({
      output: port.signal.aborted ? `${interruption(port.signal)}.` : `bash failed: ${error.message}`,
      isError: true,
    }));
    const output = appendResult({ call: { type: 'tool_use', id, name: tool.name, input }, tool }, result, port);
    if (!apart) port.emit({ type: 'note', about: 'shell', text: noteOf(input.command, cwd, output) });
    return undefined;
  } finally {
    doing(null);
  }
}

const noteOf = (command: string, cwd: string, output: string): string =>
  `The person ran this command in ${cwd}:\n$ ${command}\n${output}`;
