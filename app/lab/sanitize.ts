/** `ada lab sanitize`: `{ text }` to `{ text }` as it may reach a terminal. */
import { sanitize as clean } from '../tui/text/sanitize.ts';

export function sanitize({ text }: Record<string, unknown>): unknown {
  if (typeof text !== 'string') throw new Error('text must be a string');
  return { text: clean(text) };
}
