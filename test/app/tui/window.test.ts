import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allLines, type BlockLines, isPieces, joined } from '../../../app/tui/blocks/pieces.ts';
import type { Block, Line, Scroll } from '../../../app/tui/types.ts';
import { bottom, scrollBy, top, visibleLines } from '../../../app/tui/window.ts';

/** Blocks whose lines are given, as plain lists or as pieces. */
function transcript(shapes: readonly (readonly number[])[]) {
  const blocks: Block[] = shapes.map((_, index) => ({ kind: 'end', text: String(index) }));
  const lines = new Map<Block, BlockLines>();
  for (const [index, shape] of shapes.entries()) {
    const pieces = shape.map((count, piece) => Array.from({ length: count }, (_, line) => `${index}.${piece}.${line}`));
    lines.set(blocks[index]!, pieces.length === 1 ? pieces[0]! : joined(pieces));
  }
  const asked: Block[] = [];
  const linesOf = (block: Block): BlockLines => {
    asked.push(block);
    return lines.get(block)!;
  };
  return { blocks, linesOf, asked, all: blocks.flatMap((block) => allLines(lines.get(block)!)) };
}

/** The same by flattening everything: the number of the first line shown, or null when it follows. */
class Naive {
  first: number | null = null;
  readonly all: readonly Line[];
  readonly rows: number;
  constructor(all: readonly Line[], rows: number) {
    this.all = all;
    this.rows = rows;
  }
  get end(): number {
    return Math.max(0, this.all.length - this.rows);
  }
  scroll(delta: number): void {
    if (delta === 0) return;
    const first = Math.min(Math.max((this.first ?? this.end) + delta, 0), this.end);
    this.first = first === this.end ? null : first;
  }
  get visible(): readonly Line[] {
    const first = this.first ?? this.end;
    return this.all.slice(first, first + this.rows);
  }
}

const shapes = fc.array(fc.array(fc.nat(6), { maxLength: 4 }), { maxLength: 12 });

describe('a window', () => {
  it('shows and scrolls as if everything were one list', () => {
    fc.assert(
      fc.property(
        shapes,
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.integer({ min: -15, max: 15 })),
        (parts, rows, moves) => {
          const { blocks, linesOf, all } = transcript(parts);
          const naive = new Naive(all, rows);
          let scroll = bottom;
          expect(visibleLines(blocks, scroll, rows, linesOf)).toEqual(naive.visible);
          for (const delta of moves) {
            scroll = scrollBy(blocks, scroll, delta, rows, linesOf);
            naive.scroll(delta);
            expect(visibleLines(blocks, scroll, rows, linesOf)).toEqual(naive.visible);
            expect(scroll.follow).toBe(naive.first === null);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps its first line while more is appended below', () => {
    fc.assert(
      fc.property(
        shapes,
        shapes,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 30 }),
        (parts, more, rows, up) => {
          const before = transcript(parts);
          const scroll = scrollBy(before.blocks, bottom, -up, rows, before.linesOf);
          const after = transcript([...parts, ...more]);
          const shown = visibleLines(after.blocks, scroll, rows, after.linesOf);
          if (scroll.follow) expect(shown).toEqual(after.all.slice(-rows));
          else expect(shown).toEqual(visibleLines(before.blocks, scroll, rows, before.linesOf));
        },
      ),
    );
  });

  it('shows the beginning from the top, and everything when it fits', () => {
    const { blocks, linesOf, all } = transcript([[3], [2, 2], [4]]);
    expect(visibleLines(blocks, top, 4, linesOf)).toEqual(all.slice(0, 4));
    expect(visibleLines(blocks, top, 40, linesOf)).toEqual(all);
    expect(visibleLines([], top, 4, linesOf)).toEqual([]);
    expect(visibleLines([], bottom, 4, linesOf)).toEqual([]);
    expect(scrollBy([], bottom, -3, 4, linesOf)).toEqual(bottom);
  });

  it('takes an anchor that is gone as the last line of its block', () => {
    const { blocks, linesOf } = transcript([[3], [2], [9]]);
    const shown = (scroll: Scroll) => visibleLines(blocks, scroll, 2, linesOf);
    expect(shown({ follow: false, block: 0, line: 77 })).toEqual(['0.0.2', '1.0.0']);
    expect(shown({ follow: false, block: 9, line: 0 })).toEqual(['2.0.7', '2.0.8']);
  });

  it('finds an anchor again when its piece was divided', () => {
    const before = transcript([[2, 9], [9]]);
    const after = transcript([[2, 4, 5], [9]]);
    const scroll: Scroll = { follow: false, block: 0, piece: 1, line: 6 };
    expect(visibleLines(before.blocks, scroll, 1, before.linesOf)).toEqual(['0.1.6']);
    expect(visibleLines(after.blocks, scroll, 1, after.linesOf)).toEqual(['0.2.2']);
  });
});

describe('a transcript of 100,000 lines', () => {
  const { blocks, linesOf, asked } = transcript(Array.from({ length: 20_000 }, () => [5]));
  const count = (run: () => unknown): number => {
    asked.length = 0;
    run();
    return asked.length;
  };

  it('asks only for the blocks that it shows or passes', () => {
    const rows = 40;
    const middle: Scroll = { follow: false, block: 10_000, line: 3 };
    for (const scroll of [bottom, top, middle])
      expect(count(() => visibleLines(blocks, scroll, rows, linesOf))).toBeLessThan(30);
    for (const delta of [-1, 1, -40, 40, -3, 3])
      for (const scroll of [bottom, top, middle])
        expect(count(() => scrollBy(blocks, scroll, delta, rows, linesOf))).toBeLessThan(40);
  });
});

describe('one answer of 50,000 lines in 5,000 pieces', () => {
  let laidOut = 0;
  const answer = {
    count: 5000,
    piece(index: number) {
      laidOut++;
      return Array.from({ length: 10 }, (_, line) => `${index}.${line}`);
    },
  };
  const blocks: Block[] = [{ kind: 'answer', settled: [], tail: '', streaming: false }];
  const linesOf = () => answer;

  it('is laid out where it is looked at, and nowhere else', () => {
    expect(isPieces(answer)).toBe(true);
    let scroll = bottom;
    expect(visibleLines(blocks, scroll, 20, linesOf).at(-1)).toBe('4999.9');
    for (let step = 0; step < 20; step++) scroll = scrollBy(blocks, scroll, -15, 20, linesOf);
    expect(visibleLines(blocks, scroll, 20, linesOf)[0]).toBe('4968.0');
    expect(visibleLines(blocks, top, 20, linesOf)[0]).toBe('0.0');
    expect(laidOut).toBeLessThan(700);
  });
});
