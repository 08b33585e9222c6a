/** What one reader of a session has not read yet; handed out in batches, so that a fast stream costs few wake-ups. */
import type { Event } from './types.ts';

export class EventQueue {
  #events: Event[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  push(event: Event): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** No more events: the reader gets what is there and then undefined. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** All events since the last call, waiting for the first; undefined at the end. */
  async take(): Promise<readonly Event[] | undefined> {
    if (!this.#events.length && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    if (!this.#events.length) return undefined;
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
