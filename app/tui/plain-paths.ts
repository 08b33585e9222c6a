/**
 * `@name` in a line that is a prompt: which file of the project it is. On the screen a menu offers them while one types
 * and puts the path in the place of the word; here that happens when the line is sent, and where several files fit, a
 * number chooses.
 */
import { pathItems, projectFiles } from './path-menu.ts';
import type { ProjectFiles } from './types.ts';

/** So many are read aloud. */
const MOST_OFFERED = 9;
const NAMED = /(^|[\s("'`])@([^\s@]+)/g;
/** What usually ends a word in a sentence. */
const PUNCTUATION = /[.,;:!?)\]}"'`]+$/;

export const namesFiles = (text: string): boolean => text.search(NAMED) >= 0;

/** A word that may be several files, and where the `@` before it stands. */
export interface OpenName {
  at: number;
  word: string;
  paths: readonly string[];
}

/** `text` from `from` on, with the paths of the files that are named without doubt; `open`: the first that is in doubt. */
export function nameFiles(text: string, files: ProjectFiles, from = 0): { text: string; open?: OpenName } {
  let named = text;
  let shift = 0;
  for (const match of text.matchAll(NAMED)) {
    const at = match.index + match[1]!.length;
    if (at < from) continue;
    const { word, paths } = fitting(match[2]!, files);
    if (paths.length > 1) return { text: named, open: { at: at + shift, word, paths } };
    if (paths.length === 0) continue;
    named = choose(named, { at: at + shift, word, paths }, paths[0]!);
    shift = named.length - text.length;
  }
  return { text: named };
}

/** The text with this path in the place of the `@` and its word. */
export const choose = (text: string, { at, word }: OpenName, path: string): string =>
  text.slice(0, at) + path + text.slice(at + 1 + word.length);

function fitting(whole: string, files: ProjectFiles): { word: string; paths: readonly string[] } {
  for (const word of new Set([whole, whole.replace(PUNCTUATION, '')])) {
    if (word === '') continue;
    const path = word.replace(/^\.\//, '');
    if (files.paths.includes(path)) return { word, paths: [path] };
    const text = `@${path}`;
    const offered = pathItems({ text, cursor: text.length }, files) ?? [];
    // Letters somewhere in a name are a help while one types, and no more than a guess afterwards.
    const paths = offered.map(({ label }) => label).filter((label) => label.toLowerCase().includes(path.toLowerCase()));
    if (paths.length > 0) return { word, paths };
  }
  return { word: whole, paths: [] };
}

export interface PlainPathsOptions {
  /** The folder whose files are meant. */
  cwd(): string;
  say(...lines: readonly string[]): void;
  send(text: string): void;
  list?(cwd: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Sends prompts in their order, each when it is clear which files it names. */
export class PlainPaths {
  readonly #options: PlainPathsOptions;
  readonly #closing = new AbortController();
  #asked: { text: string; files: ProjectFiles; open: OpenName; answered(): void } | undefined;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: PlainPathsOptions) {
    this.#options = options;
  }

  /** The next line chooses a file. */
  get isAsking(): boolean {
    return this.#asked !== undefined;
  }

  send(text: string): void {
    if (this.#waiting === 0 && !namesFiles(text)) {
      this.#options.send(text);
      return;
    }
    this.#waiting++;
    this.#last = this.#last.then(() => this.#resolve(text)).finally(() => this.#waiting--);
  }

  /** A line while a file is asked for. */
  answer(line: string): void {
    const { text, files, open, answered } = this.#asked!;
    const number = /^\d+$/.test(line) ? Number(line) : -1;
    const path = open.paths.slice(0, MOST_OFFERED)[number - 1];
    if (number !== 0 && path === undefined) {
      this.#ask(open);
      return;
    }
    this.#asked = undefined;
    const chosen = path === undefined ? text : choose(text, open, path);
    this.#goOn(chosen, files, answered, open.at + (path?.length ?? open.word.length + 1));
  }

  /** Forgets the prompt whose file is asked for; false where none is. */
  drop(): boolean {
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.answered();
    return asked !== undefined;
  }

  close(): void {
    this.#closing.abort();
  }

  async #resolve(text: string): Promise<void> {
    const { cwd, say, list = listed, send } = this.#options;
    if (!namesFiles(text)) return send(text);
    let paths: readonly string[] = [];
    try {
      paths = await list(cwd(), this.#closing.signal);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      say(`the files of this project cannot be listed: ${(error as Error).message}`);
    }
    await new Promise<void>((answered) => this.#goOn(text, projectFiles(paths), answered, 0));
  }

  #goOn(text: string, files: ProjectFiles, answered: () => void, from: number): void {
    const { text: named, open } = nameFiles(text, files, from);
    if (open) {
      this.#asked = { text: named, files, open, answered };
      this.#ask(open);
    } else {
      this.#options.send(named);
      answered();
    }
  }

  #ask({ word, paths }: OpenName): void {
    const shown = paths.slice(0, MOST_OFFERED);
    const more = paths.length > shown.length ? ['More files fit; a longer name finds them.'] : [];
    this.#options.say(
      `Which file is @${word}?`,
      ...shown.map((path, index) => `${index + 1}: ${path}`),
      '0: none, send it as it is',
      ...more,
      'A number chooses; /stop sends nothing.',
    );
  }
}

const listed = async (cwd: string, signal: AbortSignal): Promise<readonly string[]> =>
  (await import('../list-files.ts')).listFiles(cwd, signal);
