/** A list of todos, each with a sign that tells its state without colour. */
import type { Todo } from '../../../core/types.ts';
import { wrap } from '../text/cells.ts';
import { revealedLine } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';

const SIGNS = { done: '✓', active: '▸', pending: '·' } as const;

export function todoLines(items: readonly Todo[], columns: number, theme: State['theme']): Line[] {
  return items.flatMap(({ text, status }) => {
    const row = `${SIGNS[status]} ${revealedLine(text)}`;
    const styled =
      status === 'done' ? paint('dim', row, theme) : status === 'active' ? paint('accent', row, theme) : row;
    return wrap(styled, columns, { indent: 2 });
  });
}

/** `2/5`: how many are done. */
export const todoCount = (items: readonly Todo[]): string =>
  `${items.filter(({ status }) => status === 'done').length}/${items.length}`;
