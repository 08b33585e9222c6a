import { describe, expect, it } from 'vitest';
import { findAction, keyName, keyTable, type Place, placesOf } from '../../../app/tui/keys.ts';
import { call, keyOf, ScreenDriver } from './screen-driver.ts';

describe('the key table', () => {
  it('binds each key once in each place', () => {
    const seen = keyTable.flatMap(({ keys, where }) => keys.map((key) => `${where} ${key}`));
    expect(seen.filter((entry, at) => seen.indexOf(entry) !== at)).toEqual([]);
  });

  it('spells keys as the input filter gives them', () => {
    for (const { keys } of keyTable) for (const key of keys) expect(keyName(keyOf(key))).toBe(key);
  });

  const COMPOSER: Place[] = ['draft', 'composer', 'any'];
  const EMPTY: Place[] = ['empty', 'composer', 'any'];
  it.each<[string, Place[], unknown]>([
    ['Enter', COMPOSER, 'send'],
    ['Shift+Enter', COMPOSER, 'newline'],
    ['Alt+Enter', COMPOSER, 'newline'],
    ['Ctrl+J', COMPOSER, 'newline'],
    ['Esc', COMPOSER, 'back'],
    ['Ctrl+C', COMPOSER, 'clear-or-leave'],
    ['Ctrl+D', EMPTY, 'leave'],
    ['Ctrl+D', COMPOSER, { edit: { type: 'delete', what: 'forward' } }],
    ['Shift+Tab', COMPOSER, 'next-mode'],
    ['Tab', EMPTY, 'next-focus'],
    ['Tab', COMPOSER, undefined],
    ['Tab', ['menu', ...COMPOSER], 'complete'],
    ['?', EMPTY, 'show-keys'],
    ['?', COMPOSER, undefined],
    ['Home', EMPTY, 'to-top'],
    ['Home', COMPOSER, { edit: { type: 'move', to: 'line-start' } }],
    ['End', EMPTY, 'to-end'],
    ['PgUp', COMPOSER, 'page-up'],
    ['PgDn', EMPTY, 'page-down'],
    ['Up', COMPOSER, 'history-back'],
    ['Down', ['menu', ...COMPOSER], 'menu-down'],
    ['Up', ['pane', ...EMPTY], 'line-up'],
    ['Ctrl+A', COMPOSER, { edit: { type: 'move', to: 'line-start' } }],
    ['Ctrl+E', COMPOSER, { edit: { type: 'move', to: 'line-end' } }],
    ['Ctrl+K', COMPOSER, { edit: { type: 'delete', what: 'to-line-end' } }],
    ['Ctrl+U', COMPOSER, { edit: { type: 'delete', what: 'to-line-start' } }],
    ['Ctrl+W', COMPOSER, { edit: { type: 'delete', what: 'word-back' } }],
    ['Ctrl+Y', COMPOSER, { edit: { type: 'yank' } }],
    ['Alt+B', COMPOSER, { edit: { type: 'move', to: 'word-left' } }],
    ['Alt+F', COMPOSER, { edit: { type: 'move', to: 'word-right' } }],
    ['Ctrl+Left', COMPOSER, { edit: { type: 'move', to: 'word-left' } }],
    ['Ctrl+Right', COMPOSER, { edit: { type: 'move', to: 'word-right' } }],
    ['Ctrl+L', COMPOSER, 'repaint'],
    ['Ctrl+O', COMPOSER, 'expand'],
    ['Ctrl+T', COMPOSER, 'next-tab'],
    ['Ctrl+Z', COMPOSER, 'suspend'],
    ['y', ['answer', 'approval', ...EMPTY], 'answer-yes'],
    ['y', ['approval', ...EMPTY], undefined],
    ['Y', ['answer', ...EMPTY], undefined],
    ['yy', ['answer', ...EMPTY], undefined],
    ['y', ['reason', 'any'], undefined],
    ['Enter', ['reason', 'any'], 'send-reason'],
    ['Enter', ['pick', 'any'], 'pick-take'],
    ['q', ['overlay', 'any'], 'close'],
  ])('%s where %j: %j', (key, places, action) => {
    expect(findAction(keyOf(key), places)).toEqual(action);
  });
});

describe('the places that hold', () => {
  const places = (screen: ScreenDriver) => placesOf(screen.state, screen.now);

  it('follow the draft, the menu and the focus', () => {
    const screen = new ScreenDriver();
    expect(places(screen)).toEqual(['empty', 'composer', 'any']);
    expect(places(screen.press('/'))).toEqual(['menu', 'draft', 'composer', 'any']);
    expect(places(screen.press('x'))).toEqual(['draft', 'composer', 'any']);
    expect(places(screen.press('Ctrl+U', 'Tab'))).toEqual(['pane', 'empty', 'composer', 'any']);
    expect(places(screen.press('?'))).toEqual(['overlay', 'any']);
  });

  it('let an approval answer only after a pause', () => {
    const screen = new ScreenDriver().stored(call('1', 'bash', 'ls'), {
      type: 'approval_request',
      id: '1',
      name: 'bash',
      summary: 'ls',
      input: { command: 'ls' },
    });
    expect(places(screen)).toEqual(['approval', 'empty', 'composer', 'any']);
    expect(places(screen.wait(299))).not.toContain('answer');
    expect(places(screen.wait(1))[0]).toBe('answer');
    screen.wait(500).press('n');
    expect(places(screen)).toEqual(['reason', 'any']);
  });
});
