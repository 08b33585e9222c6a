/**
 * What a summary says of the conversation from the log: the user's words and the files changed. A fold, since a session
 * does not keep its events in memory.
 */
import { afterRewind } from '../rewound.ts';
import type { EventOf, StoredEvent } from '../types.ts';
import { beginningOf } from '../well-formed.ts';

const PROMPT_CHARACTERS = 400;
/** The first prompt, and so many of the others: more than a summary shows, as the last ones need none. */
const KEPT = 64;
/** Words by which people say what holds from then on. */
const BINDING =
  /\b(?:never|always|must(?:n't)?|do not|don't|not allowed|forbidden|only|without|unless|avoid|should(?: not|n't)?|instead of|make sure|from now on|no (?:new|more|other))\b/i;

/** Whether a text says what the model must or must not do: it counts as long as the conversation. */
export const binds = (text: string): boolean => BINDING.test(text);

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
    } else if (event.type === 'user' && wordsOf(event) !== '') {
      this.#prompts.push([event.seq, wordsOf(event)]);
      if (this.#prompts.length > KEPT) this.#prompts.splice(this.#leastNeeded(), 1);
    } else if (event.type === 'tool_result' && !event.isError && event.display?.kind === 'diff') {
      const { path } = event.display;
      this.#files.set(path, (this.#files.get(path) ?? 0) + 1);
    }
  }

  /** Index of the oldest prompt that binds to nothing, else of the oldest; the first one stays. */
  #leastNeeded(): number {
    return Math.max(
      1,
      this.#prompts.findIndex(([, text], i) => i > 0 && !binds(text)),
    );
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

/** What was said, and that there was something to see with it: no summary holds a picture. */
function wordsOf({ text, images = [] }: EventOf<'user'>): string {
  const pictures = images.length === 0 ? '' : images.length === 1 ? AN_IMAGE : `[${images.length} images were here]`;
  return [shortened(text.trim()), pictures].filter(Boolean).join(' ');
}

const AN_IMAGE = '[an image was here]';

/** The beginning, and of the rest the sentences that bind. */
function shortened(text: string): string {
  if (text.length <= PROMPT_CHARACTERS) return text;
  const half = beginningOf(text, PROMPT_CHARACTERS / 2);
  const rest = text.slice(half.length).split(/(?<=[.!?])\s+|\n+/);
  const binding = beginningOf(rest.filter(binds).join(' '), PROMPT_CHARACTERS / 2);
  return binding ? `${half} […] ${binding}` : `${beginningOf(text, PROMPT_CHARACTERS)} […]`;
}
