import { expect, it } from 'vitest';
import { contextUse } from '../../../core/compaction/context-use.ts';
import { WindowKeeper } from '../../../core/compaction/window-keeper.ts';
import type { Entry } from '../../../core/history.ts';

it('divides the window by who filled it, by the estimate that compaction uses', () => {
  const system = `${'r'.repeat(400)}\nInstructions from /p/AGENTS.md:\n${'i'.repeat(800)}`;
  const entry = (from: Entry['from'], role: 'user' | 'assistant' | 'system', content: string): Entry => ({
    message: { role, content },
    seq: 1,
    from,
  });
  const entries = [
    entry('system', 'system', system),
    entry('prompt', 'user', 'w'.repeat(400)),
    entry('assistant', 'assistant', 'a'.repeat(2000)),
  ];
  const keeper = new WindowKeeper({ contextTokens: 8000, tools: 4000 });
  const { window, limit, used, total } = contextUse(entries, system, keeper);
  expect({ window, limit }).toEqual({ window: 8000, limit: 6000 });
  expect(used.tools).toBe(1000);
  expect(used.instructions).toBeGreaterThanOrEqual(200);
  expect(used['system prompt']).toBeLessThan(150);
  expect([used.answers > used['your words'], used.results, used.summary]).toEqual([true, 0, 0]);
  expect(total).toBe(Object.values(used).reduce((sum, one) => sum + one, 0));
  expect(contextUse(entries, system, new WindowKeeper({ contextTokens: null, compactAt: 0, tools: 0 }))).toMatchObject({
    window: null,
    limit: null,
  });
});
