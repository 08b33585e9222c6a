import { expect, it } from 'vitest';
import { unsentText } from '../../../app/tui/draft-keeper.ts';
import { ScreenDriver } from './screen-driver.ts';

it('what a running turn has not taken is kept with the draft until it is taken', () => {
  const screen = new ScreenDriver().stored({ type: 'user', text: 'work' });
  screen.press(...'use tabs', 'Enter', ...'half');
  expect(unsentText(screen.state)).toBe('use tabs\nhalf');
  screen.stored({ type: 'user', text: 'use tabs', steered: true });
  expect(unsentText(screen.state)).toBe('half');
});
