import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { List } from '../../../app/tui/list.ts';

const step = fc.oneof(
  fc.record({ do: fc.constant('append' as const), many: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ do: fc.constant('with' as const), at: fc.nat() }),
  fc.record({ do: fc.constant('take' as const), at: fc.nat() }),
);

describe('a list', () => {
  it('reads like an array that went through the same changes, and the lists before it stay as they were', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let list = List.of<number>();
        let array: number[] = [];
        const before: [List<number>, number[]][] = [];
        for (const [index, one] of steps.entries()) {
          before.push([list, array]);
          if (one.do === 'append') {
            for (let i = 0; i < one.many; i++) list = list.append(index * 1000 + i);
            array = [...array, ...Array.from({ length: one.many }, (_, i) => index * 1000 + i)];
          } else if (one.do === 'take') {
            list = list.take(one.at % (array.length + 1));
            array = array.slice(0, one.at % (array.length + 1));
          } else if (array.length > 0) {
            list = list.with(one.at % array.length, -index);
            array = array.with(one.at % array.length, -index);
          }
        }
        for (const [made, wanted] of [...before, [list, array] as const]) {
          expect([...made]).toEqual(wanted);
          expect(made.length).toBe(wanted.length);
          for (const at of [0, 255, 256, wanted.length - 1, wanted.length, -1, -257])
            expect(made.at(at)).toBe(wanted.at(at));
          expect(made.from(250)).toEqual(wanted.slice(250));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('shares what it does not change', () => {
    let list = List.of(Array.from({ length: 100_000 }, (_, index) => index));
    for (let index = 0; index < 100_000; index++) list = list.append(index).with(list.length, -index);
    expect(list.length).toBe(200_000);
    expect(list.at(-1)).toBe(-99_999);
  });
});
