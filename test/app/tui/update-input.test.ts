import { describe, expect, it } from 'vitest';
import { StartError } from '../../../app/start-error.ts';
import { firstRunMenu } from '../../../app/tui/first-run.ts';
import { assistant, call, done, ScreenDriver } from './screen-driver.ts';

const prompt = (text: string) => ({ type: 'send', command: { type: 'prompt', text } });
const draft = (screen: ScreenDriver) => screen.state.composer.text;

describe('the draft', () => {
  it('is sent by Enter, and kept in the history', () => {
    const screen = new ScreenDriver().press('fix it', 'Enter');
    expect(screen.take()).toEqual([prompt('fix it')]);
    expect(screen.state.composer).toMatchObject({ text: '', cursor: 0, history: ['fix it'] });
    expect(screen.state.queued).toEqual([]);
  });

  it('steers a running turn, and shows what was not taken up yet', () => {
    const screen = new ScreenDriver().stored({ type: 'user', text: 'go' }).press('faster', 'Enter');
    expect(screen.take()).toEqual([prompt('faster')]);
    expect(screen.screen()).toContain('↳ next: faster');
    screen.stored({ type: 'user', text: 'faster', steered: true });
    expect(screen.state.queued).toEqual([]);
    expect(screen.state.blocks.at(-1)).toEqual({ kind: 'user', text: 'faster', steered: true });
  });

  it('of nothing but space is not sent', () => {
    const screen = new ScreenDriver().press(' ', 'Enter');
    expect(screen.take()).toEqual([]);
  });

  it.each(['Shift+Enter', 'Alt+Enter', 'Ctrl+J'])('gets a new line by %s', (key) => {
    const screen = new ScreenDriver().press('a', key, 'b');
    expect(draft(screen)).toBe('a\nb');
    expect(screen.take()).toEqual([]);
  });

  it('gets a new line by Enter behind a backslash', () => {
    const screen = new ScreenDriver().press('a', '\\', 'Enter', 'b');
    expect(draft(screen)).toBe('a\nb');
    expect(screen.press('Enter').take()).toEqual([prompt('a\nb')]);
  });

  it('takes a paste without sending it, however it ends', () => {
    const screen = new ScreenDriver().press('see: ').paste('one\ntwo\n/exit\n');
    expect(draft(screen)).toBe('see: one\ntwo\n/exit\n');
    expect(screen.take()).toEqual([]);
    expect(screen.press('Enter').take()).toEqual([prompt('see: one\ntwo\n/exit')]);
  });

  it.each([
    [['a b c', 'Ctrl+W'], 'a b '],
    [['a b c', 'Ctrl+W', 'Ctrl+Y', 'Ctrl+Y'], 'a b cc'],
    [['a b c', 'Ctrl+A', 'x'], 'xa b c'],
    [['a b c', 'Home', 'x', 'End', 'y'], 'xa b cy'],
    [['a b c', 'Alt+B', 'Ctrl+K'], 'a b '],
    [['a b c', 'Ctrl+Left', 'Ctrl+U'], 'c'],
    [['a b c', 'Left', 'Backspace'], 'a bc'],
    [['a b c', 'Ctrl+A', 'Ctrl+D'], ' b c'],
    [['a b c', 'Ctrl+A', 'Alt+F', 'Delete'], 'ab c'],
    [['日本語', 'Left', 'Backspace'], '日語'],
    [['👩‍👩‍👧x', 'Left', 'Backspace'], 'x'],
  ])('is edited by %j: %j', (keys, text) => {
    expect(draft(new ScreenDriver().press(...keys))).toBe(text);
  });

  it('goes through the history at its first and last line', () => {
    const screen = new ScreenDriver({ history: ['first', 'two\nlines'] }).press('now', 'Up');
    expect(draft(screen)).toBe('two\nlines');
    expect(draft(screen.press('Up'))).toBe('two\nlines');
    expect(draft(screen.press('Up'))).toBe('first');
    expect(draft(screen.press('Up'))).toBe('first');
    expect(draft(screen.press('Down', 'Down', 'Down'))).toBe('now');
    expect(draft(screen.press('Down'))).toBe('now');
  });

  it('moves by the rows that are seen before it goes through the history', () => {
    const screen = new ScreenDriver({ history: ['old'] }).resize(30, 12).press('word '.repeat(12).trim());
    screen.press('Up');
    expect(draft(screen)).toMatch(/^word/);
    expect(screen.state.composer.cursor).toBeLessThan(59);
    expect(draft(screen.press('Up', 'Up', 'Up'))).toBe('old');
  });

  it('of the history does not open the menu', () => {
    const screen = new ScreenDriver({ history: ['older', '/mod'] }).press('Up', 'Up');
    expect(draft(screen)).toBe('older');
  });

  it('is cleared by Ctrl+C and kept in the history', () => {
    const screen = new ScreenDriver().press('half a thought', 'Ctrl+C');
    expect(draft(screen)).toBe('');
    expect(screen.state.leaving).toBeNull();
    expect(draft(screen.press('Up'))).toBe('half a thought');
    expect(screen.take()).toEqual([]);
  });

  it('is put back when the app restores it', () => {
    const screen = new ScreenDriver().act({ type: 'draft', text: 'saved' });
    expect(screen.state.composer).toMatchObject({ text: 'saved', cursor: 5 });
    expect(new ScreenDriver({ draft: 'saved' }).state.composer).toMatchObject({ text: 'saved', cursor: 5 });
  });
});

describe('leaving', () => {
  it('takes Ctrl+C twice within two seconds', () => {
    const screen = new ScreenDriver().press('Ctrl+C');
    expect(screen.screen()).toContain('press Ctrl+C again to leave');
    expect(screen.take()).toEqual([]);
    expect(screen.wait(1900).press('Ctrl+C').take()).toEqual([{ type: 'exit' }]);
  });

  it('does not come of a Ctrl+C that came too late, nor of one after another key', () => {
    const screen = new ScreenDriver().press('Ctrl+C').wait(2100).press('Ctrl+C');
    expect(screen.take()).toEqual([]);
    expect(screen.press('x', 'Backspace', 'Ctrl+C').take()).toEqual([]);
    screen.act({ type: 'tick', now: screen.now + 2001 });
    expect(screen.state.leaving).toBeNull();
  });

  it('takes Ctrl+D once, at an empty draft only', () => {
    expect(new ScreenDriver().press('Ctrl+D').take()).toEqual([{ type: 'exit' }]);
    expect(new ScreenDriver().press('x', 'Ctrl+D').take()).toEqual([]);
  });
});

describe('Esc', () => {
  it('closes what is open, else interrupts the turn', () => {
    const screen = new ScreenDriver().stored({ type: 'user', text: 'go' }).press('?');
    expect(screen.press('Esc').state.overlay).toBeNull();
    expect(screen.take()).toEqual([]);
    expect(screen.press('/', 'Esc').state.composer).toMatchObject({ text: '/', completions: [] });
    expect(screen.take()).toEqual([]);
    expect(screen.press('Esc').take()).toEqual([{ type: 'send', command: { type: 'abort' } }]);
    expect(screen.state.composer.text).toBe('/');
  });

  it('does nothing else', () => {
    const screen = new ScreenDriver().press('draft');
    const before = screen.state;
    expect({ ...screen.press('Esc', 'Esc').state, now: 0 }).toEqual({ ...before, now: 0 });
    expect(screen.take()).toEqual([]);
  });
});

describe('slash commands', () => {
  const labels = (screen: ScreenDriver) => screen.state.composer.completions.map(({ label }) => label);

  it('are offered as they are typed, what is whole first', () => {
    const screen = new ScreenDriver().press('/');
    expect(labels(screen)).toEqual(['/help', '/mode [MODE]', '/model ID', '/models', '/exit']);
    expect(labels(screen.press('mod'))).toEqual(['/mode [MODE]', '/model ID', '/models']);
    expect(labels(screen.press('el'))).toEqual(['/model ID', '/models']);
    expect(labels(screen.press('s'))).toEqual(['/models']);
    expect(labels(screen.press('x'))).toEqual([]);
    expect(labels(screen.press('Backspace'))).toEqual(['/models']);
    expect(labels(screen.press(' '))).toEqual([]);
  });

  it('run by Enter on the chosen one', () => {
    const screen = new ScreenDriver().press('/', 'Up', 'Enter');
    expect(screen.take()).toEqual([{ type: 'command', name: 'exit', argument: '' }]);
    expect(draft(screen)).toBe('');
    expect(screen.press('/mod', 'Enter').take()).toEqual([{ type: 'command', name: 'mode', argument: '' }]);
  });

  it('wait for an argument that they need', () => {
    const screen = new ScreenDriver().press('/mod', 'Down', 'Enter');
    expect(screen.take()).toEqual([]);
    expect(draft(screen)).toBe('/model ');
    expect(screen.press('qwen3:8b', 'Enter').take()).toEqual([
      { type: 'command', name: 'model', argument: 'qwen3:8b' },
    ]);
  });

  it('are completed by Tab without being run', () => {
    const screen = new ScreenDriver().press('/mod', 'Tab');
    expect(draft(screen)).toBe('/mode');
    expect(screen.take()).toEqual([]);
    expect(screen.press(' plan', 'Enter').take()).toEqual([{ type: 'command', name: 'mode', argument: 'plan' }]);
  });

  it('take what the app offers for the draft', () => {
    const screen = new ScreenDriver().press('/model q');
    const items = [{ label: 'qwen3:8b', help: 'local', insert: '/model qwen3:8b' }];
    screen.act({ type: 'completions', items });
    expect(screen.screen()).toContain('› qwen3:8b  local');
    expect(screen.press('Enter').take()).toEqual([{ type: 'command', name: 'model', argument: 'qwen3:8b' }]);
  });

  it('are not what a path is', () => {
    const screen = new ScreenDriver().press('/usr/bin/env is missing', 'Enter');
    expect(screen.take()).toEqual([prompt('/usr/bin/env is missing')]);
  });
});

describe('modes', () => {
  it('cycle by Shift+Tab, also before the session answered', () => {
    const screen = new ScreenDriver().press('Shift+Tab', 'Shift+Tab', 'Shift+Tab');
    expect(screen.take()).toEqual(
      (['plan', 'auto', 'ask'] as const).map((mode) => ({ type: 'send', command: { type: 'set', mode } })),
    );
  });
});

describe('panes', () => {
  const filled = () => {
    const screen = new ScreenDriver().stored({ type: 'user', text: 'go' });
    for (let n = 0; n < 30; n++) screen.stored(assistant([`line ${n}`]));
    screen.stored(call('1', 'bash', 'ls'), { type: 'todos', items: [{ text: 'one', status: 'pending' }] });
    return screen;
  };

  it('take the focus in turn by Tab, those that show something', () => {
    const screen = filled();
    const seen = [1, 2, 3, 4].map(() => screen.press('Tab').state.focus);
    expect(seen).toEqual(['chat', 'tools', 'todos', null]);
    expect(screen.state.pane).toBe('chat');
    expect(new ScreenDriver().press('Tab', 'Tab').state.focus).toBeNull();
  });

  it('are tabs that Ctrl+T turns, under 120 columns', () => {
    const screen = filled();
    expect(screen.screen()).toMatch(/^\[chat\] {2}tools {3}todos/);
    expect(screen.press('Ctrl+T').screen()).toMatch(/^ chat {2}\[tools\]/);
    expect(screen.press('Ctrl+T', 'Ctrl+T').state).toMatchObject({ pane: 'chat', focus: null });
  });

  it('stand side by side from 120 columns', () => {
    const screen = filled().resize(120, 40);
    const { panes } = screen.frame();
    expect(panes.map(({ pane }) => pane)).toEqual(['chat', 'tools', 'todos']);
    expect(panes[0]!.columns).toBeGreaterThanOrEqual(72);
    for (const [column, row] of [
      [79, 40],
      [100, 11],
    ] as const) {
      expect(
        screen
          .resize(column, row)
          .frame()
          .panes.map(({ pane }) => pane),
      ).toEqual(['chat']);
    }
  });

  it('give the focus back to the draft when something is typed', () => {
    const screen = filled().press('Tab', 'h');
    expect(screen.state).toMatchObject({ focus: null, composer: { text: 'h' } });
  });

  it('lose the focus when a smaller screen does not show them', () => {
    expect(filled().press('Tab', 'Tab').resize(60, 20).state.focus).toBeNull();
  });

  it('scroll by keys and wheel, and follow again at the end', () => {
    const screen = filled();
    expect(screen.screen()).toContain('line 29');
    screen.press('PgUp');
    expect(screen.state.scroll.chat.follow).toBe(false);
    expect(screen.screen()).toContain('↓ more below');
    expect(screen.press('Home').screen()).toContain('▌ go');
    expect(screen.press('End').state.scroll.chat.follow).toBe(true);
    screen.wheel(-3, 5, 5);
    expect(screen.state.scroll.chat.follow).toBe(false);
    expect(screen.wheel(3, 5, 5).state.scroll.chat.follow).toBe(true);
    expect(screen.press('Home', 'PgDn', 'PgDn', 'PgDn', 'PgDn', 'PgDn', 'PgDn').state.scroll.chat.follow).toBe(true);
    screen.press('Tab', 'Up');
    expect(screen.state.scroll.chat.follow).toBe(false);
    expect(screen.press('Down').state.scroll.chat.follow).toBe(true);
  });

  it('stay at their end when there is nothing to scroll', () => {
    const screen = new ScreenDriver().stored({ type: 'user', text: 'go' }).press('PgUp', 'Home');
    expect(screen.state.scroll.chat.follow).toBe(true);
  });

  it('scroll where the wheel is turned', () => {
    const screen = filled().resize(120, 24);
    const output = Array.from({ length: 60 }, (_, n) => `out ${n}`).join('\n');
    screen.stored({ type: 'tool_result', id: '1', name: 'bash', output, isError: false });
    const tools = screen.frame().panes.find(({ pane }) => pane === 'tools')!;
    screen.wheel(-3, tools.column, tools.row);
    expect(screen.state.scroll.tools.follow).toBe(false);
    expect(screen.state.scroll.chat.follow).toBe(true);
  });

  it('go back to the end of the chat when a prompt is sent', () => {
    const screen = filled().press('PgUp', 'x', 'Enter');
    expect(screen.state.scroll.chat.follow).toBe(true);
  });

  it('unfold and fold outputs and thinking by Ctrl+O, new ones too', () => {
    const screen = filled().reasoning('secret thoughts', 0).press('Ctrl+O');
    expect(screen.screen()).toContain('secret thoughts');
    screen.stored(call('2', 'bash', 'ls'));
    expect(screen.state.blocks.at(-1)).toMatchObject({ kind: 'tool', open: true });
    expect(screen.press('Ctrl+O').screen()).not.toContain('secret thoughts');
  });
});

describe('overlays', () => {
  it('show the keys for ?, only at an empty draft', () => {
    const screen = new ScreenDriver().press('?');
    expect(screen.screen()).toContain('Shift+Tab');
    expect(screen.press('?').state.overlay).toBeNull();
    expect(screen.press('x', '?').state.overlay).toBeNull();
    expect(draft(screen)).toBe('x?');
  });

  it('scroll their text and take no other key', () => {
    const text = Array.from({ length: 100 }, (_, n) => `row ${n}`).join('\n');
    const screen = new ScreenDriver().act({ type: 'overlay', overlay: { kind: 'text', title: 'T', text, offset: 0 } });
    expect(screen.press('PgDn').screen()).toContain('20–39 of 100');
    expect(screen.press('End').screen()).toContain('row 99');
    expect(screen.press('Up', 'z', 'Home').screen()).toContain('row 0');
    expect(screen.wheel(3, 0, 0).state.overlay).toMatchObject({ offset: 3 });
    screen.paste('text');
    expect(draft(screen)).toBe('');
    expect(screen.press('Enter').state.overlay).toBeNull();
  });

  const pick = () =>
    new ScreenDriver().act({
      type: 'overlay',
      overlay: {
        kind: 'pick',
        title: 'Models',
        items: ['alpha', 'beta', 'gamma'].map((label) => ({ label, detail: `the ${label}`, value: `v/${label}` })),
        filter: '',
        selected: 0,
        command: 'model',
      },
    });

  it('let choose from a list', () => {
    const screen = pick().press('Down', 'Down', 'Down', 'Up');
    expect(screen.press('Enter').take()).toEqual([{ type: 'command', name: 'model', argument: 'v/gamma' }]);
    expect(screen.state.overlay).toBeNull();
  });

  it('filter the list by what is typed', () => {
    const screen = pick().press('Down', 'b', 'e');
    expect(screen.screen()).toContain('filter: be');
    expect(screen.screen()).toContain('1 of 3');
    expect(screen.press('Enter').take()).toEqual([{ type: 'command', name: 'model', argument: 'v/beta' }]);
    const none = pick().paste('zzz');
    expect(none.screen()).toContain('nothing matches');
    expect(none.press('Enter', 'Down').take()).toEqual([]);
    expect(none.press('Ctrl+U', 'PgDn', 'Enter').take()).toEqual([
      { type: 'command', name: 'model', argument: 'v/gamma' },
    ]);
  });

  it('close without a choice by Esc and Ctrl+C', () => {
    for (const key of ['Esc', 'Ctrl+C']) {
      const screen = pick().press(key);
      expect(screen.state).toMatchObject({ overlay: null, leaving: null });
      expect(screen.take()).toEqual([]);
    }
  });
});

describe('a list that takes no filter', () => {
  const start = () => new ScreenDriver().act({ type: 'overlay', overlay: firstRunMenu(new StartError('none', 3)) });

  it('gives what is typed or pasted to the draft', () => {
    for (const screen of [start().press('?', 'why'), start().paste('?why')]) {
      expect(screen.state.overlay).toBeNull();
      expect(screen.state.composer.text).toBe('?why');
      expect(screen.press('Enter').take()).toEqual([{ type: 'send', command: { type: 'prompt', text: '?why' } }]);
    }
    expect(start().press('Down', 'Backspace', 'Enter').take()).toMatchObject([{ argument: 'again' }]);
    expect(start().screen()).not.toContain('? keys');
    expect(start().screen()).toContain('What you type is kept');
  });
});

describe('a line with a slash', () => {
  it.each([
    ['/', { name: '', argument: '' }],
    ['/ what', { name: '', argument: 'what' }],
    ['/Nonsense now\nand then', { name: 'nonsense', argument: 'now\nand then' }],
    ['/größe', { name: 'größe', argument: '' }],
    ['/5!', { name: '5!', argument: '' }],
  ])('%j is never for the model', (text, command) => {
    const screen = new ScreenDriver().paste(text).press('Esc', 'Enter');
    expect(screen.take()).toEqual([{ type: 'command', ...command }]);
  });

  it('that begins with a path is', () => {
    const text = '/home/me/a.txt says what?';
    const screen = new ScreenDriver().paste(text).press('Enter');
    expect(screen.take()).toEqual([{ type: 'send', command: { type: 'prompt', text } }]);
  });

  it('typed before the session was there has its menu', () => {
    const screen = new ScreenDriver({ draft: '/mo' });
    expect(screen.state.composer).toMatchObject({ text: '/mo', cursor: 3 });
    expect(screen.state.composer.completions.map(({ label }) => label)).toEqual([
      '/mode [MODE]',
      '/model ID',
      '/models',
    ]);
  });
});

describe('the status line without a model', () => {
  it('says so only when it is known', () => {
    const screen = new ScreenDriver({ model: '' });
    expect(screen.screen()).not.toMatch(/no model|local/);
    screen.state = { ...screen.state, noModel: true };
    expect(screen.screen()).toContain('no model yet');
    expect(screen.press('mend it').screen()).toContain('Enter looks for a model');
    expect(screen.press('Ctrl+U', '/exit').screen()).toContain('Enter runs it');
  });
});

describe('other keys', () => {
  it('are effects', () => {
    expect(new ScreenDriver().press('Ctrl+L', 'Ctrl+Z').take()).toEqual([{ type: 'repaint' }, { type: 'suspend' }]);
  });

  it('that mean nothing change nothing', () => {
    const screen = new ScreenDriver();
    const before = screen.state;
    expect({ ...screen.press('Ctrl+Q', 'Alt+X', 'Shift+Up').state, now: 0 }).toEqual({ ...before, now: 0 });
  });

  it('tell whether the window has the focus', () => {
    const screen = new ScreenDriver().act({ type: 'input', input: { type: 'focus', focused: false }, now: 1 });
    expect(screen.state.focused).toBe(false);
  });

  it('leave a finished turn alone', () => {
    const screen = new ScreenDriver().stored({ type: 'user', text: 'go' }, done()).press('Esc');
    expect(screen.take()).toEqual([]);
  });
});

it('what comes of a command is seen, wherever one was reading', () => {
  const screen = new ScreenDriver();
  for (let n = 0; n < 30; n++) screen.stored({ type: 'user', text: `prompt ${n}` });
  screen.press('PgUp');
  expect(screen.state.scroll.chat.follow).toBe(false);
  screen.press(...'/nosuch', 'Enter');
  expect(screen.state.scroll.chat.follow).toBe(true);
});
