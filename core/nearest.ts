/** Finds what a person probably meant when they typed a name that does not exist. */

/**
 * Edits between two words: insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
 * Counts UTF-16 units; both words are short.
 */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    before = above;
    above = row;
  }
  return above[b.length]!;
}

/** The candidate with the fewest edits, the first of equals; undefined when there is none within `limit`. */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  limit = Number.POSITIVE_INFINITY,
): string | undefined {
  let best: string | undefined;
  let fewest = limit + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < fewest || (best === undefined && distance <= limit)) {
      best = candidate;
      fewest = distance;
    }
  }
  return best;
}
