/** A conversation as plain text. */
import { outlineOf } from '../core/export/outline.ts';
import type { StoredEvent } from '../core/types.ts';
import { visibleControls } from '../core/visible-controls.ts';
import { oneLine, plainText } from './plain-text.ts';

/** In pieces: prompts, answers, a line for each tool call, and what it cost where that is known. */
export function* transcript(events: Iterable<StoredEvent>): Generator<string> {
  const { standing, head } = outlineOf(events, (event) => event);
  let between = '';
  for (const [, event] of standing(events)) {
    for (const text of saidBy(event)) {
      yield between + text;
      between = '\n\n';
    }
  }
  yield between === '' ? 'nothing was said\n' : '\n';
  if (head.cost) yield `\n[cost: $${Number(head.cost.toFixed(6))}]\n`;
}

function saidBy(event: StoredEvent): string[] {
  switch (event.type) {
    case 'user':
      return [`> ${plainText(event.text).trim().replace(/\n/g, '\n> ')}`];
    case 'assistant':
      return event.content.flatMap((part) =>
        part.type === 'text' && part.text.trim() ? [plainText(part.text).trim()] : [],
      );
    case 'tool_call':
      return [`[${oneLine(visibleControls(`${event.name} ${event.detail ?? ''}`))}]`];
    case 'tool_result':
      return event.isError ? [`[${event.name} failed: ${oneLine(event.output)}]`] : [];
    case 'error':
      return [`[the turn failed: ${oneLine(event.message, 500)}]`];
    case 'done':
      return event.finish !== 'stop' && event.finish !== 'error' ? [`[ended: ${event.finish}]`] : [];
    default:
      return [];
  }
}
