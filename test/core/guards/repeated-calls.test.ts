import { describe, expect, it } from 'vitest';
import { RepeatedCalls } from '../../../core/guards/repeated-calls.ts';
import type { StoredEvent } from '../../../core/types.ts';

type Call = [name: string, input: unknown, output: string];

/** Feeds one round per message and gives the count after each. */
function counts(...rounds: Call[][]): number[] {
  const guard = new RepeatedCalls();
  let seq = 0;
  const add = (event: object) => guard.add({ seq: ++seq, time: 0, ...event } as StoredEvent);
  add({ type: 'user', text: 'go' });
  return rounds.map((calls) => {
    add({ type: 'assistant', content: [], finish: 'tool_use', served: {} });
    for (const [i, [name, input, output]] of calls.entries()) {
      add({ type: 'tool_call', id: `${seq}_${i}`, name, detail: '', input });
      add({ type: 'tool_result', id: `${seq}_${i}`, name, output, isError: false });
    }
    return guard.count();
  });
}

const read: Call = ['read_file', { path: 'a.txt' }, 'one\ntwo'];
const list: Call = ['ls', {}, 'a.txt'];

describe('RepeatedCalls', () => {
  it('counts the same call with the same result', () => {
    expect(counts([read], [read], [read], [read], [read])).toEqual([1, 2, 3, 4, 5]);
  });

  it('counts rounds that alternate', () => {
    expect(counts([read], [list], [read], [list], [read], [list])).toEqual([1, 1, 1, 2, 2, 3]);
  });

  it('counts whole messages of several calls', () => {
    expect(counts([read, list], [read, list], [list, read])).toEqual([1, 2, 1]);
  });

  it('does not count a poll whose result changes', () => {
    const poll = (i: number): Call[] => [['bash', { command: 'tail -1 log' }, `line ${i}`]];
    expect(counts(poll(1), poll(2), poll(3), poll(4))).toEqual([1, 1, 1, 1]);
  });

  it('takes no notice of how long a command took', () => {
    const test = (ms: number): Call[] => [['bash', { command: 'make' }, `failed\n[exit 1 after ${ms} ms]`]];
    expect(counts(test(120), test(98), test(3_004))).toEqual([1, 2, 3]);
  });

  it('begins anew with a new prompt and after another call', () => {
    expect(counts([read], [read], [list], [read])).toEqual([1, 2, 1, 1]);
    const guard = new RepeatedCalls();
    expect(guard.count()).toBe(0);
  });

  it.each([3, 4, 5, 6, 7, 13, 20])('sees a circle of %i rounds', (period) => {
    const circle = Array.from({ length: period * 3 }, (_, n): Call[] => [
      ['read_file', { path: `${n % period}.txt` }, `file ${n % period}`],
    ]);
    expect(counts(...circle).at(-1)).toBe(3);
    expect(counts(...circle.slice(0, -1)).at(-1)).toBe(2);
    // The same calls with news in one of them are none.
    const changing = circle.map((round, n): Call[] => (n % period ? round : [['bash', { command: 'date' }, `${n}`]]));
    expect(counts(...changing).at(-1)).toBe(1);
  });
});

describe('what is said of it', () => {
  /** What is said after each round; `ok`: one call of it could be run. */
  function news(rounds: readonly (readonly [...Call, ok?: boolean])[]) {
    const guard = new RepeatedCalls();
    let seq = 0;
    const add = (event: object) => guard.add({ seq: ++seq, time: 0, ...event } as StoredEvent);
    add({ type: 'user', text: 'go' });
    return rounds.map(([name, input, output, ok = false]) => {
      add({ type: 'assistant', content: [], finish: 'tool_use', served: {} });
      add({ type: 'tool_call', id: `${seq}`, name, detail: '', input });
      add({ type: 'tool_result', id: `${seq}`, name, output, isError: !ok });
      const { note, end } = guard.news(!ok);
      return end ? 'end' : note ? 'note' : '';
    });
  }
  const times = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n));

  it('a circle of two is told once, not in each of its rounds', () => {
    const rounds = times(10, (n) => [...(n % 2 ? read : list), true] as [...Call, boolean]);
    expect(news(rounds)).toEqual(['', '', '', '', '', 'note', '', '', '', 'end']);
  });

  it('a circle of seven is told once after the third time, and ended after the sixth', () => {
    const circle = (n: number) => [`read_file`, { path: `${n % 7}` }, `file ${n % 7}`, true] as [...Call, boolean];
    const said = news(times(42, circle));
    expect(said.flatMap((one, n) => (one ? [[n + 1, one]] : []))).toEqual([
      [21, 'note'],
      [42, 'end'],
    ]);
    // A wait for something looks at much that stays the same; as long as one thing moves it goes on.
    const waits = times(200, (n) =>
      n % 7 ? circle(n) : (['bash', { command: 'jobs' }, `${n} done`, true] as [...Call, boolean]),
    );
    expect(news(waits).every((one) => one === '')).toBe(true);
  });

  it('a tool that is none, with other arguments each time', () => {
    const output = 'There is no tool "look". The tools are: read_file, bash.';
    expect(news(times(5, (n) => ['look', { at: n }, output] as Call))).toEqual(['', '', 'note', '', 'end']);
  });

  it('arguments that do not fit, however they change', () => {
    const call = (n: number): Call => ['read_file', { path: n }, `read_file: \`path\` must be a string, not ${n}.`];
    expect(news(times(5, call))).toEqual(['', '', 'note', '', 'end']);
  });

  it('tools that are none by ever new names', () => {
    const call = (n: number): Call => [`look_${n}`, {}, `There is no tool "look_${n}".`];
    expect(news(times(8, call))).toEqual(['', '', '', '', 'note', '', '', 'end']);
  });

  it('a call that is mended step by step, and one that works between, is no loop', () => {
    const refused = (what: string): Call => ['edit_file', { path: 'a' }, `edit_file: \`${what}\` is missing.`];
    expect(news([refused('path'), refused('old'), refused('new'), [...read, true]])).toEqual(['', '', '', '']);
    const mixed = times(12, (n) =>
      n % 2 ? refused('old') : (['read_file', { path: `${n}` }, `${n}`, true] as [...Call, boolean]),
    );
    expect(news(mixed).every((one) => one === '')).toBe(true);
  });
});
