/** One reader's view of a session: what it has not read yet, as an async iterator that may be left at any moment. */
import type { Event } from './types.ts';

type Result = IteratorResult<Event, undefined>;

const END: Result = { done: true, value: undefined };

export class EventQueue implements AsyncIterableIterator<Event, undefined> {
  readonly #onEnd: (queue: EventQueue) => void;
  #events: Event[] = [];
  #at = 0;
  #ended = false;
  #waiting: ((result: Result) => void)[] = [];

  constructor(onEnd: (queue: EventQueue) => void) {
    this.#onEnd = onEnd;
  }

  push(event: Event): void {
    if (this.#ended) return;
    const waiting = this.#waiting.shift();
    if (waiting) waiting({ done: false, value: event });
    else this.#events.push(event);
  }

  /** No more events: the reader gets what is there and then the end. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const waiting of this.#waiting) waiting(END);
    this.#waiting = [];
    this.#onEnd(this);
  }

  next(): Promise<Result> {
    if (this.#at < this.#events.length) {
      const value = this.#events[this.#at++]!;
      if (this.#at === this.#events.length) {
        this.#events = [];
        this.#at = 0;
      }
      return Promise.resolve({ done: false, value });
    }
    if (this.#ended) return Promise.resolve(END);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Leaves, also while a `next` is pending: that one ends too. */
  return(): Promise<Result> {
    this.#events = [];
    this.#at = 0;
    this.end();
    return Promise.resolve(END);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
