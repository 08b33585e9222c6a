import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff } from '../../../../core/tools/files/line-diff.ts';

const numbers = (count: number, shown = (n: number) => `${n}`) =>
  Array.from({ length: count }, (_, i) => `${shown(i + 1)}\n`).join('');

describe('lineDiff', () => {
  it('gives a patch that makes the new text of the old one, with its counts', async () => {
    const line = fc.constantFrom('a', 'b', 'c', '', 'a b');
    const text = fc
      .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
      .map(([lines, open]) => lines.join('\n') + (open || lines.length === 0 ? '' : '\n'));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const { patch, added, removed } = await lineDiff('f', before, after);
        expect(patch === '').toBe(before === after);
        if (before !== after) expect(applyPatch(before, patch)).toBe(after);
        const body = patch.split('\n').slice(2);
        expect(body.filter((row) => row.startsWith('+'))).toHaveLength(added);
        expect(body.filter((row) => row.startsWith('-'))).toHaveLength(removed);
      }),
      { numRuns: 400 },
    );
  });

  it('counts exactly where the texts are large and few lines differ', async () => {
    const lines = numbers(300_000).split('\n');
    const before = lines.join('\n');
    for (const at of [2, 150_000, 299_998]) lines[at] = 'new';
    lines.splice(200_000, 0, 'one', 'more');
    const { patch, added, removed } = await lineDiff('f', before, lines.join('\n'));
    expect([added, removed]).toEqual([5, 3]);
    expect(patch.match(/^@@ .*$/gm)).toEqual([
      '@@ -1,6 +1,6 @@',
      '@@ -149998,7 +149998,7 @@',
      '@@ -199998,6 +199998,8 @@',
      '@@ -299996,5 +299998,5 @@',
    ]);
  });

  it('compares place by place where very many lines of a text are others', async () => {
    const before = numbers(130_000, (n) => (n % 10 ? `line ${n}` : `old ${n}`));
    const { patch, added, removed } = await lineDiff('f', before, before.replaceAll('old', 'new'));
    expect([added, removed]).toEqual([13_000, 13_000]);
    expect(patch.split('\n').length).toBeLessThan(5_000);
    expect(patch).toMatch(/\\ the rest of this diff is not shown: \d+ removed, \d+ added lines\n$/);
  });

  it('shows the beginning of both sides of a large change, and says how much it leaves out', async () => {
    const { patch, added, removed } = await lineDiff(
      'f',
      numbers(130_000),
      numbers(140_000, (n) => `n${n}`),
    );
    expect([added, removed]).toEqual([140_000, 130_000]);
    const rows = patch.split('\n');
    expect(rows.filter((row) => /^-\d/.test(row))).toHaveLength(2000);
    expect(rows.filter((row) => /^\+n/.test(row))).toHaveLength(2000);
    expect(patch).toContain('\\ 128000 more removed lines are not shown\n');
    expect(patch).toContain('\\ 138000 more added lines are not shown\n');
  });

  it('takes a file of a great many lines that is made, emptied or replaced by one line', async () => {
    const many = 'abc\n'.repeat(3_000_000);
    expect(await lineDiff('f', '', many, { created: true })).toMatchObject({ added: 3_000_000, removed: 0 });
    expect(await lineDiff('f', many, '')).toMatchObject({ added: 0, removed: 3_000_000 });
    const replaced = await lineDiff('f', many, 'x\n');
    expect(replaced).toMatchObject({ added: 1, removed: 3_000_000 });
    expect(replaced.patch).toContain('\n+x\n');
    expect(replaced.patch.length).toBeLessThan(500_000);
  });

  it('lets other work go on while it compares large texts', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    count();
    await lineDiff('f', 'abc\n'.repeat(4_000_000), 'abd\n'.repeat(4_000_000));
    isDone = true;
    expect(turns).toBeGreaterThan(10);
  });

  it('shows of a very long line the part that differs', async () => {
    const before = `head\n${'a'.repeat(3_000_000)}old${'z'.repeat(1_000_000)}\ntail\n`;
    const { patch, added, removed } = await lineDiff('f', before, before.replace('old', 'new'));
    expect([added, removed]).toEqual([1, 1]);
    expect(patch).toMatch(/^-…a+oldz+…$/m);
    expect(patch).toMatch(/^\+…a+newz+…$/m);
    expect(patch).toContain('\\ 3980003 characters of this line are not shown\n');
    expect(patch.length).toBeLessThan(100_000);
  });

  it('cuts no secret in two where it shortens a line', async () => {
    const secret = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;
    const line = `${'x '.repeat(9_990)}${secret} ${'y '.repeat(9_990)}`;
    const { patch } = await lineDiff('f', '', `${line}\n`, { created: true });
    expect(patch).not.toContain('ghp_');
  });
});
