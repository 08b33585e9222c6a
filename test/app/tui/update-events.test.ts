import { describe, expect, it } from 'vitest';
import type { Block } from '../../../app/tui/types.ts';
import type { StoredBody } from '../../../core/types.ts';
import { assistant, call, done, ScreenDriver, usage } from './screen-driver.ts';

const textOf = (block: Block | undefined): string =>
  block?.kind === 'answer' ? block.settled.join('') + block.tail : ((block as { text?: string })?.text ?? '');
const kinds = (screen: ScreenDriver): string[] => screen.blocks.map(({ kind }) => kind);
const blocks = (screen: ScreenDriver): string[] => screen.blocks.map((block) => `${block.kind}: ${textOf(block)}`);
const tool = (screen: ScreenDriver, at = 0) => {
  const block = screen.blocks[screen.state.calls.at(at)!];
  if (block?.kind !== 'tool') throw new Error(`no tool block at call ${at}`);
  return block;
};
const user = (text: string, steered = false): StoredBody => ({ type: 'user', text, ...(steered ? { steered } : {}) });
const result = (id: string, more: Partial<Extract<StoredBody, { type: 'tool_result' }>> = {}): StoredBody => ({
  type: 'tool_result',
  id,
  name: 'bash',
  output: 'out',
  isError: false,
  ...more,
});

describe('a streamed message', () => {
  it('is not parted by what is said beside it', () => {
    const screen = new ScreenDriver().stored(user('hi'));
    screen.reasoning('let me ', 0);
    screen.stored({ type: 'notice', level: 'info', text: 'first' });
    screen.reasoning('think', 7).text('eight w', 0);
    screen.act({ type: 'say', level: 'error', text: 'a turn is running' });
    screen.text('ords', 7);
    expect(blocks(screen)).toEqual([
      'user: hi',
      'reasoning: let me think',
      'note: first',
      'answer: eight words',
      'note: a turn is running',
    ]);
    expect(screen.blocks[1]).toMatchObject({ streaming: false });
    screen.stored(assistant([{ type: 'reasoning', text: 'let me think' }, 'eight words']));
    expect(blocks(screen).slice(3)).toEqual(['answer: eight words', 'note: a turn is running']);
  });

  it('grows block by block and is replaced by what was stored', () => {
    const screen = new ScreenDriver().stored(user('hi'));
    expect(screen.state).toMatchObject({ running: true, activity: 'waiting for the model' });
    screen.reasoning('let me ', 0).reasoning('think', 7);
    expect(screen.state.activity).toBe('thinking');
    expect(screen.blocks[1]).toMatchObject({
      kind: 'reasoning',
      text: 'let me think',
      streaming: true,
      open: false,
    });
    screen.wait(1500).text('One.\n\n', 0).text('Two', 6);
    expect(screen.state.activity).toBe('writing');
    expect(screen.blocks[1]).toMatchObject({
      streaming: false,
      endedAt: screen.now,
      startedAt: screen.now - 1500,
    });
    const streamed = screen.blocks[2];
    expect(textOf(streamed)).toBe('One.\n\nTwo');
    screen.stored(assistant([{ type: 'reasoning', text: 'let me think' }, 'One.\n\nTwo'], { usage: usage(100, 20) }));
    expect(blocks(screen)).toEqual(['user: hi', 'reasoning: let me think', 'answer: One.\n\nTwo']);
    expect(screen.blocks[2]).toMatchObject({ streaming: false });
    expect((screen.blocks[2] as { settled: unknown }).settled).toBe((streamed as { settled: unknown }).settled);
    expect(screen.state).toMatchObject({ contextUsed: 120, messageAt: null });
  });

  it('is exactly what was stored, whatever was streamed', () => {
    const screen = new ScreenDriver().stored(user('hi')).reasoning('x', 0).text('wrong', 0);
    screen.stored({ type: 'notice', level: 'warning', text: 'in between' });
    screen.text(' text', 5).stored(assistant(['right text', { type: 'tool_use', id: '1', name: 'ls', input: {} }]));
    expect(blocks(screen)).toEqual(['user: hi', 'answer: right text', 'note: in between']);
  });

  it('shows an old message that was never streamed', () => {
    const screen = new ScreenDriver().stored(
      user('hi'),
      assistant([{ type: 'reasoning', text: 'hm' }, 'a', 'b', '  ']),
    );
    expect(blocks(screen)).toEqual(['user: hi', 'reasoning: hm', 'answer: ab  ']);
  });

  it('keeps several parts of one message in their order', () => {
    const screen = new ScreenDriver().stored(user('hi'));
    screen.reasoning('r1', 0).text('t1', 0).reasoning('r2', 2).text('t2', 2);
    const before = blocks(screen);
    screen.stored(
      assistant([{ type: 'reasoning', text: 'r1' }, 't1', { type: 'reasoning', text: 'r2' }, 't2'], { finish: 'stop' }),
    );
    expect(blocks(screen)).toEqual(before);
    expect(before.slice(1)).toEqual(['reasoning: r1', 'answer: t1', 'reasoning: r2', 'answer: t2']);
  });

  it('begins anew at offset 0: a reader who joins gets all of it', () => {
    const screen = new ScreenDriver().stored(user('hi')).text('par', 0).text('partial and more', 0);
    expect(blocks(screen)).toEqual(['user: hi', 'answer: partial and more']);
  });

  it('is void after a retry that discards it, and stays after one that does not', () => {
    const retry = (discard: boolean): StoredBody => ({
      type: 'retry',
      reason: 'cut off',
      attempt: 2,
      delayMs: 2000,
      discard,
    });
    const screen = new ScreenDriver().stored(user('hi')).reasoning('r', 0).text('half an ans', 0).stored(retry(true));
    expect(blocks(screen)).toEqual(['user: hi', 'note: trying again in 2.0 s (attempt 2): cut off']);
    screen.text('whole', 0).stored(assistant(['whole']));
    expect(kinds(screen)).toEqual(['user', 'note', 'answer']);
    const moved = new ScreenDriver().stored(user('hi')).stored({ ...retry(false), moved: 'hosted' } as StoredBody);
    expect(kinds(moved)).toEqual(['user']);
    const other = new ScreenDriver().stored(user('hi')).text('half', 0).stored(retry(false));
    expect(kinds(other)).toEqual(['user', 'answer', 'note']);
  });

  it('keeps what came of an interrupted message', () => {
    const screen = new ScreenDriver().stored(user('hi')).text('half', 0);
    screen.stored(assistant(['half'], { finish: 'aborted' }), done({ finish: 'aborted' }));
    expect(blocks(screen)).toEqual(['user: hi', 'answer: half', 'end: interrupted · 4.2 s · 1.2k in, 340 out']);
    expect(screen.state.running).toBe(false);
  });

  it('ends with its turn even when the message never came', () => {
    const screen = new ScreenDriver()
      .stored(user('hi'))
      .reasoning('r', 0)
      .stored(done({ finish: 'error' }));
    expect(screen.blocks[1]).toMatchObject({ kind: 'reasoning', streaming: false, endedAt: screen.now });
  });

  it('says where it was served, and leaves that open when it failed', () => {
    const served = { backend: 'x', model: 'm', local: false, latencyMs: 1, attempts: 1 };
    const screen = new ScreenDriver().stored(user('hi'), assistant(['a'], { served, finish: 'error' }));
    expect(screen.state.local).toBe(true);
    expect(screen.stored(assistant(['a'], { served })).state.local).toBe(false);
  });

  it('does not move what a person reads further up', () => {
    const screen = new ScreenDriver();
    for (let turn = 0; turn < 20; turn++)
      screen.stored(user(`question ${turn}`), assistant([`answer ${turn}`]), done());
    screen.stored(user('more')).press('PgUp', 'PgUp');
    const seen = screen.screen().split('\n').slice(0, 10);
    for (let at = 0; at < 50; at++) screen.text('some words\n\n', at * 12);
    expect(screen.screen().split('\n').slice(0, 10)).toEqual(seen);
    screen.stored(assistant(['some words\n\n'.repeat(50)]));
    expect(screen.screen().split('\n').slice(0, 10)).toEqual(seen);
  });
});

describe('a tool call', () => {
  it('runs and ends', () => {
    const screen = new ScreenDriver().stored(user('hi'), call('1', 'bash', 'ls'));
    expect(tool(screen)).toMatchObject({ state: 'running', detail: 'ls', startedAt: screen.now, endedAt: null });
    expect(screen.state.activity).toBe('running bash');
    screen.progress('1', 'a\n').progress('1', 'b\n');
    expect(tool(screen).output).toBe('a\nb\n');
    const display = { kind: 'terminal', command: 'ls', output: 'a\nb', exitCode: 0 } as const;
    screen.wait(700).stored(result('1', { display }));
    expect(tool(screen)).toMatchObject({ state: 'done', output: 'out', display, endedAt: screen.now });
    expect(screen.state.activity).toBe('waiting for the model');
  });

  it('keeps only the end of a flood', () => {
    const screen = new ScreenDriver().stored(user('hi'), call('1', 'bash', 'yes'));
    for (let at = 0; at < 100; at++) screen.progress('1', 'y\n'.repeat(1000));
    expect(tool(screen).output.length).toBe(20_000);
  });

  it.each([
    ['fails', [result('1', { isError: true })], 'failed'],
    [
      'is refused by a rule',
      [{ type: 'approval', id: '1', decision: 'no', by: 'rule' }, result('1', { isError: true })],
      'denied',
    ],
    ['is allowed', [{ type: 'approval', id: '1', decision: 'yes', by: 'user' }], 'running'],
    ['is allowed and ends', [{ type: 'approval', id: '1', decision: 'all', by: 'user' }, result('1')], 'done'],
  ] as [string, StoredBody[], string][])('that %s', (_, bodies, state) => {
    const screen = new ScreenDriver().stored(user('hi'), call('1', 'bash', 'ls'), ...bodies);
    expect(tool(screen).state).toBe(state);
  });

  it('waits for its approval, and its time counts from the answer', () => {
    const screen = new ScreenDriver().stored(user('hi'), call('1', 'bash', 'ls'));
    screen.stored({ type: 'approval_request', id: '1', name: 'bash', summary: 'ls', input: { command: 'ls' } });
    expect(tool(screen).state).toBe('waiting');
    expect(screen.state).toMatchObject({ activity: 'waiting for your answer', approvals: [{ shownAt: screen.now }] });
    screen.wait(5000).stored({ type: 'approval', id: '1', decision: 'yes', by: 'user' });
    expect(tool(screen)).toMatchObject({ state: 'running', startedAt: screen.now });
    expect(screen.state).toMatchObject({ approvals: [], activity: 'running bash' });
  });

  it('names the tool that was asked for when it could not be understood', () => {
    const input = { name: 'find_nothing' };
    const screen = new ScreenDriver().stored(user('go'), call('1', 'use_tool', '', input));
    screen.stored(result('1', { name: 'use_tool', isError: true, output: 'There is no tool "find_nothing".' }));
    expect(screen.screen()).toMatch(/✗ use_tool find_nothing/);
  });

  it('is found by its id among others', () => {
    const screen = new ScreenDriver().stored(user('hi'), call('1', 'bash', 'a'), call('2', 'bash', 'b'), result('1'));
    expect([tool(screen, 0).state, tool(screen, 1).state]).toEqual(['done', 'running']);
    expect(
      screen.stored(result('9'), { type: 'approval', id: '9', decision: 'no', by: 'mode' }).state.calls.length,
    ).toBe(2);
  });
});

describe('the rest of the vocabulary', () => {
  it('turns into facts and notes', () => {
    const screen = new ScreenDriver().stored(
      {
        type: 'session',
        id: 's',
        version: 1,
        cwd: '/',
        project: '/',
        model: 'a/b',
        mode: 'plan',
        contextTokens: 8192,
        system: '',
        tools: [],
      },
      { type: 'user', text: 'go' },
      { type: 'model', value: 'c/d' },
      { type: 'mode', value: 'auto' },
      { type: 'todos', items: [{ text: 'one', status: 'active' }] },
      { type: 'notice', level: 'warning', text: 'careful' },
      { type: 'note', about: 'shell', text: 'a job ended' },
      { type: 'note', about: 'mode', text: 'plan mode is on' },
      { type: 'skill', name: 'tests', reason: 'auto' },
      { type: 'compaction', before: 30_000, after: 4000, summary: '' },
      { type: 'error', code: 'network', message: 'no route', retryable: true },
      { type: 'question', id: 'q', text: 'which?', options: ['a', 'b'] },
      { type: 'answer', id: 'q', text: 'a' },
    );
    expect(screen.state).toMatchObject({ model: 'c/d', mode: 'auto', contextTokens: 8192, contextUsed: 4000 });
    expect(screen.state.todos).toHaveLength(1);
    expect(blocks(screen)).toEqual([
      'user: go',
      'note: model: c/d',
      'note: careful',
      'note: the model was told: a job ended',
      'note: skill tests',
      'compaction: ',
      'note: no route',
      'note: asked: which?\nanswered: a',
    ]);
  });

  it('ignores what it does not know', () => {
    const screen = new ScreenDriver();
    const before = screen.state;
    screen.stored({ type: 'weather', sun: true } as unknown as StoredBody);
    expect({ ...screen.state, now: 0 }).toEqual({ ...before, now: 0 });
  });

  it.each([
    [done(), '4.2 s · 1.2k in, 340 out'],
    [done({ usage: usage(null, null), durationMs: 61_000 }), '1m 01s'],
    [done({ turns: 3, usage: usage(15_000, 50, 0.0123) }), '4.2 s · 3 messages · 15k in, 50 out · $0.0123'],
    [
      done({ finish: 'limit', denials: [{ id: '1', name: 'bash', reason: '' }] }),
      'stopped at a limit · 4.2 s · 1.2k in, 340 out · 1 denied',
    ],
  ])('ends a turn with a line: %#', (event, text) => {
    const screen = new ScreenDriver().stored(user('hi'), event);
    expect(screen.state.blocks.at(-1)).toEqual({ kind: 'end', text });
    expect(screen.state).toMatchObject({ running: false, activity: '', approvals: [] });
  });

  it('takes times from the log, so that old turns keep their durations', () => {
    const screen = new ScreenDriver();
    const now = 9_000_000;
    const at = (time: number, body: StoredBody, seq: number) =>
      screen.act({ type: 'event', event: { ...body, seq, time } as never, now });
    at(1000, user('hi'), 1);
    at(2000, call('1', 'bash', 'ls'), 2);
    at(5000, result('1'), 3);
    expect(tool(screen)).toMatchObject({ startedAt: 2000, endedAt: 5000 });
    expect(screen.state.runningSince).toBe(1000);
  });

  it('says and shows what slash commands give', () => {
    const screen = new ScreenDriver().act({ type: 'say', level: 'error', text: 'no such model' });
    expect(blocks(screen)).toEqual(['note: no such model']);
    screen.act({ type: 'overlay', overlay: { kind: 'text', title: 'T', text: 'words', offset: 0 } });
    expect(screen.screen()).toContain('words');
    screen.act({ type: 'facts', local: false, contextTokens: null });
    expect(screen.screen()).toContain('○ hosted');
  });
});
