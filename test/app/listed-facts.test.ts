/** What a hosted vendor's list told of windows and prices holds in conversations, and is not asked for again. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compose, listModels } from '../../app/compose.ts';
import type { EventOf } from '../../core/types.ts';

let server: Server;
let root: string;
let asked: string[];
/** Beside the tokens, what an answer tells of its usage. */
let charged: object;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'ada-listed-'));
  mkdirSync(join(root, 'project/.git'), { recursive: true });
  asked = [];
  charged = {};
  server = createServer((request, response) => {
    asked.push(request.url!);
    if (request.url!.endsWith('/models')) {
      const pricing = { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000001' };
      const data = [{ id: 'maker/one', context_length: 65_536, top_provider: { context_length: 32_768 }, pricing }];
      response.setHeader('content-type', 'application/json');
      return void response.end(JSON.stringify({ data }));
    }
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100, ...charged };
    const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'maker/one' };
    const choice = { index: 0, delta: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' };
    response.setHeader('content-type', 'text/event-stream');
    response.write(`data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\n`);
    response.end(`data: ${JSON.stringify({ ...chunk, choices: [], usage })}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(root, { recursive: true, force: true });
});

const environment = (): NodeJS.ProcessEnv => ({
  HOME: root,
  ADA_HOME: join(root, 'home'),
  PATH: process.env.PATH,
  OLLAMA_HOST: 'http://127.0.0.1:9',
  OPENROUTER_API_KEY: 'a key of nobody',
  OPENROUTER_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
});

async function ask(offline = false) {
  const { session } = await compose({
    ...{ cwd: join(root, 'project'), env: environment(), model: 'openrouter/maker/one', headless: true },
    ...{ allow: [], deny: [], directories: [], offline, noSkills: true, trust: false },
  });
  const events = session.events();
  session.send({ type: 'prompt', text: 'Say hello.' });
  let done: EventOf<'done'> | undefined;
  for await (const event of events)
    if (event.type === 'done') {
      done = event as EventOf<'done'>;
      break;
    }
  const { window, limit } = session.window();
  await session.close();
  return { cost: done!.usage.cost, window, limit };
}

const list = () => listModels(environment(), join(root, 'project'));
const chats = () => asked.filter((path) => path.endsWith('/chat/completions'));

it('nothing is asked for that nobody wanted: without a list both are unknown', async () => {
  expect(await ask()).toEqual({ cost: null, window: null, limit: 100_000 });
  expect(asked).toEqual(chats());
});

it('once it was listed, window and price are known, also offline', async () => {
  expect((await list()).find(({ id }) => id === 'openrouter/maker/one')).toMatchObject({ contextTokens: 32_768 });
  expect(readdirSync(join(root, 'home/models'))).toEqual(['openrouter.json']);
  asked.length = 0;
  expect(await ask()).toEqual({ cost: 0.0012, window: 32_768, limit: 24_576 });
  charged = { prompt_tokens_details: { cached_tokens: 500 } };
  expect(await ask(true)).toEqual({ cost: 0.00075, window: 32_768, limit: 24_576 });
  expect(asked).toEqual(chats());
});

it('what the answer says that it costs counts', async () => {
  await list();
  charged = { cost: 0.0042 };
  expect((await ask()).cost).toBe(0.0042);
});
