/** What LM Studio, llama.cpp's server, vLLM and OpenRouter tell of their models. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAIChatBackendAdapter } from '../../../providers/backends/openai-chat.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const list = async (provider: string, answers: Record<string, unknown>) => {
  server.set({ turns: [], models: [{ name: 'm' }], answers });
  const backend = new OpenAIChatBackendAdapter({ baseUrl: `${server.url}/v1`, provider, local: true });
  return (await backend.listModels({ abilities: true })).models;
};

describe('LM Studio', () => {
  const rows = (...data: object[]) => ({
    '/v1/models': { data: data.map((row) => ({ id: (row as { id: string }).id, owned_by: 'organization_owner' })) },
    '/api/v0/models': { object: 'list', data },
  });

  it('tells the window as loaded, what can see, call tools or only embeds', async () => {
    const found = await list(
      'lmstudio',
      rows(
        {
          id: 'a',
          type: 'llm',
          state: 'loaded',
          loaded_context_length: 8_192,
          max_context_length: 131_072,
          capabilities: ['tool_use'],
        },
        {
          id: 'b',
          type: 'vlm',
          state: 'not-loaded',
          max_context_length: 32_768,
          quantization: '4bit',
          capabilities: [],
        },
        { id: 'c', type: 'embeddings', state: 'not-loaded', max_context_length: 2_048 },
        { id: 'd', type: 'llm', state: 'loaded', loaded_context_length: -1 },
      ),
    );
    expect(found).toMatchObject([
      { id: 'a', contextTokens: 8_192, tools: true, vision: false, loaded: true },
      { id: 'b', contextTokens: 32_768, tools: false, vision: true, loaded: false, quantization: '4bit' },
      { id: 'c', embedding: true, tools: false },
      { id: 'd', contextTokens: null, tools: null },
    ]);
  });

  it('is known by its list at any address, and older versions tell less', async () => {
    expect(
      await list('mine', rows({ id: 'a', type: 'llm', state: 'loaded', loaded_context_length: 4_096 })),
    ).toMatchObject([{ contextTokens: 4_096 }]);
    expect(await list('lmstudio', {})).toMatchObject([{ id: 'm', tools: null, contextTokens: null }]);
    expect(await list('lmstudio', { '/api/v0/models': null })).toMatchObject([{ id: 'm', tools: null }]);
  });
});

describe('llama.cpp', () => {
  it('tells the window of a slot, and tools where its template has them', async () => {
    const props = {
      default_generation_settings: { n_ctx: 16_384 },
      chat_template: '{%- if tools %}{{ tools | tojson }}{% endif %}',
      modalities: { vision: true, audio: false },
    };
    expect(await list('llamacpp', { '/props': props })).toMatchObject([
      { contextTokens: 16_384, tools: true, vision: true },
    ]);
    expect(await list('llamacpp', { '/props': { n_ctx: 4_096, chat_template: '{{ messages }}' } })).toMatchObject([
      { contextTokens: 4_096, tools: null, vision: null },
    ]);
    expect(await list('llamacpp', { '/props': ['nonsense'] })).toMatchObject([{ contextTokens: null, tools: null }]);
  });
});

describe('vLLM', () => {
  it('tells the window in its list, and nothing of tools', async () => {
    const data = [{ id: 'a', owned_by: 'vllm', max_model_len: 40_960 }, { id: 7 }, null];
    expect(await list('vllm', { '/v1/models': { data } })).toMatchObject([
      { id: 'a', contextTokens: 40_960, tools: null, price: null },
    ]);
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/models']);
  });

  it('a list that is none holds no models', async () => {
    for (const answer of [null, 7, { data: 'x' }]) expect(await list('vllm', { '/v1/models': answer })).toEqual([]);
  });
});

describe('OpenRouter', () => {
  const row = (more: object) => list('openrouter', { '/v1/models': { data: [{ id: 'maker/one', ...more }] } });

  it('tells windows and the longest answer, of which the shorter one holds', async () => {
    const top_provider = { context_length: 131_072, max_completion_tokens: 16_384, is_moderated: false };
    expect(await row({ context_length: 262_144, top_provider })).toMatchObject([
      { contextTokens: 131_072, outputTokens: 16_384 },
    ]);
    expect(
      await row({ context_length: 262_144, top_provider: { context_length: null, max_completion_tokens: null } }),
    ).toMatchObject([{ contextTokens: 262_144, outputTokens: null }]);
  });

  it.each([
    [
      { prompt: '0.0000002', completion: '0.0000008' },
      { input: 0.2, output: 0.8 },
    ],
    [
      { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', input_cache_write: '0.00000375' },
      { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    ],
    [
      { prompt: '0', completion: '0' },
      { input: 0, output: 0 },
    ],
    // It depends on who answers.
    [{ prompt: '-1', completion: '-1' }, null],
    [{ prompt: '', completion: null }, null],
  ])('tells prices of a token as text: %j', async (pricing, price) => {
    expect((await row({ pricing }))[0]!.price).toEqual(price);
  });
});
