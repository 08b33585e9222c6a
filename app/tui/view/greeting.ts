/** What the chat shows before anything was said. */

import { wrap } from '../text/cells.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';

export function greeting({ theme, commands }: State, columns: number): Line[] {
  const slash = commands.length > 0 ? ' · / commands' : '';
  const hints = `Enter sends${slash} · Shift+Tab changes the mode · ? shows the keys`;
  return [paint('heading', 'ada', theme), ...wrap(hints, columns).map((line) => paint('dim', line, theme))];
}
