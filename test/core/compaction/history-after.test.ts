import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planCompaction } from '../../../core/compaction/plan.ts';
import { History, history } from '../../../core/history.ts';
import type { StoredBody } from '../../../core/types.ts';
import { budget, fold, numbered, reads, said, session, user } from './sessions.ts';

describe('history after compaction', () => {
  const long = [session, user('fix the parser'), ...reads(10, 4_000)];

  it('says in one line what was left out and keeps the newest results', () => {
    const events = numbered(long);
    const found = planCompaction(fold(events).entries(), budget);
    if (found.kind !== 'prune') throw new Error(found.kind);
    const { before, after, pruneBefore, clip } = found;
    const messages = history([
      ...events,
      { type: 'compaction', before, after, summary: '', pruneBefore, clip, seq: 99, time: 0 },
    ]);
    const text = JSON.stringify(messages);
    expect(text).toContain('[result of read_file src/0.ts: 1 lines, 4000 characters, left out to save room.');
    expect(JSON.stringify(messages.at(-1))).toContain('x'.repeat(1_000));
    expect(messages.length).toBe(history(events).length);
  });

  const anyBody = fc.oneof(
    fc.string({ maxLength: 40 }).map(user),
    fc.string({ maxLength: 300 }).map(said),
    fc.tuple(fc.nat(60), fc.nat(9_000)).map(([n, size]) => reads(1, size, n)),
    fc
      .constantFrom('skill', 'mode', 'todos')
      .map((about): StoredBody => ({ type: 'note', about, text: `note ${about}` }) as StoredBody),
    fc.record({ from: fc.nat(60), pruneBefore: fc.nat(60), clip: fc.nat(3_000) }).map(
      (fields): StoredBody => ({
        type: 'compaction',
        before: 2,
        after: 1,
        summary: 'what was',
        ...fields,
      }),
    ),
  );

  it('always keeps the system prompt, skills, the newest prompt and a result for each call', () => {
    fc.assert(
      fc.property(fc.array(anyBody, { maxLength: 30 }), (bodies) => {
        const events = numbered([session, ...bodies.flat()]);
        const entries = fold(events).entries();
        expect(entries[0]!.from).toBe('system');
        const prompt = events.findLast((event) => event.type === 'user' && event.text.trim());
        if (prompt) expect(entries.some(({ seq }) => seq === prompt.seq)).toBe(true);
        const skills = events.filter((event) => event.type === 'note' && event.about === 'skill');
        for (const { seq } of skills) expect(entries.some((entry) => entry.seq === seq)).toBe(true);
        entries.forEach((entry, i) => {
          if (entry.from === 'result') expect(['assistant', 'result']).toContain(entries[i - 1]!.from);
        });
        // However often it is measured on the way.
        const grown = new History(() => events);
        for (const event of events) {
          grown.add(event);
          grown.characters;
        }
        expect(grown.characters).toBe(fold(events).characters);
        // A replayed log says the same.
        expect(JSON.stringify(history(structuredClone(events)))).toBe(
          JSON.stringify(entries.map(({ message }) => message)),
        );
      }),
      { numRuns: 200 },
    );
  });
});
