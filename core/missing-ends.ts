/** What the calls of a turn lack that died with its process. */
import { INTERRUPTED, NOT_BEGUN } from './interruption.ts';
import { redact } from './redact.ts';
import type { SessionState } from './state.ts';
import { resolveCall } from './tools/index.ts';
import type { StoredBody, StoredEvent, Tool } from './types.ts';

/**
 * A result for each call that had begun, then both ends of those of the same message whose turn had not come: the same
 * as is written of them when a turn is ended in time. `recent`: at least the events of that turn.
 */
export function missingEnds(
  { openCalls, running }: SessionState,
  recent: readonly StoredEvent[],
  begun: ReadonlySet<string>,
  tools: readonly Tool[],
): StoredBody[] {
  const ends: StoredBody[] = openCalls.map(({ id, name }) => resultOf(id, name, INTERRUPTED));
  if (!running) return ends;
  const last = recent.findLast(({ type }) => type === 'assistant' || type === 'user');
  // Calls of a message that broke off were never made.
  if (last?.type !== 'assistant' || last.finish === 'aborted' || last.finish === 'error') return ends;
  for (const part of last.content) {
    if (part.type !== 'tool_use' || begun.has(part.id)) continue;
    const { id } = part;
    const resolved = part.invalid === undefined ? resolveCall(part.name, part.input, tools) : { error: part.invalid };
    const call =
      'error' in resolved
        ? { name: part.name, detail: '', input: part.input }
        : { name: resolved.tool.name, detail: redact(resolved.tool.title(resolved.input)), input: resolved.input };
    ends.push({ type: 'tool_call', id, ...call }, resultOf(id, call.name, NOT_BEGUN));
  }
  return ends;
}

const resultOf = (id: string, name: string, output: string): StoredBody => ({
  type: 'tool_result',
  id,
  name,
  output,
  isError: true,
});
