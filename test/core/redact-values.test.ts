/** Many values are found in a text as one expression of all of them finds them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createValueFinder } from '../../core/redact-values.ts';

const value = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '=', '\u00e9', '\u6f22'), minLength: 4, maxLength: 12 });

function byExpression(values: readonly string[], text: string) {
  const sorted = [...new Set(values)].sort((a, b) => b.length - a.length);
  return Array.from(text.matchAll(new RegExp(sorted.join('|'), 'g')), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    value: match[0],
  }));
}

describe('values in a text', () => {
  test('are found in order, the longest at each place', () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 8 }),
        fc.array(fc.oneof(value, fc.nat(7), fc.constantFrom('', 'x', 'ab')), { maxLength: 12 }),
        (values, pieces) => {
          const text = pieces
            .map((piece) => (typeof piece === 'number' ? values[piece % values.length] : piece))
            .join('');
          expect(createValueFinder(values)(text)).toEqual(byExpression(values, text));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('of which there are none, or only words, are none', () => {
    expect(createValueFinder([])('abc')).toEqual([]);
    expect(createValueFinder(['', 'abc'])('abc abc')).toEqual([]);
  });

  test('of any length', () => {
    const long = 'ab1'.repeat(100_000);
    expect(createValueFinder([long, 'short-1'])(`x${long}short-1`)).toEqual([
      { start: 1, end: 1 + long.length, value: long },
      { start: 1 + long.length, end: 8 + long.length, value: 'short-1' },
    ]);
  });
});
