/** A model whose template knows no tools: it is taught them, its calls run, and their results come back as words. */
import { expect, it } from 'vitest';
import type { ScriptedTurn } from '../fakes/script.ts';
import { callsOf, doneOf, find, server, start, turn } from './local-session.ts';

const plain = { name: 'plain:8b', capabilities: ['completion'], contextTokens: 32_768 };
const able = { name: 'able:8b', capabilities: ['completion', 'tools'], contextTokens: 32_768 };
/** One after the other: results in words are no results to the server. */
function saying(models: object[], turns: ScriptedTurn[]) {
  let asked = 0;
  server.set({ models: models as (typeof plain)[], turns: () => turns[asked++]! });
}
const call = '<tool_call>{"name": "read_file", "arguments": {"path": "a.txt"}}</tool_call>';

it('reads a file by a call in text', async () => {
  saying([plain], [{ text: `I read.\n${call}` }, { text: 'It says alpha.' }, { text: 'Yes.' }]);
  const ada = await start({ model: 'plain:8b' });
  const events = await turn(ada, 'Read a.txt.');
  expect(callsOf(events)).toEqual([['read_file', { path: 'a.txt' }]]);
  expect(doneOf(events)).toMatchObject({ finish: 'stop', text: 'It says alpha.' });
  await turn(ada, 'Sure?');
  const bodies = server.chats().map(({ body }) => body);
  expect(bodies.map(({ tools }) => tools)).toEqual([undefined, undefined, undefined]);
  expect(bodies[0]!.messages[0].content).toContain('- read_file(path');
  expect(Buffer.byteLength(JSON.stringify(bodies[0]!.messages[0]))).toBeLessThanOrEqual(4_500);
  expect(bodies[1]!.messages.slice(2).map(({ role }: any) => role)).toEqual(['assistant', 'user']);
  expect(bodies[1]!.messages[2].content).toContain(call.replace('"path": ', '"path":'));
  expect(bodies[1]!.messages[3].content).toMatch(/^Result of read_file:\n[\s\S]*alpha/);
  // Each request begins with the one before it.
  for (const [i, { messages }] of bodies.entries())
    if (i > 0) expect(messages.slice(0, bodies[i - 1]!.messages.length)).toEqual(bodies[i - 1]!.messages);
  // What is stored is the conversation as ever.
  expect(find(events, 'assistant')[0]!.content).toMatchObject([{ type: 'text' }, { type: 'tool_use' }]);
});

it('is taught after a switch as well; another model gets its calls as ever', async () => {
  saying([able, plain], [{ text: 'Hello.' }, { text: call }, { text: 'Read.' }, { text: 'Bye.' }]);
  const ada = await start({ model: 'able:8b' });
  await turn(ada, 'Hi.');
  const switched = async (model: string) => {
    const stream = ada.session.events();
    ada.session.send({ type: 'set', model });
    for await (const event of stream) if (event.type === 'model') return;
  };
  await switched('plain:8b');
  const events = await turn(ada, 'Read a.txt.');
  expect(callsOf(events)).toEqual([['read_file', { path: 'a.txt' }]]);
  await switched('able:8b');
  await turn(ada, 'Bye.');
  const bodies = server.chats().map(({ body }) => body);
  expect(bodies.map(({ tools }) => tools !== undefined)).toEqual([true, false, false, true]);
  const texts = bodies.map(({ messages }) => JSON.stringify(messages));
  expect(texts[0]).not.toContain('To call a tool');
  expect(texts[1]!.match(/To call a tool/g)).toHaveLength(1);
  expect(bodies[3]!.messages.some(({ role }: any) => role === 'tool')).toBe(true);
});

it('goes on with its lesson in another process', async () => {
  server.set({ models: [plain], turns: [{ text: 'Hello.' }] });
  const ada = await start({ model: 'plain:8b' });
  await turn(ada, 'Hi.');
  await ada.session.close();
  await turn(await start({ model: 'plain:8b', resume: 'latest' }), 'Again.');
  const texts = server.chats().map(({ body }) => JSON.stringify(body.messages));
  expect(texts[1]!.match(/To call a tool/g)).toHaveLength(1);
});
