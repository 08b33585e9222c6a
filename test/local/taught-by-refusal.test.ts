/** A server that refuses tools though nothing told so: the model is taught them, once, and the session remembers it. */
import { expect, it } from 'vitest';
import type { Composition } from '../../app/compose.ts';
import { startModelServer } from '../fakes/model-server.ts';
import type { ScriptedTurn } from '../fakes/script.ts';
import { callsOf, doneOf, find, server, start, turn } from './local-session.ts';

const told = { capabilities: ['completion', 'tools'], details: {}, model_info: { 'x.context_length': 32_768 } };
const call = '<tool_call>{"name": "read_file", "arguments": {"path": "a.txt"}}</tool_call>';
let count = 0;

/** An Ollama whose model can do less than it says; a name that no test had before. */
function ollama(...turns: ScriptedTurn[]): string {
  const name = `liar-${++count}:8b`;
  let asked = 0;
  server.set({
    models: [{ name, capabilities: ['completion'], contextTokens: 32_768 }],
    answers: { '/api/show': told },
    turns: () => turns[Math.min(asked++, turns.length - 1)]!,
  });
  return name;
}
const bodies = () => server.chats().map(({ body }) => body);
/** Those that were answered. */
const served = () => server.chats().flatMap(({ status, body }) => (status === 200 ? [body] : []));
const withTools = () => bodies().map(({ tools }) => tools !== undefined);
const lessons = (body: object) => JSON.stringify(body).match(/To call a tool, end your message/g)?.length ?? 0;
function expectPrefixes(all: readonly any[]): void {
  for (const [i, { messages }] of all.entries())
    if (i > 0) expect(messages.slice(0, all[i - 1].messages.length)).toEqual(all[i - 1].messages);
}
async function again(ada: Composition, model: string, prompt: string) {
  await ada.session.close();
  const next = await start({ model, resume: 'latest' });
  return { next, events: await turn(next, prompt) };
}

it('is asked once more without them, told of, and goes on so', async () => {
  const model = ollama({ text: `I read.\n${call}` }, { text: 'It says alpha.' }, { text: 'Yes.' });
  const ada = await start({ model });
  const events = await turn(ada, 'Read a.txt.');
  expect(callsOf(events)).toEqual([['read_file', { path: 'a.txt' }]]);
  expect(doneOf(events)).toMatchObject({ finish: 'stop', text: 'It says alpha.' });
  expect(find(events, 'error')).toEqual([]);
  const notices = find(events, 'notice').filter(({ text }) => text.includes('from now on it is taught'));
  expect(notices).toMatchObject([
    {
      level: 'warning',
      text: expect.stringMatching(/^liar-\d:8b cannot call tools, says Ollama at http:\S+: from now/),
    },
  ]);
  await turn(ada, 'Sure?');
  expect(withTools()).toEqual([true, false, false, false]);
  expect(served().map(lessons)).toEqual([1, 1, 1]);
  expectPrefixes(served());
});

it('is known to a session that goes on, and to the next one of the process', async () => {
  const model = ollama({ text: 'Hello.' });
  const ada = await start({ model });
  await turn(ada, 'Hi.');
  const { next } = await again(ada, model, 'Again.');
  expect(withTools()).toEqual([true, false, false]);
  expectPrefixes(served());
  await next.session.close();
  const other = await start({ model });
  expect(other.notices.join('\n')).toContain('cannot call tools by itself');
  await turn(other, 'New.');
  expect(withTools()).toEqual([true, false, false, false]);
  // From the start there is one lesson, in the system prompt.
  expect(lessons(bodies().at(-1)!.messages[0])).toBe(1);
});

it('is known by the log alone', async () => {
  const model = ollama({ text: 'Hello.' });
  const ada = await start({ model });
  await turn(ada, 'Hi.');
  expect(ada.session.state.taught).toEqual([`ollama/${model}`]);
  // Another server, as another process would not know it: only the log can tell.
  const able = { name: model, capabilities: ['completion', 'tools'] };
  const fresh = await startModelServer({ models: [able], turns: [{ text: 'Hello again.' }] });
  await ada.session.close();
  const env = { PATH: process.env.PATH, OLLAMA_HOST: fresh.url, HOME: '/nonexistent' };
  const next = await start({ model, resume: 'latest', env });
  await turn(next, 'Again.');
  const { body } = fresh.chats()[0]!;
  await next.session.close();
  await fresh.close();
  expect(body.tools).toBeUndefined();
  expect(lessons(body)).toBe(1);
  expectPrefixes([served().at(-1), body]);
});

it('keeps its lesson when room is made, and gets it again when one goes back to before it', async () => {
  const model = ollama({ text: 'Hello.' });
  const ada = await start({ model });
  await turn(ada, 'Hi.');
  for (const letter of 'abcd') await turn(ada, `${letter} `.repeat(10_000));
  const idle = async (command: Parameters<typeof ada.session.send>[0], type: string) => {
    const stream = ada.session.events();
    expect(ada.session.send(command)).toEqual({ ok: true });
    for await (const event of stream) if (event.type === type) break;
    await new Promise((resolve) => setImmediate(resolve));
  };
  await idle({ type: 'compact' }, 'compaction');
  await turn(ada, 'Go on.');
  expect(lessons(bodies().at(-1)!)).toBe(1);
  await idle({ type: 'rewind', to: ada.session.state.prompts[0]!.seq, what: 'conversation' }, 'rewind');
  await turn(ada, 'Anew.');
  expect(lessons(bodies().at(-1)!)).toBe(1);
  expect(withTools().filter(Boolean)).toHaveLength(1);
});

it('never asks a second time where words do not help either', async () => {
  server.set({
    turns: [{ fault: { kind: 'status', status: 400, message: 'plain does not support tools' }, faultTimes: 9 }],
    models: [{ name: `liar-${++count}:8b`, capabilities: ['completion', 'tools'], contextTokens: 32_768 }],
  });
  const events = await turn(await start({ model: `liar-${count}:8b` }), 'Hi.');
  expect(doneOf(events)).toMatchObject({ finish: 'error' });
  expect(find(events, 'error')).toHaveLength(1);
  expect(withTools()).toEqual([true, false]);
});

it.each([
  ['vllm', 'VLLM_BASE_URL', /it can where vLLM is started with --enable-auto-tool-choice and --tool-call-parser/],
  ['llamacpp', 'LLAMACPP_BASE_URL', /it may where llama-server is started with --jinja/],
] as const)('%s as it is started without them', async (program, variable, hint) => {
  const name = `m-${++count}`;
  server.set({
    program,
    models: [{ name, capabilities: ['completion'], contextTokens: 32_768 }],
    turns: [{ text: 'Hello.' }],
  });
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    OLLAMA_HOST: 'http://127.0.0.1:9',
    [variable]: `${server.url}/v1`,
  };
  const events = await turn(await start({ model: `${program}/${name}`, env }), 'Hi.');
  expect(doneOf(events)).toMatchObject({ finish: 'stop', text: 'Hello.' });
  expect(
    find(events, 'notice')
      .map(({ text }) => text)
      .join('\n'),
  ).toMatch(hint);
  expect(withTools()).toEqual([true, false]);
  expect(find(events, 'retry')).toEqual([]);
});
