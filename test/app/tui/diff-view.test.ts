import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderDiff } from '../../../app/tui/diff-view.ts';
import { width } from '../../../app/tui/text/cells.ts';
import { bare, expectGolden, fixture } from './golden-file.ts';

const plain = (patch: string, columns = 50): string[] => renderDiff(patch, columns, 'none').map(bare);

it('names files in folders that are called a and b', () => {
  const shown = (from: string, to: string) => renderDiff(`--- ${from}\n+++ ${to}\n@@ -0,0 +1 @@\n+x\n`, 80, 'none')[0];
  expect(shown('/dev/null', 'b/x.ts')).toContain('b/x.ts (new)');
  expect(shown('b/x.ts', 'b/x.ts')).toContain('b/x.ts');
  expect(shown('a/x.ts', 'a/x.ts')).toContain('a/x.ts');
});

describe('a diff', () => {
  it.each([40, 60, 80, 120])('at %i columns', (columns) => {
    expectGolden(`diff-${columns}.txt`, columns, renderDiff(fixture('sample.patch'), columns, 'dark'));
  });

  it('without colour', () => {
    expectGolden('diff-none-60.txt', 60, renderDiff(fixture('sample.patch'), 60, 'none'));
  });

  it('takes a removed line that looks like a header as a line', () => {
    const patch = '--- a.sql\n+++ a.sql\n@@ -1,3 +1,2 @@\n one\n--- two\n+++ three\n-four\n';
    expect(plain(patch)).toEqual([
      'a.sql  +1 −2',
      '@@ -1,3 +1,2 @@',
      ...['1   one', '2 - -- two', '2 + ++ three', '3 - four'],
    ]);
  });

  it('counts lines that are left out, and finds the next file behind them', () => {
    const patch = [
      '--- a.txt\n+++ a.txt\n@@ -1,9 +1,8 @@\n-one\n\\ 7 more removed lines are not shown\n+two',
      '\\ 6 more added lines are not shown\n same',
      '--- b.txt\n+++ b.txt\n@@ -1,5 +1,5 @@\n-x\n\\ the rest of this diff is not shown: 4 removed, 5 added lines',
      '--- c.txt\n+++ c.txt\n@@ -1 +1 @@\n-x\n+y\n',
    ].join('\n');
    expect(plain(patch)).toEqual([
      'a.txt  +7 −8',
      '@@ -1,9 +1,8 @@',
      ...['1 - one', '7 more removed lines are not shown', '1 + two', '6 more added lines are not shown', '8   same'],
      ...['', 'b.txt  +5 −5', '@@ -1,5 +1,5 @@', '1 - x'],
      ...['the rest of this diff is not shown: 4 removed, 5', 'added lines'],
      ...['', 'c.txt  +1 −1', '@@ -1 +1 @@', '1 - x', '1 + y'],
    ]);
  });

  it('tells created, deleted and renamed files', () => {
    const patch = [
      'diff --git a/new.txt b/new.txt\nnew file mode 100644\nindex 000..111\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x',
      '--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file',
      '--- a/one.txt\n+++ b/two.txt\n@@ -1 +1 @@\n-x\n+y',
      'Binary files a/x.png and b/x.png differ\n',
    ].join('\n');
    expect(plain(patch)).toEqual([
      ...['new file mode 100644', '', 'new.txt (new)  +1 −0', '@@ -0,0 +1 @@', '1 + x', ''],
      ...['old.txt (deleted)  +0 −1', '@@ -1 +0,0 @@', '1 - x', 'No newline at end of file', ''],
      ...['one.txt → two.txt  +1 −1', '@@ -1 +1 @@', '1 - x', '1 + y', 'Binary files a/x.png and b/x.png differ'],
    ]);
  });

  it('breaks long lines with a mark and loses nothing of them', () => {
    const line = 'const 漢字 = "a line that is far too long for this pane";';
    const rows = plain(`--- a\n+++ a\n@@ -1 +1 @@\n-${line}\n+x\n`, 30).slice(2, -1);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows[0]).toMatch(/^1 - /);
    for (const row of rows.slice(1)) expect(row).toMatch(/^ {2}⋮ /);
    expect(rows.map((row) => row.slice(4)).join('')).toBe(line);
  });

  it('shows carriage returns only where they are the difference', () => {
    const hunk = '--- a\n+++ a\n@@ -1 +1 @@\n';
    expect(plain(`${hunk}-x\r\n+y\r\n`).slice(2)).toEqual(['1 - x', '1 + y']);
    expect(plain(`${hunk}-x\r\n+x\n`).slice(2)).toEqual(['1 - x␍', '1 + x']);
  });

  it('shows control characters as signs, in text and in names', () => {
    const rows = plain('--- a\x1b]0;x\x07\n+++ a\x1b]0;x\x07\n@@ -1 +1 @@ \x9b2J\n-\x1b[2Jx\n+\u202eyz\n');
    expect(rows.join('\n')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(rows[0]).toContain('␛]0;x␇');
    expect(rows[2]).toBe('1 - ␛[2Jx');
  });

  it('shows what is no patch as its text', () => {
    expect(plain('nothing to see')).toEqual(['nothing to see']);
    expect(plain('')).toEqual([]);
    expect(plain('@@ -1 +1 @@\n-a\n+b')).toEqual(['+1 −1', '@@ -1 +1 @@', '1 - a', '1 + b']);
  });

  it('never gets wider than its pane', () => {
    const bits = fc.constantFrom(
      '--- a/x\n',
      '+++ b/x\n',
      '@@ -1,9 +1,9 @@\n',
      '+',
      '-',
      ' ',
      '\\',
      'words and words',
      '漢字',
      '\t',
      '\n',
      '\r\n',
      '\x1b[2J',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), fc.integer({ min: 5, max: 70 }), (parts, columns) => {
        for (const row of renderDiff(parts.join(''), columns, 'light')) {
          expect(width(row)).toBeLessThanOrEqual(columns);
          expect(bare(row)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
        }
      }),
      { numRuns: 300 },
    );
  });
});
