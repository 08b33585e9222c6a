import type { RawCall } from './family.ts';
import type { ThinkingScanner } from './thinking-scanner.ts';

/** A block of calls that has closed. */
export interface Held {
  raw: string;
  calls: readonly RawCall[];
  /** The line before it. */
  before: string;
}

/** Calls right before the end of thinking between tags: they are meant if the message ends there too. */
export class CallsAtEnd {
  /** Thinking that closed right behind calls. */
  #closed: Pick<ThinkingScanner, 'settle' | 'end'> | undefined;
  /** The accepted calls behind which there was no text yet. */
  #last: Held[] = [];

  /** True when nothing waits for what follows. */
  get isEmpty(): boolean {
    return this.#closed === undefined && this.#last.length === 0;
  }

  accept(held: Held): void {
    this.#last.push(held);
  }

  /** Thinking closed; its calls, if it ends with some, wait. */
  close(scanner: ThinkingScanner): void {
    if (scanner.holdsCalls) this.#closed = scanner;
  }

  /**
   * A closing tag came without an opening one, so `text`, all before it, was thinking. Gives it without the accepted
   * calls with which it ends; they wait, and are given to `emit` where something follows.
   */
  rethink(text: string, emit: (text: string) => void): string {
    const last = this.#last;
    this.#last = [];
    const from = last.reduceRight((end, { raw }) => text.lastIndexOf(raw.trimEnd(), end - 1), text.length);
    if (last.length === 0 || from < 0) return text;
    const thought = text.slice(0, from).trimEnd();
    this.#closed = {
      settle: () => emit(text.slice(thought.length)),
      end: () => last.flatMap(({ calls }) => calls),
    };
    return thought;
  }

  /** Something follows: what waited was thought only. */
  settle(): void {
    const closed = this.#closed;
    this.#closed = undefined;
    this.#last = [];
    closed?.settle();
  }

  /** The message ends here. */
  end(): readonly RawCall[] {
    return this.#closed?.end() ?? [];
  }
}
