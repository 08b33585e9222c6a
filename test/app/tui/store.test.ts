/** When the screen is painted and what runs while nothing happens; the clock is the test's. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FRAME_MS, Store } from '../../../app/tui/store.ts';
import type { Effect, Input, State } from '../../../app/tui/types.ts';
import { initialState } from '../../../app/tui/update.ts';
import type { Event } from '../../../core/types.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function make() {
  const painted: State[] = [];
  const effects: Effect[] = [];
  const store = new Store({
    state: initialState({ size: { columns: 80, rows: 24 }, theme: 'none' }),
    paint: (state) => painted.push(state),
    run: (effect) => effects.push(effect),
  });
  return { store, painted, effects };
}

const key = (text: string): Input => ({
  type: 'key',
  key: { name: 'text', text, ctrl: false, alt: false, shift: false },
});
const ctrlC: Input = { type: 'key', key: { name: 'chord', text: 'c', ctrl: true, alt: false, shift: false } };
const say = (store: Store, event: Event) => store.dispatch({ type: 'event', event, now: Date.now() });
const user: Event = { type: 'user', text: 'go', seq: 2, time: 1_000_000 };
const usage = { input: 1, output: 1, cacheRead: null, cacheWrite: null, reasoning: null, cost: null };
const done: Event = {
  type: 'done',
  text: '',
  finish: 'stop',
  usage,
  turns: 1,
  denials: [],
  durationMs: 1,
  seq: 9,
  time: 1_000_001,
};

describe('painting', () => {
  it('shows a key at once, and all keys of one read in one picture', () => {
    const { store, painted } = make();
    store.input([key('a'), key('b')]);
    expect(painted.map(({ composer }) => composer.text)).toEqual(['ab']);
    store.input([key('c')]);
    expect(painted).toHaveLength(2);
  });

  it('gathers what streams into one picture a frame', () => {
    const { store, painted } = make();
    say(store, user);
    vi.advanceTimersByTime(0);
    const before = painted.length;
    for (let at = 0; at < 1000; at++) say(store, { type: 'text', delta: 'ab ', at: at * 3 });
    vi.advanceTimersByTime(FRAME_MS);
    expect(painted.length - before).toBe(1);
    const answer = painted.at(-1)!.blocks.at(-1)!;
    expect(answer).toMatchObject({ kind: 'answer', streaming: true });
    expect(answer.kind === 'answer' && answer.settled.join('') + answer.tail).toBe('ab '.repeat(1000));
  });

  it('keeps the order of what streams and what is stored', () => {
    const { store } = make();
    say(store, user);
    say(store, { type: 'reasoning', delta: 'hm', at: 0 });
    say(store, { type: 'text', delta: 'one', at: 0 });
    say(store, { type: 'tool_call', id: 'c', name: 'ls', detail: '.', input: {}, seq: 3, time: 1 });
    say(store, { type: 'tool_progress', id: 'c', output: 'x' });
    say(store, { type: 'tool_progress', id: 'c', output: 'y' });
    say(store, done);
    expect([...store.state.blocks].map(({ kind }) => kind)).toEqual(['user', 'reasoning', 'answer', 'tool', 'end']);
    expect(store.state.blocks.at(3)).toMatchObject({ output: 'xy' });
  });

  it('begins a message anew when its text does', () => {
    const { store } = make();
    say(store, user);
    say(store, { type: 'text', delta: 'first try', at: 0 });
    say(store, { type: 'text', delta: 'second', at: 0 });
    store.paint();
    expect(store.state.blocks.at(-1)).toMatchObject({ kind: 'answer', tail: 'second' });
  });

  it('does nothing when nothing changed, and paints again when told to', () => {
    const { store, painted } = make();
    store.paint();
    store.paint();
    expect(painted).toHaveLength(1);
    store.repaint();
    vi.advanceTimersByTime(FRAME_MS);
    expect(painted).toHaveLength(2);
  });
});

describe('clocks', () => {
  it('tick while a turn runs, and only then', () => {
    const { store, painted } = make();
    store.paint();
    expect(vi.getTimerCount()).toBe(0);
    say(store, user);
    vi.advanceTimersByTime(1000);
    expect(store.state.now).toBe(1_001_000);
    expect(painted.length).toBeLessThanOrEqual(6);
    say(store, done);
    vi.advanceTimersByTime(FRAME_MS);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('take a letter that stays alone as the answer', () => {
    const { store, effects } = make();
    say(store, user);
    const request = { name: 'bash', summary: 'x', input: { command: 'x' } };
    say(store, { type: 'approval_request', id: 'c', ...request, seq: 3, time: 1 });
    vi.advanceTimersByTime(1000);
    store.input([key('y')]);
    expect(effects).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(effects).toEqual([{ type: 'send', command: { type: 'approve', id: 'c', decision: 'yes' } }]);
    say(store, done);
    vi.advanceTimersByTime(FRAME_MS);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('take the hint about leaving away', () => {
    const { store, painted, effects } = make();
    store.input([ctrlC]);
    expect(painted.at(-1)!.leaving).not.toBeNull();
    vi.advanceTimersByTime(5000);
    expect(vi.getTimerCount()).toBe(0);
    store.input([ctrlC]);
    expect(effects).toEqual([]);
    store.input([ctrlC]);
    expect(effects).toEqual([{ type: 'exit' }]);
    store.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
