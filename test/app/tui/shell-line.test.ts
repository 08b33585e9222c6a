import { expect, it } from 'vitest';
import { shellLine } from '../../../app/tui/shell-line.ts';
import { view } from '../../../app/tui/view.ts';
import { ScreenDriver } from './screen-driver.ts';

it.each([
  ['!git status', { command: 'git status' }],
  ['! ls -la', { command: 'ls -la' }],
  ['!!env', { command: 'env', apart: true }],
  ['!for i in 1 2\ndo echo $i\ndone', { command: 'for i in 1 2\ndo echo $i\ndone' }],
  ['!', null],
  ['!!', null],
  ['!!!', null],
  ['say !hello', null],
])('%j', (line, wanted) => expect(shellLine(line)).toEqual(wanted));

it('is sent as a command, kept in the history, and waits in the draft while a turn runs', () => {
  const screen = new ScreenDriver();
  screen.press(...'!ls', 'Enter');
  expect(screen.effects).toEqual([{ type: 'send', command: { type: 'shell', command: 'ls' } }]);
  expect(screen.state.composer).toMatchObject({ text: '', history: ['!ls'] });
  screen.stored({ type: 'user', text: 'work' });
  screen.press(...'!make', 'Enter');
  expect(screen.effects).toHaveLength(1);
  expect(screen.state.composer.text).toBe('!make');
  const picture = () => view(screen.state).lines.join('\n');
  expect(picture()).toContain('✗ a turn is running; Esc interrupts it');
  screen.press('x');
  expect(picture()).not.toContain('✗');
});
