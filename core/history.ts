/**
 * From events to the messages of the next request: a fold of the log that only ever appends, so that every request
 * begins with the bytes of the one before it. Whatever died, each call has exactly one result, directly behind its
 * message.
 */
import type { IRMessage, MessageContent, ToolResultContent, ToolUseContent } from '../providers/ir.ts';
import type { EventOf, StoredEvent } from './types.ts';

export const INTERRUPTED = 'The call was interrupted before it gave a result.';

/** Messages of a session, its system prompt first. Notes and steered prompts stand where they happened. */
export function history(events: readonly StoredEvent[]): IRMessage[] {
  const fold = new History();
  for (const event of events) fold.add(event);
  return fold.messages();
}

/** The fold itself: takes events one by one, and gives the same message objects again as long as they stand. */
export class History {
  /** Messages that will never change. */
  readonly #settled: IRMessage[] = [];
  /** Calls of the newest assistant message, while results are missing; in their order. */
  #open: { call: ToolUseContent; result?: EventOf<'tool_result'> }[] = [];
  /** The newest prompt. */
  #prompt: IRMessage | undefined;
  /** What arrived while calls were open: no wire takes it between a call and its result. */
  #late: IRMessage[] = [];

  add(event: StoredEvent): void {
    switch (event.type) {
      case 'session':
        // First also where the log's own first line was lost.
        if (event.system) this.#settled.unshift({ role: 'system', content: event.system });
        break;
      case 'user': {
        // A new turn begins only when the last one ended: calls that are still open got no result and never will.
        if (!event.steered) this.#settle();
        const parts: MessageContent[] = [...(event.images ?? [])];
        if (event.text.trim()) parts.unshift({ type: 'text', text: event.text });
        const message: IRMessage = { role: 'user', content: parts };
        if (parts.length) this.#place(message);
        this.#prompt = message;
        break;
      }
      case 'error':
        // A prompt that was too large for the window was never answered; kept, it would make every later one too large.
        if (event.code === 'overflow' && this.#settled.at(-1) === this.#prompt) this.#settled.pop();
        break;
      case 'note':
        this.#place({ role: 'user', content: [{ type: 'text', text: `[note from ada] ${event.text}` }] });
        break;
      case 'assistant': {
        this.#settle();
        const content = event.content.filter(says);
        if (!content.length) break;
        this.#settled.push({ role: 'assistant', content, metadata: { model: event.served.model } });
        for (const part of content) if (part.type === 'tool_use') this.#open.push({ call: part });
        break;
      }
      case 'tool_result': {
        const entry = this.#open.find(({ call, result }) => call.id === event.id && !result);
        if (entry) entry.result = event;
        if (entry && this.#open.every(({ result }) => result)) this.#settle();
        break;
      }
      case 'done':
        this.#settle();
        break;
    }
  }

  /** The messages now; calls that are still open are answered as interrupted. */
  messages(): IRMessage[] {
    return [...this.#settled, ...this.#open.map(answer), ...this.#late];
  }

  #place(message: IRMessage): void {
    (this.#open.length ? this.#late : this.#settled).push(message);
  }

  #settle(): void {
    this.#settled.push(...this.#open.map(answer), ...this.#late);
    this.#open = [];
    this.#late = [];
  }
}

const says = (part: MessageContent): boolean =>
  part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning' || part.text !== '' || !!part.signature;

function answer({ call, result }: { call: ToolUseContent; result?: EventOf<'tool_result'> }): IRMessage {
  const text = result ? result.output || '(no output)' : INTERRUPTED;
  const content: ToolResultContent = {
    type: 'tool_result',
    toolUseId: call.id,
    name: call.name,
    content: [{ type: 'text', text }, ...(result?.images ?? [])],
    isError: result ? result.isError : true,
  };
  return { role: 'tool', content: [content] };
}
