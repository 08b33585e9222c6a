/** What a terminal shows in which nothing useful can be drawn. */
import { fit } from '../text/cells.ts';
import type { Frame, State } from '../types.ts';
import { SMALLEST } from './layout.ts';

export function tinyFrame({ size }: State): Frame {
  const message = `ada needs ${SMALLEST.columns}×${SMALLEST.rows} cells`;
  const lines = Array.from({ length: size.rows }, (_, row) => fit(row === 0 ? message : '', size.columns));
  return { lines, cursor: null, panes: [] };
}
