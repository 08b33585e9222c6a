/** marked's lexer, loaded when Markdown first needs it: it costs a start more than the rest of the screen's text does. */
import type { Token } from 'marked';

type Lex = (source: string) => Token[];

let lex: Lex | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the lexer; call it once the first frame is painted, and paint again when it resolves. Until then Markdown with
 * markup shows as plain text.
 */
export function loadMarkdown(): Promise<void> {
  loading ??= import('marked').then(({ Lexer }) => {
    lex = (source) => new Lexer({ gfm: true }).lex(source);
  });
  return loading;
}

/** Lines laid out while this was false are not worth keeping. */
export const markdownReady = (): boolean => lex !== undefined;

/** Signs that can mean markup; text without them is laid out without the lexer. */
const MARKUP = /[*_`~<>[\]|\\&#]|https?:|www\.|@|^ {0,3}(?:[-+=]|\d{1,9}[.)])|^(?: {4}|\t)/m;

/** Tokens of a Markdown text; null for plain paragraphs, before the lexer is loaded, and for what it cannot take. */
export function lexed(source: string): Token[] | null {
  if (!MARKUP.test(source)) return null;
  if (!lex) {
    void loadMarkdown();
    return null;
  }
  try {
    return lex(source);
  } catch {
    // Thousands of nested quotes exhaust the stack of a recursive lexer.
    return null;
  }
}
