/** Search-and-replace cases of other editors: none may be done wrongly; what is refused must help. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../core/tools/edit/apply.ts';

const CASES = new URL('../../../shared/cases/edits/', import.meta.url);

describe.skipIf(!existsSync(CASES))('edits', () => {
  const rows = (file: string) =>
    readFileSync(new URL(file, CASES), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, any>);
  const edit = (row: Record<string, any>, old: string, fresh: string) =>
    applyEdits(Buffer.from(row.file), [{ old, new: fresh }]);

  it('what must be refused is, and nothing else', async () => {
    for (const row of rows('pi-edit.jsonl')) {
      const outcome = await edit(row, row.oldText, row.newText);
      expect('refused' in outcome, row.source).toBe(row.throws !== undefined);
      if (typeof row.expected === 'string' && 'after' in outcome) expect(outcome.after, row.source).toBe(row.expected);
    }
  });

  it('what needs tolerance is right or refused with the lines that are near', async () => {
    let right = 0;
    for (const row of rows('aider.jsonl').filter(({ fn }) => fn === 'replace_most_similar_chunk')) {
      const outcome = await edit(row, row.search, row.replace);
      if ('refused' in outcome) expect(outcome.refused).toMatch(/line/);
      else {
        expect(outcome.after, row.source).toBe(row.expected);
        right++;
      }
    }
    expect(right).toBeGreaterThanOrEqual(4);
  });

  it('whole lines in search blocks are replaced rightly or refused', async () => {
    const block =
      /<<<<<<< SEARCH>?[ \t]*\n(?::start_line:\s*\d+\n)?(?::end_line:\s*\d+\n)?(?:-------\n)?([\s\S]*?)=======\n([\s\S]*?)>>>>>>> REPLACE/g;
    let right = 0;
    for (const { fn, args, asserts, source } of rows('roo.jsonl')) {
      if (fn !== 'applyDiff') continue;
      const [file, diff] = args as [string, string];
      const edits = [...diff.matchAll(block)].map(([, old = '', fresh = '']) => ({ old, new: fresh }));
      const outcome = await applyEdits(Buffer.from(file), edits);
      const wanted = (asserts as { field: string; op: string; arg: unknown }[]).filter(({ op }) => op === 'toBe');
      if ('refused' in outcome) {
        expect(outcome.refused, source).toMatch(/line|empty|identical|No edit/);
        continue;
      }
      for (const { field, arg } of wanted) {
        if (field === 'success') expect(true, source).toBe(arg);
        // One row expects a line that neither its file nor its block has.
        const possible = String(arg)
          .split('\n')
          .every((line) => file.includes(line) || diff.includes(line));
        if (field === 'content' && possible) expect(outcome.after, source).toBe(arg);
      }
      right++;
    }
    expect(right).toBeGreaterThanOrEqual(25);
  });
});
