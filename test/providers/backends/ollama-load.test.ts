import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInstalled } from '../../../providers/backends/ollama/describe.ts';
import { loadModel } from '../../../providers/backends/ollama/load.ts';
import { listOllamaModels, loadedModels } from '../../../providers/backends/ollama/models.ts';
import { answeringServer } from '../../../providers/backends/ollama/pull.ts';
import { listOnServers, showOnServers } from '../../../providers/backends/ollama/servers.ts';
import { createTransport } from '../../../providers/transport.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';

const transport = createTransport();
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(async () => {
  transport.close();
  await server.close();
});
const owl = { name: 'owl:1b', contextTokens: 8_192, size: 1e9 };

it('loads with the window and the time that requests ask for, and without a prompt', async () => {
  server.set({ turns: [], models: [owl], loadMs: 60 });
  const began = Date.now();
  await loadModel({ baseUrl: server.url, model: 'owl:1b', contextTokens: 8_192, keepAlive: '30m', transport });
  expect(Date.now() - began).toBeGreaterThanOrEqual(50);
  expect(server.requests.map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: '/api/generate',
      body: { model: 'owl:1b', prompt: '', stream: false, keep_alive: '30m', options: { num_ctx: 8_192 } },
    },
  ]);
  expect(await loadedModels(transport, server.url)).toEqual([{ id: 'owl:1b', contextTokens: 8_192 }]);
  expect(await listOllamaModels(transport, server.url, { abilities: true })).toMatchObject([
    { id: 'owl:1b', loaded: true, memory: 1e9 + 8_192 * 57_344 + 2 ** 29 },
  ]);
});

it('rejects when there is no such model', async () => {
  server.set({ turns: [], models: [owl] });
  const missing = loadModel({ baseUrl: server.url, model: 'cat', contextTokens: null, transport });
  await expect(missing).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
});

it('describes a model with the window that a session would get', async () => {
  server.set({ turns: [], models: [owl] });
  const servers = { urls: ['127.0.0.1:9', server.url], transport };
  const { found, failures } = await showOnServers(servers, 'owl:1b');
  expect(found).toMatchObject({ index: 1, baseUrl: server.url });
  expect(failures).toMatchObject([{ url: '127.0.0.1:9', error: { code: 'CONNECTION_REFUSED' } }]);
  expect(await describeInstalled(servers, found!, { memory: 64e9 })).toMatchObject({
    id: 'owl:1b',
    url: server.url,
    size: 1e9,
    family: 'qwen2',
    window: { tokens: 8_192, reason: 'all that the model was made for' },
    loaded: false,
    loadedTokens: null,
  });
  expect((await showOnServers(servers, 'cat')).found).toBeUndefined();
});

it('finds the server that answers', async () => {
  const found = await answeringServer({ urls: ['127.0.0.1:9', server.url], transport });
  expect(found).toMatchObject({ baseUrl: server.url, failures: [{ url: '127.0.0.1:9' }] });
  expect(await answeringServer({ urls: ['127.0.0.1:9'], transport })).toMatchObject({
    failures: [{ error: { category: 'network' } }],
  });
});

it('tells why what answers is no use', async () => {
  const { createServer } = await import('node:http');
  const portal = createServer((_, response) => response.writeHead(200).end('<!doctype html><title>Sign in</title>'));
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(portal.address() as { port: number }).port}`;
  const found = await listOnServers({ urls: [url], transport }, true);
  portal.closeAllConnections();
  portal.close();
  expect(found).toMatchObject({ models: [], answered: false });
  expect(found.problem).toMatch(/web page \(“Sign in”\)/);
  expect(await listOnServers({ urls: ['127.0.0.1:9'], transport }, true)).toMatchObject({
    models: [],
    answered: false,
  });
});
