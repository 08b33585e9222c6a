/** What going back gives of each part of a session's state. */
import { expect, it } from 'vitest';
import { SummaryFacts } from '../../core/compaction/summary-facts.ts';
import { history } from '../../core/history.ts';
import { emptyState, reduce, type SessionState, stateAfter } from '../../core/state.ts';
import { teachCalls } from '../../core/taught-calls.ts';
import type { Served, StoredBody, StoredEvent } from '../../core/types.ts';

const served = (model: string): Served => ({ backend: 'b', model, local: true, latencyMs: 1, attempts: 1 });
const usage = (input: number) => ({ ...none, input });
const none = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null, cost: null };
const answer = (model: string, input: number): StoredBody => ({
  type: 'assistant',
  content: [{ type: 'text', text: 'Yes.' }],
  finish: 'stop',
  usage: usage(input),
  served: served(model),
});
const done: StoredBody = {
  type: 'done',
  text: 'Yes.',
  finish: 'stop',
  usage: none,
  turns: 1,
  denials: [],
  durationMs: 1,
};
const todos = (text: string): StoredBody => ({ type: 'todos', items: [{ text, status: 'active' }] });

const before: readonly StoredBody[] = [
  {
    type: 'session',
    id: 's',
    version: 1,
    cwd: '/p',
    project: '/p',
    model: 'b/one',
    mode: 'ask',
    contextTokens: 8192,
    system: '',
    tools: [],
  },
  { type: 'user', text: 'first' },
  todos('a'),
  answer('one', 100),
  done,
];
const since: readonly StoredBody[] = [
  { type: 'user', text: 'second' },
  todos('b'),
  { type: 'mode', value: 'plan' },
  { type: 'note', about: 'mode', text: 'plan' },
  { type: 'note', about: 'tools', text: teachCalls([]) },
  { type: 'tool_call', id: 'c', name: 'bash', detail: '', input: {} },
  { type: 'approval_request', id: 'c', name: 'bash', summary: 'ls', input: {} },
  { type: 'approval', id: 'c', decision: 'yes', by: 'user', rule: 'bash(ls)', scope: 'session' },
  { type: 'tool_result', id: 'c', name: 'bash', output: '', isError: false, cwd: '/p/sub' },
  { type: 'tool_call', id: 'd', name: 'bash', detail: '', input: {} },
  { type: 'approval_request', id: 'd', name: 'bash', summary: 'rm', input: {} },
  { type: 'approval', id: 'd', decision: 'no', by: 'user' },
  { type: 'tool_result', id: 'd', name: 'bash', output: '', isError: true },
  { type: 'question', id: 'q', text: 'Go there?', leave: 'b/two' },
  { type: 'answer', id: 'q', text: 'yes' },
  { type: 'notice', level: 'info', text: 'cut', cut: { tokens: 4096, asked: 8192 } },
  { type: 'model', value: 'b/two' },
  { type: 'title', text: 'my name for it' },
  answer('two', 900),
  done,
];
const numbered = (bodies: readonly StoredBody[]) =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, time: 1 }) as StoredEvent);
const there = stateAfter(emptyState(), numbered(before));
const later = stateAfter(emptyState(), numbered([...before, ...since]));
const events = numbered([...before, ...since, { type: 'rewind', to: before.length + 1 }]);
const gone = stateAfter(emptyState(), events);

const TAKEN_BACK = ['cwd', 'todos', 'toldMode', 'served', 'promptTokens', 'prompts'] as const;
const HOLDS = [
  ...(['mode', 'model', 'rules', 'agreed', 'taught', 'cut', 'title', 'id', 'project', 'formerly'] as const),
  ...(['contextTokens', 'denials', 'turns', 'usage', 'running', 'openCalls', 'waiting', 'openQuestions'] as const),
];

it.each(TAKEN_BACK)('%s is as before the prompt', (field) => {
  expect(later[field]).not.toEqual(there[field]);
  expect(gone[field]).toEqual(there[field]);
});

it.each(HOLDS)('%s is as it was', (field) => {
  expect(gone[field]).toEqual(later[field]);
});

it('decides for every part of the state', () => {
  // Another model answers now; that the model is told of a move again, the tests of moved sessions show.
  expect(gone.countedWith).toBeNull();
  expect(gone.lastSeq).toBe(events.length);
  const decided: (keyof SessionState)[] = [...TAKEN_BACK, ...HOLDS, 'countedWith', 'toldProject', 'lastSeq'];
  expect(decided.sort()).toEqual((Object.keys(emptyState()) as (keyof SessionState)[]).sort());
});

it('what was counted holds again for the same model', () => {
  const same = since.filter(({ type }) => type !== 'model');
  const back = stateAfter(emptyState(), numbered([...before, ...same, { type: 'rewind', to: before.length + 1 }]));
  expect(back.countedWith).toBe(there.countedWith);
  expect(back.countedWith).toBe(4);
});

it('leaves nothing of skills, instructions, words and changed files in requests and summaries', () => {
  const diff = { kind: 'diff', path: 'gone.ts', patch: '', added: 1, removed: 0 } as const;
  const more: readonly StoredBody[] = [
    { type: 'user', text: 'second' },
    { type: 'note', about: 'skill', text: 'the skill' },
    { type: 'note', about: 'instructions', text: 'the instructions' },
    { type: 'tool_result', id: 'c', name: 'edit_file', output: '', isError: false, display: diff },
    { type: 'compaction', before: 9, after: 1, summary: 'the summary', from: 6 },
    done,
  ];
  const all = numbered([...before, ...more, { type: 'rewind', to: before.length + 1 }]);
  const facts = new SummaryFacts(() => all);
  for (const event of all) facts.add(event);
  expect(history(all)).toEqual(history(numbered(before)));
  expect([facts.promptsBefore(99), facts.files]).toEqual([['first'], []]);
});

it('is the same one by one', () => {
  expect(events.reduce(reduce, emptyState())).toEqual(gone);
});
