/** What the chat shows before anything was said. */

import { clip } from '../clip.ts';
import { wrap } from '../text/cells.ts';
import { revealedLine } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';

/** As long as nothing was said; what ada says of itself stands below it. */
export function greeting({ theme, commands, cwd }: State, columns: number): Line[] {
  const slash = commands.length > 0 ? ' · / commands' : '';
  const hints = `Enter sends${slash} · Shift+Tab changes the mode · ? shows the keys`;
  const where = cwd === '' ? '' : ` ${paint('dim', `in ${revealedLine(cwd)}`, theme)}`;
  return [
    clip(paint('heading', 'ada', theme) + where, columns),
    ...wrap(hints, columns).map((line) => paint('dim', line, theme)),
  ];
}
