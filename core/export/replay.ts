/** A session as the recorded model reads it (CONTRACT, "The recorded model"): one model answer a line. */
import { withoutRewound } from '../rewound.ts';
import type { StoredEvent } from '../types.ts';

export function toReplay(events: readonly StoredEvent[]): string {
  let lines = '';
  for (const event of withoutRewound(events)) {
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
    lines += `${JSON.stringify(turn)}\n`;
  }
  return lines;
}

const joined = (content: Extract<StoredEvent, { type: 'assistant' }>['content'], type: 'text' | 'reasoning'): string =>
  content.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
