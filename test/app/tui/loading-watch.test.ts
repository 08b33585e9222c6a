import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LoadingWatch } from '../../../app/tui/loading-watch.ts';
import type { Event } from '../../../core/types.ts';
import { ScreenDriver } from './screen-driver.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server whose model is loaded when `finish` is called. */
function watched() {
  const shown: boolean[] = [];
  const asked: { finish(): void; signal: AbortSignal }[] = [];
  const watch = new LoadingWatch({
    load: (signal) => new Promise<void>((finish) => asked.push({ finish, signal })),
    show: (loading) => shown.push(loading),
  });
  const happens = (type: Event['type']) => watch.seen({ type } as Event);
  return { watch, shown, asked, happens };
}

describe('the watch over a model that may be loading', () => {
  it('preloads once, and shows the load when the prompt is sent before it is over', async () => {
    const { watch, shown, asked, happens } = watched();
    watch.preload();
    watch.preload();
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(shown).toEqual([]);
    happens('user');
    expect(shown).toEqual([true]);
    asked[0]!.finish();
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual([true, false]);
  });

  it('asks after a silence, and shows nothing of a model that was loaded', async () => {
    const { shown, asked, happens } = watched();
    happens('user');
    await vi.advanceTimersByTimeAsync(1_900);
    expect(asked).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(200);
    asked[0]!.finish();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(shown).toEqual([false]);
    expect(asked).toHaveLength(1);
  });

  it('asks nothing of a model that answers, or answered a moment ago', async () => {
    const { shown, asked, happens } = watched();
    happens('user');
    happens('reasoning');
    happens('tool_call');
    happens('tool_result');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(0);
    happens('model');
    happens('user');
    await vi.advanceTimersByTimeAsync(2_300);
    expect(asked).toHaveLength(1);
    expect(shown).toEqual([true]);
  });

  it('gives up the load with the session', () => {
    const { watch, asked } = watched();
    watch.preload();
    watch.close();
    expect(asked[0]!.signal.aborted).toBe(true);
  });
});

describe('on the screen', () => {
  const waiting = () => new ScreenDriver().stored({ type: 'user', text: 'x' });

  it('a load has words of its own, and only while the turn waits', () => {
    const driver = waiting();
    expect(driver.state.activity).toBe('waiting for the model');
    driver.act({ type: 'loading', loading: true });
    expect(driver.state.activity).toBe('loading qwen3:8b');
    driver.act({ type: 'loading', loading: false });
    expect(driver.state.activity).toBe('waiting for the model');
    driver.act({ type: 'event', event: { type: 'reasoning', delta: 'Hm', at: 0 }, now: driver.now });
    driver.act({ type: 'loading', loading: true });
    expect(driver.state.activity).toBe('thinking');
    expect(new ScreenDriver().act({ type: 'loading', loading: true }).state.activity).toBe('');
  });

  it('so has a server that refuses until its model is there, noted once', () => {
    const driver = waiting();
    const notes = () => driver.blocks.filter(({ kind }) => kind === 'note');
    for (const attempt of [1, 2, 3])
      driver.stored({
        type: 'retry',
        reason: 'lmstudio failed (503): Loading model',
        attempt,
        delayMs: 500,
        discard: false,
      });
    expect(driver.state.activity).toBe('loading qwen3:8b');
    expect(notes()).toHaveLength(1);
  });
});
