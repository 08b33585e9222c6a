import { describe, expect, it } from 'vitest';
import { compact, stuckMessage } from '../../../core/compaction/compact.ts';
import { charactersOf } from '../../../core/compaction/size.ts';
import { history } from '../../../core/history.ts';
import { costOf } from '../../../core/served.ts';
import type { StoredBody, StoredEvent } from '../../../core/types.ts';
import type { IRMessage } from '../../../providers/ir.ts';
import { budget, fold, GOOD, reads, said, session, sessionWith, tokensOf, user } from './sessions.ts';

describe('compact', () => {
  const turns = Array.from({ length: 40 }, (_, i) => [user(`question ${i} ${'w'.repeat(300)}`), said('a'.repeat(600))]);
  const bodies = [
    session,
    ...turns.flat(),
    { type: 'todos', items: [{ text: 'write the test', status: 'pending' }] } as StoredBody,
    user('ship it'),
  ];

  it('asks the model behind the same messages and adds what the log knows', async () => {
    const { port, events, asked, options } = sessionWith(bodies, [GOOD]);
    const before = history(events);
    const result = await compact(port, { ...options, keep: 'the name of the branch' });
    expect(result).toMatchObject({ kind: 'done', summarised: true });
    expect(asked).toHaveLength(1);
    expect(asked[0]!.messages.slice(0, -1)).toEqual(before);
    expect(JSON.stringify(asked[0]!.messages.at(-1))).toContain('the name of the branch');
    const after = history(events);
    const text = JSON.stringify(after);
    for (const part of ['Fix the parser, never push.', 'write the test', 'question 0 ', 'ship it', 'Mode: ask'])
      expect(text.includes(part), part).toBe(true);
    expect(after[0]).toEqual(before[0]);
    expect(tokensOf(fold(events).entries(), budget)).toBeLessThan(budget.limit);
  });

  it('lets a poor summary be repaired once', async () => {
    const { port, asked, events, options } = sessionWith(bodies, ['I did things.', GOOD]);
    await compact(port, options);
    expect(asked).toHaveLength(2);
    expect(JSON.stringify(asked[1]!.messages.at(-1))).toContain('## Goal');
    expect(JSON.stringify(events.at(-1))).toContain('Use a table.');
  });

  const REFUSAL = "I'm sorry, I can't help with that. As a model I am not able to continue this conversation.";
  const summaryOf = (events: readonly StoredEvent[]) => {
    const last = events.findLast((event) => event.type === 'compaction');
    return last?.type === 'compaction' ? last.summary : '';
  };

  it.each([
    ['nothing', '', ''],
    ['a refusal, twice', REFUSAL, REFUSAL],
    ['chatter', 'Sure! Here is the file that you wanted, it is all in there, have a look.', REFUSAL],
  ])('goes on with what the log knows where the model gives %s, and says so', async (_, ...answers) => {
    const { port, events, options } = sessionWith(bodies, answers);
    expect(await compact(port, options)).toMatchObject({ kind: 'done' });
    expect(summaryOf(events)).toContain('question 25');
    for (const answer of answers.filter(Boolean)) expect(summaryOf(events)).not.toContain(answer);
    expect(events.filter((event) => event.type === 'notice')).toHaveLength(1);
  });

  it('takes the better of two answers', async () => {
    const first = GOOD.replace(/## Done[^#]*/, '');
    for (const second of [REFUSAL, '## Goal\nSomething else, in many words that say nothing of what was wanted.']) {
      const { port, events, asked, options } = sessionWith(bodies, [first, second]);
      await compact(port, options);
      expect(asked).toHaveLength(2);
      expect(summaryOf(events)).toContain('Use a table.');
      expect(summaryOf(events)).not.toContain(second);
      expect(events.some((event) => event.type === 'notice')).toBe(false);
    }
  });

  it('keeps what the model wrote before where it gives nothing now, and one summary', async () => {
    const { port, events, options } = sessionWith(bodies, [GOOD]);
    await compact(port, options);
    for (const body of turns.flat()) events.push({ ...body, seq: events.length + 1, time: 0 });
    await compact(port, options);
    const text = JSON.stringify(history(events));
    expect(text.split('Older messages were left out')).toHaveLength(2);
    expect(text.split('Use a table.')).toHaveLength(2);
  });

  it('shortens results where the server refused the whole, or the window does not hold it', async () => {
    const long = [session, user('read it all'), ...reads(12, 4_000), ...turns.flat(), user('ship it')];
    const sizeOf = (messages: readonly IRMessage[]) => messages.reduce((sum, one) => sum + charactersOf(one), 0);
    const roomy = { ...budget, window: 40_000, limit: 8_000 };
    for (const [more, isShort] of [
      [{ budget: roomy }, false],
      [{ budget: roomy, force: true, asked: true }, false],
      [{ budget: roomy, force: true }, true],
      [{ budget: { ...roomy, window: 16_000 }, force: true, asked: true }, true],
    ] as const) {
      const { port, asked, events, options } = sessionWith(long, [GOOD]);
      const before = sizeOf(history(events));
      expect(await compact(port, { ...options, ...more })).toMatchObject({ summarised: true });
      expect(asked).toHaveLength(1);
      const sent = sizeOf(asked[0]!.messages);
      expect(isShort ? sent < before - 12 * 3_000 : sent > before, JSON.stringify(more)).toBe(true);
      expect(summaryOf(events)).toContain('Use a table.');
    }
  });

  it('changes nothing when it is stopped', async () => {
    const made = sessionWith(bodies, [new Error('stopped')], () => made.controller.abort());
    const count = made.events.length;
    expect(await compact(made.port, made.options)).toEqual({ kind: 'aborted' });
    expect(made.events).toHaveLength(count);
  });

  it('counts what was answered before it was stopped', async () => {
    for (const asked of [false, true]) {
      const made = sessionWith(bodies, ['I did things.', new Error('stopped')], () => {
        if (made.asked.length === 2) made.controller.abort();
      });
      const { port, events, options } = made;
      const before = history(events);
      expect(await compact(port, { ...options, asked })).toEqual({ kind: 'aborted' });
      expect(events.at(-1)).toMatchObject({ type: 'notice', usage: { input: 1_000, output: 50, cost: 0.5 } });
      expect(port.state.usage.cost).toBe(asked ? null : 0.5);
      expect(costOf(events.at(-1)!)).toBe(asked ? 0.5 : null);
      expect(history(events)).toEqual(before);
    }
  });

  it('tells what is left, as it is sent', async () => {
    const { port, events, options } = sessionWith(bodies, [GOOD]);
    const result = await compact(port, options);
    const sent = tokensOf(fold(events).entries(), options.budget);
    expect(Math.abs((result as { after: number }).after - sent)).toBeLessThan(30);
  });

  it('counts what the summary took: to the turn, and to none where a person asked for it between turns', async () => {
    for (const asked of [false, true]) {
      const { port, events, options } = sessionWith(bodies, ['I did things.', GOOD]);
      await compact(port, { ...options, asked });
      const event = events.findLast(({ type }) => type === 'compaction')!;
      expect(event).toMatchObject({ usage: { input: 2_000, output: 100, cost: 1 }, ...(asked && { asked }) });
      expect(port.state.usage.cost).toBe(asked ? null : 1);
      expect(costOf(event)).toBe(asked ? 1 : null);
    }
  });
});

it('what cannot be helped is told with what is too long', () => {
  const sizes = { system: 900, tools: 400, prompt: 9_000, newest: 0 };
  const pasted = stuckMessage({ before: 10_300, sizes }, budget);
  for (const part of ['10300', '8192', 'your prompt 9000', 'Shorten the prompt', '/model'])
    expect(pasted).toContain(part);
  expect(pasted).not.toContain('AGENTS.md');
  expect(stuckMessage({ before: 10_300, sizes: { ...sizes, system: 9_001 } }, budget)).toContain('Shorten AGENTS.md');
});
