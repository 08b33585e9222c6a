import { describe, expect, it } from 'vitest';
import { exportSession, formatOfFile } from '../../../core/export/export-session.ts';
import { noUsage } from '../../../core/state.ts';
import type { StoredBody, StoredEvent } from '../../../core/types.ts';

const KEY = `ghp_${'a1B2'.repeat(9)}`;
const served = { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 };
const done = (cost: number | null): StoredBody => ({
  type: 'done',
  text: '',
  finish: 'stop',
  usage: { ...noUsage(), cost },
  turns: 1,
  denials: [],
  durationMs: 1,
});
const log: readonly StoredEvent[] = (
  [
    {
      type: 'session',
      id: 's1',
      version: 1,
      cwd: '/p',
      project: '/p',
      model: 'm',
      mode: 'ask',
      contextTokens: null,
      system: 'Secret system.',
      tools: [],
    },
    { type: 'user', text: 'fix <b>it</b>\nplease' },
    {
      type: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'c0', name: 'bash', input: { command: 'cat x' } },
        { type: 'tool_use', id: 'c1', name: 'edit_file', input: { path: 'x', old: 'a', new: 'b' } },
      ],
      finish: 'tool_use',
      served,
    },
    { type: 'tool_call', id: 'c0', name: 'bash', detail: 'cat x', input: { command: 'cat x' } },
    { type: 'tool_call', id: 'c1', name: 'edit_file', detail: 'x', input: { path: 'x', old: 'a', new: 'b' } },
    { type: 'tool_result', id: 'c0', name: 'bash', output: `\`\`\`\ntoken ${KEY}\n\`\`\``, isError: false },
    {
      type: 'tool_result',
      id: 'c1',
      name: 'edit_file',
      output: 'ok',
      isError: false,
      display: { kind: 'diff', path: 'x', patch: '--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n', added: 1, removed: 1 },
    },
    { type: 'assistant', content: [{ type: 'text', text: 'Fixed.' }], finish: 'stop', served },
    done(0.25),
    { type: 'user', text: 'a mistake' },
    { type: 'assistant', content: [{ type: 'text', text: 'half an ans' }], finish: 'aborted', served },
    done(0.5),
    { type: 'rewind', to: 10 },
    { type: 'title', text: 'The fix' },
  ] as StoredBody[]
).map((body, i) => ({ ...body, seq: i + 1, time: 1000 + i }));
const as = (format: Parameters<typeof exportSession>[1]) => exportSession(log, format, (text) => text);

describe('every form', () => {
  it.each(['markdown', 'html', 'json', 'replay'] as const)('%s holds no secret', (format) => {
    expect(as(format)).not.toContain(KEY);
  });
  it.each(['markdown', 'html', 'replay'] as const)('%s leaves out what was gone back over', (format) => {
    expect(as(format)).not.toMatch(/a mistake|half an ans/);
    expect(as(format)).toContain('Fixed.');
  });
});

it('Markdown has a heading a message, and fences that hold what they fence', () => {
  const text = as('markdown');
  expect(text).toMatch(/^# The fix\n\nsession s1 · 1970-01-01T00:00:01\.000Z · m · \$0\.75\n/);
  expect(text).toContain('## You\n\nfix &lt;b>it&lt;/b>\nplease\n');
  expect(text).toContain('### `bash cat x`\n\n````\n```\ntoken [redacted: GitHub token]\n```\n````\n');
  expect(text).toContain('```diff\n--- x\n');
});

it('HTML escapes all text and loads nothing', () => {
  const page = as('html');
  expect(page).toContain('fix &lt;b&gt;it&lt;/b&gt;');
  expect(page).not.toMatch(/<b>|<script|https?:|src=/);
  expect(page).toContain("default-src 'none'");
  expect(page).toContain('<ins>+b</ins>');
});

it('JSON is the whole log', () => {
  const { id, title, cost, events } = JSON.parse(as('json'));
  expect({ id, title, cost }).toEqual({ id: 's1', title: 'The fix', cost: 0.75 });
  expect(events).toHaveLength(log.length);
});

it('the replay form has one model answer a line', () => {
  const lines = as('replay')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    {
      reasoning: 'hm',
      text: 'Looking.',
      toolCalls: [
        { name: 'bash', input: { command: 'cat x' } },
        { name: 'edit_file', input: { path: 'x', old: 'a', new: 'b' } },
      ],
    },
    { text: 'Fixed.' },
  ]);
});

it('a name of a file says the form', () => {
  expect(['a.md', 'a.HTML', 'a.json', 'a.jsonl', 'a.txt'].map(formatOfFile)).toEqual([
    'markdown',
    'html',
    'json',
    'replay',
    undefined,
  ]);
});

describe('JSON', () => {
  it('is written as a whole value is', () => {
    const { events, ...head } = JSON.parse(as('json'));
    expect(as('json')).toBe(`${JSON.stringify({ ...head, events }, null, 2)}\n`);
    expect(events).toHaveLength(log.length);
    const none = exportSession([], 'json', String);
    expect(none).toBe(`${JSON.stringify(JSON.parse(none), null, 2)}\n`);
  });
});

describe('calls and going back', () => {
  const written = (...bodies: object[]) => {
    const events = bodies.map((body, i) => ({ ...body, seq: i + 1, time: 1 }) as StoredEvent);
    return exportSession(events, 'markdown', (text) => text).split(/\n(?=##)/);
  };
  const user = (text: string) => ({ type: 'user', text });
  const call = (id: string, detail: string) => ({ type: 'tool_call', id, name: 'bash', detail, input: {} });
  const result = (id: string, output: string) => ({ type: 'tool_result', id, name: 'bash', output, isError: false });

  it('each call stands where it was made, with its last result, however late; without one, too', () => {
    const pieces = written(
      call('a', 'one'),
      call('b', 'two'),
      call('c', 'never'),
      user('meanwhile'),
      result('b', 'of two'),
      result('a', 'of one'),
      result('a', 'of one, again'),
      call('a', 'the id once more'),
      result('a', 'of the last'),
    );
    expect(pieces.slice(1).map((piece) => piece.replace(/\s+/g, ' ').trim())).toEqual([
      '### `bash one` ``` of one, again ```',
      '### `bash two` ``` of two ```',
      '### `bash never` ``` ```',
      '## You meanwhile',
      '### `bash the id once more` ``` of the last ```',
    ]);
  });

  it('a result that was gone back over is none, and going back twice goes as far as the furthest', () => {
    const pieces = written(
      user('kept'),
      call('a', 'one'),
      result('a', 'kept'),
      user('gone'),
      result('a', 'gone'),
      { type: 'rewind', to: 5 },
      { type: 'rewind', to: 4 },
      user('new'),
    );
    expect(pieces.join('')).not.toContain('gone');
    expect(pieces.slice(1).map((piece) => piece.replace(/\s+/g, ' ').trim())).toEqual([
      '## You kept',
      '### `bash one` ``` kept ```',
      '## You new',
    ]);
  });
});
