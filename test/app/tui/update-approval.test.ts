import { describe, expect, it } from 'vitest';
import { planDenials } from '../../../app/tui/plan-denials.ts';
import type { StoredBody } from '../../../core/types.ts';
import { assistant, call, ScreenDriver } from './screen-driver.ts';

type Request = Extract<StoredBody, { type: 'approval_request' }>;

const request = (id: string, more: Partial<Request> = {}): Request => ({
  type: 'approval_request',
  id,
  name: 'bash',
  summary: 'git push (reaches the network)',
  input: { command: 'git push' },
  ...more,
});

/** A turn that waits for an answer. */
function asking(
  more: Partial<Request> = {},
  options: ConstructorParameters<typeof ScreenDriver>[0] = {},
): ScreenDriver {
  const screen = new ScreenDriver(options).stored({ type: 'user', text: 'go' }, assistant(['I will.']));
  const name = more.name ?? 'bash';
  return screen.stored(call('1', name, 'git push', more.input), request('1', more));
}

const approve = (more: object, id = '1') => ({ type: 'send', command: { type: 'approve', id, ...more } });

describe('the answers', () => {
  it.each([
    [['y'], [approve({ decision: 'yes' })]],
    [['a'], [approve({ decision: 'all' })]],
    [['r'], [approve({ decision: 'yes', remember: 'project' })]],
    [
      ['p'],
      [
        approve({ decision: 'no', reason: 'make a plan first; plan mode is on now' }),
        { type: 'send', command: { type: 'set', mode: 'plan' } },
      ],
    ],
    [['n', 'Enter'], [approve({ decision: 'no' })]],
    [['n', 'not ', 'yet', 'Enter'], [approve({ decision: 'no', reason: 'not yet' })]],
    [['n', 'n', 'o', 'y', 'Backspace', 'Enter'], [approve({ decision: 'no', reason: 'no' })]],
    [['n', 'wrong', 'Ctrl+U', 'right', 'Enter'], [approve({ decision: 'no', reason: 'right' })]],
  ])('%j', (keys, effects) => {
    const screen = asking({ rule: 'bash(git push)' })
      .wait(1000)
      .press(...keys);
    expect(screen.take()).toEqual(effects);
    expect(screen.state.approvals).toEqual([]);
    expect(screen.state.composer.text).toBe('');
  });

  it('go back from the reason to the choice by Esc, without interrupting', () => {
    const screen = asking().wait(1000).press('n', 'because', 'Esc');
    expect(screen.state.approvals[0]).toMatchObject({ reason: null });
    expect(screen.take()).toEqual([]);
    expect(screen.wait(400).press('y').take()).toEqual([approve({ decision: 'yes' })]);
  });

  it('leave the reason in the transcript', () => {
    const screen = asking().stored({
      type: 'approval',
      id: '1',
      decision: 'no',
      by: 'user',
      reason: 'not on a Friday',
    });
    expect(screen.screen()).toMatch(/⊘ bash git push .*denied\n +because: not on a Friday/);
    screen.stored({ type: 'tool_result', id: '1', name: 'bash', output: 'The user said no.', isError: true });
    expect(screen.screen()).toContain('because: not on a Friday');
  });

  it.each([
    ['a', { danger: 'it deletes files' }, 'ask', /a does nothing here: what destroys is asked for every time/],
    ['a', {}, 'auto', /a does nothing here: auto mode is on already/],
    ['r', { danger: 'it deletes files', rule: 'bash(rm *)' }, 'ask', /r does nothing here: what destroys/],
    ['r', {}, 'ask', /r does nothing here: no rule can be saved/],
  ] as const)('%s with %j in %s mode says why it does nothing, once', (key, more, mode, text) => {
    const screen = asking(more, { mode }).wait(1000).press(key);
    expect(screen.take()).toEqual([]);
    screen.wait(1000).press(key);
    expect(screen.take()).toEqual([]);
    expect(screen.state.approvals).toHaveLength(1);
    const notes = screen.blocks.filter((block) => block.kind === 'note' && text.test(block.text));
    expect(notes).toHaveLength(1);
  });

  it('interrupt the turn by Esc', () => {
    const screen = asking().wait(1000).press('Esc');
    expect(screen.take()).toEqual([{ type: 'send', command: { type: 'abort' } }]);
    screen.stored({ type: 'approval', id: '1', decision: 'no', by: 'user', reason: 'the turn was interrupted' });
    expect(screen.state.approvals).toEqual([]);
  });

  it('say in words what a wide rule allows', () => {
    const rule = { rule: 'bash(git push *)', ruleInWords: 'git push with any arguments, in this project' };
    expect(asking(rule, { size: { columns: 120, rows: 24 } }).screen()).toContain(
      'r always: bash(git push *) (git push with any arguments, in this project)',
    );
    const narrow = { rule: 'bash(git push)', ruleInWords: 'exactly git push, in this project' };
    expect(asking(narrow).screen()).not.toContain('exactly');
  });

  it('offer no rule where none can be saved', () => {
    const screen = asking().wait(1000);
    expect(screen.screen()).toContain('y yes · a auto · p plan · n no');
    expect(screen.press('r').take()).toEqual([]);
    expect(screen.state.approvals).toHaveLength(1);
  });

  it('offer neither auto nor a rule to what destroys', () => {
    const screen = asking({ danger: 'deletes files', rule: 'bash(rm -rf x)' }).wait(1000);
    expect(screen.screen()).toContain('y yes · p plan · n no');
    expect(screen.screen()).toContain('danger: deletes files');
    for (const key of ['a', 'r']) expect(screen.wait(2000).press(key).take()).toEqual([]);
    expect(screen.wait(2000).press('y').take()).toEqual([approve({ decision: 'yes' })]);
  });

  it('do not offer auto mode in auto mode', () => {
    const screen = asking({}, { mode: 'auto' }).wait(1000);
    expect(screen.screen()).toContain('y yes · p plan · n no');
    expect(screen.press('a').take()).toEqual([]);
  });
});

describe('keys typed ahead', () => {
  it('never answer within 300 ms, and go into the draft', () => {
    const screen = asking().wait(280).press('y');
    expect(screen.take()).toEqual([]);
    expect(screen.state.composer.text).toBe('y');
  });

  it('never answer in the middle of a text, however slowly it is typed', () => {
    const screen = new ScreenDriver().stored({ type: 'user', text: 'go' }).press('w');
    screen.stored(call('1', 'bash', 'git push'), request('1'));
    for (const letter of 'hy any pear') screen.wait(600).press(letter);
    screen.wait(60_000).press('y');
    expect(screen.take()).toEqual([]);
    expect(screen.state.composer.text).toBe('why any peary');
    expect(screen.screen()).toContain('Ctrl+C puts it aside');
    expect(screen.press('Ctrl+C').wait(400).press('y').take()).toEqual([approve({ decision: 'yes' })]);
    expect(screen.press('Up').state.composer.text).toBe('why any peary');
  });

  it.each([[['y', 'e', 's']], [['a', 'lso']], [['p', 'l', 'e', 'a', 's', 'e']]])(
    'never answer as the beginning of a text typed at once: %j',
    (keys) => {
      const screen = asking({ rule: 'bash(git push)' })
        .wait(1000)
        .press(...keys);
      expect(screen.take()).toEqual([]);
      expect(screen.state.composer.text).toBe(keys.join(''));
    },
  );

  it('never answer in front of a paste; before another key they do', () => {
    const pasted = asking().wait(1000).press('y').paste(' is it');
    expect(pasted.take()).toEqual([]);
    expect(pasted.state.composer.text).toBe('y is it');
    expect(asking().wait(1000).press('y', 'Enter').effects).toEqual([approve({ decision: 'yes' })]);
  });

  it('answer nothing when what they answered is gone', () => {
    const screen = asking()
      .stored(call('2', 'bash', 'b'), request('2'))
      .wait(1000)
      .press('y');
    screen.stored({ type: 'approval', id: '1', decision: 'no', by: 'user' });
    expect(screen.take()).toEqual([]);
    expect(screen.state).toMatchObject({ held: null, approvals: [{ request: { id: '2' } }] });
  });

  it('never answer as part of a longer text or a paste', () => {
    const screen = asking().wait(1000).press('yes');
    expect(screen.take()).toEqual([]);
    expect(screen.state.composer.text).toBe('yes');
    const other = asking().wait(1000).paste('y');
    expect(other.take()).toEqual([]);
  });

  it('that are no answer go into the draft and keep the next ones from answering', () => {
    const screen = asking().wait(1000).press('h', 'e', 'y');
    expect(screen.take()).toEqual([]);
    expect(screen.state.composer.text).toBe('hey');
    expect(screen.press('Enter').take()).toEqual([{ type: 'send', command: { type: 'prompt', text: 'hey' } }]);
    expect(screen.state.approvals).toHaveLength(1);
  });

  it('do not answer right after an overlay that covered it was closed', () => {
    const screen = asking().wait(1000).press('?');
    expect(screen.screen()).not.toContain('ada wants to');
    expect(screen.press('Esc', 'y').take()).toEqual([]);
  });

  it('Enter answers nothing', () => {
    expect(asking().wait(1000).press('Enter').take()).toEqual([]);
  });
});

describe('several approvals', () => {
  const three = () => asking().stored(call('2', 'bash', 'b'), request('2'), call('3', 'bash', 'c'), request('3'));

  it('queue, and each has its own moment of quiet', () => {
    const screen = three().wait(1000);
    expect(screen.screen()).toContain('approval 1 of 3');
    expect(screen.press('y').take()).toEqual([approve({ decision: 'yes' })]);
    expect(screen.press('y').take()).toEqual([]);
    expect(screen.state.approvals.map(({ request: { id } }) => id)).toEqual(['2', '3']);
    screen.press('Ctrl+C').wait(1500).press('y');
    expect(screen.take()).toEqual([approve({ decision: 'yes' }, '2')]);
    expect(screen.screen()).not.toContain('of 3');
  });

  it('go when the session answers them', () => {
    const screen = three().wait(1000).stored({ type: 'approval', id: '2', decision: 'no', by: 'user' });
    expect(screen.state.approvals.map(({ request: { id } }) => id)).toEqual(['1', '3']);
    expect(screen.state.approvals[0]!.shownAt).toBe(screen.now - 1000);
    screen.stored({ type: 'tool_result', id: '1', name: 'bash', output: '', isError: true });
    expect(screen.state.approvals[0]!.shownAt).toBe(screen.now);
  });
});

describe('modes and what waits', () => {
  const waiting = () => [request('1'), request('2', { name: 'read_file' }), request('3', { name: 'write_file' })];
  const logged = (body: Request) => ({ ...body, seq: 1, time: 1 });

  it('plan mode denies all but what only looks', () => {
    const reason = 'plan mode is on: nothing is changed';
    expect(planDenials(waiting().map(logged))).toEqual(
      ['1', '3'].map((id) => ({ type: 'approve', id, decision: 'no', reason })),
    );
  });

  it('auto mode does not answer for what was asked before', () => {
    const screen = asking().wait(1000);
    expect(screen.screen()).not.toContain('still waits');
    screen.stored({ type: 'mode', value: 'auto' });
    expect(screen.screen()).toContain('auto mode is for what comes next; this still waits');
    expect(screen.take()).toEqual([]);
  });
});

describe('the preview', () => {
  const long = Array.from({ length: 80 }, (_, n) => `echo ${n}`).join('\n');

  it('scrolls inside, by keys and wheel', () => {
    const screen = asking({ input: { command: long } });
    expect(screen.screen()).toMatch(/lines 1–\d+ of 80/);
    expect(screen.press('PgDn', 'Down', 'End').screen()).toContain('echo 79');
    expect(screen.press('Home').screen()).toContain('$ echo 0');
    const row = screen
      .screen()
      .split('\n')
      .findIndex((line) => line.includes('echo 0'));
    expect(screen.wheel(3, 0, row).state.approvals[0]!.offset).toBe(3);
    expect(screen.state.scroll.chat.follow).toBe(true);
  });

  it('leaves the arrow keys to a draft', () => {
    const screen = asking({ input: { command: long } }).press('a', 'Ctrl+J', 'b', 'Up');
    expect(screen.state.approvals[0]!.offset).toBe(0);
    expect(screen.state.composer.cursor).toBe(1);
  });
});

describe('the first line', () => {
  it.each([
    [{ name: 'bash', input: { command: 'ls' } }, 'ada wants to run a shell command'],
    [{ name: 'edit_file', input: { path: 'src/a.ts' } }, 'ada wants to edit src/a.ts'],
    [{ name: 'write_file', input: { path: 'made.txt', content: '' } }, 'ada wants to edit made.txt'],
    [
      {
        name: 'apply_patch',
        input: { patch: '' },
        preview: { kind: 'diff', path: 'b.ts', patch: '', added: 0, removed: 0 },
      },
      'ada wants to edit b.ts',
    ],
    [{ name: 'apply_patch', input: { patch: '' } }, 'ada wants to edit files'],
    [{ name: 'web_fetch', input: { url: 'https://docs.example.com/a?b' } }, 'ada wants to fetch docs.example.com'],
    [{ name: 'web_fetch', input: { url: 'nonsense' } }, 'ada wants to fetch nonsense'],
    [{ name: 'server__tool', input: { a: 1 } }, 'ada wants to use server__tool'],
    [{ name: 'edit_file', input: { path: 'a\x1b[2Jb' } }, 'ada wants to edit a␛[2Jb'],
  ] as [Partial<Request>, string][])('%j', (more, line) => {
    expect(asking(more).screen().split('\n')).toContain(line);
  });

  it('names a long path whole', () => {
    const path = `${'deeply/'.repeat(20)}file.ts`;
    const lines = asking({ name: 'edit_file', input: { path } }).screen().replace(/\n */g, '');
    expect(lines).toContain(`ada wants to edit${path}`);
  });

  it('is followed by everything that would be done, with nothing hidden', () => {
    const hidden = asking({ input: { command: 'ls \x1b[8m; rm x\x1b[0m', cwd: 'sub' } }).screen();
    expect(hidden).toContain('$ ls ␛[8m; rm x␛[0m');
    expect(hidden).toContain('in sub');
    expect(hidden).toContain('why: reaches the network');
    const other = asking({
      name: 'server__tool',
      input: { path: 'x', list: [1, 2] },
      summary: 'something else',
    }).screen();
    expect(other).toContain('path: x\nlist: [1,2]\nwhy: something else');
  });
});
