/** Notices a model that makes the same calls over and over and gets the same results: a fold of the events of a turn. */
import type { StoredEvent } from '../types.ts';

/** Rounds of equal calls with equal results after which the model is told, and after which the turn is ended. */
export const TOLD_AFTER = 3;
export const ENDED_AFTER = 5;
/** Also a loop: A, B, A, B … */
const PERIODS = [1, 2];

export const REPEATED_CALLS_NOTE =
  'You have made the same call several times and got the same result each time. Do not repeat it: try something else, or say what you need.';

/** The calls of one message with their results. */
interface Round {
  calls: string[];
  results: string[];
}

export class RepeatedCalls {
  #rounds: string[] = [];
  #open: Round = { calls: [], results: [] };

  add(event: StoredEvent): void {
    switch (event.type) {
      case 'user':
        this.#rounds = [];
        this.#open = { calls: [], results: [] };
        break;
      case 'assistant':
        this.#close();
        break;
      case 'tool_call':
        this.#open.calls.push(`${event.name} ${JSON.stringify(event.input)}`);
        break;
      case 'tool_result':
        this.#open.results.push(withoutTimes(event.output));
        break;
    }
  }

  /** How often the newest calls were made in a row with the same results; 1 when they are new, 0 without calls. */
  count(): number {
    this.#close();
    const rounds = this.#rounds;
    if (!rounds.length) return 0;
    return Math.max(...PERIODS.map((period) => Math.floor(lengthOfRun(rounds, period) / period)));
  }

  #close(): void {
    const { calls, results } = this.#open;
    if (!calls.length) return;
    this.#rounds.push(`${calls.join('\n')}\n${results.join('\n')}`);
    if (this.#rounds.length > ENDED_AFTER * 2) this.#rounds.shift();
    this.#open = { calls: [], results: [] };
  }
}

/** Length of the end of `rounds` that repeats with the period. */
function lengthOfRun(rounds: readonly string[], period: number): number {
  let length = Math.min(period, rounds.length);
  while (length < rounds.length && rounds.at(-1 - length) === rounds.at(-1 - length + period)) length++;
  return length;
}

/** How long something took is no news. */
const withoutTimes = (output: string): string => output.replace(/\b\d+(?:\.\d+)?\s?m?s\b/g, '');
