/**
 * Which lines of a transcript a pane shows, and scrolling through it. A place is (block, piece, line), never a count
 * of all lines: both functions ask only for the blocks, and of a long block only for the pieces, that they pass over.
 */
import { type BlockLines, pieceCount, pieceOf } from './blocks/pieces.ts';
import type { Block, Line, Scroll } from './types.ts';

/** The blocks of a pane, an array or what reads like one; asked only for places that exist. */
export interface BlockList {
  readonly length: number;
  at(index: number): Block | undefined;
}

/** Lines of one block at the pane's width; asked for again and again, so it should keep what it made. */
export type LinesOf = (block: Block) => BlockLines;

export const top: Scroll = { follow: false, block: 0, line: 0 };
export const bottom: Scroll = { follow: true };

/**
 * The lines that the pane shows, at most `rows`; fewer only when there are no more in all. While it follows, these
 * are the last ones. An anchor that no longer exists (a resize made the block shorter) counts as the block's last line.
 */
export function visibleLines(blocks: BlockList, scroll: Scroll, rows: number, linesOf: LinesOf): readonly Line[] {
  const walk = new Walk(blocks, linesOf);
  const lines: Line[] = [];
  let place: Place | null = walk.top(scroll, rows);
  while (place && lines.length < rows) {
    const piece = walk.piece(place);
    const until = Math.min(piece.length, place.line + rows - lines.length);
    for (let line = place.line; line < until; line++) lines.push(piece[line]!);
    place = walk.nextPiece(place);
  }
  return lines;
}

/** The scroll after moving `delta` lines down (negative: up) in a pane of `rows`. Reaching the end follows again. */
export function scrollBy(blocks: BlockList, scroll: Scroll, delta: number, rows: number, linesOf: LinesOf): Scroll {
  if (delta === 0) return scroll;
  const walk = new Walk(blocks, linesOf);
  const from = walk.top(scroll, rows);
  const place = delta < 0 ? walk.back(from, -delta).place : walk.forward(from, delta).place;
  if (walk.forward(place, rows).left >= 0) return bottom;
  const { block, piece, line } = place;
  return piece === 0 ? { follow: false, block, line } : { follow: false, block, line, piece };
}

/** A line of the transcript, or the end of a piece when `line` is its length. */
interface Place {
  block: number;
  piece: number;
  line: number;
}

/** Steps through the pieces of one transcript; remembers the block that it stands in. */
class Walk {
  readonly #blocks: BlockList;
  readonly #linesOf: LinesOf;
  #at = -1;
  #lines: BlockLines = [];

  constructor(blocks: BlockList, linesOf: LinesOf) {
    this.#blocks = blocks;
    this.#linesOf = linesOf;
  }

  #block(index: number): BlockLines {
    if (index !== this.#at) {
      this.#at = index;
      this.#lines = this.#linesOf(this.#blocks.at(index)!);
    }
    return this.#lines;
  }

  piece({ block, piece }: Place): readonly Line[] {
    if (block >= this.#blocks.length) return [];
    const lines = this.#block(block);
    return piece < pieceCount(lines) ? pieceOf(lines, piece) : [];
  }

  /** Start of the next piece that exists; null at the end. Blocks without pieces are passed over. */
  nextPiece({ block, piece }: Place): Place | null {
    for (let next = piece + 1; block < this.#blocks.length; block++, next = 0)
      if (next < pieceCount(this.#block(block))) return { block, piece: next, line: 0 };
    return null;
  }

  /** End of the piece before; null at the beginning. */
  previousPiece({ block, piece }: Place): Place | null {
    let previous = piece - 1;
    while (previous < 0) {
      if (--block < 0) return null;
      previous = pieceCount(this.#block(block)) - 1;
    }
    const place = { block, piece: previous, line: 0 };
    place.line = this.piece(place).length;
    return place;
  }

  /** Up to `count` lines back, no further than the first line. */
  back(place: Place, count: number): { place: Place } {
    while (place.line < count) {
      const previous = this.previousPiece(place);
      if (!previous) return { place: { ...place, line: 0 } };
      count -= place.line;
      place = previous;
    }
    return { place: { ...place, line: place.line - count } };
  }

  /** `count` lines on; `left` is how many of them were missing at the end, negative when there is a line there. */
  forward(place: Place, count: number): { place: Place; left: number } {
    for (;;) {
      const length = this.piece(place).length;
      if (place.line + count < length) return { place: { ...place, line: place.line + count }, left: -1 };
      count -= length - place.line;
      const next = this.nextPiece(place);
      if (!next) return { place: { ...place, line: length }, left: count };
      place = next;
    }
  }

  /** The window's first line: as anchored, but never with fewer than `rows` lines after it when there are more before. */
  top(scroll: Scroll, rows: number): Place {
    if (!scroll.follow && scroll.block < this.#blocks.length) {
      const place = this.#anchored(scroll.block, scroll.piece ?? 0, scroll.line);
      if (this.forward(place, rows).left <= 0) return place;
    }
    return this.back({ block: this.#blocks.length, piece: 0, line: 0 }, rows).place;
  }

  /**
   * The anchor's place. What lies beyond its piece is counted on into the next pieces of the block: the growing end of
   * an answer becomes several pieces while a person reads it.
   */
  #anchored(block: number, piece: number, line: number): Place {
    const lines = this.#block(block);
    const count = pieceCount(lines);
    let place: Place = { block, piece: 0, line: 0 };
    for (let index = Math.min(piece, count - 1); index < count && index >= 0; index++) {
      const { length } = pieceOf(lines, index);
      if (length > 0) place = { block, piece: index, line: Math.min(line, length - 1) };
      if (line < length) return place;
      line -= length;
    }
    return place;
  }
}
