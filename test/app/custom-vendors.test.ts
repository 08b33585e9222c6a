/** Servers that a person describes in the settings: usable as `name/model`, listed, and bound by --offline. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compose, listModels } from '../../app/compose.ts';
import type { EventOf } from '../../core/types.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';

let server: ModelServer;
let root: string;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ada-vendors-'));
  mkdirSync(join(root, 'project/.git'), { recursive: true });
  server.set({ turns: [{ text: 'Hello.' }], models: [{ name: 'big', contextTokens: 65_536 }], apiKey: 'sesame' });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const environment = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  HOME: root,
  ADA_HOME: root,
  PATH: process.env.PATH,
  OLLAMA_HOST: 'http://127.0.0.1:9',
  ...env,
});

const describeVendors = (vendors: object) =>
  writeFileSync(join(root, 'settings.json'), JSON.stringify({ vendors, permissions: {} }));

async function ask(model: string | undefined, env: Record<string, string> = {}, offline = false) {
  const {
    session,
    notices,
    model: known,
  } = await compose({
    cwd: join(root, 'project'),
    env: environment(env),
    model,
    headless: true,
    allow: [],
    deny: [],
    directories: [],
    offline,
    noSkills: true,
    trust: false,
  });
  const events = session.events();
  session.send({ type: 'prompt', text: 'Say hello.' });
  let answer: EventOf<'assistant'> | undefined;
  for await (const event of events) {
    if (event.type === 'assistant') answer = event as EventOf<'assistant'>;
    if (event.type === 'done') break;
  }
  const { state } = session;
  await session.close();
  return { answer, notices, state, known };
}

describe('a described server', () => {
  it('is asked with its key, its headers and its quirks', async () => {
    describeVendors({
      mine: {
        baseUrl: `${server.url}/v1/`,
        keyVariable: 'DOOR',
        headers: { 'X-Team': 'blue' },
        quirks: { streamUsage: false, extraBody: { safe: true } },
      },
    });
    const { answer, state, known } = await ask('mine/big', { DOOR: 'sesame' });
    expect(state.model).toBe('mine/big');
    expect(known.local).toBe(true);
    expect(answer).toMatchObject({ finish: 'stop', served: { backend: 'mine', model: 'big', local: true } });
    const [request] = server.chats();
    expect(request!.headers).toMatchObject({ authorization: 'Bearer sesame', 'x-team': 'blue' });
    expect(request!.body).toMatchObject({ model: 'big', safe: true });
    expect(request!.body).not.toHaveProperty('stream_options');
  });

  it('speaks Anthropic Messages or Ollama where it says so', async () => {
    server.set({ turns: [{ text: 'Hello.' }], models: [{ name: 'big' }] });
    describeVendors({
      a: { baseUrl: server.url, wire: 'anthropic', headers: { 'x-a': '1' } },
      o: { baseUrl: server.url, wire: 'ollama' },
    });
    expect((await ask('a/big', { A_API_KEY: 'k' })).answer!.served).toMatchObject({ backend: 'a', local: true });
    expect((await ask('o/big')).answer!.served).toMatchObject({ backend: 'o', local: true });
    expect(server.chats().map(({ wire }) => wire)).toEqual(['anthropic', 'ollama']);
    expect(server.chats()[0]!.headers['x-a']).toBe('1');
  });

  it('is moved by <NAME>_BASE_URL and takes <NAME>_API_KEY', async () => {
    describeVendors({ 'my-box': { baseUrl: 'http://127.0.0.1:9/v1' } });
    const env = { MY_BOX_BASE_URL: `${server.url}/v1`, MY_BOX_API_KEY: 'sesame' };
    expect((await ask('my-box/big', env)).answer!.finish).toBe('stop');
  });

  it('is asked when no model is named and there is no Ollama', async () => {
    describeVendors({ mine: { baseUrl: `${server.url}/v1`, local: false, defaultModel: 'big' } });
    const { state, notices } = await ask(undefined, { MINE_API_KEY: 'sesame' });
    expect(state.model).toBe('mine/big');
    expect(notices).toEqual([expect.stringMatching(/^big at mine \(hosted\)/)]);
    describeVendors({ mine: { baseUrl: `${server.url}/v1` } });
    expect((await ask(undefined, { MINE_API_KEY: 'sesame' })).known.local).toBe(true);
  });

  it('wants the key that it names, and an address', async () => {
    describeVendors({ mine: { baseUrl: 'https://{ACCOUNT}.example.com/v1', keyVariable: 'DOOR' } });
    await expect(ask('mine/big')).rejects.toThrow('mine has no address: set ACCOUNT');
    await expect(ask('mine/big', { ACCOUNT: 'x' })).rejects.toThrow('mine wants a key: set DOOR');
  });

  it('is hosted elsewhere unless it says otherwise, and closed by --offline all the same', async () => {
    describeVendors({
      far: { baseUrl: 'http://10.255.255.1:1/v1', local: true },
      near: { baseUrl: `${server.url}/v1` },
    });
    await expect(ask('far/big', {}, true)).rejects.toThrow('--offline closes every way out');
    expect((await ask('near/big', { NEAR_API_KEY: 'sesame' }, true)).answer!.finish).toBe('stop');
    await expect(ask('lmstudio/x', { LMSTUDIO_BASE_URL: 'https://lm.example.com/v1' }, true)).rejects.toThrow(
      '--offline closes every way out',
    );
  });

  it('does not take the name of a vendor that ada knows', async () => {
    describeVendors({ openai: { baseUrl: `${server.url}/v1` }, mine: { baseUrl: `${server.url}/v1` } });
    const { notices } = await ask('mine/big', { MINE_API_KEY: 'sesame' });
    expect(notices).toEqual([expect.stringMatching(/^vendors\.openai is left out.*OPENAI_BASE_URL/)]);
  });

  it('is listed with the id that it is asked for by', async () => {
    describeVendors({ mine: { baseUrl: `${server.url}/v1` }, away: { baseUrl: 'http://127.0.0.1:9/v1' } });
    const list = (offline = false) =>
      listModels(environment({ MINE_API_KEY: 'sesame' }), join(root, 'project'), offline);
    expect(await list()).toMatchObject([{ id: 'mine/big', provider: 'mine', local: true, contextTokens: 65_536 }]);
    expect(await list(true)).toHaveLength(1);
    describeVendors({ mine: { baseUrl: 'https://models.example.com/v1' } });
    expect(await list(true)).toEqual([]);
  });
});
