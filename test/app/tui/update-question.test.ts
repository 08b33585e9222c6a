import { describe, expect, it } from 'vitest';
import type { StoredBody } from '../../../core/types.ts';
import { assistant, call, done, ScreenDriver } from './screen-driver.ts';

type Question = Extract<StoredBody, { type: 'question' }>;

const question = (id: string, more: Partial<Question> = {}): Question => ({
  type: 'question',
  id,
  text: 'Which database?',
  options: ['Postgres', 'SQLite', 'none'],
  ...more,
});

const asking = (more: Partial<Question> = {}, options: ConstructorParameters<typeof ScreenDriver>[0] = {}) =>
  new ScreenDriver(options)
    .stored({ type: 'user', text: 'go' }, assistant(['I will ask.']), call('q', 'ask_user', 'Which database?'))
    .stored(question('q', more));

const answer = (text: string, id = 'q') => ({ type: 'send', command: { type: 'answer', id, text } });
const draft = (screen: ScreenDriver) => screen.state.composer.text;

describe('a question', () => {
  it('shows its text, its options and how to answer', () => {
    const shown = asking().screen();
    for (const part of ['ada asks', 'Which database?', '› 1 Postgres', '  2 SQLite', '1–3 or Enter answers'])
      expect(shown).toContain(part);
    expect(shown).toContain('waiting for your answer');
  });

  it.each([
    [['2'], 'SQLite'],
    [['b'], 'SQLite'],
    [['Enter'], 'Postgres'],
    [['Down', 'Enter'], 'SQLite'],
    [['Up', 'Enter'], 'none'],
    [['my ', 'own', 'Enter'], 'my own'],
    [['be quick', 'Enter'], 'be quick'],
  ])('is answered by %j', (keys, text) => {
    const screen = asking()
      .wait(1000)
      .press(...keys);
    expect(screen.take()).toEqual([answer(text)]);
    expect(draft(screen)).toBe('');
    expect(screen.screen()).not.toContain('ada asks');
  });

  it('that would leave this machine is answered by its own keys, never by Enter alone', () => {
    const leave = { options: ['yes', 'no'], leave: 'anthropic/x' };
    const screen = asking(leave).wait(1000).press('Enter');
    expect(screen.take()).toEqual([]);
    expect(screen.screen()).toContain('1–2 answers');
    expect(screen.press('n').take()).toEqual([answer('no')]);
    expect(asking(leave).wait(1000).press('y').take()).toEqual([answer('yes')]);
    expect(asking(leave).wait(1000).press('Down', 'Enter').take()).toEqual([answer('yes')]);
  });

  it('takes a key that names none of its options as text', () => {
    expect(draft(asking().wait(1000).press('9', 'y'))).toBe('9y');
  });

  it('takes no key that was typed before it, and none twice', () => {
    const screen = asking().press('2');
    expect(screen.take()).toEqual([]);
    expect(draft(screen)).toBe('2');
    const twice = asking().wait(1000).press('1').wait(200).press('Enter');
    expect(twice.take()).toEqual([answer('Postgres')]);
  });

  it('is not answered by a draft whose Enter was on its way', () => {
    const screen = new ScreenDriver().press('and tests too').stored({ type: 'user', text: 'go' }, question('q'));
    expect(screen.press('Enter').take()).toEqual([]);
    expect(draft(screen)).toBe('and tests too');
    expect(screen.wait(400).press('Enter').take()).toEqual([answer('and tests too')]);
  });

  it('without options takes what is written; numbers typed there name options where there are some', () => {
    const free = asking({ options: undefined }).wait(1000);
    expect(free.screen()).toContain('write the answer, Enter sends it');
    expect(free.press('1', ' ', 'of them', 'Enter').take()).toEqual([answer('1 of them')]);
    expect(asking().press('3').wait(400).press('Enter').take()).toEqual([answer('none')]);
  });

  it('leaves slash commands and Esc what they are', () => {
    const screen = asking().wait(1000).press('/help', 'Enter');
    expect(screen.take()).toEqual([{ type: 'command', name: 'help', argument: '' }]);
    expect(screen.press('Esc').take()).toEqual([{ type: 'send', command: { type: 'abort' } }]);
  });

  it('waits behind approvals, and before the next question', () => {
    const screen = asking()
      .stored(question('r', { text: 'And where?', options: [] }))
      .wait(1000);
    expect(screen.screen()).toContain('question 1 of 2');
    screen.press('1').take();
    expect(screen.screen()).toContain('And where?');
    screen.stored({ type: 'approval_request', id: 'x', name: 'bash', summary: 's', input: { command: 'git push' } });
    expect(screen.screen()).toContain('ada wants to run a shell command');
    expect(screen.screen()).not.toContain('And where?');
  });

  it('becomes a line of the conversation once it is answered, also when it is read from a log', () => {
    const screen = asking().stored({ type: 'answer', id: 'q', text: 'SQLite' });
    expect(screen.state.questions).toEqual([]);
    expect(screen.blocks.at(-1)).toEqual({
      kind: 'note',
      level: 'info',
      text: 'asked: Which database?\nanswered: SQLite',
    });
  });

  it('is gone when the turn ends without its answer', () => {
    const screen = asking().stored(done({ finish: 'aborted' }));
    expect(screen.state.questions).toEqual([]);
    expect(screen.screen()).not.toContain('ada asks');
  });

  it.each([
    [20, 6],
    [30, 9],
    [60, 20],
    [120, 40],
  ])('fits into %i×%i, whatever its length', (columns, rows) => {
    const long = {
      text: 'Why 日本? '.repeat(80),
      options: Array.from({ length: 30 }, (_, at) => `option ${at} `.repeat(8)),
    };
    for (const screen of [asking(long), asking({ ...long, options: [] }), asking()]) {
      screen.resize(columns, rows);
      screen.frame();
      screen.press('typing');
      screen.frame();
    }
  });
});
