/** A summary that cannot be asked for: nothing is lost for an error while the window still holds the conversation. */
import { describe, expect, it } from 'vitest';
import { compact } from '../../../core/compaction/compact.ts';
import { WindowRoom } from '../../../core/window-room.ts';
import { GOOD, said, session, sessionWith, user } from './sessions.ts';

const talk = (turns: number) =>
  Array.from({ length: turns }, (_, i) => [
    user(`Question ${i}. ${'a '.repeat(400)}`),
    said('b '.repeat(1_000)),
  ]).flat();
const boom = new Error('500 boom');
const bodies = (turns: number) => [session, ...talk(turns), user('go on')];
const roomOf = (made: ReturnType<typeof sessionWith>, compactAt = 0.5) =>
  new WindowRoom({ contextTokens: 16_384, tools: 3_000, compactAt, model: 'm' }, made.port);

describe('a summary that failed', () => {
  it('leaves the conversation as it is, says the error, and is asked for again in the next turn', async () => {
    const made = sessionWith(bodies(13), [boom, GOOD]);
    const room = roomOf(made);
    const first = new AbortController();
    expect(await room.make(first.signal, { force: false })).toBeUndefined();
    expect(made.events.at(-1)).toMatchObject({ type: 'notice', level: 'warning' });
    expect(made.events.at(-1)).toMatchObject({ text: expect.stringMatching(/500 boom.*goes on whole/) });
    expect(made.events.some(({ type }) => type === 'compaction')).toBe(false);
    // Once a turn.
    await room.make(first.signal, { force: false });
    expect(made.asked).toHaveLength(1);
    await room.make(new AbortController().signal, { force: false });
    expect(made.events.find(({ type }) => type === 'compaction')).toMatchObject({
      summary: expect.stringMatching(/table/),
    });
  });

  it('is told to a person who asked for it', async () => {
    const made = sessionWith(bodies(13), [boom]);
    const why = await roomOf(made).make(new AbortController().signal, { force: true, asked: true });
    expect(why).toBe('Nothing was left out: 500 boom');
    expect(made.events.some(({ type }) => type === 'compaction')).toBe(false);
  });

  it.each([
    ['the server refused the conversation', true, 16_384],
    ['the window cannot hold it', false, 9_000],
  ])('stands back for what the log knows where %s', async (_, force, window) => {
    const made = sessionWith(bodies(13), [boom, boom]);
    const budget = { window, limit: window * 0.5, tokensPerCharacter: 0.25, tools: 3_000 };
    expect(await compact(made.port, { ...made.options, budget, force })).toMatchObject({ kind: 'done' });
    const notice = made.events.find(({ type }) => type === 'notice');
    expect(notice).toMatchObject({
      text: expect.stringMatching(/^the summary failed \(500 boom\): what the log knows/),
    });
  });

  it('counts what a first answer took before the repair failed', async () => {
    const made = sessionWith(bodies(13), ['', boom]);
    const budget = { window: 16_384, limit: 8_000, tokensPerCharacter: 0.25, tools: 3_000 };
    expect(await compact(made.port, { ...made.options, budget })).toEqual({ kind: 'failed', why: '500 boom' });
    expect(made.events.at(-1)).toMatchObject({ type: 'notice', usage: { input: 1_000, output: 50 } });
  });
});
