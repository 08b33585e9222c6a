/**
 * Text within a block: emphasis, code, links. Gives styled text whose line feeds are the breaks that the source has.
 * Each leaf is sanitized once more: the lexer turns `&#27;` into the control character that it stands for.
 */
import type { MarkedToken, Token, Tokens } from 'marked';
import { sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { State } from '../types.ts';

type Theme = State['theme'];

/** Inline tokens as styled text. Soft breaks stay breaks: models write lists of lines, not wrapped prose. */
export function inline(tokens: readonly Token[], theme: Theme): string {
  let text = '';
  for (const token of tokens) text += one(token as MarkedToken, theme);
  return text;
}

function one(token: MarkedToken, theme: Theme): string {
  switch (token.type) {
    case 'text':
      return token.tokens ? inline(token.tokens, theme) : decoded(token.text);
    case 'strong':
      return paint('bold', inline(token.tokens, theme), theme);
    case 'em':
      return paint('italic', inline(token.tokens, theme), theme);
    case 'del':
      return paint('dim', `~${inline(token.tokens, theme)}~`, theme);
    case 'codespan':
      // Without colour the marks themselves tell code from text.
      return theme === 'none' ? `\`${safe(token.text)}\`` : paint('code', safe(token.text), theme);
    case 'link':
      return link(token, theme);
    case 'image':
      return `${paint('dim', '[image]', theme)} ${decoded(token.text)} ${paint('dim', `(${safe(token.href)})`, theme)}`;
    case 'br':
      return '\n';
    case 'checkbox':
      return '';
    case 'escape':
      return safe(token.text);
    default:
      return 'tokens' in token && token.tokens ? inline(token.tokens, theme) : safe(token.raw);
  }
}

function link({ tokens, text, href, autolink }: Tokens.Link, theme: Theme): string {
  const label = paint('link', inline(tokens, theme), theme);
  if (autolink || href === text || href === `mailto:${text}` || href === '') return label;
  return `${label} ${paint('dim', `(${safe(href)})`, theme)}`;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rarr: '→',
  larr: '←',
  times: '×',
  copy: '©',
};

const safe = (text: string): string => sanitize(text, { tabs: 4 });

/** Text with the character references that models use as characters. */
function decoded(text: string): string {
  if (!text.includes('&')) return safe(text);
  return safe(text.replace(/&(\w{2,8});/g, (whole, name) => (Object.hasOwn(NAMED, name) ? NAMED[name]! : whole)));
}
