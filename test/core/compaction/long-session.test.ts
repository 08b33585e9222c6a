/** How often room is made in a long conversation: a compaction leaves real room, whatever stays in front of it. */
import { describe, expect, it } from 'vitest';
import { FULL } from '../../../core/compaction/size.ts';
import type { StoredBody } from '../../../core/types.ts';
import { WindowRoom } from '../../../core/window-room.ts';
import { GOOD, reads, said, session, sessionWith, user } from './sessions.ts';

interface Sizes {
  window: number;
  /** Characters. */
  system: number;
  tools: number;
  /** Of the file that each turn reads; 0 for none. */
  read: number;
  compactAt?: number;
}

const TURNS = 100;

/** A hundred turns of a short prompt, perhaps a file that is read, and an answer of a paragraph. */
async function work({ window, system, tools, read, compactAt }: Sizes) {
  const written = `${GOOD}\n${'What was found. '.repeat(60)}`;
  const made = sessionWith([{ ...session, system: 's'.repeat(system) }], Array(TURNS * 2).fill(written));
  const room = new WindowRoom({ contextTokens: window, tools, compactAt, model: 'm' }, made.port);
  const { signal } = new AbortController();
  const problems: string[] = [];
  const makeRoom = async () => {
    const problem = await room.make(signal, { force: false });
    if (problem) problems.push(problem);
  };
  const add = (bodies: readonly StoredBody[]) => {
    for (const body of bodies) made.port.append(body);
  };
  for (let i = 0; i < TURNS; i++) {
    add([user(`question ${i} ${'q'.repeat(200)}`)]);
    await makeRoom();
    if (read) {
      add(reads(1, read, i));
      await makeRoom();
    }
    add([said('a'.repeat(600))]);
  }
  const compactions = made.events.filter((event) => event.type === 'compaction');
  const notices = made.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  return { compactions, notices, problems, made };
}

/** 8,000 tokens of AGENTS.md. */
const LARGE = 32_000;

describe('a hundred turns', () => {
  it.each<[Sizes, most: number]>([
    [{ window: 16_384, system: 6_000, tools: 12_000, read: 0 }, 8],
    [{ window: 16_384, system: 6_000, tools: 12_000, read: 1_500 }, 20],
    [{ window: 16_384, system: LARGE, tools: 12_000, read: 0 }, 12],
    [{ window: 16_384, system: LARGE, tools: 6_000, read: 600 }, 20],
    [{ window: 16_384, system: LARGE, tools: 12_000, read: 0, compactAt: 0.5 }, 12],
    [{ window: 16_384, system: LARGE, tools: 12_000, read: 0, compactAt: 5_000 }, 12],
    [{ window: 8_192, system: 16_000, tools: 6_000, read: 0 }, 20],
    [{ window: 131_072, system: 6_000, tools: 12_000, read: 4_000 }, 5],
  ])('%j: room is made at most %i times', async (sizes, most) => {
    const { compactions, problems } = await work(sizes);
    expect(problems).toEqual([]);
    expect(compactions.length).toBeGreaterThan(0);
    expect(compactions.length).toBeLessThanOrEqual(most);
    for (const { before, after } of compactions) {
      expect(before).toBeLessThanOrEqual(sizes.window);
      expect(after).toBeLessThan(before);
      expect(after).toBeLessThan(sizes.window * FULL);
    }
  });

  it('tell once, with sizes, that what is fixed takes more than half', async () => {
    const { notices, made } = await work({ window: 16_384, system: LARGE, tools: 12_000, read: 0 });
    expect(notices).toHaveLength(1);
    // Nor in a session that goes on.
    const count = made.events.length;
    const again = new WindowRoom({ contextTokens: 16_384, tools: 12_000, model: 'm' }, made.port);
    for (let i = 0; i < 30; i++) {
      made.port.append(user(`question ${i}`));
      await again.make(new AbortController().signal, { force: false });
      made.port.append(said('a'.repeat(600)));
    }
    const types = made.events.slice(count).map(({ type }) => type);
    expect(types).toContain('compaction');
    expect(types).not.toContain('notice');
    for (const part of ['16384', ' 8010,', ' 3000)', 'AGENTS.md', '/model']) expect(notices[0]).toContain(part);
    expect((await work({ window: 16_384, system: 6_000, tools: 12_000, read: 0 })).notices).toEqual([]);
  });
});
