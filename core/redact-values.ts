/**
 * Finds any of many values in a text, in a time that hardly grows with their number (Wu and Manber, "A Fast Algorithm for
 * Multi-Pattern Searching", 1994): the last two characters of where a value might begin tell how far the next may be.
 */

export interface FoundValue {
  start: number;
  end: number;
  value: string;
}

/** Shorter ones are never looked for: they would be words. */
const SHORTEST = 4;
const BLOCKS = 1 << 16;
/** What the table of shifts can hold. */
const MOST_SHIFT = 200;

const blockAt = (text: string, end: number): number =>
  ((text.charCodeAt(end - 1) << 8) ^ text.charCodeAt(end)) & (BLOCKS - 1);

/** Finds the values in a text, in order, apart from each other; at one place the longest. */
export function createValueFinder(values: Iterable<string>): (text: string) => FoundValue[] {
  const all = [...new Set(values)].filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length);
  if (all.length === 0) return () => [];
  const width = Math.min(all.at(-1)!.length, MOST_SHIFT);
  const shifts = new Uint8Array(BLOCKS).fill(width - 1);
  const begun = new Map<number, string[]>();
  for (const value of all) {
    for (let end = 1; end < width; end++) {
      const block = blockAt(value, end);
      shifts[block] = Math.min(shifts[block]!, width - 1 - end);
    }
    const last = blockAt(value, width - 1);
    begun.set(last, [...(begun.get(last) ?? []), value]);
  }
  return (text) => {
    const found: FoundValue[] = [];
    const { length } = text;
    let end = width - 1;
    while (end < length) {
      const block = blockAt(text, end);
      const shift = shifts[block]!;
      if (shift > 0) {
        end += shift;
        continue;
      }
      const start = end - width + 1;
      const value = begun.get(block)?.find((one) => text.startsWith(one, start));
      if (value === undefined) end++;
      else {
        found.push({ start, end: start + value.length, value });
        end = start + value.length + width - 1;
      }
    }
    return found;
  };
}
