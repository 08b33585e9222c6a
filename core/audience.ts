/** Everybody who reads the events of a session while they happen. */
import { EventQueue } from './event-queue.ts';
import type { Partial } from './stream-message.ts';
import type { Event, StoredEvent } from './types.ts';

export class Audience {
  readonly #queues = new Set<EventQueue>();
  #isOver = false;

  /** A reader gets the backlog, what has arrived of the unfinished message, and then what happens, until it leaves. */
  join(signal: AbortSignal | undefined, backlog: Iterable<StoredEvent>, partial: Partial | undefined): EventQueue {
    const stop = () => queue.end();
    const queue = new EventQueue(() => {
      signal?.removeEventListener('abort', stop);
      this.#queues.delete(queue);
    });
    for (const event of backlog) queue.push(event);
    if (partial?.reasoning) queue.push({ type: 'reasoning', delta: partial.reasoning, at: 0 });
    if (partial?.text) queue.push({ type: 'text', delta: partial.text, at: 0 });
    this.#queues.add(queue);
    signal?.addEventListener('abort', stop, { once: true });
    if (this.#isOver || signal?.aborted) queue.end();
    return queue;
  }

  tell(event: Event): void {
    for (const queue of this.#queues) queue.push(event);
  }

  /** Nothing more will happen. */
  end(): void {
    this.#isOver = true;
    for (const queue of this.#queues) queue.end();
  }
}
