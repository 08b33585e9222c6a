/** Messages that the running turn has not taken up yet. */
import { fit } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';

/** Exactly `rows` rows, the newest messages; the last one says why the draft was not taken. */
export function queuedLines({ queued, refused, size, theme }: State, rows: number): Line[] {
  const said = refused && rows > 0 ? [paint('error', fit(`✗ ${refused}`, size.columns), theme)] : [];
  const messages = queued.slice(Math.max(0, queued.length - rows + said.length)).map((text) => {
    const line = fit(`↳ next: ${sanitize(text).replace(/\s+/g, ' ')}`, size.columns);
    return paint('dim', line, theme);
  });
  return [...messages, ...said];
}
