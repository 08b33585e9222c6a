/** The lines of a block, reached piece by piece, so that an answer of 50,000 lines is never laid out whole. */
import type { Line } from '../types.ts';

export interface Pieces {
  /** How many pieces there are; each may have any number of lines, none too. */
  readonly count: number;
  /** Lines of piece `index`, laid out when first asked for and kept. */
  piece(index: number): readonly Line[];
}

/** What a block shows: plain lines, or pieces of them. */
export type BlockLines = readonly Line[] | Pieces;

export const isPieces = (lines: BlockLines): lines is Pieces => !Array.isArray(lines);

export const pieceCount = (lines: BlockLines): number => (isPieces(lines) ? lines.count : 1);

export const pieceOf = (lines: BlockLines, index: number): readonly Line[] =>
  isPieces(lines) ? lines.piece(index) : lines;

/** Pieces one after another, without laying any of them out. */
export function joined(parts: readonly BlockLines[]): Pieces {
  const counts = parts.map(pieceCount);
  return {
    count: counts.reduce((sum, count) => sum + count, 0),
    piece(index) {
      let part = 0;
      while (index >= counts[part]!) index -= counts[part++]!;
      return pieceOf(parts[part]!, index);
    },
  };
}

/** All lines at once: for short blocks, exports and tests. */
export function allLines(lines: BlockLines): readonly Line[] {
  if (!isPieces(lines)) return lines;
  const all: Line[] = [];
  for (let index = 0; index < lines.count; index++) for (const line of lines.piece(index)) all.push(line);
  return all;
}
