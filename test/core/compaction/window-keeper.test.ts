import { describe, expect, it } from 'vitest';
import { WindowKeeper, type WindowOptions } from '../../../core/compaction/window-keeper.ts';

const keeper = (options: Partial<WindowOptions> = {}) =>
  new WindowKeeper({ contextTokens: 32_768, tools: 0, model: 'a', ...options });

/** Sends requests of so many characters; gives what was said of each count. */
const play = (watch: WindowKeeper, rounds: readonly [characters: number, counted: number | null][], reasoning = 0) =>
  rounds.map(([characters, counted]) => {
    watch.sends(characters, () => reasoning);
    return watch.counted(counted)?.text;
  });
const said = (notices: readonly (string | undefined)[]) => notices.map((notice) => notice !== undefined);

describe('what a character is worth', () => {
  it('is learned from what the server counts, tools included', () => {
    const watch = keeper({ tools: 2_000 });
    play(watch, [[8_000, 5_000]]);
    expect(watch.budget.tokensPerCharacter).toBe(0.5);
    expect(watch.isFull(46_000)).toBe(false);
    expect(watch.isFull(48_000)).toBe(true);
  });

  it('is a matter of each model, and comes back with it', () => {
    const watch = keeper();
    play(watch, [[10_000, 5_000]]);
    watch.change(8_192, 'b');
    expect(watch.budget).toMatchObject({ tokensPerCharacter: 0.25, window: 8_192 });
    play(watch, [[10_000, 2_000]]);
    watch.change(32_768, 'a');
    expect(watch.budget.tokensPerCharacter).toBe(0.5);
    watch.change(8_192, 'b');
    expect(watch.budget.tokensPerCharacter).toBe(0.2);
  });

  it.each<[string, number | null]>([
    ['nothing', null],
    ['zero', 0],
    ['far too little', 10],
    ['more than there are characters', 50_000],
  ])('is not learned from %s', (_, counted) => {
    const watch = keeper();
    expect(said(play(watch, [[10_000, counted]]))).toEqual([false]);
    expect(watch.budget.tokensPerCharacter).toBe(0.25);
  });
});

describe('a server that tells only what it had to read anew', () => {
  it('is recognised, believed no more, and not taken for one that cuts', () => {
    const watch = keeper();
    const notices = play(watch, [
      [8_000, 2_000],
      [9_000, 260],
      [21_000, 3_060],
      [33_000, 3_072],
      [34_000, 250],
    ]);
    expect(said(notices)).toEqual([false, false, false, false, false]);
    expect(watch.budget).toMatchObject({ tokensPerCharacter: 0.25, window: 32_768 });
  });

  it('also where the session goes on with a warm server', () => {
    const watch = keeper();
    const rounds: [number, number][] = [
      [80_000, 900],
      [82_000, 510],
      [90_000, 2_100],
      [90_500, 130],
    ];
    expect(said(play(watch, rounds))).toEqual([false, false, false, false]);
    expect(watch.budget.window).toBe(32_768);
  });

  it('also where each result is as long as the one before', () => {
    const watch = keeper();
    const rounds: [number, number][] = [
      [4_100, 1_165],
      [14_945, 3_089],
      [25_790, 3_089],
      [36_635, 3_089],
    ];
    expect(said(play(watch, rounds))).toEqual([false, false, false, false]);
    expect(watch.budget.window).toBe(32_768);
  });
});

describe('a server that cuts', () => {
  it('is told where the count is as round as windows are', () => {
    const widen = 'serve a larger window (its setting)';
    const watch = keeper({ contextTokens: null, widen });
    const [notice] = play(watch, [[32_000, 4_096]]);
    expect(notice).toMatch(
      /counted 4096 tokens of a prompt of about 8000: it seems to have cut it.*To have more, serve a larger window \(its setting\)\.$/,
    );
    expect(watch.budget).toMatchObject({ window: 4_096, limit: 3_072 });
    expect(watch.isFull(32_000)).toBe(true);
  });

  it.each([4_096, 2_048])(
    'is told at the first count that is a window of its own: %i of an estimate of 5,500',
    (served) => {
      const watch = keeper();
      const [notice] = play(watch, [[22_000, served]]);
      expect(notice).toContain(`counted ${served} tokens of a prompt of about 5500`);
      expect(watch.budget.window).toBe(served);
    },
  );

  it('is told where three whole prompts are followed by half a window', () => {
    const watch = keeper();
    const rounds: [number, number][] = [
      [4_100, 1_169],
      [14_945, 4_266],
      [25_790, 7_363],
      [36_635, 4_100],
    ];
    expect(said(play(watch, rounds))).toEqual([false, false, false, true]);
  });

  it('is not suspected where the count is a window by chance', () => {
    const watch = keeper();
    expect(said(play(watch, [[16_384, 4_096]]))).toEqual([false]);
    // Nor where it follows the conversation, at a number that it passes.
    const rounds: [number, number][] = [
      [14_400, 3_300],
      [18_400, 4_096],
      [20_400, 4_600],
    ];
    expect(said(play(keeper(), rounds))).toEqual([false, false, false]);
  });

  it.each([8_192, 8_190])('is told each time where the prompt fills the window: %i of 8192', (counted) => {
    const watch = keeper({ contextTokens: 8_192 });
    const [first, second] = play(watch, [
      [16_000, counted],
      [17_000, counted],
    ]);
    for (const notice of [first, second]) expect(notice).toMatch(/filled the window of 8192 tokens to the brim/);
    // The text is denser than was thought, and room is made for it.
    expect(watch.budget).toMatchObject({ window: 8_192 });
    expect(watch.budget.tokensPerCharacter).toBeGreaterThan(0.47);
    expect(watch.isFull(17_000)).toBe(true);
  });

  it('is told where counts no longer follow the conversation', () => {
    const watch = keeper({ contextTokens: null });
    const notices = play(watch, [
      [8_000, 2_000],
      [14_000, 3_500],
      [18_000, 3_911],
      [21_000, 3_650],
    ]);
    expect(said(notices)).toEqual([false, false, false, true]);
    expect(watch.budget.window).toBe(3_650);
  });

  it('is not suspected where a template leaves out old thinking', () => {
    const watch = keeper();
    // 24,000 characters of thinking are part of the second request, and none of the third's prompt.
    const notices = play(
      watch,
      [
        [8_000, 2_000],
        [40_000, 10_000],
        [41_000, 4_250],
        [44_000, 5_000],
      ],
      24_000,
    );
    expect(said(notices)).toEqual([false, false, false, false]);
    expect(watch.budget.window).toBe(32_768);
  });

  it('is not suspected right after room was made', () => {
    const watch = keeper();
    play(watch, [[60_000, 15_000]]);
    watch.rewritten();
    expect(
      said(
        play(watch, [
          [20_000, 5_000],
          [21_000, 5_250],
        ]),
      ),
    ).toEqual([false, false]);
  });

  it('is told at the first count that is a window and stays behind the conversation', () => {
    const watch = keeper({ contextTokens: 8_192 });
    const notices = play(watch, [
      [5_000, 1_250],
      [7_600, 1_900],
      [9_600, 2_048],
      [11_000, 2_048],
    ]);
    expect(said(notices)).toEqual([false, false, true, false]);
    expect(watch.budget.window).toBe(2_048);
    // What is known is said once.
    expect(said(play(watch, [[12_000, 2_048]]))).toEqual([false]);
  });

  it('is told where a quarter is missing and what is left is a window, once the estimate is a good one', () => {
    const rounds: [number, number][] = [
      [12_000, 3_600],
      [19_000, 4_092],
    ];
    expect(said(play(keeper({ contextTokens: null }), rounds))).toEqual([false, true]);
    // Without anything learned it may be the text that is other than usual.
    expect(said(play(keeper({ contextTokens: null }), rounds.slice(1)))).toEqual([false]);
    // Nor where it is no number of a window.
    expect(said(play(keeper({ contextTokens: null }), [rounds[0]!, [19_000, 4_600]]))).toEqual([false, false]);
  });

  it('is seen by a new process too, by the last count in the log', () => {
    const watch = keeper({ contextTokens: 8_192, before: { characters: 8_800, counted: 2_048 } });
    expect(said(play(watch, [[10_000, 2_040]]))).toEqual([true]);
    expect(watch.budget.window).toBe(2_040);
  });

  it('of a warm server that tells what it read anew, a new process suspects nothing', () => {
    const watch = keeper({ before: { characters: 90_500, counted: 3_060 } });
    const rounds: [number, number][] = [
      [91_000, 130],
      [103_000, 3_070],
      [103_600, 151],
    ];
    expect(said(play(watch, rounds))).toEqual([false, false, false]);
    expect(watch.budget).toMatchObject({ tokensPerCharacter: 0.25, window: 32_768 });
  });
});

describe('what an earlier process learned', () => {
  const cut = { tokens: 2_048, asked: 8_192 };
  it.each<[string, number | null, number | null]>([
    ['holds for the same window', 8_192, 2_048],
    ['and for a smaller one', 4_096, 2_048],
    ['not for a larger one', 16_384, 16_384],
    ['and where nobody knows it', null, 2_048],
  ])('%s', (_, contextTokens, window) => {
    expect(keeper({ contextTokens, cut }).window).toBe(window);
  });

  it('where the window was unknown, one that is known now is believed', () => {
    expect(keeper({ contextTokens: 8_192, cut: { tokens: 2_048, asked: null } }).window).toBe(8_192);
  });

  it('is a matter of its model', () => {
    const watch = keeper({ contextTokens: 8_192, cut });
    watch.change(8_192, 'b');
    expect(watch.window).toBe(8_192);
    watch.change(8_192, 'a');
    expect(watch.window).toBe(2_048);
  });

  it('is over once a whole prompt arrives again, and that is news', () => {
    const watch = keeper({ contextTokens: 8_192, cut });
    watch.sends(12_000);
    expect(watch.counted(3_000)).toMatchObject({ cut: null, text: expect.stringContaining('3000') });
    expect(watch.window).toBe(8_192);
  });

  it('grows in silence where a little more arrives', () => {
    const watch = keeper({ contextTokens: 8_192, cut: { ...cut, tokens: 1_900 } });
    watch.sends(12_000);
    expect(watch.counted(2_048)).toBeUndefined();
    expect(watch.window).toBe(2_048);
  });
});
