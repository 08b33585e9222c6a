/** Messages that the running turn has not taken up yet. */
import { fit } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';

/** Exactly `rows` rows, the newest messages. */
export function queuedLines({ queued, size, theme }: State, rows: number): Line[] {
  return queued.slice(queued.length - rows).map((text) => {
    const line = fit(`↳ next: ${sanitize(text).replace(/\s+/g, ' ')}`, size.columns);
    return paint('dim', line, theme);
  });
}
