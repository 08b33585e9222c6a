import { describe, expect, it } from 'vitest';
import { done, ScreenDriver } from './screen-driver.ts';

const draft = (screen: ScreenDriver) => screen.state.composer.text;
const recalled = (screen: ScreenDriver, prompts: string[], wanted: 'back' | 'search') =>
  screen.act({ type: 'recalled', prompts, wanted });
const EARLIER = ['fix the parser', 'write the tests', 'Fix the docs', 'run all'];

describe('earlier conversations', () => {
  it('are read when the arrow leaves the oldest prompt, once', () => {
    const screen = new ScreenDriver({ history: ['here'] }).press('Up');
    expect(screen.take()).toEqual([]);
    expect(screen.press('Up').take()).toEqual([{ type: 'recall', wanted: 'back' }]);
    recalled(screen, ['older', 'here', 'newer'], 'back');
    expect(draft(screen)).toBe('newer');
    expect(draft(screen.press('Up'))).toBe('older');
    expect(screen.press('Up').take()).toEqual([]);
    expect(draft(screen.press('Down', 'Down'))).toBe('here');
    expect(draft(screen.press('Down'))).toBe('');
  });

  it('leave a draft alone where there are none', () => {
    const screen = new ScreenDriver().press('half', 'Up');
    recalled(screen, [], 'back');
    expect(draft(screen)).toBe('half');
  });
});

describe('the search through prompts', () => {
  const searching = (): ScreenDriver => {
    const screen = new ScreenDriver().press('draft', 'Ctrl+R');
    expect(screen.take()).toEqual([{ type: 'recall', wanted: 'search' }]);
    return recalled(screen, EARLIER, 'search');
  };

  it('finds while one types, from the newest on, capital letters apart', () => {
    const screen = searching();
    expect(screen.screen()).toContain('search: ');
    screen.press('f', 'i', 'x');
    expect(screen.screen()).toMatch(/search: fix .*Enter takes it[\s\S]*Fix the docs/);
    expect(screen.press('Ctrl+R').screen()).toContain('fix the parser');
    expect(screen.press('Ctrl+R').screen()).toContain('fix the parser');
    expect(screen.press('Ctrl+S').screen()).toContain('Fix the docs');
    screen.press('Backspace', 'Backspace', 'Backspace', 'tests');
    expect(screen.screen()).toContain('write the tests');
    expect(screen.press('zz').screen()).toContain('no prompt has this');
  });

  it('takes what it found into the draft, and sends nothing', () => {
    const screen = searching().press('tests', 'Enter');
    expect(draft(screen)).toBe('write the tests');
    expect(screen.take()).toEqual([]);
    expect(screen.press('Enter').take()).toEqual([
      { type: 'send', command: { type: 'prompt', text: 'write the tests' } },
    ]);
  });

  it.each(['Esc', 'Ctrl+C'])('goes back to the draft by %s, and interrupts nothing', (key) => {
    const screen = new ScreenDriver({ recalled: true, history: EARLIER }).stored({ type: 'user', text: 'go' });
    screen.press('dra', 'ft', 'Left', 'Ctrl+R', 'tests', key);
    expect(screen.state.composer).toMatchObject({ text: 'draft', cursor: 4, search: null });
    expect(screen.take()).toEqual([]);
  });

  it('takes a paste in one line, and leaves all other keys alone', () => {
    const screen = searching().paste('write\nthe').press('?', 'Backspace');
    expect(screen.state.composer.search?.query).toBe('write the');
    expect(screen.screen()).toContain('write the tests');
  });

  it.each([
    [20, 6],
    [60, 20],
    [120, 40],
  ])('fits into %i×%i', (columns, rows) => {
    const screen = new ScreenDriver({ recalled: true, history: ['日本 '.repeat(200), 'a\nb\nc'] }).resize(
      columns,
      rows,
    );
    for (const key of ['Ctrl+R', '本', 'Ctrl+U', 'b', 'q'.repeat(150)]) screen.press(key).frame();
  });
});

describe('messages that a turn was ended before taking', () => {
  const steered = (): ScreenDriver =>
    new ScreenDriver()
      .stored({ type: 'user', text: 'go' })
      .press('in French', 'Enter', 'and short', 'Enter', 'half a thou', 'Esc');

  it('go back before the draft', () => {
    const screen = steered().stored(done({ finish: 'aborted', unsent: ['in French', 'and short'] }));
    expect(draft(screen)).toBe('in French\nand short\nhalf a thou');
    expect(screen.state.queued).toEqual([]);
  });

  it('are only those that were not taken', () => {
    const screen = steered().stored({ type: 'user', text: 'in French', steered: true });
    screen.stored(done({ finish: 'aborted', unsent: ['and short'] }));
    expect(draft(screen)).toBe('and short\nhalf a thou');
  });

  it('do not come back when an old conversation is read', () => {
    const screen = new ScreenDriver().stored({ type: 'user', text: 'go' });
    expect(draft(screen.stored(done({ finish: 'aborted', unsent: ['old'] })))).toBe('');
  });
});
