/** `ada lab width`: `{ text }` to `{ width, graphemes }`. */
import { width as cells, graphemes } from '../tui/text/cells.ts';

export function width({ text }: Record<string, unknown>): unknown {
  if (typeof text !== 'string') throw new Error('text must be a string');
  return { width: cells(text), graphemes: graphemes(text) };
}
