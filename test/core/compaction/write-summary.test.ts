/** Summaries of conversations that no single request holds. */
import { describe, expect, it } from 'vitest';
import { compact } from '../../../core/compaction/compact.ts';
import { charactersOf } from '../../../core/compaction/size.ts';
import { transcript } from '../../../core/compaction/transcript.ts';
import { history } from '../../../core/history.ts';
import type { StoredBody } from '../../../core/types.ts';
import { OverflowError } from './overflow.ts';
import { budget, GOOD, said, session, sessionWith, user } from './sessions.ts';

/** Words alone, of so many characters an answer. */
const talk = (turns: number, size: number): StoredBody[] =>
  Array.from({ length: turns }, (_, i) => [user(`question ${i}`), said(`answer ${i} ${'a'.repeat(size)}`)]).flat();

describe('a conversation of words alone that the server refused as too long', () => {
  const bodies = [session, ...talk(30, 700), user('ship it')];
  const force = { force: true };

  it('is summarised by the model, told as text', async () => {
    const { port, events, asked, options } = sessionWith(bodies, [GOOD, GOOD]);
    const refused = history(events).reduce((sum, message) => sum + charactersOf(message), 0);
    expect(await compact(port, { ...options, ...force, keep: 'the branch' })).toMatchObject({ summarised: true });
    expect(asked).toHaveLength(2);
    for (const { messages } of asked)
      expect(messages.reduce((sum, message) => sum + charactersOf(message), 0)).toBeLessThan(refused * 0.75);
    const text = JSON.stringify(asked);
    for (const part of ['question 0', 'answer 0', 'question 15', 'answer 20', 'Part 2 of 2', 'the branch'])
      expect(text.includes(part), part).toBe(true);
    // The second answer goes on from the first.
    expect(JSON.stringify(asked[1])).toContain('Use a table.');
    expect(JSON.stringify(events.at(-1))).toContain('Use a table.');
    expect(events.some(({ type }) => type === 'notice')).toBe(false);
  });

  it('is told in smaller pieces where the server takes less', async () => {
    const { port, events, asked, options } = sessionWith(bodies, [new OverflowError(), GOOD, GOOD, GOOD, GOOD]);
    await compact(port, { ...options, ...force });
    const sizes = asked.map(({ messages }) => charactersOf(messages[0]!));
    expect(sizes[1]).toBeLessThan(sizes[0]! * 0.7);
    expect(asked.length).toBeLessThanOrEqual(5);
    expect(JSON.stringify(events.at(-1))).toContain('Use a table.');
  });

  it('is left to the log after two refusals, and where the model cannot be reached', async () => {
    for (const errors of [[new OverflowError(), new OverflowError()], [new Error('gone')]]) {
      const { port, events, asked, options } = sessionWith(bodies, [...errors, GOOD]);
      expect(await compact(port, { ...options, ...force })).toMatchObject({ kind: 'done' });
      expect(asked).toHaveLength(errors.length);
      expect(events.filter(({ type }) => type === 'notice')).toHaveLength(1);
      expect(JSON.stringify(events.at(-1))).toContain('question 0');
    }
  });
});

it('what the window does not hold is told in pieces that it holds, and counts', async () => {
  const { port, events, asked, options } = sessionWith(
    [session, ...talk(90, 700), user('ship it')],
    [GOOD, GOOD, GOOD],
  );
  await compact(port, { ...options, budget });
  expect(asked.length).toBeGreaterThan(1);
  for (const { messages, tools } of asked) {
    expect(tools).toBe(undefined);
    const size = messages.reduce((sum, message) => sum + charactersOf(message), 0);
    expect(size * budget.tokensPerCharacter).toBeLessThan(budget.window);
  }
  expect(events.at(-1)).toMatchObject({ type: 'compaction', usage: { input: asked.length * 1_000 } });
});

describe('transcript', () => {
  const messages = [
    { role: 'user' as const, content: 'Read it 😀.' },
    {
      role: 'assistant' as const,
      content: [
        { type: 'reasoning' as const, text: 'hm' },
        { type: 'tool_use' as const, id: 'c', name: 'read_file', input: { path: 'a.ts' } },
      ],
    },
    {
      role: 'tool' as const,
      content: [
        {
          type: 'tool_result' as const,
          toolUseId: 'c',
          name: 'read_file',
          content: [{ type: 'text' as const, text: `begin ${'😀'.repeat(4_000)} end` }],
          isError: true,
        },
      ],
    },
    { role: 'assistant' as const, content: 'Done.' },
  ];

  it('tells who said what, whole where there is room', () => {
    const [piece, ...others] = transcript(messages, 20_000, 4);
    expect(others).toEqual([]);
    expect(piece).toMatch(
      /^User: Read it 😀\.\n\nAssistant: \(calls read_file \{"path":"a.ts"\}\)\n\nResult: \(failed\) begin 😀+ end\n\nAssistant: Done\.$/u,
    );
  });

  it.each([
    [1_000, 1],
    [1_000, 4],
    [999, 3],
    [5_000, 2],
  ])('keeps to %i characters and %i pieces, and what is short stays whole', (limit, most) => {
    const pieces = transcript(messages, limit, most);
    expect(pieces.length).toBeLessThanOrEqual(most);
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(limit);
      expect(piece).not.toMatch(/\p{Cs}/u);
    }
    const text = pieces.join('');
    for (const part of ['Read it', 'a.ts', 'begin', ' end', 'Done.']) expect(text).toContain(part);
    expect(text.includes('characters left out')).toBe(limit * most < 8_000);
  });

  it('is nothing where nothing was said', () => expect(transcript([], 1_000, 4)).toEqual([]));
});
