/** How the screen takes room being made, and going back. */
import { expect, it } from 'vitest';
import { blockLines } from '../../../app/tui/blocks.ts';
import { view } from '../../../app/tui/view.ts';
import type { StoredBody } from '../../../core/types.ts';
import { ScreenDriver } from './screen-driver.ts';

const user = (text: string): StoredBody => ({ type: 'user', text });
const done: StoredBody = {
  type: 'done',
  text: '',
  finish: 'stop',
  usage: { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null, cost: null },
  turns: 1,
  denials: [],
  durationMs: 1,
};
const call = (id: string): readonly StoredBody[] => [
  { type: 'tool_call', id, name: 'bash', detail: 'ls', input: {} },
  { type: 'tool_result', id, name: 'bash', output: 'out', isError: false },
];
const SGR = /\x1b\[[\d;]*m/g;
const doing = (screen: ScreenDriver, what: 'making room' | null) =>
  screen.act({ type: 'event', event: { type: 'activity', doing: what }, now: screen.now });
const kinds = (screen: ScreenDriver) => screen.blocks.map(({ kind }) => kind);

it('a compaction is one line, and its summary unfolds', () => {
  const screen = new ScreenDriver().stored({ type: 'compaction', before: 9000, after: 2000, summary: 'Goal: ship.' });
  const rows = () =>
    (blockLines(screen.blocks[0]!, 60, 'none', 0) as readonly string[]).map((row) => row.replace(SGR, ''));
  expect(rows()).toEqual(['▸ older messages were summarised (9000 → 2000 tokens)']);
  screen.press('Ctrl+O');
  expect(rows()).toEqual(['▾ older messages were summarised (9000 → 2000 tokens)', '  Goal: ship.']);
});

it('room that is made on a person’s word runs, can be interrupted, and ends', () => {
  const screen = new ScreenDriver().stored(user('p'), done);
  doing(screen, 'making room');
  expect(screen.state).toMatchObject({ running: true, activity: 'making room' });
  screen.press('Esc');
  expect(screen.effects).toContainEqual({ type: 'send', command: { type: 'abort' } });
  doing(screen, null);
  expect(screen.state).toMatchObject({ running: false, activity: '' });
});

it('room that is made within a turn does not end it', () => {
  const screen = new ScreenDriver().stored(user('p'));
  doing(screen, 'making room');
  expect(screen.state.activity).toBe('making room');
  doing(screen, null);
  expect(screen.state).toMatchObject({ running: true, activity: 'waiting for the model' });
});

it('going back takes the transcript from the prompt on away, with its calls', () => {
  const screen = new ScreenDriver().stored(user('one'), ...call('a'), done, user('two'), ...call('b'), done);
  expect(screen.state.calls.length).toBe(2);
  screen.stored({ type: 'rewind', to: 5 });
  expect(kinds(screen)).toEqual(['user', 'tool', 'end', 'note']);
  expect([screen.state.calls.length, screen.state.prompts.length]).toEqual([1, 1]);
  screen.stored(user('three'), ...call('c'), done, { type: 'rewind', to: 10 });
  expect(kinds(screen)).toEqual(['user', 'tool', 'end', 'note', 'note']);
  screen.stored({ type: 'rewind', to: 999 });
  expect(kinds(screen).slice(0, 3)).toEqual(['user', 'tool', 'end']);
});

it('going back shows the window as full as it was before the prompt', () => {
  const answer = (input: number): StoredBody => ({
    type: 'assistant',
    content: [{ type: 'text', text: 'Yes.' }],
    finish: 'stop',
    usage: { input, output: 5, cacheRead: null, cacheWrite: null, reasoning: null, cost: null },
    served: { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 },
  });
  const screen = new ScreenDriver().stored(user('one'), answer(100), done, user('two'), answer(900), done);
  expect(screen.state.contextUsed).toBe(905);
  screen.stored({ type: 'rewind', to: 4 });
  expect(screen.state.contextUsed).toBe(105);
  screen.stored({ type: 'rewind', to: 1 });
  expect(screen.state.contextUsed).toBeNull();
});

it('going back shows the todos of that point, also where the list came later', () => {
  const list = (text: string): StoredBody => ({ type: 'todos', items: [{ text, status: 'active' }] });
  const screen = new ScreenDriver().stored(user('one'), list('a'), done, user('two'), list('b'), done);
  screen.stored({ type: 'rewind', to: 4 });
  expect(screen.state.todos).toEqual([{ text: 'a', status: 'active' }]);
  screen.state = { ...screen.state, focus: 'todos' };
  screen.stored({ type: 'rewind', to: 1 });
  expect(screen.state.todos).toEqual([]);
  expect(screen.state.focus).toBeNull();
});

it('what went with a prompt is in the draft again, waits for the prompt, and can be taken out', () => {
  const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'aGk=' } } as const;
  const screen = new ScreenDriver().stored(user('one'), done);
  const shown = () => view(screen.state).lines.join('\n').replace(SGR, '');
  const draft = (images: readonly (typeof image)[]) => screen.act({ type: 'draft', text: 'look', images });
  draft([image]);
  expect(shown()).toMatch(/\[1 image\] sent with the prompt; Backspace before the text takes it out *\n› look/);
  screen.act({ type: 'draft', text: '/todos', images: [image] });
  screen.press('Enter');
  expect(screen.effects.at(-1)).toEqual({ type: 'command', name: 'todos', argument: '' });
  expect(shown()).toContain('[1 image]');
  screen.paste('look').press('Enter');
  expect(screen.effects.at(-1)).toEqual({ type: 'send', command: { type: 'prompt', text: 'look', images: [image] } });
  expect(shown()).not.toContain('[1 image]');

  draft([image, image]);
  screen.press('Home', 'Backspace');
  expect(shown()).toContain('[1 image]');
  screen.press('Backspace', 'Enter');
  expect(screen.effects.at(-1)).toEqual({ type: 'send', command: { type: 'prompt', text: 'look' } });
  draft([image]);
  screen.press('Ctrl+C');
  expect(shown()).not.toContain('[1 image]');
  screen.act({ type: 'draft', text: 'look' });
  expect(screen.state.composer.images).toBeUndefined();
});
