import { describe, expect, it } from 'vitest';
import { compact } from '../../../core/compaction/compact.ts';
import { history } from '../../../core/history.ts';
import type { StoredBody } from '../../../core/types.ts';
import { GOOD, said, served, session, sessionWith, user } from './sessions.ts';

const BODY = `Skill ledger-care. Relative paths in it start at /s.\n\nPost each amount twice. ${'Check the sums. '.repeat(60)}`;
function loads(output: string, name = 'use_skill', late = false): StoredBody[] {
  const input = { name: 'ledger-care' };
  const call = late ? { name: 'use_tool', input: { name, input } } : { name, input };
  return [
    { type: 'assistant', content: [{ type: 'tool_use', id: 'load', ...call }], finish: 'tool_use', served },
    { type: 'tool_call', id: 'load', name, detail: 'ledger-care', input },
    { type: 'tool_result', id: 'load', name, output, isError: false },
  ];
}
const talk = Array.from({ length: 40 }, (_, i) => [
  user(`question ${i} ${'w'.repeat(300)}`),
  said('a'.repeat(600)),
]).flat();
const count = (events: Parameters<typeof history>[0], text: string) =>
  JSON.stringify(history(events)).split(JSON.stringify(text).slice(1, -1)).length - 1;

describe('a skill that the model loaded', () => {
  it.each([false, true])(
    'stays word for word when room is made, once, also the second time (late: %s)',
    async (late) => {
      const { port, events, options } = sessionWith(
        [session, user('go'), ...loads(BODY, 'use_skill', late), ...talk],
        [GOOD, GOOD],
      );
      await compact(port, options);
      expect(count(events, BODY)).toBe(1);
      for (const body of talk) port.append(body);
      await compact(port, options);
      expect(count(events, BODY)).toBe(1);
    },
  );

  it('is named where its text takes too much of the window', async () => {
    const long = BODY + 'x'.repeat(8_000);
    const { port, events, options } = sessionWith([session, user('go'), ...loads(long), ...talk.slice(0, 60)], [GOOD]);
    await compact(port, { ...options, force: true });
    expect(count(events, long)).toBe(0);
    expect(JSON.stringify(history(events))).toMatch(
      /The skill ledger-care, which you loaded, is in force.*Load it again/,
    );
  });

  it('is none that only looks like it', async () => {
    const { port, events, options } = sessionWith([session, user('go'), ...loads(BODY, 'bash'), ...talk], [GOOD]);
    await compact(port, options);
    expect(count(events, BODY)).toBe(0);
    expect(events.filter(({ type }) => type === 'note')).toEqual([]);
  });
});
