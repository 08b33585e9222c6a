/** Keeps the draft while it is typed: a kill that nobody can catch loses at most its last second. */
import { keepDraft } from './draft-file.ts';
import type { State } from './types.ts';

const KEEP_MS = 1000;

/** What would be lost: messages that the running turn has not taken, and the draft. */
export const unsentText = ({ queued, composer }: Pick<State, 'queued' | 'composer'>): string =>
  [...queued, composer.text].filter((text) => text !== '').join('\n');

export interface DraftPlace {
  /** Folder to keep it in, undefined where it is not known yet; and the file there, when it is not a session's own. */
  stateDir: string | undefined;
  file?: string;
  text: string;
}

/** Only while the draft changes does a timer run. */
export class DraftKeeper {
  readonly #now: () => DraftPlace;
  #kept = '';
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(now: () => DraftPlace) {
    this.#now = now;
  }

  /** The draft may have changed. */
  seen(text: string): void {
    if (!this.#ended && text !== this.#kept) this.#timer ??= setTimeout(() => this.keep(), KEEP_MS);
  }

  /** Keeps it now. */
  keep(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ended) return;
    const { stateDir, file, text } = this.#now();
    this.#kept = text;
    if (stateDir !== undefined) keepDraft(stateDir, text, file);
  }

  /** Keeps it for the last time: once its session is let go of, nobody knows where it belongs. */
  end(): void {
    this.keep();
    this.#ended = true;
  }

  /** What was kept belongs to another session. */
  reset(): void {
    this.#kept = '';
  }
}
