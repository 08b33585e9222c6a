/** Notices a model that makes the same calls over and over and gets the same results: a fold of the events of a turn. */
import { createHash } from 'node:crypto';
import type { StoredEvent } from '../types.ts';

/** Rounds of equal calls with equal results after which the model is told, and after which the turn is ended. */
const TOLD_AFTER = 3;
const ENDED_AFTER = 5;
/** The same for rounds of calls none of which could be run, whatever was wrong with them. */
const REFUSED_TOLD_AFTER = 5;
const REFUSED_ENDED_AFTER = 8;
/** Also a loop: A, B, A, B … and longer ones, of which one more turn is waited for: so much may be done on purpose. */
const LONGEST_PERIOD = 20;
const SHORT_PERIOD = 6;
const LONG_ENDED_AFTER = 6;
const PERIODS = Array.from({ length: LONGEST_PERIOD }, (_, i) => i + 1);
const KEPT = LONG_ENDED_AFTER * LONGEST_PERIOD;

const REPEATED_CALLS_NOTE =
  'You have made the same call several times and got the same result each time. Do not repeat it: try something else, or say what you need.';
const REFUSED_CALLS_NOTE =
  'None of your last calls could be run. Read the newest error: call only tools that you were told of, with the arguments that they take, or go on without a tool.';

/** What is to be said of the newest calls: `note` to the model, `end` to a person, as the reason why the turn ends. */
interface LoopNews {
  note?: string;
  end?: string;
}

/** The calls of one message with their results. */
interface Round {
  calls: { name: string; input: string }[];
  results: string[];
}

export class RepeatedCalls {
  #rounds: string[] = [];
  /** Why no call of a round could be run, by the names of the calls; null where one could. */
  #refusals: (string | null)[] = [];
  #open: Round = { calls: [], results: [] };
  #told = '';

  add(event: StoredEvent): void {
    switch (event.type) {
      case 'user':
        this.#rounds = [];
        this.#refusals = [];
        this.#open = { calls: [], results: [] };
        break;
      case 'assistant':
        this.#close(false);
        break;
      case 'tool_call':
        this.#open.calls.push({ name: event.name, input: JSON.stringify(event.input) });
        break;
      case 'tool_result':
        this.#open.results.push(withoutTimes(event.output));
        break;
    }
  }

  /** To be asked after each round; `isRefused`: none of its calls had a tool and arguments that fit it. */
  news(isRefused = false): LoopNews {
    const times = this.count(isRefused);
    const inARow = this.#refusals.slice(this.#refusals.lastIndexOf(null) + 1);
    const alike = timesOf(inARow);
    const refused = inARow.length;
    const isLoop = (period: number) =>
      timesWith(this.#rounds, period) >= (period > SHORT_PERIOD ? LONG_ENDED_AFTER : ENDED_AFTER);
    if (times >= ENDED_AFTER && PERIODS.some(isLoop))
      return { end: `stopped: the model made the same calls ${times} times in a row and got the same results` };
    if (alike >= ENDED_AFTER || refused >= REFUSED_ENDED_AFTER)
      return { end: `stopped: the model made calls that cannot be run ${refused} times in a row` };
    const isVain = alike >= TOLD_AFTER || refused >= REFUSED_TOLD_AFTER;
    const note = times >= TOLD_AFTER ? REPEATED_CALLS_NOTE : isVain ? REFUSED_CALLS_NOTE : '';
    const isNews = note !== '' && note !== this.#told;
    this.#told = note;
    return isNews ? { note } : {};
  }

  /** How often the newest calls were made in a row with the same results; 1 when they are new, 0 without calls. */
  count(isRefused = false): number {
    this.#close(isRefused);
    return timesOf(this.#rounds);
  }

  #close(isRefused: boolean): void {
    const { calls, results } = this.#open;
    if (!calls.length) return;
    this.#rounds.push(fingerprint([...calls.map(({ name, input }) => `${name} ${input}`), ...results].join('\n')));
    // Other arguments are no progress where none are taken: what counts is why they were refused.
    const refusal = [...calls.map(({ name }) => name), ...results.map(withoutValues)].join('\n');
    this.#refusals.push(isRefused ? refusal : null);
    for (const list of [this.#rounds, this.#refusals]) if (list.length > KEPT) list.shift();
    this.#open = { calls: [], results: [] };
  }
}

/** How often what ends the list stands there in a row. */
const timesOf = (rounds: readonly unknown[]): number =>
  rounds.length === 0 ? 0 : Math.max(...PERIODS.map((period) => timesWith(rounds, period)));

const timesWith = (rounds: readonly unknown[], period: number): number =>
  Math.floor(lengthOfRun(rounds, period) / period);

/** Length of the end of `rounds` that repeats with the period. */
function lengthOfRun(rounds: readonly unknown[], period: number): number {
  let length = Math.min(period, rounds.length);
  while (length < rounds.length && rounds.at(-1 - length) === rounds.at(-1 - length + period)) length++;
  return length;
}

/** Stands for a long text, of which many are kept. */
const fingerprint = (text: string): string => createHash('sha256').update(text).digest('base64');

/** How long something took is no news. */
const withoutTimes = (output: string): string => output.replace(/\b\d+(?:\.\d+)?\s?m?s\b/g, '');

/** What was received is the model's own text. */
const withoutValues = (reason: string): string => reason.replace(/ Received: .*$/s, '').replace(/, not .*\.$/s, '');
