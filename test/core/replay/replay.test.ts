import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareRuns, settled } from '../../../core/replay/compare.ts';
import { copyProject } from '../../../core/replay/copy-project.ts';
import { inFolder, movedTo, recordedRun, recordingOf } from '../../../core/replay/recorded-run.ts';
import type { StoredBody, StoredEvent } from '../../../core/types.ts';
import { ReplayBackendAdapter } from '../../../providers/backends/replay.ts';

const served = { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 };
const usage = { input: 1, output: 1, cacheRead: null, cacheWrite: null, reasoning: null, cost: null };
const begin: StoredBody = {
  type: 'session',
  id: 's',
  version: 1,
  cwd: '/p/sub',
  project: '/p',
  model: 'm',
  mode: 'auto',
  contextTokens: null,
  system: 'You are a test.',
  tools: [],
};
const user = (text: string, steered = false): StoredBody => ({ type: 'user', text, ...(steered && { steered }) });
const says = (text: string, ...ids: string[]): StoredBody => ({
  type: 'assistant',
  content: [
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...ids.map((id) => ({ type: 'tool_use' as const, id, name: 'bash', input: { command: `/p/run ${id}` } })),
  ],
  finish: ids.length ? 'tool_use' : 'stop',
  served,
});
const called = (id: string, output = `out ${id}`, isError = false): StoredBody[] => [
  { type: 'tool_call', id, name: 'bash', detail: '', input: { command: `/p/run ${id}` } },
  { type: 'tool_result', id, name: 'bash', output, isError },
];
const done: StoredBody = { type: 'done', text: '', finish: 'stop', usage, turns: 1, denials: [], durationMs: 1 };
const numbered = (bodies: readonly StoredBody[]): StoredEvent[] =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, time: 0 }));
const runOf = (...bodies: StoredBody[]) => recordedRun(numbered([begin, ...bodies]))!;

describe('recordedRun', () => {
  it('takes prompts, answers, calls and their results', () => {
    const run = runOf(user('go'), says('I look.', 'a'), ...called('a'), says('Done.'), done);
    expect(run).toMatchObject({ project: '/p', cwd: '/p/sub', left: [] });
    expect(run.turns).toEqual([
      {
        prompt: 'go',
        images: [],
        mode: 'auto',
        replies: [],
        answers: [
          { text: 'I look.', toolCalls: [{ name: 'bash', input: { command: '/p/run a' } }] },
          { text: 'Done.' },
        ],
        calls: [{ name: 'bash', input: { command: '/p/run a' }, output: 'out a', isError: false, denied: false }],
      },
    ]);
  });

  it('gives a turn that was ended early an answer to end on, and leaves out calls that were cut off', () => {
    const cutOff = 'The call was interrupted before it gave a result.';
    const run = runOf(user('go'), says('', 'a', 'b', 'c'), ...called('a'), ...called('b', cutOff, true), done);
    expect(run.turns[0]!.answers).toMatchObject(
      [{ toolCalls: [{ input: { command: '/p/run a' } }] }, { text: /ends here/ }].map((answer) =>
        'text' in answer ? { text: expect.stringMatching(answer.text as RegExp) } : answer,
      ),
    );
    expect(run.turns[0]!.calls).toHaveLength(1);
    expect(run.left).toEqual(['2 calls that were cut off']);
  });

  it('sends what was steered in as a prompt where the model had stopped, and not elsewhere', () => {
    const run = runOf(
      user('go'),
      says('', 'a'),
      ...called('a'),
      user('now', true),
      says('Well.'),
      user('more', true),
      says('Yes.'),
      done,
    );
    expect(run.turns.map(({ prompt, answers }) => [prompt, answers.length])).toEqual([
      ['go', 2],
      ['more', 1],
    ]);
  });

  it('keeps approvals, modes and what failed, and says which prompts had no answer', () => {
    const no: StoredBody = { type: 'approval', id: 'a', decision: 'no', by: 'user', reason: 'not now' };
    const [call, result] = called('a');
    const failed: StoredBody = {
      type: 'assistant',
      content: [{ type: 'text', text: 'half' }],
      finish: 'error',
      served,
    };
    const error: StoredBody = { type: 'error', code: 'provider', message: 'it broke', retryable: false };
    const run = runOf(
      user('one'),
      says('', 'a'),
      call!,
      no,
      result!,
      says('Ok.'),
      done,
      { type: 'mode', value: 'plan' },
      user('two'),
      failed,
      error,
      done,
      user('three'),
      done,
    );
    expect(run.turns.map(({ mode }) => mode)).toEqual(['auto', 'plan']);
    expect(run.turns[0]!.calls[0]).toMatchObject({ denied: true, approval: { decision: 'no', reason: 'not now' } });
    expect(run.turns[1]!.answers).toEqual([
      { text: 'half', error: { status: 400, message: 'it broke', afterChunks: 1 } },
    ]);
    expect(run.left).toEqual(['1 prompt without an answer of the model']);
  });

  it('leaves out an answer of which nothing can be run again, and goes on with the later prompts', () => {
    const ended: StoredBody = { type: 'assistant', content: [], finish: 'aborted', served };
    const silent: StoredBody = { type: 'assistant', content: [], finish: 'stop', served };
    const run = runOf(
      user('cut off'),
      says('', 'a'),
      ...called('a', 'Interrupted by the user', true),
      done,
      user('ended'),
      ended,
      done,
      user('silent'),
      silent,
      done,
      user('cut off later'),
      says('', 'b'),
      ...called('b'),
      says('', 'c'),
      ...called('c', 'Interrupted by the user', true),
      done,
      user('go'),
      says('Done.'),
      done,
    );
    expect(run.turns.map(({ prompt, answers }) => [prompt, answers.length])).toEqual([
      ['silent', 1],
      ['cut off later', 2],
      ['go', 1],
    ]);
    expect(run.left).toEqual(['2 prompts without an answer of the model', '2 calls that were cut off']);
    expect(new ReplayBackendAdapter({ text: recordingOf(run) }).remaining).toBe(4);
  });

  it('takes a session whose project was moved as if it had stayed where it began', () => {
    const later = says('', 'b');
    if (later.type === 'assistant')
      later.content = [{ type: 'tool_use', id: 'b', name: 'bash', input: { command: '/moved/run /moved-not' } }];
    const run = runOf(
      user('go'),
      says('', 'a'),
      ...called('a', 'in /p and /moved'),
      says('Done.'),
      done,
      { type: 'place', from: '/p', project: '/moved', cwd: '/moved/sub' },
      user('more in /moved'),
      later,
      { type: 'tool_call', id: 'b', name: 'bash', detail: '', input: { command: '/moved/run /moved-not' } },
      { type: 'tool_result', id: 'b', name: 'bash', output: 'in /moved/x', isError: false },
      says('Done.'),
      done,
    );
    expect(run).toMatchObject({ project: '/p', cwd: '/p/sub' });
    expect(run.turns.map(({ prompt, calls }) => [prompt, calls[0]!.input.command, calls[0]!.output])).toEqual([
      ['go', '/p/run a', 'in /p and /moved'],
      ['more in /p', '/p/run /moved-not', 'in /p/x'],
    ]);
    expect(run.turns[1]!.answers[0]!.toolCalls![0]!.input).toEqual({ command: '/p/run /moved-not' });
  });

  it('needs the line that says where the session ran', () => {
    expect(recordedRun(numbered([user('go'), says('Done.')]))).toBeUndefined();
  });

  it('makes a recording that the replay backend reads', () => {
    const broken: StoredBody = {
      type: 'assistant',
      content: [{ type: 'tool_use', id: 'x', name: 'bash', input: {}, raw: '{"com', invalid: 'cut off' }],
      finish: 'tool_use',
      served,
    };
    const run = runOf(user('go'), broken, ...called('x', 'not run', true), says('Done.'), done);
    expect(new ReplayBackendAdapter({ text: recordingOf(run) }).remaining).toBe(2);
    expect(JSON.parse(recordingOf(run).split('\n')[0]!).toolCalls).toEqual([
      { name: 'bash', input: {}, raw: '{"com', invalid: 'cut off' },
    ]);
  });

  it('is moved to another folder with every text that names the old one', () => {
    const run = movedTo(runOf(user('go'), says('', 'a'), ...called('a'), done), '/copy');
    expect(run).toMatchObject({ project: '/copy', cwd: '/copy/sub' });
    expect(run.turns[0]!.answers[0]!.toolCalls).toEqual([{ name: 'bash', input: { command: '/copy/run a' } }]);
  });

  it.each([
    ['/p', '/c'],
    ['/p/x.ts', '/c/x.ts'],
    ['cd /p; ls "/p"', 'cd /c; ls "/c"'],
    ['/p2 /p.old /p-x', '/p2 /p.old /p-x'],
    ['See /p.', 'See /c.'],
  ])('a path stands as a whole: %s', (text, moved) => {
    expect(inFolder(text, '/p', '/c')).toBe(moved);
  });
});

describe('compareRuns', () => {
  const run = runOf(
    user('go'),
    says('', 'a', 'b'),
    ...called('a', 'in /p: 3 files, 12 ms'),
    ...called('b'),
    says('Done.'),
    done,
  );
  const again = (a: string, more: object = {}) => [
    [
      { name: 'bash', input: { command: '/copy/run a' }, output: a, isError: false, denied: false, ...more },
      { name: 'bash', input: { command: '/copy/run b' }, output: 'out b', isError: false, denied: false },
    ],
  ];
  const compared = (calls: Parameters<typeof compareRuns>[1]) =>
    compareRuns(run, calls, { project: '/copy', id: 'new' });

  it('finds equal what differs only by place and time', () => {
    expect(compared(again('in /copy: 3 files, 15 ms'))).toEqual({ calls: 2, heldBack: 0 });
  });

  it('shows the first difference from both sides', () => {
    expect(compared(again('in /copy: 4 files, 15 ms')).difference).toMatchObject({
      turn: 1,
      call: 1,
      what: 'result',
      recorded: 'in /p: 3 files, <n> ms',
      now: 'in /p: 4 files, <n> ms',
    });
    expect(compared(again('in /copy: 3 files, 1 ms', { isError: true })).difference).toMatchObject({ what: 'result' });
    expect(compared(again('no', { denied: true, isError: true })).difference).toMatchObject({ what: 'approval' });
    expect(compared([again('in /copy: 3 files, 1 ms')[0]!.slice(0, 1)]).difference).toMatchObject({
      what: 'missing',
      call: 2,
    });
    expect(compared(again('in /copy: 3 files, 1 ms', { input: { command: 'other' } })).difference).toMatchObject({
      what: 'call',
    });
  });

  it('counts what was held back, and compares it with nothing', () => {
    expect(compared(again('not again', { heldBack: true, denied: true, isError: true }))).toEqual({
      calls: 2,
      heldBack: 1,
    });
  });

  it.each([
    ['at 2026-11-30T12:01:02.123Z', 'at 2025-01-02T01:02:03.456Z'],
    ['Duration  1.21s', 'Duration  3.4s'],
    ['[main 1a2b3c4] fix', '[main 9f8e7d6] fix'],
    ['in /tmp/abc/def.txt', 'in /tmp/other/x'],
    ['http://127.0.0.1:41234/', 'http://127.0.0.1:50999/'],
  ])('does not count chance: %s', (a, b) => {
    expect(settled(a)).toBe(settled(b));
  });

  it.each([
    ['12 tests', '13 tests'],
    ['expected 5', 'expected 6'],
    ['deadbeef', 'facade'],
    ['version 1.2.3', 'version 1.2.4'],
    ['line 10:4', 'line 10:5'],
  ])('counts what is said: %s', (a, b) => {
    expect(settled(a)).not.toBe(settled(b));
  });
});

describe('copyProject', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ada-copy-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('copies all but sessions, foreign repositories and what is too large, and leads links into the copy', async () => {
    const [from, to] = [join(root, 'from'), join(root, 'to')];
    for (const folder of ['.ada/sessions', '.ada/state', '.ada/skills', '.git', 'node_modules/x', 'tree'])
      mkdirSync(join(from, folder), { recursive: true });
    writeFileSync(join(from, '.ada/sessions/s.jsonl'), 'x');
    writeFileSync(join(from, '.ada/settings.json'), '{}');
    writeFileSync(join(from, '.git/HEAD'), 'ref');
    writeFileSync(join(from, 'node_modules/x/index.js'), '1');
    writeFileSync(join(from, 'run.sh'), 'true');
    chmodSync(join(from, 'run.sh'), 0o755);
    writeFileSync(join(from, 'tree/.git'), 'gitdir: elsewhere');
    symlinkSync(join(from, 'run.sh'), join(from, 'absolute'));
    symlinkSync('run.sh', join(from, 'beside'));
    expect(await copyProject(from, to)).toEqual(['tree/.git: its repository lies elsewhere']);
    expect(existsSync(join(to, '.ada/sessions'))).toBe(false);
    expect(existsSync(join(to, '.ada/state'))).toBe(false);
    expect(readFileSync(join(to, '.ada/settings.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(to, 'node_modules/x/index.js'), 'utf8')).toBe('1');
    expect(lstatSync(join(to, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(to, 'absolute'))).toBe(join(to, 'run.sh'));
    expect(readlinkSync(join(to, 'beside'))).toBe('run.sh');
  });
});
