/** The words that the parsers of leaked tool calls share. */

/** A call as it was printed, before anybody asked whether the tool exists. */
export interface RawCall {
  name: string;
  /** Absent when `problem` says why there are none. */
  arguments?: Record<string, unknown>;
  /** Why the arguments cannot be read, in a few words. */
  problem?: string;
  /** The family prints every value as text: strings become what the tool's schema wants. */
  untyped?: boolean;
  /** A value was still open when the message ended: worth nothing if the message was cut off. */
  open?: boolean;
  /** The printed arguments. */
  raw: string;
}

/** What follows a block that is no call: thinking up to one of `closers`, or ordinary text. */
export interface Passage {
  kind: 'thinking' | 'text';
  closers: readonly ThinkingCloser[];
}

/** Ends thinking; `keeps` leaves the tag where it is, because something else begins with it. */
export interface ThinkingCloser {
  text: string;
  keeps?: boolean;
  /** It counts only behind such a character (empty at the beginning), and before such text (empty at the end). */
  before?: RegExp;
  behind?: RegExp;
}

/** `more`: undecided; `no`: not markup after all; `done`: the block ends before offset `end`. */
export type Reading =
  | { state: 'more' }
  | { state: 'no' }
  | { state: 'done'; end: number; calls: readonly RawCall[]; passage?: Passage };

export const MORE: Reading = { state: 'more' };
export const NO: Reading = { state: 'no' };

/** How one family of models prints calls with markup of its own. */
export interface Family {
  readonly name: string;
  /** Where a block begins. */
  readonly openers: readonly string[];
  /** Where it may end: the text is read again when one of these has come, and when the message ends. */
  readonly closers: readonly string[];
  /**
   * Reads a block; `text` begins with an opener and may hold more than the block. `ended`: nothing follows. More text
   * never changes what was decided.
   */
  read(text: string, ended: boolean): Reading;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The opener that `text` begins with. */
export const openerOf = (openers: readonly string[], text: string): string =>
  openers.reduce((best, one) => (text.startsWith(one) && one.length > best.length ? one : best), '');

/** True when `text` from `at` on is a beginning of one of `words`, but none of them whole. */
export function isBeginning(words: readonly string[], text: string, at: number): boolean {
  const rest = text.length - at;
  return words.some((word) => rest < word.length && word.startsWith(text.slice(at)));
}

export function skipSpace(text: string, at: number): number {
  let i = at;
  while (i < text.length && ' \t\r\n'.includes(text[i]!)) i++;
  return i;
}

/** A tool's name as models print it. */
export const NAME = /[A-Za-z_][\w.:/-]*/y;

/** The name at `at`, empty when there is none. */
export function nameAt(text: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0] ?? '';
}
