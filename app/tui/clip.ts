import { fit as fitted, width } from './text/cells.ts';
import type { Line } from './types.ts';

/** A line cut to at most `columns` cells with … as the last, and never padded. */
export const clip = (line: Line, columns: number): Line => (width(line) > columns ? fitted(line, columns) : line);
