import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ollamaBaseUrls } from '../../../providers/backends/ollama/base-url.ts';
import { OllamaBackendAdapter, ollamaBaseUrl, showModel, shownUrl } from '../../../providers/backends/ollama.ts';
import { type IRMessage, partsOf } from '../../../providers/ir.ts';
import { createTransport } from '../../../providers/transport.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import { drain, lastOf, request, user } from './wires.ts';

describe('ollamaBaseUrl', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['  "10.0.0.5" ', 'http://10.0.0.5:11434'],
    ['localhost', 'http://localhost:11434'],
    ['gpu-box', 'http://gpu-box:11434'],
    ['gpu-box:8080', 'http://gpu-box:8080'],
    [':8080', 'http://127.0.0.1:8080'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:9000', 'http://127.0.0.1:9000'],
    ['http://0.0.0.0:11434', 'http://127.0.0.1:11434'],
    ['http://example.test', 'http://example.test'],
    ['https://example.test', 'https://example.test'],
    ['https://example.test:11434/', 'https://example.test:11434'],
    ['http://example.test:11434/ollama/', 'http://example.test:11434/ollama'],
    ['example.test/ollama', 'http://example.test:11434/ollama'],
    ['http://example.test:11434/v1', 'http://example.test:11434'],
    ['http://example.test:11434/api/', 'http://example.test:11434'],
    ['::1', 'http://[::1]:11434'],
    ['[::1]', 'http://[::1]:11434'],
    ['[::1]:9000', 'http://[::1]:9000'],
    ['::', 'http://[::1]:11434'],
    ['http://[fe80::1]:1234', 'http://[fe80::1]:1234'],
    ['HTTP://Box:1', 'http://Box:1'],
    ['http://me:pw@box:1', 'http://me:pw@box:1'],
    ['::1:9998', 'http://[::1]:9998'],
    [':::9998', 'http://[::1]:9998'],
    ['//box', 'http://box:11434'],
    ['//box:1/ollama', 'http://box:1/ollama'],
  ])('%s is %s', (value, url) => expect(ollamaBaseUrl(value)).toBe(url));

  it.each(['ftp://box', 'http://', ' https:// ', 'http:///', 'http:///v1', 'http://me:pw@', 'box:port', 'a b'])(
    'refuses %s',
    (value) => expect(() => ollamaBaseUrl(value)).toThrow(/not an address/),
  );
});

describe('ollamaBaseUrls', () => {
  it.each([
    [undefined, ['http://127.0.0.1:11434', 'http://[::1]:11434']],
    ['http://127.0.0.1:11434', ['http://127.0.0.1:11434', 'http://[::1]:11434']],
    ['0.0.0.0:9/x', ['http://127.0.0.1:9/x', 'http://[::1]:9/x']],
    ['[::]:9', ['http://[::1]:9', 'http://127.0.0.1:9']],
    ['127.0.0.1:9', ['http://127.0.0.1:9']],
    ['//box', ['http://box:11434']],
    ['http://127.0.0.1:9', ['http://127.0.0.1:9']],
    ['http://127.0.0.1', ['http://127.0.0.1']],
    ['::1', ['http://[::1]:11434']],
    ['[::1]', ['http://[::1]:11434']],
    ['::1:7731', ['http://[::1]:7731']],
    ['[::1]:7731', ['http://[::1]:7731']],
    ['//[::1]:7731', ['http://[::1]:7731']],
    ['http://[::1]:7731', ['http://[::1]:7731']],
    ['https://[::1]:7731/x/', ['https://[::1]:7731/x']],
    ['http://me:pw@[::1]:7731', ['http://me:pw@[::1]:7731']],
    ['::', ['http://[::1]:11434', 'http://127.0.0.1:11434']],
    [':::9998', ['http://[::1]:9998', 'http://127.0.0.1:9998']],
    ['http://[::]:9/', ['http://[::1]:9', 'http://127.0.0.1:9']],
    ['http://0.0.0.0:9', ['http://127.0.0.1:9', 'http://[::1]:9']],
    ['http://me:pw@0.0.0.0:9', ['http://me:pw@127.0.0.1:9', 'http://me:pw@[::1]:9']],
    [':9', ['http://127.0.0.1:9', 'http://[::1]:9']],
    ['http://:9', ['http://127.0.0.1:9', 'http://[::1]:9']],
    ['localhost:9', ['http://localhost:9']],
    ['0.0.0.0.example.com', ['http://0.0.0.0.example.com:11434']],
  ])('%s is looked for at %s', (value, urls) => expect(ollamaBaseUrls(value)).toEqual(urls));

  it('tells no password', () => {
    expect(shownUrl('http://me:secret@box:1/x')).toBe('http://box:1/x');
    expect(() => ollamaBaseUrl('http://me:secret@box:port')).toThrow(/^(?!.*secret)/);
  });
});

describe('request', () => {
  const backend = new OllamaBackendAdapter({ capabilities: { reasoning: true, multiModal: true } });
  const call = (id: string): IRMessage => ({
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hm', model: 'qwen3' },
      { type: 'text', text: 'ok' },
      { type: 'tool_use', id, name: 'read_file', input: { path: 'a' } },
    ],
  });

  it('puts parameters where Ollama has them', () => {
    const parameters = {
      model: 'qwen3',
      contextTokens: 16384,
      keepAlive: '30m',
      temperature: 0.2,
      topP: 0.9,
      topK: 40,
      seed: 7,
      maxTokens: 100,
      stopSequences: ['END'],
      effort: 'high',
    } as const;
    const body = backend.fromIR(request('hi', { parameters }));
    expect(body).toEqual({
      model: 'qwen3',
      messages: [{ role: 'user', content: 'hi' }],
      keep_alive: '30m',
      think: true,
      options: { num_ctx: 16384, num_predict: 100, temperature: 0.2, top_p: 0.9, top_k: 40, seed: 7, stop: ['END'] },
      stream: true,
    });
  });

  it('sends arguments as objects and the name of the tool with its result', () => {
    const result = { type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'A' }] } as const;
    const messages = [user('hi'), call('c1'), { role: 'tool', content: [result] } as const];
    const body = backend.fromIR(request(messages, { parameters: { model: 'qwen3' } }));
    expect(body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'ok',
        thinking: 'hm',
        tool_calls: [{ id: 'c1', function: { name: 'read_file', arguments: { path: 'a' } } }],
      },
      { role: 'tool', content: 'A', tool_name: 'read_file', tool_call_id: 'c1' },
    ]);
  });

  it('gives thinking back to its own model only', () => {
    const other = backend.fromIR(request([user('hi'), call('c1')], { parameters: { model: 'llama3' } }));
    expect(JSON.stringify(other)).not.toContain('"thinking"');
  });

  it('asks to think only a model that is known to', () => {
    const plain = new OllamaBackendAdapter();
    expect(plain.fromIR(request('hi', { parameters: { effort: 'high' } })).think).toBeUndefined();
    const some = new OllamaBackendAdapter({ capabilitiesOf: (model) => ({ reasoning: model === 'thinker' }) });
    const think = (model: string, effort: 'off' | 'low') =>
      some.fromIR(request('hi', { parameters: { model, effort } })).think;
    expect([think('thinker', 'low'), think('thinker', 'off'), think('other', 'low')]).toEqual([true, false, undefined]);
    expect(backend.fromIR(request('hi', { parameters: { model: 'gpt-oss:20b', effort: 'low' } })).think).toBe('low');
  });

  it('asks for whole prompts only a server that knows how', () => {
    expect(backend.fromIR(request('hi')).truncate).toBeUndefined();
    expect(new OllamaBackendAdapter({ refusesLongPrompts: true }).fromIR(request('hi')).truncate).toBe(false);
  });

  it('leaves tools out for a model without, and says so', async () => {
    const tools = [{ name: 't', parameters: {} }];
    const plain = new OllamaBackendAdapter({ baseUrl: 'http://127.0.0.1:9', capabilities: { tools: false } });
    expect(plain.fromIR(request('hi', { tools })).tools).toBeUndefined();
    const chunks = await drain(plain.executeStream(request('hi', { tools })));
    expect(lastOf(chunks, 'warning')?.warning).toMatchObject({ kind: 'dropped', field: 'tools' });
  });

  it('constrains the answer by a schema', () => {
    const schema = { type: 'object', properties: {} };
    const body = backend.fromIR(request('hi', { responseFormat: { type: 'json_schema', name: 'x', schema } }));
    expect(body.format).toEqual(schema);
  });

  it('tells a blind model that there was an image', () => {
    const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'QUJD' } } as const;
    const body = new OllamaBackendAdapter().fromIR(request([user([image])]));
    expect(body.messages).toEqual([{ role: 'user', content: '[image: this model cannot see it]' }]);
    expect(backend.fromIR(request([user([image])])).messages[0].images).toEqual(['QUJD']);
  });
});

describe('answer', () => {
  const backend = new OllamaBackendAdapter();
  const whole = (message: object, more: object = {}) =>
    backend.toIR({ model: 'm', message: { role: 'assistant', ...message }, done: true, ...more }, request('hi'), 5);

  it('makes an id for every call, and tells equal ones apart', () => {
    const call = { function: { name: 'f', arguments: {} } };
    const { message } = whole({ content: '', tool_calls: [call, call, { id: 'x', ...call }, { id: 'x', ...call }] });
    const ids = partsOf(message.content).map((part) => (part.type === 'tool_use' ? part.id : ''));
    expect(new Set(ids).size).toBe(4);
    expect(ids).toContain('x');
  });

  it('reads arguments that came as text', () => {
    const call = { function: { name: 'f', arguments: '{"a":1}' } };
    expect(whole({ tool_calls: [call] }).message.content).toMatchObject([{ input: { a: 1 } }]);
  });

  it('does not call a cloud model local', () => {
    const served = whole({ content: 'x' }, { remote_host: 'https://cloud.test', remote_model: 'big' });
    expect(served.metadata.provenance?.local).toBe(false);
    expect(whole({ content: 'x' }).metadata.provenance?.local).toBe(true);
  });

  it('keeps missing counts null and reports timings', () => {
    const response = whole({ content: 'x' }, { prompt_eval_count: 5, load_duration: 2e9 });
    expect(response.usage).toMatchObject({ promptTokens: 5, completionTokens: null, totalTokens: null });
    expect(response.metadata.custom).toEqual({ loadMs: 2000, latencyMs: 5 });
  });
});

describe('models', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer({
      turns: [],
      version: '0.13.1',
      models: [
        {
          name: 'big:8b',
          contextTokens: 40960,
          capabilities: ['completion', 'tools', 'vision'],
          size: 5e9,
          parameters: '8B',
        },
        { name: 'embed:latest', capabilities: ['embedding'] },
      ],
    });
  });
  afterAll(() => server.close());

  it('lists what is installed, with abilities when they are asked for', async () => {
    const backend = new OllamaBackendAdapter({ baseUrl: server.url });
    const plain = (await backend.listModels()).models;
    expect(plain[0]).toMatchObject({
      id: 'big:8b',
      provider: 'ollama',
      local: true,
      size: 5e9,
      parameters: '8B',
      tools: null,
    });
    const { models } = await backend.listModels({ abilities: true });
    expect(models[0]).toMatchObject({
      id: 'big:8b',
      contextTokens: 40960,
      tools: true,
      vision: true,
      reasoning: false,
    });
    expect(models[1]).toMatchObject({ id: 'embed:latest', embedding: true, tools: false });
    expect(await backend.serverVersion()).toBe('0.13.1');
    expect(await backend.healthCheck()).toBe(true);
  });

  it('shows one model, and undefined for one that is not there', async () => {
    const transport = createTransport();
    const shown = await showModel(transport, server.url, 'big:8b');
    expect(shown).toMatchObject({
      contextTokens: 40960,
      capabilities: ['completion', 'tools', 'vision'],
      numCtx: null,
    });
    expect(await showModel(transport, server.url, 'nonesuch')).toBeUndefined();
    await expect(showModel(transport, 'http://127.0.0.1:9', 'big:8b')).rejects.toMatchObject({
      code: 'CONNECTION_REFUSED',
    });
  });

  it('is not healthy when nobody answers', async () => {
    expect(await new OllamaBackendAdapter({ baseUrl: 'http://127.0.0.1:9' }).healthCheck()).toBe(false);
  });
});
