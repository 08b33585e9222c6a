import { afterAll, beforeAll, expect, it } from 'vitest';
import { configuredVendors } from '../../providers/configured-vendors.ts';
import { findDefaultModel } from '../../providers/default-model.ts';
import { createTransport } from '../../providers/transport.ts';
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
