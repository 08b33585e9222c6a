/** `@` and the beginning of a name in the draft: which file of the project is meant, and what the draft becomes. */
import type { Completion, Composer, ProjectFiles } from './types.ts';

const MOST_OFFERED = 50;
/** No path is longer, in characters. */
const LONGEST = 4096;

/** The word behind an `@` that ends at the cursor, and where its `@` stands; null where there is none. */
export function pathWord({ text, cursor }: Pick<Composer, 'text' | 'cursor'>): { start: number; word: string } | null {
  const [, word] = /(?:^|[\s("'`])@([^\s@]*)$/.exec(text.slice(Math.max(0, cursor - LONGEST), cursor)) ?? [];
  return word === undefined ? null : { start: cursor - word.length - 1, word };
}

/** Shallow files first, then by name: the order in which equals are offered. */
export function projectFiles(paths: readonly string[]): ProjectFiles {
  const depth = (path: string): number => path.split('/').length;
  const sorted = paths
    .map((path) => ({ path, depth: depth(path) }))
    .sort((a, b) => a.depth - b.depth || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
  return { paths: sorted, folded: sorted.map((path) => path.toLowerCase()) };
}

/** The files that fit the word under the cursor, best first; null where no file is being named. */
export function pathItems(composer: Pick<Composer, 'text' | 'cursor'>, files: ProjectFiles): Completion[] | null {
  const at = pathWord(composer);
  if (!at) return null;
  const { text, cursor } = composer;
  const before = text.slice(0, at.start);
  const after = text.slice(cursor);
  return fitting(at.word.toLowerCase(), files).map((path) => {
    // In quotes, where it would not be seen where the name ends; not within quotes of the person's own.
    const name = /\s/.test(path) && !/["'`]$/.test(before) ? `"${path}"` : path;
    const named = `${before}${name}${/^\s/.test(after) ? '' : ' '}`;
    return { label: path, help: '', insert: named + after, cursor: named.length };
  });
}

/** By how well they fit; only where none has the word itself, those with its letters in their order. */
function fitting(word: string, { paths, folded }: ProjectFiles): string[] {
  if (word === '') return paths.slice(0, MOST_OFFERED);
  const ranks: string[][] = [[], [], [], []];
  for (let index = 0; index < folded.length && ranks[0]!.length < MOST_OFFERED; index++) {
    const rank = rankOf(word, folded[index]!);
    if (rank !== undefined && ranks[rank]!.length < MOST_OFFERED) ranks[rank]!.push(paths[index]!);
  }
  const whole = ranks.flat();
  const found = whole.length > 0 ? whole : paths.filter((_, index) => hasLetters(word, folded[index]!));
  return found.slice(0, MOST_OFFERED);
}

/** 0: the name begins with the word; 1: the path does; 2: the name holds it; 3: the path does. */
function rankOf(word: string, path: string): number | undefined {
  const at = path.indexOf(word);
  if (at < 0) return undefined;
  const name = path.lastIndexOf('/') + 1;
  if (path.startsWith(word, name)) return 0;
  if (at === 0) return 1;
  return path.indexOf(word, name) >= 0 ? 2 : 3;
}

function hasLetters(word: string, path: string): boolean {
  let at = 0;
  for (const letter of word) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
