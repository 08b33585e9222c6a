import { expect, test } from 'vitest';
import { CircuitBreaker } from '../../../providers/routing/breaker.ts';

function breakerAt(start = 0) {
  const clock = { now: start };
  const options = { windowMs: 1_000, minFailures: 3, failureRate: 0.5, openMs: 500 };
  return { clock, breaker: new CircuitBreaker(options, () => clock.now) };
}

function failTimes(breaker: CircuitBreaker, times: number) {
  for (let i = 0; i < times; i++) if (breaker.enter()) breaker.fail();
}

test('it opens when enough failed within the window', () => {
  const { breaker } = breakerAt();
  failTimes(breaker, 2);
  expect(breaker.state).toBe('closed');
  failTimes(breaker, 1);
  expect([breaker.state, breaker.ready, breaker.enter(), breaker.waitMs]).toEqual(['open', false, false, 500]);
});

test('failures among many successes do not open it', () => {
  const { breaker } = breakerAt();
  for (let i = 0; i < 7; i++) breaker.succeed();
  failTimes(breaker, 3);
  expect(breaker.state).toBe('closed');
});

test('failures older than the window are forgotten', () => {
  const { breaker, clock } = breakerAt();
  failTimes(breaker, 2);
  clock.now = 1_500;
  failTimes(breaker, 2);
  expect(breaker.state).toBe('closed');
});

test('after its rest one probe decides', () => {
  const { breaker, clock } = breakerAt();
  failTimes(breaker, 3);
  clock.now = 500;
  expect(breaker.state).toBe('half-open');
  expect([breaker.enter(), breaker.enter(), breaker.ready]).toEqual([true, false, false]);
  breaker.fail();
  expect([breaker.state, breaker.waitMs]).toEqual(['open', 500]);
  clock.now = 1_000;
  expect(breaker.enter()).toBe(true);
  breaker.succeed();
  expect([breaker.state, breaker.enter()]).toEqual(['closed', true]);
});

test('a probe that says nothing leaves the place to the next', () => {
  const { breaker, clock } = breakerAt();
  failTimes(breaker, 3);
  clock.now = 500;
  breaker.enter();
  breaker.release();
  expect([breaker.state, breaker.enter()]).toEqual(['half-open', true]);
});

test('an early probe is one at a time too', () => {
  const { breaker } = breakerAt();
  failTimes(breaker, 3);
  expect([breaker.enter(true), breaker.enter(true)]).toEqual([true, false]);
});

test('a success long ago does not outweigh what happens now', () => {
  const { breaker, clock } = breakerAt();
  for (let i = 0; i < 50; i++) breaker.succeed();
  clock.now = 5_000;
  failTimes(breaker, 3);
  expect(breaker.state).toBe('open');
});
