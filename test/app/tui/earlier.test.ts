/** A long conversation is shown from its newest part on; the beginning comes when somebody looks for it. */
import { describe, expect, it } from 'vitest';
import { shownFrom, withoutBeginning } from '../../../app/tui/update/earlier.ts';
import { view } from '../../../app/tui/view.ts';
import type { StoredBody, StoredEvent } from '../../../core/types.ts';
import { ScreenDriver } from './screen-driver.ts';

const usage = { input: 7, output: null, cacheRead: null, cacheWrite: null, reasoning: null, cost: null };
const served = { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 };
const diff = { kind: 'diff', path: 'a.ts', patch: '@@ -1 +1 @@\n-a\n+b\n', added: 1, removed: 1 } as const;

const turn = (n: number): readonly StoredBody[] => [
  { type: 'user', text: `prompt ${n}` },
  { type: 'tool_call', id: `c${n}`, name: 'edit_file', detail: `a${n}.ts`, input: {} },
  { type: 'tool_result', id: `c${n}`, name: 'edit_file', output: 'ok', isError: false, display: diff },
  { type: 'assistant', content: [{ type: 'text', text: `answer **${n}**` }], finish: 'stop', usage, served },
  { type: 'done', text: '', finish: 'stop', usage, turns: 1, denials: [], durationMs: 1 },
];
const TURNS = 230;
const bodies = Array.from({ length: TURNS }, (_, n) => turn(n)).flat();
const events = bodies.map((body, i) => ({ ...body, seq: i + 1, time: 1_000_000 }) as StoredEvent);
const prompts = events.filter(({ type }) => type === 'user');

function shown(): { screen: ScreenDriver; from: number } {
  const screen = new ScreenDriver();
  const from = shownFrom(prompts)!;
  screen.state = withoutBeginning(screen.state, from, TURNS - 100);
  for (const event of events) if (event.seq >= from) screen.act({ type: 'event', event, now: screen.now });
  return { screen, from };
}
const picture = (screen: ScreenDriver) => view(screen.state).lines.join('\n');

function whole(): ScreenDriver {
  const screen = new ScreenDriver();
  for (const event of events) screen.act({ type: 'event', event, now: screen.now });
  return screen;
}

describe('a long conversation', () => {
  it('is shown whole up to a length', () => {
    expect(shownFrom(prompts.slice(0, 200))).toBeUndefined();
    expect(shownFrom(prompts.slice(0, 201))).toBe(prompts[101]!.seq);
    expect(shownFrom([])).toBeUndefined();
  });

  it('asks for its beginning at the top, and is then what it would have been', () => {
    const { screen } = shown();
    expect(screen.effects).toEqual([]);
    expect(picture(screen)).toBe(picture(whole()));
    screen.press('Tab', 'PgUp');
    expect(screen.effects).toEqual([]);
    screen.press('Home');
    expect(screen.effects).toEqual([{ type: 'earlier' }]);
    expect(picture(screen)).toContain('130 earlier prompts are read when you scroll up to here');

    screen.act({ type: 'earlier', events });
    const all = whole();
    expect(screen.blocks).toEqual(all.blocks);
    for (const list of ['prompts', 'calls', 'changes'] as const)
      expect([...screen.state[list]]).toEqual([...all.state[list]]);
    expect(screen.state.shownFrom).toBeUndefined();
    screen.press('PgUp', 'Home');
    expect(picture(screen)).toContain('prompt 0');
    expect(screen.effects).toHaveLength(1);
  });

  it('keeps what was being read in its place', () => {
    const { screen } = shown();
    screen.press('Tab', 'PgUp', 'PgUp');
    const before = picture(screen);
    screen.act({ type: 'earlier', events });
    expect(picture(screen)).toBe(before);
    screen.stored({ type: 'user', text: 'more' });
    expect(screen.state.prompts.at(-1)).toEqual({
      seq: expect.any(Number),
      at: screen.blocks.length - 1,
      used: 7,
      todos: [],
    });
  });

  it('takes its beginning once', () => {
    const { screen } = shown();
    screen.act({ type: 'earlier', events });
    const { length } = screen.blocks;
    screen.act({ type: 'earlier', events });
    expect(screen.blocks).toHaveLength(length);
  });

  it('goes back to a prompt of the beginning', () => {
    const { screen } = shown();
    screen.act({ type: 'earlier', events });
    const rewind: StoredEvent = { type: 'rewind', to: prompts[3]!.seq, seq: events.length + 1, time: 1 };
    screen.act({ type: 'event', event: rewind, now: screen.now });
    expect(screen.blocks.filter(({ kind }) => kind === 'user')).toHaveLength(3);
  });
});
