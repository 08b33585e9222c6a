/** The names most like `name`, best first: for "did you mean". */
export function nearest(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = name.toLowerCase();
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const lower = candidate.toLowerCase();
    // Of models people name the family and leave the tag out.
    const untagged = wanted.includes(':') ? lower : lower.replace(/:.*/, '');
    const distance = Math.min(editDistance(wanted, lower), editDistance(wanted, untagged));
    // A name that begins with what was typed is near however long the rest is (`qwen3` and `qwen3-coder:30b`).
    const starts = wanted.length > 2 && (lower.startsWith(wanted) || wanted.startsWith(lower));
    if (starts || distance <= Math.max(2, Math.floor(Math.max(wanted.length, lower.length) * 0.4)))
      scored.push({ candidate, score: starts ? distance / 4 : distance });
  }
  return scored
    .sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map((entry) => entry.candidate);
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}
