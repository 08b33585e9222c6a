/** Switching to a model whose window cannot hold what every request begins with. */
import { expect, it } from 'vitest';
import type { Event } from '../../core/types.ts';
import { doneOf, find, server, start, turn, write } from './local-session.ts';

it('is refused with the sizes and the remedies before anything is sent, and the old model goes on', async () => {
  write('AGENTS.md', 'A rule of this project that has to be kept. '.repeat(200));
  server.set({
    turns: [{ text: 'Hello.' }],
    models: [
      { name: 'big:8b', contextTokens: 32_768 },
      { name: 'tiny:1b', contextTokens: 2_048 },
    ],
  });
  const ada = await start({ model: 'big:8b', settings: { ollama: { contextTokens: 32_768 } } });
  const stream = ada.session.events();
  expect(ada.session.send({ type: 'set', model: 'tiny:1b' })).toEqual({ ok: true });
  let notice: Event | undefined;
  for await (const event of stream) {
    notice = event;
    break;
  }
  expect(notice).toMatchObject({
    type: 'notice',
    level: 'error',
    text: expect.stringMatching(/tiny:1b is 2048 tokens.*takes about \d{4}.*AGENTS\.md.*larger window/),
  });
  expect(server.chats()).toEqual([]);
  const events = await turn(ada, 'Hi.');
  expect(doneOf(events)).toMatchObject({ finish: 'stop', text: 'Hello.' });
  expect(find(events, 'assistant')[0]!.served.model).toBe('big:8b');
  expect(ada.session.state.model).toBe('ollama/big:8b');
});
