/** Reads which files a project has when an `@` in the draft asks for one. */
import { pathWord, projectFiles } from './path-menu.ts';
import type { ProjectFiles, State } from './types.ts';

/** A list is good for so long, in ms; a new `@` after that reads it again. */
const FRESH_MS = 5000;

export interface FileOfferOptions {
  /** The folder whose files are offered. */
  cwd(): string;
  show(files: ProjectFiles): void;
  failed(message: string): void;
}

export class FileOffer {
  readonly #options: FileOfferOptions;
  #isAsked = false;
  #reading: AbortController | undefined;
  #last: { cwd: string; at: number; files: ProjectFiles } | undefined;

  constructor(options: FileOfferOptions) {
    this.#options = options;
  }

  /** A draft is shown: it may begin to name a file. */
  seen({ composer, files }: Pick<State, 'composer' | 'files'>): void {
    const isAsked = pathWord(composer) !== null;
    const begins = isAsked && !this.#isAsked;
    this.#isAsked = isAsked;
    if (!isAsked || this.#reading || (files !== undefined && !begins)) return;
    const cwd = this.#options.cwd();
    const last = this.#last?.cwd === cwd && Date.now() - this.#last.at < FRESH_MS ? this.#last : undefined;
    if (last === undefined) void this.#read(cwd);
    else if (files === undefined) this.#options.show(last.files);
  }

  close(): void {
    this.#reading?.abort();
  }

  async #read(cwd: string): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    let paths: readonly string[] = [];
    try {
      paths = await (await import('../list-files.ts')).listFiles(cwd, signal);
    } catch (error) {
      if (!signal.aborted)
        this.#options.failed(`the files of this project cannot be listed: ${(error as Error).message}`);
    }
    this.#reading = undefined;
    if (signal.aborted) return;
    this.#last = { cwd, at: Date.now(), files: projectFiles(paths) };
    this.#options.show(this.#last.files);
  }
}
