import { afterAll, beforeAll, expect, it } from 'vitest';
import { configuredVendors } from '../../providers/configured-vendors.ts';
import { findDefaultModel } from '../../providers/default-model.ts';
import { listReachable } from '../../providers/list-models.ts';
import { similarNames } from '../../providers/routing/find-local.ts';
import { createTransport } from '../../providers/transport.ts';
import type { VendorRow } from '../../providers/vendors.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** A key for a hosted vendor, and a server of LM Studio that nobody named, where it listens unless told otherwise. */
function withKeyAndServer() {
  const vendors = configuredVendors({ variables: { OPENAI_API_KEY: 'k' }, transport: createTransport() });
  const usual = vendors.urls.bind(vendors);
  return {
    ...vendors,
    urls: (row: Parameters<typeof usual>[0]) => (row.id === 'lmstudio' ? [`${server.url}/v1`] : usual(row)),
  };
}

it.each([false, true])(
  'a local server comes before a hosted key, also where Ollama answered with nothing: %s',
  async (answered) => {
    const models = [{ name: 'qwen3-8b', contextTokens: 32_768, loadedTokens: 16_384 }];
    server.set({ program: 'lmstudio', turns: [{ text: 'hi' }], models });
    const installed = { models: [], answered, failures: [] };
    const { choice } = await findDefaultModel(withKeyAndServer(), { installed, memory: 2 ** 35, offline: false });
    expect(choice).toMatchObject({ vendor: 'lmstudio', model: 'qwen3-8b', local: true });
  },
);

it('what is set to the usual address is named all the same, and told of where it is no use', async () => {
  const set = configuredVendors({
    variables: { LLAMACPP_BASE_URL: 'http://127.0.0.1:8080/v1' },
    transport: createTransport(),
  });
  expect(set.isNamed(set.find('llamacpp')!)).toBe(true);
  expect(set.isNamed(set.find('vllm')!)).toBe(false);
});

it.each([
  ['127.0.0.1:8000', 'http://127.0.0.1:8000'],
  ['box.lan/v1', 'http://box.lan/v1'],
  ['api.example.com/v1', 'https://api.example.com/v1'],
  ['http://api.example.com/v1', 'http://api.example.com/v1'],
])('an address without a scheme: %s', (OPENAI_BASE_URL, url) => {
  const set = configuredVendors({ variables: { OPENAI_BASE_URL }, transport: createTransport() });
  expect(set.urls(set.find('openai')!)).toEqual([url]);
});

it('is in the list too, beside a hosted key, and only once', async () => {
  server.set({ program: 'lmstudio', turns: [], models: [{ name: 'qwen3-8b', contextTokens: 32_768 }] });
  const { urls, isUsable, ...vendors } = withKeyAndServer();
  const nowhere = (row: VendorRow) => (row.id === 'ollama' ? ['http://127.0.0.1:9'] : urls(row));
  // The hosted list itself is not asked here.
  const near = { ...vendors, urls: nowhere, isUsable: (row: VendorRow) => row.local && isUsable(row) };
  const models = await listReachable(near, () => {});
  expect(models.map(({ id }) => id)).toEqual(['lmstudio/qwen3-8b']);
});

it.each([
  ['qwen3:8b', ['qwen/qwen3-8b', '/models/qwen3-coder.gguf']],
  ['qwen3', ['qwen/qwen3-8b', '/models/qwen3-coder.gguf']],
  ['llama3.1:70b', ['llama3.2:3b']],
  ['devstrall', ['Devstral-Small']],
  ['zebra', []],
])('the names nearest to %s', (name, near) => {
  const names = ['qwen/qwen3-8b', '/models/qwen3-coder.gguf', 'llama3.2:3b', 'Devstral-Small'];
  expect(similarNames(name, names)).toEqual(near);
});
