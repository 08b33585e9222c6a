/** Moves replacement lines from the indentation a model wrote to the one the file has. */

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0];

/**
 * Lines of `replacement` with the file's indentation, or undefined when the model's lines (`given`) do not map onto the
 * file's (`found`, as many) by one rule: levels of the model's step as levels of the file's (`all` its lines tell), a
 * common shift, spaces for tabs or tabs for spaces.
 */
export function reindent(
  given: readonly string[],
  found: readonly string[],
  replacement: readonly string[],
  all: readonly string[] = found,
): string[] | undefined {
  const pairs: [string, string][] = [];
  for (const [i, line] of given.entries()) if (line.trim()) pairs.push([indentOf(line), indentOf(found[i]!)]);
  if (pairs.length === 0) return undefined;
  for (const rule of rules(pairs, replacement, all)) {
    if (!pairs.every(([from, to]) => rule(from) === to)) continue;
    const moved = replacement.map((line) => {
      if (!line.trim()) return line;
      const from = indentOf(line);
      const to = rule(from);
      return to === undefined ? undefined : to + line.slice(from.length);
    });
    if (moved.every((line) => line !== undefined)) return moved;
  }
  return undefined;
}

type Rule = (indent: string) => string | undefined;

function* rules(
  pairs: readonly [string, string][],
  replacement: readonly string[],
  all: readonly string[],
): Generator<Rule> {
  const [[base, target]] = pairs as [[string, string]];
  const levels = byLevels(base, target, replacement, all);
  if (levels) yield levels;
  // The same characters put before, or taken from, every line.
  yield (indent) => (indent.startsWith(base) ? target + indent.slice(base.length) : undefined);
  if (base.endsWith(target)) {
    const extra = base.length - target.length;
    yield (indent) => (indent.length >= extra ? indent.slice(extra) : undefined);
  }
  if (target.endsWith(base)) yield (indent) => target.slice(0, target.length - base.length) + indent;
  const givenTabs =
    pairs.some(([from]) => from.includes('\t')) || replacement.some((line) => indentOf(line).includes('\t'));
  const fileTabs = pairs.some(([, to]) => to.includes('\t'));
  for (const unit of units(pairs)) {
    const columns = (indent: string): number => {
      let count = 0;
      for (const character of indent) count = character === '\t' ? (Math.floor(count / unit) + 1) * unit : count + 1;
      return count;
    };
    const shift = columns(target) - columns(base);
    // Levels of the model's own step width, written in the file's.
    const step = (indent: string): string | undefined => {
      const wanted = columns(indent) + shift;
      if (wanted < 0) return undefined;
      return fileTabs ? '\t'.repeat(Math.floor(wanted / unit)) + ' '.repeat(wanted % unit) : ' '.repeat(wanted);
    };
    if (fileTabs || givenTabs) yield step;
  }
  const ratio = scale(pairs);
  if (ratio && !fileTabs && !givenTabs) {
    yield (indent) => {
      const wanted = target.length + (indent.length - base.length) * ratio;
      return wanted >= 0 && Number.isInteger(wanted) ? ' '.repeat(wanted) : undefined;
    };
  }
}

/**
 * Lines deeper than the first one get so many of the file's steps as they have of the model's. Undefined where one of the
 * two steps is not known, and where both are the same, for which every other rule is as good.
 */
function byLevels(
  base: string,
  target: string,
  replacement: readonly string[],
  all: readonly string[],
): Rule | undefined {
  const deeper = replacement
    .filter((line) => line.trim())
    .map(indentOf)
    .filter((indent) => indent !== base && indent.startsWith(base));
  if (deeper.length === 0) return undefined;
  const least = deeper.reduce((a, b) => (b.length < a.length ? b : a)).slice(base.length);
  const isTabs = (indent: string) => /^\t+$/.test(indent);
  const isSpaces = (indent: string) => /^ +$/.test(indent);
  if (!isTabs(least) && !isSpaces(least)) return undefined;
  // What stands before the first line is one step where it is shorter than what looks like one.
  const narrower =
    isSpaces(least) && /^ {2,}$/.test(base) && least.length > base.length && least.length % base.length === 0;
  const given = isTabs(least) ? '\t' : narrower ? base : least;
  const unit = isTabs(target) ? '\t' : stepOf(all);
  if (unit === undefined || unit === given) return undefined;
  if (target !== '' && (unit === '\t' ? !isTabs(target) : !isSpaces(target))) return undefined;
  return (indent) => {
    if (!indent.startsWith(base)) return undefined;
    const extra = indent.slice(base.length);
    const count = extra.length / given.length;
    if (!Number.isInteger(count) || extra !== given.repeat(count)) return undefined;
    return target + unit.repeat(count);
  };
}

/** One level of a text's indentation: the step that most of its lines that go deeper go. */
function stepOf(lines: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  let before: string | undefined;
  for (const line of lines) {
    if (!line.trim()) continue;
    const indent = indentOf(line);
    const step = before !== undefined && indent.startsWith(before) ? indent.slice(before.length) : '';
    // One space more is how comments are aligned.
    if (step === '\t' || /^ {2,8}$/.test(step)) counts.set(step, (counts.get(step) ?? 0) + 1);
    before = indent;
  }
  let best: string | undefined;
  for (const [step, count] of counts) if (count > (counts.get(best ?? '') ?? 0)) best = step;
  return best;
}

/** Widths that one tab may stand for, the one that the pairs themselves show first. */
function units(pairs: readonly [string, string][]): number[] {
  const seen: number[] = [];
  for (const [a, b] of pairs) {
    const [tabbed, spaced] = a.includes('\t') ? [a, b] : [b, a];
    const tabs = tabbed.length - tabbed.replaceAll('\t', '').length;
    if (tabs > 0 && !spaced.includes('\t') && spaced.length % tabs === 0 && spaced.length > 0)
      seen.push(spaced.length / tabs);
  }
  return [...new Set([...seen, 4, 2, 8, 3])];
}

/** How much wider the file's steps are than the model's, where two lines show it. */
function scale(pairs: readonly [string, string][]): number | undefined {
  const [base, target] = pairs[0]!;
  for (const [from, to] of pairs) {
    if (from.length !== base.length) return (to.length - target.length) / (from.length - base.length) || undefined;
  }
  return undefined;
}
