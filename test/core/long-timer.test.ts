import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterLong } from '../../core/long-timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([5, 2 ** 31 - 1, 2 ** 31, 7 * 2 ** 31 + 3])('waits %d ms, no less and no more', (ms) => {
  const then = vi.fn();
  afterLong(ms, then);
  vi.advanceTimersByTime(ms - 1);
  expect(then).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(then).toHaveBeenCalledTimes(1);
});

it('can be called off at any time, and never fires for what never ends', () => {
  const then = vi.fn();
  const stop = afterLong(2 ** 33, then);
  vi.advanceTimersByTime(2 ** 32);
  stop();
  afterLong(Number.POSITIVE_INFINITY, then)();
  vi.advanceTimersByTime(2 ** 34);
  expect(then).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
