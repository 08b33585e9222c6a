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
import { RepeatedText } from '../../../core/guards/repeated-text.ts';
import { compareRuns, settled, toldOtherwise } from '../../../core/replay/compare.ts';
import { copyProject, removeCopy } from '../../../core/replay/copy-project.ts';
import { inFolder, movedTo, recordedRun, turnsOf } from '../../../core/replay/recorded-run.ts';
import type { RerunStep } from '../../../core/replay/run-again.ts';
import type { StoredBody, StoredEvent } from '../../../core/types.ts';

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
    expect(run).toMatchObject({ project: '/p', cwd: '/p/sub', mode: 'auto', left: [] });
    expect(run.steps).toMatchObject([
      {
        kind: 'prompt',
        prompt: 'go',
        mode: 'auto',
        finish: 'stop',
        answers: [
          { content: [{ text: 'I look.' }, { name: 'bash', input: { command: '/p/run a' } }], finish: 'tool_use' },
          { content: [{ text: 'Done.' }], finish: 'stop' },
        ],
        calls: [{ name: 'bash', input: { command: '/p/run a' }, output: 'out a', isError: false, denied: false }],
      },
    ]);
  });

  it('leaves out calls that were cut off, and ends the turn where nothing of an answer is left', () => {
    const cutOff = 'The call was interrupted before it gave a result.';
    const run = runOf(user('go'), says('', 'a', 'b', 'c'), ...called('a'), ...called('b', cutOff, true));
    expect(turnsOf(run)[0]).toMatchObject({ answers: [{ finish: 'tool_use' }], finish: 'cut' });
    expect(turnsOf(run)[0]!.answers[0]!.content).toHaveLength(1);
    expect(run.left).toEqual(['2 calls that were cut off']);
    const byPerson = 'half of it\n(interrupted by the user after 0.3 s; it was ended, with all that it started)';
    const none = runOf(user('go'), says('Well.', 'a'), ...called('a', byPerson, true), done);
    expect(turnsOf(none)[0]!.answers).toMatchObject([{ content: [{ text: 'Well.' }], finish: 'aborted' }]);
    expect(turnsOf(none)[0]!.calls).toEqual([]);
  });

  it('keeps what a command says of an interruption that was none', () => {
    const run = runOf(user('go'), says('', 'a'), ...called('a', 'Error: it was interrupted by the user', true), done);
    expect(turnsOf(run)[0]!.calls).toHaveLength(1);
  });

  it('keeps what was steered in with the answer that it met', () => {
    const run = runOf(user('go'), says('', 'a'), ...called('a'), user('now', true), says('Well.'), done);
    expect(turnsOf(run)[0]!.answers.map(({ steered }) => steered.map(({ text }) => text))).toEqual([['now'], []]);
  });

  it('takes a message that was steered into a turn whose beginning is lost as a prompt', () => {
    expect(turnsOf(runOf(user('more', true), says('Yes.'), done))).toMatchObject([{ prompt: 'more' }]);
  });

  it('lets what was cut in a circle be noticed once more, however much of it an older log holds', () => {
    const block = 'I read the file again. ';
    for (const text of [block.repeat(200), block.repeat(25), `\`\`\`\n${'x = 1\n'.repeat(40)}`]) {
      const circle: StoredBody = { type: 'assistant', content: [{ type: 'text', text }], finish: 'aborted', served };
      const limit: StoredBody = {
        type: 'notice',
        level: 'warning',
        text: 'stopped: the model said the same over and over',
      };
      const { answers } = turnsOf(runOf(user('go'), circle, limit, { ...done, finish: 'limit' } as StoredBody))[0]!;
      expect(answers[0]!.isLooping).toBe(true);
      const watcher = new RepeatedText();
      expect(answers[0]!.content.some((part) => part.type === 'text' && watcher.add(part.text) !== undefined)).toBe(
        true,
      );
    }
  });

  it('takes no consent to leave this machine for an answer to a tool', () => {
    const question = (id: string, leave?: string): StoredBody => ({
      type: 'question',
      id,
      text: '?',
      ...(leave && { leave }),
    });
    const answer = (id: string, text: string): StoredBody => ({ type: 'answer', id, text });
    const run = runOf(
      user('go'),
      question('q1', 'v/m'),
      answer('q1', 'yes'),
      question('q2'),
      answer('q2', 'b'),
      says('Well.'),
      done,
    );
    expect(turnsOf(run)[0]!.replies).toEqual(['b']);
  });

  it('goes back with the files where a log tells of them, in its notice or only in words', () => {
    const back: StoredBody = { type: 'rewind', to: 2 };
    const told: StoredBody = { type: 'notice', level: 'info', text: '1 file went back: a.txt' };
    const what = (...bodies: StoredBody[]) =>
      runOf(user('go'), says('Well.'), done, ...bodies).steps.flatMap((step) =>
        step.kind === 'rewind' ? [step.what] : [],
      );
    expect(what(back)).toEqual(['conversation']);
    expect(what(back, told)).toEqual(['both']);
    expect(what(back, { ...told, rewound: 2 } as StoredBody)).toEqual(['both']);
    expect(what({ ...told, rewound: 2 } as StoredBody)).toEqual(['files']);
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
    const turns = turnsOf(run);
    expect(turns.map(({ prompt, calls }) => [prompt, calls[0]!.input.command, calls[0]!.output])).toEqual([
      ['go', '/p/run a', 'in /p and /moved'],
      ['more in /p', '/p/run /moved-not', 'in /p/x'],
    ]);
    expect(turns[1]!.answers[0]!.content).toMatchObject([{ input: { command: '/p/run /moved-not' } }]);
  });

  it('needs the line that says where the session ran', () => {
    expect(recordedRun(numbered([user('go'), says('Done.')]))).toBeUndefined();
  });

  it('is moved to another folder with every text that names the old one', () => {
    const run = movedTo(runOf(user('go'), says('', 'a'), ...called('a'), done), '/copy');
    expect(run).toMatchObject({ project: '/copy', cwd: '/copy/sub' });
    expect(turnsOf(run)[0]!.answers[0]!.content).toMatchObject([{ name: 'bash', input: { command: '/copy/run a' } }]);
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
  const again = (a: string, more: object = {}): RerunStep[] => [
    {
      calls: [
        { name: 'bash', input: { command: '/copy/run a' }, output: a, isError: false, denied: false, ...more },
        { name: 'bash', input: { command: '/copy/run b' }, output: 'out b', isError: false, denied: false },
      ],
      finish: 'stop',
      left: 0,
      isShort: false,
    },
  ];
  const compared = (calls: Parameters<typeof compareRuns>[1]) =>
    compareRuns(run, calls, { project: '/copy', id: 'new' });

  it('finds equal what differs only by place and time', () => {
    expect(compared(again('in /copy: 3 files, 15 ms'))).toEqual({ calls: 2, heldBack: 0 });
  });

  const [equal] = again('in /copy: 3 files, 1 ms') as [RerunStep];

  it('shows an end of a turn that is another one', () => {
    const limit: RerunStep = { ...equal, finish: 'limit', why: 'the window was full' };
    expect(compared([limit]).difference).toMatchObject({
      what: 'end',
      call: 3,
      recorded: 'the turn ended (stop) after 2 answers of the model',
      now: 'the turn ended (limit: the window was full), after 2 answers of the model',
    });
    expect(compared([{ ...limit, left: 1, calls: equal.calls.slice(0, 1) }]).difference).toMatchObject({
      what: 'missing',
      now: '(no such call: the turn ended (limit: the window was full))',
    });
    expect(compared([{ ...equal, finish: 'aborted', isShort: true }]).difference).toMatchObject({ what: 'end' });
  });

  it('tells what the model is told first that is not as it was', () => {
    const tool = { name: 'ls', description: 'List.', parameters: {} };
    const then = recordedRun(
      numbered([{ ...begin, system: 'In /p.\nBe brief.', tools: [tool, { ...tool, name: 'old' }] } as StoredBody]),
    )!;
    const now = { project: '/copy', id: 'new' };
    const same = { system: 'In /copy.\nBe brief.', tools: then.opening.tools };
    expect(toldOtherwise(then, same, now)).toEqual([]);
    const other = {
      system: 'In /copy.\nBe kind.',
      tools: [
        { ...tool, description: 'Lists.' },
        { ...tool, name: 'new' },
      ],
    };
    expect(toldOtherwise(then, other, now)).toEqual([
      expect.stringMatching(/system prompt.*AGENTS\.md.*line 2: then “Be brief\.”, now “Be kind\.”/),
      'tools that are gone: old',
      'tools that are new: new',
      'tools that are described otherwise: ls',
    ]);
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
    expect(compared([{ ...equal, calls: equal.calls.slice(0, 1) }]).difference).toMatchObject({
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

  it('copies what may not be written as what may not be written, and removes it', async () => {
    const [from, to] = [join(root, 'from'), join(root, 'to')];
    mkdirSync(join(from, 'closed/inner'), { recursive: true });
    writeFileSync(join(from, 'closed/inner/a.txt'), 'a');
    for (const path of ['closed/inner', 'closed', '']) chmodSync(join(from, path), 0o555);
    expect(await copyProject(from, to)).toEqual([]);
    const modeOf = (path: string) => lstatSync(join(to, path)).mode & 0o777;
    expect(['', 'closed', 'closed/inner'].map(modeOf)).toEqual([0o555, 0o555, 0o555]);
    expect(modeOf('.ada') & 0o700).toBe(0o700);
    removeCopy(to);
    expect(existsSync(to)).toBe(false);
    for (const path of ['', 'closed', 'closed/inner']) chmodSync(join(from, path), 0o755);
  });
});
