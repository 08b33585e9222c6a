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
});
