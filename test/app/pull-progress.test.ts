import { expect, it } from 'vitest';
import { bytesText, pullBar, pullMeter, pullText } from '../../app/pull-progress.ts';

it('tells speed and the time that is left from what came since it began', () => {
  const measure = pullMeter();
  const at = (completed: number, now: number) => measure({ status: 'pulling aa', completed, total: 5.2e9 }, now);
  expect(measure({ status: 'pulling manifest', completed: 0, total: 0 }, 0)).toMatchObject({ speed: null });
  // It goes on from what was there.
  expect(at(2e9, 100)).toMatchObject({ speed: null, remainingMs: null });
  expect(at(2.01e9, 200)).toMatchObject({ speed: null });
  expect(at(2.1e9, 1_100)).toMatchObject({ speed: 1e8, remainingMs: 31_000 });
  expect(pullText(at(2.2e9, 2_100))).toBe('2.2 GB of 5.2 GB · 42 % · 100 MB/s · 30 s left');
  // Of a pull that stands still nothing can be told.
  expect(at(2.2e9, 60_000)).toMatchObject({ remainingMs: null });
});

it('says what the server says while there is nothing to count, and at the end', () => {
  const none = { speed: null, remainingMs: null };
  expect(pullText({ status: 'pulling manifest', completed: 0, total: 0, ...none })).toBe('pulling manifest');
  expect(pullText({ status: 'verifying sha256 digest', completed: 5, total: 5, ...none })).toMatch(/100 % · verifying/);
  expect(pullText({ status: 'x', completed: 1e9, total: 9e9, speed: 1e6, remainingMs: 8e6 })).toMatch(
    /2 h 14 min left/,
  );
  expect(pullText({ status: 'x', completed: 1e9, total: 9e9, speed: 1e8, remainingMs: 8e4 })).toMatch(/2 min left/);
});

it('draws a bar', () => {
  expect(pullBar({ status: '', completed: 3, total: 10 }, 10)).toBe('███░░░░░░░');
  expect(pullBar({ status: '', completed: 10, total: 10 }, 4)).toBe('████');
  expect(pullBar({ status: '', completed: 0, total: 0 }, 4)).toBe('░░░░');
});

it('tells bytes as downloads are told', () => {
  expect([950_000, 12_340_000, 340e6, 5.23e9].map(bytesText)).toEqual(['950 kB', '12.3 MB', '340 MB', '5.2 GB']);
});
