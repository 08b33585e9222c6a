import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineEnds } from '../../../../core/tools/edit/line-ends.ts';
import type { Splice } from '../../../../core/tools/edit/types.ts';
import { afterChanges, touchesAny } from '../../../../core/tools/edit/written-spans.ts';

const text = fc.array(fc.constantFrom('a', 'b', '\r\n', '\n', '\r'), { maxLength: 20 }).map((parts) => parts.join(''));

/** Changes in order and apart from each other, none of which begins or ends inside a line end. */
const changed = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(20), fc.nat(20), text), { maxLength: 4 }))
  .map(([file, some]) => {
    const isInside = (at: number) => file[at - 1] === '\r' && file[at] === '\n';
    const places = some
      .map(([a, b, put]) => ({
        start: Math.min(a, b, file.length),
        end: Math.min(Math.max(a, b), file.length),
        text: put,
      }))
      .sort((a, b) => a.start - b.start || a.end - b.end);
    const changes: Splice[] = [];
    for (const place of places)
      if (!isInside(place.start) && !isInside(place.end) && place.start >= (changes.at(-1)?.end ?? 0))
        changes.push(place);
    let [now, at] = ['', 0];
    for (const { start, end, text: put } of changes) {
      now += file.slice(at, start) + put;
      at = end;
    }
    return { file, changes, now: now + file.slice(at) };
  });

describe('line ends after changes', () => {
  it('are those that a new look at the text finds', () => {
    fc.assert(
      fc.property(changed, ({ file, changes, now }) => {
        const moved = lineEnds(file).after(file, changes, now);
        const fresh = lineEnds(now);
        expect(moved.text).toBe(fresh.text);
        for (let at = 0; at <= fresh.text.length; at++) {
          expect(moved.toFile(at)).toBe(fresh.toFile(at));
          const splice = { start: at, end: at, text: 'x\ny' };
          expect(moved.restore(splice)).toBe(fresh.restore(splice));
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('written spans', () => {
  it('move with what stands before them, and are found by what they touch', () => {
    const first = afterChanges(
      [],
      [
        { start: 2, end: 3, text: 'abcd' },
        { start: 10, end: 12, text: '' },
      ],
    );
    expect(first).toEqual([
      { start: 2, end: 6 },
      { start: 13, end: 13 },
    ]);
    const second = afterChanges(first, [{ start: 0, end: 0, text: 'xy' }]);
    expect(second).toEqual([
      { start: 0, end: 2 },
      { start: 4, end: 8 },
      { start: 15, end: 15 },
    ]);
    expect(touchesAny(second, 2, 4)).toBe(false);
    expect(touchesAny(second, 7, 9)).toBe(true);
    expect(touchesAny(second, 14, 16)).toBe(true);
    expect(touchesAny(second, 15, 16)).toBe(false);
  });
});
