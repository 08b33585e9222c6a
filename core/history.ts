/**
 * From events to the messages of the next request: a pure function of the log, so that every request begins with the
 * bytes of the one before it. Whatever died, each call has exactly one result, directly behind its message.
 */
import type { IRMessage, MessageContent, ToolResultContent, ToolUseContent } from '../providers/ir.ts';
import type { EventOf, StoredEvent } from './types.ts';

export const INTERRUPTED = 'The call was interrupted before it gave a result.';

/** Messages of a session, its system prompt first. Notes and steered prompts stand where they happened. */
export function history(events: readonly StoredEvent[]): IRMessage[] {
  const messages: IRMessage[] = [];
  const results = new Map<string, EventOf<'tool_result'>>();
  for (const event of events) if (event.type === 'tool_result' && !results.has(event.id)) results.set(event.id, event);

  // What arrives while calls are open waits until their results are placed: no wire takes it in between.
  let late: IRMessage[] = [];
  let open: Set<string> = new Set();
  const place = (message: IRMessage) => (open.size ? late : messages).push(message);
  const settle = () => {
    open = new Set();
    messages.push(...late);
    late = [];
  };

  for (const event of events) {
    switch (event.type) {
      case 'session':
        if (event.system) messages.push({ role: 'system', content: event.system });
        break;
      case 'user': {
        // A new turn begins only when the last one ended: calls that are still open got no result and never will.
        if (!event.steered) settle();
        const parts: MessageContent[] = [...(event.images ?? [])];
        if (event.text.trim()) parts.unshift({ type: 'text', text: event.text });
        if (parts.length) place({ role: 'user', content: parts });
        break;
      }
      case 'note':
        place({ role: 'user', content: [{ type: 'text', text: `[note from ada] ${event.text}` }] });
        break;
      case 'assistant': {
        settle();
        const content = event.content.filter(says);
        if (!content.length) break;
        messages.push({ role: 'assistant', content, metadata: { model: event.served.model } });
        const calls = content.filter((part): part is ToolUseContent => part.type === 'tool_use');
        for (const call of calls) messages.push({ role: 'tool', content: [resultOf(call, results.get(call.id))] });
        open = new Set(calls.map((call) => call.id));
        break;
      }
      case 'tool_result':
        open.delete(event.id);
        if (!open.size) settle();
        break;
      case 'done':
        settle();
        break;
    }
  }
  settle();
  return messages;
}

const says = (part: MessageContent): boolean =>
  part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning' || part.text !== '' || !!part.signature;

function resultOf(call: ToolUseContent, event: EventOf<'tool_result'> | undefined): ToolResultContent {
  const text = event ? event.output || '(no output)' : INTERRUPTED;
  return {
    type: 'tool_result',
    toolUseId: call.id,
    name: call.name,
    content: [{ type: 'text', text }, ...(event?.images ?? [])],
    isError: event ? event.isError : true,
  };
}
