/** The commands of a span of a conversation that may have changed files: what they changed is not kept anywhere. */
import type { Permissions } from '../permission/permission.ts';
import type { StoredEvent } from '../types.ts';

/** In their order, each once; those that only read and those that were denied are left out. */
export async function commandsSince(
  events: readonly StoredEvent[],
  cwd: string,
  permissions: Pick<Permissions, 'judge'>,
): Promise<string[]> {
  const denied = new Set(
    events.flatMap((event) => (event.type === 'approval' && event.decision === 'no' ? event.id : [])),
  );
  const commands = new Set<string>();
  for (const event of events) {
    if (event.type !== 'tool_call' || denied.has(event.id)) continue;
    if (event.name !== 'bash' && event.name !== 'background') continue;
    const { command } = event.input;
    if (typeof command !== 'string' || commands.has(command)) continue;
    const access = { kind: 'command' as const, command, cwd };
    const { readOnly } = await permissions.judge({ tool: event.name, access, mode: 'ask', cwd });
    if (!readOnly) commands.add(command);
  }
  return [...commands];
}

/** Those of them that a person ran without telling the model. */
export function untoldCommands(events: readonly StoredEvent[]): ReadonlySet<string> {
  const asked = new Set<string>();
  const notes: string[] = [];
  const untold = new Set<string>();
  const told = new Set<string>();
  for (const event of events) {
    if (event.type === 'note' && event.about === 'shell') notes.push(event.text);
    if (event.type !== 'assistant') continue;
    for (const part of event.content) if (part.type === 'tool_use') asked.add(part.id);
  }
  for (const event of events) {
    if (event.type !== 'tool_call' || typeof event.input.command !== 'string') continue;
    const { command } = event.input;
    const isTold = asked.has(event.id) || notes.some((text) => text.includes(`\n$ ${command}\n`));
    (isTold ? told : untold).add(command);
  }
  for (const command of told) untold.delete(command);
  return untold;
}
