/** What local models think: it is shown as thinking, wherever it comes from, and never runs on for ever. */
import { describe, expect, it } from 'vitest';
import type { Event } from '../../core/types.ts';
import { defaultModel, type ScriptedTurn } from '../fakes/script.ts';
import { doneOf, find, type StartOptions, server, start, turn } from './local-session.ts';

const thought = (events: readonly Event[]): string =>
  find(events, 'reasoning')
    .map(({ delta }) => delta)
    .join('');

describe('thinking is told from the answer', () => {
  it.each<[string, ScriptedTurn, StartOptions['wire'], string, string]>([
    ['opened and closed in one piece', { pieces: ['<think>a</think>b'] }, 'ollama', 'a', 'b'],
    ['tags that are split', { pieces: ['<thi', 'nk>x</th', 'ink>y'] }, 'ollama', 'x', 'y'],
    ['a field of its own', { reasoning: 'Let me see.', text: 'Seen.' }, 'ollama', 'Let me see.', 'Seen.'],
    ['a field of another name', { reasoning: 'Let me see.', text: 'Seen.' }, 'lmstudio', 'Let me see.', 'Seen.'],
  ])('%s', async (_, said, wire, reasoning, text) => {
    server.set({ turns: [said], reasoningField: 'reasoning' });
    const events = await turn(await start({ wire }));
    expect(thought(events).trim()).toBe(reasoning);
    expect(doneOf(events)).toMatchObject({ text, finish: 'stop' });
  });

  it('closed only, because the template opened it: void as text, and known from then on', async () => {
    server.set({ turns: [{ pieces: ['I weigh it.', '</think>', 'The answer.'] }] });
    const ada = await start();
    for (const events of [await turn(ada), await turn(ada)]) {
      const [message] = find(events, 'assistant');
      expect(message!.content).toMatchObject([
        { type: 'reasoning', text: 'I weigh it.' },
        { type: 'text', text: 'The answer.' },
      ]);
      expect(doneOf(events)).toMatchObject({ text: 'The answer.' });
    }
  });

  it('a tag in code is code', async () => {
    const text = 'Strip it:\n```js\ntext.replace("<think>", "")\n```\nDone.';
    server.set({ turns: [{ text, pieceSize: 4 }] });
    const events = await turn(await start());
    expect(doneOf(events)).toMatchObject({ text });
    expect(thought(events)).toBe('');
  });
});

describe('think', () => {
  const plain = [{ ...defaultModel, capabilities: ['completion', 'tools'] }];

  it('is asked of a model that can, as far as a person asked', async () => {
    server.set({ turns: [{ text: 'Yes.' }] });
    await turn(await start());
    await turn(await start({ effort: 'high' }));
    await turn(await start({ effort: 'off' }));
    expect(server.chats().map(({ body }) => body.think)).toEqual([undefined, true, false]);
  });

  it('is never asked of one that cannot: the server would refuse, and the person is told', async () => {
    server.set({ turns: [{ text: 'Yes.' }], models: plain });
    const events = await turn(await start({ effort: 'high' }));
    expect(server.chats().map(({ body, status }) => [body.think, status])).toEqual([[undefined, 200]]);
    expect(
      find(events, 'notice')
        .map(({ text }) => text)
        .join(),
    ).toContain('not known to think');
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text: 'Yes.' });
  });

  it('is shown while it happens, before there is any answer', async () => {
    server.set({ turns: [{ reasoning: 'One step. Another step. A third one.', text: 'So.', delayMs: 5 }] });
    const events = await turn(await start());
    const pieces = find(events, 'reasoning');
    expect(pieces.length).toBeGreaterThan(1);
    expect(events.indexOf(pieces[0]!)).toBeLessThan(events.findIndex(({ type }) => type === 'text'));
  });
});

describe('the same over and over', () => {
  const block = 'I will check the file once more, to be quite sure of what it says. ';

  it.each<[string, ScriptedTurn]>([
    ['in the thinking', { reasoning: block.repeat(200), pieceSize: 60, delayMs: 1 }],
    ['in the answer', { text: block.repeat(200), pieceSize: 60, delayMs: 1 }],
  ])('%s: cut, asked for once more with other sampling, then ended with the reason', async (_, said) => {
    server.set({ turns: [said] });
    const events = await turn(await start());
    expect(server.chats()).toHaveLength(2);
    expect(server.chats()[1]!.body.options).toMatchObject({ temperature: 1, num_ctx: expect.any(Number) });
    expect(find(events, 'retry')).toMatchObject([{ discard: true }]);
    // Cut within some 20 repeats and the pieces that were on their way.
    const heard = [...find(events, 'text'), ...find(events, 'reasoning')].reduce(
      (sum, { delta }) => sum + delta.length,
      0,
    );
    expect(heard).toBeLessThan(2 * 40 * block.length);
    expect(doneOf(events)).toMatchObject({ finish: 'limit' });
    expect(find(events, 'notice').at(-1)!.text).toContain('the same over and over');
  });

  it.each<[string, string]>([
    ['rows of a table', Array.from({ length: 200 }, (_, n) => `| item ${n} | ${n * 7} | ready | yes |`).join('\n')],
    ['lines of code', Array.from({ length: 300 }, (_, n) => `  case ${n}: return handlers.on${n}(event);`).join('\n')],
  ])('%s are no loop', async (_, text) => {
    server.set({ turns: [{ text }] });
    const events = await turn(await start());
    expect(server.chats()).toHaveLength(1);
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text });
  });
});

describe('the same calls over and over', () => {
  const call = (name: string, input: Record<string, unknown>): ScriptedTurn => ({ calls: [{ name, input }] });
  it.each<[string, (results: number) => ScriptedTurn, number]>([
    ['one read', () => call('read_file', { path: 'a.txt' }), 5],
    ['two in turn', (n) => call('read_file', { path: n % 2 ? 'a.txt' : 'b.txt' }), 10],
    ['a write that succeeds each time', () => call('write_file', { path: 'w.txt', content: 'same\n' }), 6],
    [
      'a call that is none',
      () => ({ text: '<tool_call>\n{"name": "bash", "arguments": {"comand": 1}}\n</tool_call>' }),
      5,
    ],
  ])('%s: told after three rounds, ended after five', async (_, turns, most) => {
    server.set({ turns });
    const events = await turn(await start());
    expect(server.chats().length).toBeLessThanOrEqual(most);
    expect(
      find(events, 'note')
        .map(({ text }) => text)
        .join(),
    ).toContain('Do not repeat it');
    expect(doneOf(events)).toMatchObject({ finish: 'limit' });
    expect(find(events, 'notice').at(-1)!.text).toMatch(/the same calls \d+ times/);
  });

  it('looking again at what changes is no loop', async () => {
    server.set({
      turns: (results) =>
        results < 9 ? call('bash', { command: 'echo x >> log; wc -l < log' }) : { text: 'Nine lines.' },
    });
    expect(doneOf(await turn(await start()))).toMatchObject({ finish: 'stop', text: 'Nine lines.' });
  });
});

it('thinking goes back to the model that thought it, and to no other', async () => {
  const models = ['one:8b', 'two:8b'].map((name) => ({ name, capabilities: ['completion', 'tools', 'thinking'] }));
  server.set({ models, turns: [{ reasoning: 'Secret ways.', text: 'Hello.' }] });
  const ada = await start({ model: 'one:8b' });
  const [message] = find(await turn(ada, 'Hi.'), 'assistant');
  expect(message!.content[0]).toEqual({ type: 'reasoning', text: 'Secret ways.', model: 'one:8b' });
  await turn(ada, 'Again.');
  const stream = ada.session.events();
  ada.session.send({ type: 'set', model: 'two:8b' });
  for await (const event of stream) if (event.type === 'model') break;
  await turn(ada, 'And you?');
  const sent = server.chats().map(({ body }) => JSON.stringify(body.messages).includes('Secret ways.'));
  expect(sent).toEqual([false, true, false]);
});
