/** One replacement: every `old` (with `all`) or the only one becomes `new`, character by character. */
export interface Edit {
  old: string;
  new: string;
  all?: boolean;
}

/** A place in a text; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A span and what is written there, with `\n` for every line end. */
export interface Splice extends Span {
  text: string;
}
