/** A model whose window cannot hold what every request of a session begins with is refused before anything is sent. */
import { StartError } from './start-error.ts';

/** A request that fills more of its window leaves no room for a prompt and an answer. */
const FULL = 0.95;

/**
 * Throws StartError with the sizes and the remedies. `window`: tokens that the model would be served with, null when
 * unknown; `fixed`: tokens, estimated, of system prompt, instructions and tools; undefined when nothing is known of them.
 * `widen`: how the window is made larger, as half a sentence; undefined where a person cannot.
 */
export function refuseTooSmall(id: string, window: number | null, fixed: number | undefined, widen?: string): void {
  if (window === null || fixed === undefined || fixed <= window * FULL) return;
  throw new StartError(
    `the window of ${id} is ${window} tokens, and what every request of this session begins with takes about ${fixed} ` +
      `(system prompt, instructions, tools): the model stays as it was. ${capital(widen ? `${widen}, shorten` : 'shorten')} ` +
      'AGENTS.md and begin anew, or choose a model with a larger window (ada models)',
  );
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
