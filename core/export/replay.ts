/** A session as the recorded model reads it (CONTRACT, "The recorded model"): one model answer a line. */
import type { StoredEvent } from '../types.ts';
import type { Outline } from './outline.ts';

/** Line by line. */
export function* toReplay(events: Iterable<StoredEvent>, { standing }: Outline): Generator<string> {
  for (const [, event] of standing(events)) {
    if (event.type !== 'assistant') continue;
    const text = joined(event.content, 'text');
    const reasoning = joined(event.content, 'reasoning');
    // Calls of a message that broke off were never made.
    const broke = event.finish === 'aborted' || event.finish === 'error';
    const toolCalls = broke
      ? []
      : event.content.flatMap((part) => (part.type === 'tool_use' ? [{ name: part.name, input: part.input }] : []));
    if (!text && !reasoning && toolCalls.length === 0) continue;
    const finish = event.finish === 'length' || event.finish === 'filter' ? { finish: event.finish } : {};
    const turn = {
      ...(reasoning && { reasoning }),
      ...(text && { text }),
      ...(toolCalls.length && { toolCalls }),
      ...finish,
    };
    yield `${JSON.stringify(turn)}\n`;
  }
}

const joined = (content: Extract<StoredEvent, { type: 'assistant' }>['content'], type: 'text' | 'reasoning'): string =>
  content.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
