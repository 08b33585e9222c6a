/** What a hosted vendor's list told of windows and prices holds in conversations, and is not asked for again. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compose, listModels } from '../../app/compose.ts';
import type { EventOf } from '../../core/types.ts';

let server: Server;
let root: string;
let asked: string[];
/** Beside the tokens, what an answer tells of its usage. */
let charged: object;
/** Address of a server of one's own. */
let own: string | undefined;
/** Of the last session. */
let notices: string[];
/** Without it the vendor's list never comes. */
let isListing: boolean;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'ada-listed-'));
  mkdirSync(join(root, 'project/.git'), { recursive: true });
  asked = [];
  charged = {};
  isListing = true;
  own = undefined;
  server = createServer(async (request, response) => {
    asked.push(request.url!);
    if (request.url!.endsWith('/models')) {
      if (!isListing) return;
      const pricing = { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000001' };
      const data = [{ id: 'maker/one', context_length: 65_536, top_provider: { context_length: 32_768 }, pricing }];
      response.setHeader('content-type', 'application/json');
      return void response.end(JSON.stringify({ data }));
    }
    let body = '';
    for await (const piece of request) body += piece;
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100, ...charged };
    const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: JSON.parse(body).model };
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
  ...(own && { VLLM_BASE_URL: own }),
});

async function ask(offline = false, more: { model?: string; maxCost?: number; prompts?: number } = {}) {
  const { model = 'openrouter/maker/one', maxCost, prompts = 1 } = more;
  const { session } = await compose({
    ...{ cwd: join(root, 'project'), env: environment(), model, maxCost, headless: true },
    ...{ allow: [], deny: [], directories: [], offline, noSkills: true, trust: false },
  });
  const events = session.events();
  notices = [];
  let done: EventOf<'done'> | undefined;
  let left = prompts;
  session.send({ type: 'prompt', text: 'Say hello.' });
  for await (const event of events) {
    if (event.type === 'notice') notices.push(event.text);
    if (event.type !== 'done') continue;
    done = event as EventOf<'done'>;
    if (--left === 0) break;
    session.send({ type: 'prompt', text: 'Say it again.' });
  }
  const { window, limit } = session.window();
  await session.close();
  return { cost: done!.usage.cost, window, limit };
}

const list = () => listModels(environment(), join(root, 'project'));
const chats = () => asked.filter((path) => path.endsWith('/chat/completions'));

const lists = () => asked.filter((path) => path.endsWith('/models'));

it('of a model that nobody knows the list is asked for once, beside its first request, and kept', async () => {
  expect(await ask()).toEqual({ cost: 0.0012, window: 32_768, limit: 24_576 });
  expect([lists().length, chats().length]).toEqual([1, 1]);
  expect(readdirSync(join(root, 'home/models'))).toEqual(['openrouter.json']);
  expect(await ask()).toEqual({ cost: 0.0012, window: 32_768, limit: 24_576 });
  expect(lists()).toHaveLength(1);
});

it('what its list does not tell either is not asked for again on the same day', async () => {
  for (let run = 0; run < 2; run++)
    expect(await ask(false, { model: 'openrouter/maker/none' })).toEqual({ cost: null, window: null, limit: 100_000 });
  expect(lists()).toHaveLength(1);
});

it('nothing is asked for that the catalogue knows, nor offline', async () => {
  await ask(false, { model: 'openrouter/anthropic/claude-sonnet-5' });
  expect(await ask(true)).toEqual({ cost: null, window: null, limit: 100_000 });
  expect(asked).toEqual(chats());
});

describe('where costs are limited', () => {
  const limited = { maxCost: 1 };

  it('a list that tells the price is waited for, and nothing is said', async () => {
    expect(await ask(false, limited)).toMatchObject({ cost: 0.0012 });
    expect(lists()).toHaveLength(1);
    expect(notices).toEqual([]);
  });

  it('a price that nobody knows is told before anything is asked, once', async () => {
    const model = 'openrouter/maker/none';
    for (let run = 0; run < 2; run++) {
      await ask(false, { ...limited, model, prompts: 2 });
      expect(notices).toEqual([expect.stringContaining(`the price of ${model} is unknown`)]);
    }
  });

  it('also where the list does not come', async () => {
    isListing = false;
    await ask(false, { ...limited, prompts: 1 });
    expect(notices).toEqual([expect.stringContaining('the price of openrouter/maker/one is unknown')]);
  });

  it("of a server of one's own nothing is said, and its cost is no figure", async () => {
    const { port } = server.address() as AddressInfo;
    own = `http://127.0.0.1:${port}/v1`;
    expect(await ask(false, { ...limited, model: 'vllm/maker/one' })).toMatchObject({ cost: null });
    expect(notices).toEqual([]);
  });
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
