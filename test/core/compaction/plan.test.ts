import { describe, expect, it } from 'vitest';
import { planCompaction } from '../../../core/compaction/plan.ts';
import type { Budget } from '../../../core/compaction/size.ts';
import type { StoredBody } from '../../../core/types.ts';
import { budget, fold, numbered, reads, said, served, session, tokensOf, user } from './sessions.ts';

describe('planCompaction', () => {
  const plan = (bodies: StoredBody[], force = false) =>
    planCompaction(fold(numbered([session, ...bodies])).entries(), budget, force);

  it('leaves alone what fits', () => {
    expect(plan([user('go'), ...reads(3, 2_000)])).toEqual({ kind: 'none' });
  });

  it('first leaves out old results', () => {
    const found = plan([user('go'), ...reads(10, 4_000)]);
    expect(found.kind).toBe('prune');
    if (found.kind === 'prune') expect(found.after).toBeLessThan(found.before);
  });

  it('leaves the newest result as long as there is room for it', () => {
    const found = plan([user('go'), ...reads(6, 2_000), ...reads(1, 18_000)]);
    if (found.kind !== 'prune') throw new Error(found.kind);
    expect(found.clip).toBeGreaterThan(9_000);
    expect(found.after).toBeLessThanOrEqual(Math.ceil(budget.limit * 0.7));
    expect(found.after).toBeGreaterThan(budget.limit * 0.6);
  });

  it('summarises what has no results to leave out', () => {
    const turns = Array.from({ length: 40 }, (_, i) => [
      user(`question ${i} ${'w'.repeat(300)}`),
      said('a'.repeat(600)),
    ]);
    expect(plan(turns.flat()).kind).toBe('summarise');
  });

  it('keeps the newest messages, up to a quarter of the window', () => {
    const turns = Array.from({ length: 40 }, (_, i) => [user(`question ${i}`), said('a'.repeat(900))]).flat();
    const events = numbered([session, ...turns]);
    const found = planCompaction(fold(events).entries(), budget);
    if (found.kind !== 'summarise') throw new Error(found.kind);
    const kept = fold(events)
      .entries()
      .filter(({ seq }) => seq >= found.from);
    const tokens = tokensOf(kept, { ...budget, tools: 0 });
    expect(tokens).toBeLessThanOrEqual(budget.window / 4);
    expect(tokens).toBeGreaterThan(budget.window / 8);
  });

  it('keeps a share of a limit that lies far below the window', () => {
    const events = numbered([
      session,
      ...Array.from({ length: 60 }, (_, i) => [user(`question ${i}`), said('a'.repeat(800))]).flat(),
    ]);
    const low: Budget = { ...budget, window: 131_072, limit: 6_000 };
    const found = planCompaction(fold(events).entries(), low);
    if (found.kind !== 'summarise') throw new Error(found.kind);
    const kept = fold(events)
      .entries()
      .filter(({ seq }) => seq >= found.from);
    const tokens = tokensOf(kept, { ...low, tools: 0 });
    expect(tokens).toBeLessThanOrEqual(2_000);
    expect(tokens).toBeGreaterThan(1_000);
    expect(found.after).toBeLessThan(low.limit);
  });

  it.each(
    [8_192, 16_384, 32_768, 131_072].flatMap((window) => [
      [window, window * 0.3],
      [window, window * 0.75],
      [window, window * 0.9],
      [window, 6_000],
      [window, Math.min(window, 12_000)],
    ]),
  )('keeps the newest words, a quarter of what counts, in a window of %i with room made at %i', (window, limit) => {
    const turns = Math.ceil((limit * 1.1 * 4) / 980);
    const events = numbered([
      { ...session, system: 'You are ada.' },
      ...Array.from({ length: turns }, (_, i) => [user(`question ${i}`), said('a'.repeat(880))]).flat(),
      user('ship it'),
    ]);
    const measure: Budget = { ...budget, window, limit, tools: 1_000 };
    const found = planCompaction(fold(events).entries(), measure);
    if (found.kind !== 'summarise') throw new Error(found.kind);
    const kept = fold(events)
      .entries()
      .filter(({ seq }) => seq >= found.from);
    const share = Math.min(window, limit / 0.75) / 4;
    const tokens = tokensOf(kept, { ...measure, tools: 0 });
    expect(tokens).toBeLessThanOrEqual(share);
    expect(tokens).toBeGreaterThan(share * 0.4);
    expect(JSON.stringify(kept.at(-1)!.message)).toContain('ship it');
    expect(found.after).toBeLessThan(limit * 0.8);
  });

  it('gives up with the sizes where what must stay is too much', () => {
    const found = plan([user('w'.repeat(40_000))]);
    expect(found.kind).toBe('stuck');
    if (found.kind === 'stuck') expect(found.sizes.prompt).toBeGreaterThan(9_000);
  });

  describe('in a small window', () => {
    const small: Budget = { window: 2_048, limit: 1_536, tokensPerCharacter: 0.25, tools: 2_532 };
    const planned = (bodies: StoredBody[], force = false) =>
      planCompaction(fold(numbered([{ ...session, system: 's'.repeat(1_240) }, ...bodies])).entries(), small, force);
    const three = [user('Read them.'), ...reads(3, 3_590), said('Read.'), user('And now?')];

    it.each([false, true])('does not give up where what must stay fits (forced: %s)', (force) => {
      const found = planned(three, force);
      expect(['prune', 'summarise']).toContain(found.kind);
      if (found.kind === 'prune' || found.kind === 'summarise') expect(found.after).toBeLessThan(1_946);
    });

    it('makes the summary as short as it must be', () => {
      const talk = Array.from({ length: 6 }, (_, i) => [
        user(`question ${i} ${'q'.repeat(200)}`),
        said('a'.repeat(300)),
      ]);
      const found = planned([...talk.flat(), user('And now?')]);
      if (found.kind !== 'summarise') throw new Error(found.kind);
      expect(found.room).toBeGreaterThanOrEqual(400);
      expect(found.room).toBeLessThan(1_500);
      expect(found.after).toBeLessThanOrEqual(small.limit);
    });

    it('keeps several results of one message together, each a part', () => {
      const ids = ['a', 'b', 'c'];
      const content = ids.map((id) => ({ type: 'tool_use' as const, id, name: 'read_file', input: { path: id } }));
      const results = ids.map(
        (id): StoredBody => ({ type: 'tool_result', id, name: 'read_file', output: 'x'.repeat(3_000), isError: false }),
      );
      const found = planned([user('go'), { type: 'assistant', content, finish: 'tool_use', served }, ...results]);
      if (found.kind !== 'prune') throw new Error(found.kind);
      expect(found.after).toBeLessThanOrEqual(small.window * 0.8);
      expect(found.clip).toBeGreaterThanOrEqual(400);
    });

    it('gives up where it does not', () => {
      expect(planned([user('w'.repeat(5_000))]).kind).toBe('stuck');
    });
  });

  it('makes room where the server says so, whatever was estimated', () => {
    expect(plan([user('go'), ...reads(6, 2_500)], true).kind).not.toBe('none');
    expect(plan([user('go')], true).kind).toBe('stuck');
  });
});
