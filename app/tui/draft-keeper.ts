/** Keeps the draft while it is typed: a kill that nobody can catch loses at most its last second. */
import { keepDraft } from './draft-file.ts';

const KEEP_MS = 1000;

export interface DraftPlace {
  /** State folder of the session, undefined without one. */
  stateDir: string | undefined;
  text: string;
}

/** Only while the draft changes does a timer run. */
export class DraftKeeper {
  readonly #now: () => DraftPlace;
  #kept = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => DraftPlace) {
    this.#now = now;
  }

  /** The draft may have changed. */
  seen(text: string): void {
    if (text !== this.#kept) this.#timer ??= setTimeout(() => this.keep(), KEEP_MS);
  }

  /** Keeps it now. */
  keep(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { stateDir, text } = this.#now();
    this.#kept = text;
    if (stateDir !== undefined) keepDraft(stateDir, text);
  }

  /** What was kept belongs to another session. */
  reset(): void {
    this.#kept = '';
  }
}
