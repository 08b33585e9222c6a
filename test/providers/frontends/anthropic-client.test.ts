/** Anthropic's own client, with only its base URL changed, against a bridge. */
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnthropicBackendAdapter } from '../../../providers/backends/anthropic.ts';
import { MockBackendAdapter } from '../../../providers/backends/mock.ts';
import { OllamaBackendAdapter } from '../../../providers/backends/ollama.ts';
import { OpenAIChatBackendAdapter } from '../../../providers/backends/openai-chat.ts';
import {
  AuthenticationError,
  ProviderError,
  RateLimitError,
  StreamError,
  ValidationError,
} from '../../../providers/errors.ts';
import { partsOf, unknownUsage } from '../../../providers/ir.ts';
import { type BridgeServer, startBridgeServer } from '../../fakes/bridge-server.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';

let server: BridgeServer;
let models: ModelServer;
beforeAll(async () => {
  server = await startBridgeServer(new MockBackendAdapter());
  models = await startModelServer();
});
afterAll(async () => {
  await server.close();
  await models.close();
});

const model = 'test-model:latest';
const usage = {
  ...unknownUsage(),
  promptTokens: 12,
  completionTokens: 5,
  totalTokens: 17,
  cacheReadTokens: 4,
  cacheWriteTokens: 2,
};
const client = () => new Anthropic({ baseURL: server.url, apiKey: 'any', authToken: null, maxRetries: 0 });
const ask = { role: 'user' as const, content: 'Compare the files.' };
const input_schema = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] };
const tools = [{ name: 'read_file', description: 'Reads.', input_schema }];
const base = { model, max_tokens: 8000, messages: [ask] };
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as any,
  );
const calls = [
  { name: 'read_file', input: { path: 'a.txt' } },
  { name: 'read_file', input: { path: 'ü "b"' } },
];

it('gets a whole message', async () => {
  const backend = new MockBackendAdapter({
    defaultResponse: { reasoning: 'Hm.', text: 'Reading.', toolCalls: calls, usage, servedModel: 'owl-7b' },
  });
  server.use(backend);
  // The client's types have lost the temperature, the format has not.
  const more = { temperature: 0.5 } as object;
  const message = await client().messages.create({ ...base, tools, system: 'Be brief.', ...more });
  expect(message).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: 'owl-7b',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', name: 'read_file', input: { path: 'a.txt' } },
      { type: 'tool_use', name: 'read_file', input: { path: 'ü "b"' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 6, cache_read_input_tokens: 4, cache_creation_input_tokens: 2, output_tokens: 5 },
  });
  expect(backend.requests[0]).toMatchObject({
    messages: [{ role: 'system', content: 'Be brief.' }, ask],
    parameters: { model, maxTokens: 8000, temperature: 0.5 },
    metadata: { provenance: { frontend: 'anthropic' } },
  });
});

it('accumulates a streamed message', async () => {
  server.use(
    new MockBackendAdapter({
      defaultResponse: { reasoning: 'Hm, two.', text: 'Reading both.', toolCalls: calls, usage },
      chunk: 3,
    }),
  );
  const events: string[] = [];
  const message = await client()
    .messages.stream({ ...base, tools })
    .on('streamEvent', (event) => events.push(event.type))
    .finalMessage();
  expect(message.content).toMatchObject([
    { type: 'thinking', thinking: 'Hm, two.' },
    { type: 'text', text: 'Reading both.' },
    { type: 'tool_use', input: { path: 'a.txt' } },
    { type: 'tool_use', input: { path: 'ü "b"' } },
  ]);
  expect(message).toMatchObject({
    stop_reason: 'tool_use',
    usage: { input_tokens: 6, cache_read_input_tokens: 4, cache_creation_input_tokens: 2, output_tokens: 5 },
  });
  expect([events[0], ...events.slice(-2)]).toEqual(['message_start', 'message_delta', 'message_stop']);
});

it('keeps every event of an answer without content in order', async () => {
  server.use(new MockBackendAdapter({ defaultResponse: { text: '' } }));
  const message = await client().messages.stream(base).finalMessage();
  expect(message).toMatchObject({ content: [], stop_reason: 'end_turn' });
});

it('gets typed errors, and the words that it knows an overflow by', async () => {
  const failing = (error: Error) => server.use(new MockBackendAdapter({ defaultResponse: error }));
  const create = () => caught(client().messages.create(base));
  failing(new AuthenticationError({ message: 'refused the key', status: 401 }));
  expect(await create()).toBeInstanceOf(Anthropic.AuthenticationError);
  failing(new RateLimitError({ message: 'slow down', retryAfterMs: 7000 }));
  const limited = await create();
  expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
  expect(limited.headers.get('retry-after')).toBe('7');
  failing(new RateLimitError({ message: 'no money', code: 'QUOTA_EXCEEDED', isRetryable: false }));
  expect(await create()).toMatchObject({ status: 402, error: { error: { type: 'billing_error' } } });
  failing(new ProviderError({ message: 'busy', code: 'PROVIDER_UNAVAILABLE', status: 503, isRetryable: true }));
  expect(await create()).toMatchObject({ status: 529, error: { error: { type: 'overloaded_error' } } });
  failing(new ValidationError({ message: 'too long for it', code: 'CONTEXT_OVERFLOW', category: 'overflow' }));
  const long = await create();
  expect(long).toBeInstanceOf(Anthropic.BadRequestError);
  expect(long.message).toContain('prompt is too long');
  const invalid = await caught(client().messages.create({ ...base, messages: [{ role: 'user' }] as any }));
  expect(invalid).toBeInstanceOf(Anthropic.BadRequestError);
  expect(invalid.message).toContain('messages[0].content is missing');
});

it('sees a stream that failed before and after its first piece', async () => {
  const error = new StreamError({ message: 'gone', code: 'STREAM_TRUNCATED' });
  const read = async () => {
    let text = '';
    const stream = client()
      .messages.stream(base)
      .on('text', (delta) => {
        text += delta;
      });
    return { seen: await caught(stream.finalMessage()), text };
  };
  server.use(new MockBackendAdapter({ defaultResponse: { text: 'abcd', error, errorAfter: 0 }, chunk: 2 }));
  expect(await read()).toMatchObject({ seen: { status: 502 }, text: '' });
  server.use(new MockBackendAdapter({ defaultResponse: { text: 'abcd', error, errorAfter: 1 }, chunk: 2 }));
  const after = await read();
  expect(after.text).toBe('ab');
  expect(after.seen).toBeInstanceOf(Anthropic.APIError);
  expect(after.seen.message).toContain('gone');
  expect(server.exchanges.at(-1)!.answer).toContain('event: error\n');
});

describe('over real wire formats', () => {
  const capabilities = { tools: true, reasoning: true, multiModal: true };
  const backends = {
    ollama: () => new OllamaBackendAdapter({ baseUrl: models.url, capabilities }),
    'openai-chat': () => new OpenAIChatBackendAdapter({ baseUrl: `${models.url}/v1`, apiKey: 'k' }),
    anthropic: () => new AnthropicBackendAdapter({ baseUrl: models.url, apiKey: 'k' }),
  };
  const thinking = { type: 'enabled' as const, budget_tokens: 2048 };

  it.each(Object.entries(backends))('%s: thinks, calls in parallel and goes on', async (name, open) => {
    models.set({ turns: [{ reasoning: 'Two files.', text: 'Reading.', calls }, { text: 'Equal.' }] });
    server.use(open());
    const first = await client()
      .messages.stream({ ...base, tools, thinking })
      .finalMessage();
    expect(first.content).toMatchObject([
      { type: 'thinking', thinking: 'Two files.' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', input: { path: 'a.txt' } },
      { type: 'tool_use', input: { path: 'ü "b"' } },
    ]);
    const results = first.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'text' }] : [],
    );
    const messages = [
      ask,
      { role: 'assistant' as const, content: first.content },
      { role: 'user' as const, content: results },
    ];
    const second = await client().messages.create({ ...base, tools, thinking, messages });
    expect(second.content).toMatchObject([{ type: 'text', text: 'Equal.' }]);
    // Signed thinking reached the server again as it was: it takes no other.
    if (name === 'anthropic') {
      const signed = first.content[0] as Anthropic.ThinkingBlock;
      expect(signed.signature).not.toBe('');
      expect(models.chats()[1]!.body.messages[1].content[0]).toEqual({
        type: 'thinking',
        thinking: signed.thinking,
        signature: signed.signature,
      });
    }
  });
});

it('runs tools to the end', async () => {
  const backend = new MockBackendAdapter({
    defaultResponse: (request) =>
      request.messages.some((message) => message.role === 'tool') ? 'Equal.' : { toolCalls: [calls[0]!] },
  });
  server.use(backend);
  const runnable = {
    type: 'custom' as const,
    ...tools[0]!,
    run: async ({ path }: any) => `text of ${path}`,
    parse: (value: unknown) => value,
  };
  const message = await client().beta.messages.toolRunner({ ...base, tools: [runnable] });
  expect(message.content).toMatchObject([{ type: 'text', text: 'Equal.' }]);
  const results = backend.requests.at(-1)!.messages.flatMap(({ content }) => partsOf(content));
  expect(results.find((part) => part.type === 'tool_result')).toMatchObject({ content: [{ text: 'text of a.txt' }] });
});
