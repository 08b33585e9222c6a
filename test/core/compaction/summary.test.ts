import { describe, expect, it } from 'vitest';
import { lacking, summaryRequest, wholeSummary, writtenIn } from '../../../core/compaction/summary.ts';
import { SummaryFacts } from '../../../core/compaction/summary-facts.ts';
import { emptyState, reduce } from '../../../core/state.ts';
import type { StoredBody } from '../../../core/types.ts';
import { GOOD, numbered, session, user } from './sessions.ts';

describe('wholeSummary', () => {
  const events = numbered([
    session,
    user('first: build the parser'),
    ...Array.from({ length: 20 }, (_, i): StoredBody[] => [
      user(`wish ${i} ${'w'.repeat(300)}`),
      {
        type: 'tool_result',
        id: `e${i}`,
        name: 'edit_file',
        output: 'ok',
        isError: false,
        display: { kind: 'diff', path: `src/${i}.ts`, patch: '', added: 1, removed: 0 },
      },
    ]).flat(),
    {
      type: 'todos',
      items: [
        { text: 'read', status: 'done' },
        { text: 'write the test', status: 'pending' },
      ],
    } as StoredBody,
  ]);
  const facts = new SummaryFacts(() => events);
  for (const event of events) facts.add(event);
  const state = events.reduce(reduce, emptyState());
  const written = `${GOOD}\n${'A further fact. '.repeat(300)}`;

  it.each([500, 800, 1_500, 4_000])('keeps within %i characters and tells of everything', (room) => {
    const text = wholeSummary(written, facts, 99, state, room);
    expect(text.length).toBeLessThanOrEqual(room);
    for (const part of ['## Goal', 'first: ', 'src/19.ts', 'write the test', 'Mode: ask'])
      expect(text.includes(part), part).toBe(true);
  });

  it('tells what binds before what is only newer, each as often as room is made', () => {
    const talk = numbered([
      session,
      user('build the parser'),
      ...Array.from({ length: 90 }, (_, i) =>
        user(i % 5 === 0 ? `file ${i} must never be touched` : `look at part ${i} ${'w'.repeat(60)}`),
      ),
    ]);
    const known = new SummaryFacts(() => talk);
    for (const event of talk) known.add(event);
    const text = wholeSummary(GOOD, known, 999, state, 2_400);
    expect(text.length).toBeLessThanOrEqual(2_400);
    for (let i = 0; i < 90; i += 5) expect(text).toContain(`file ${i} must never be touched`);
    expect(text).toContain('part 89 ');
    expect(text).not.toContain('part 61 ');
    expect(text.indexOf('file 5 ')).toBeLessThan(text.indexOf('file 85 '));
  });

  it('keeps of a long prompt also what binds at its end', () => {
    const known = new SummaryFacts(() => []);
    const prompt = `Look at this:\n${'a line of a log\n'.repeat(100)}\nNever change the lexer. Thanks.`;
    for (const event of numbered([session, user(prompt)])) known.add(event);
    expect(known.promptsBefore(99)[0]).toMatch(/^Look at this:.* \[…\] Never change the lexer\.$/s);
    expect(known.promptsBefore(99)[0]!.length).toBeLessThan(450);
  });

  it('says where there was something to see with a prompt', () => {
    const known = new SummaryFacts(() => []);
    const image = { type: 'image' as const, source: { type: 'base64' as const, mediaType: 'image/png', data: 'aGk=' } };
    const seen = (text: string, count: number): StoredBody => ({
      type: 'user',
      text,
      images: Array(count).fill(image),
    });
    for (const event of numbered([session, seen('look at this picture', 1), seen('', 1), seen('compare', 2)]))
      known.add(event);
    expect(known.promptsBefore(99)).toEqual([
      'look at this picture [an image was here]',
      '[an image was here]',
      'compare [2 images were here]',
    ]);
  });

  it('knows its own part again', () => {
    expect(writtenIn(wholeSummary(GOOD, facts, 99, state))).toBe(GOOD);
    expect(writtenIn(wholeSummary(undefined, facts, 99, state))).toBeUndefined();
    expect(writtenIn('something else')).toBeUndefined();
  });

  it('leaves nothing out where there is room', () => {
    const text = wholeSummary(GOOD, facts, 99, state);
    for (const part of [GOOD, 'wish 19', 'wish 8 ', '- src/0.ts (one change)', '- [done] read'])
      expect(text.includes(part), part).toBe(true);
  });
});

describe('lacking', () => {
  it('wants every heading and some facts', () => {
    expect(lacking(GOOD)).toBeUndefined();
    expect(lacking(GOOD.replace('## Goal', '**Goal**'))).toBeUndefined();
    expect(lacking('## Goal\nx')).toContain('## Decisions');
    expect(lacking('## Goal\n## Decisions\n## Done\n## Next step')).toContain('too little');
  });
});

it.each([
  [undefined, undefined],
  ['  ', undefined],
  ['the name of the branch', 'Above all keep: the name of the branch'],
  ['keep the database decision', 'Above all keep: the database decision'],
])('what a person wants to be kept is said once: %s', (keep, said) => {
  const text = summaryRequest(keep);
  if (said) expect(text).toContain(said);
  expect(text.split('keep').length - 1).toBe(said ? 1 : 0);
});
