/**
 * What a summary says of the conversation from the log: the user's words and the files changed. A fold, since a session
 * does not keep its events in memory.
 */
import { afterRewind } from '../rewound.ts';
import type { StoredEvent } from '../types.ts';
import { beginningOf } from '../well-formed.ts';

const PROMPT_CHARACTERS = 400;
/** The first prompt, and so many of the newest: more than a summary shows, as the last ones need none. */
const KEPT = 64;

/** As JSON. */
export interface SavedFacts {
  prompts: readonly (readonly [seq: number, text: string])[];
  files: readonly (readonly [path: string, changes: number])[];
}

export class SummaryFacts {
  readonly #earlier: () => readonly StoredEvent[];
  /** Oldest first, the first one always. */
  #prompts: (readonly [seq: number, text: string])[];
  /** By path, how often; in the order of the first change. */
  #files: Map<string, number>;

  /** `earlier`: at least all events before the one that is added; asked for only to go back. */
  constructor(earlier: () => readonly StoredEvent[], saved?: SavedFacts) {
    this.#earlier = earlier;
    this.#prompts = [...(saved?.prompts ?? [])];
    this.#files = new Map(saved?.files);
  }

  add(event: StoredEvent): void {
    if (event.type === 'rewind') {
      this.#prompts = [];
      this.#files = new Map();
      for (const one of afterRewind(this.#earlier(), event)) this.add(one);
    } else if (event.type === 'user' && event.text.trim()) {
      this.#prompts.push([event.seq, shortened(event.text.trim())]);
      if (this.#prompts.length > KEPT) this.#prompts.splice(1, 1);
    } else if (event.type === 'tool_result' && !event.isError && event.display?.kind === 'diff') {
      const { path } = event.display;
      this.#files.set(path, (this.#files.get(path) ?? 0) + 1);
    }
  }

  save(): SavedFacts {
    return { prompts: this.#prompts, files: [...this.#files] };
  }

  /** Texts of the prompts before an event, oldest first; long ones are cut. */
  promptsBefore(seq: number): string[] {
    return this.#prompts.flatMap(([number, text]) => (number < seq ? [text] : []));
  }

  /** Paths with the number of their changes. */
  get files(): readonly (readonly [path: string, changes: number])[] {
    return [...this.#files];
  }
}

const shortened = (text: string): string =>
  text.length > PROMPT_CHARACTERS ? `${beginningOf(text, PROMPT_CHARACTERS)} […]` : text;
