/** OpenAI's own client and the AI SDK, with only their base URL changed, against a bridge. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AnthropicBackendAdapter } from '../../../providers/backends/anthropic.ts';
import { MockBackendAdapter } from '../../../providers/backends/mock.ts';
import { OllamaBackendAdapter } from '../../../providers/backends/ollama.ts';
import { OpenAIChatBackendAdapter } from '../../../providers/backends/openai-chat.ts';
import { ReplayBackendAdapter } from '../../../providers/backends/replay.ts';
import { AuthenticationError, ProviderError, RateLimitError, StreamError } from '../../../providers/errors.ts';
import { partsOf, unknownUsage } from '../../../providers/ir.ts';
import { Router } from '../../../providers/router.ts';
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
const usage = { ...unknownUsage(), promptTokens: 12, completionTokens: 5, totalTokens: 17, cacheReadTokens: 4 };
const client = (maxRetries = 0) => new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries });
const ask = [{ role: 'user' as const, content: 'Compare the files.' }];
const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const tools = [{ type: 'function' as const, function: { name: 'read_file', description: 'Reads.', parameters } }];
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as any,
  );

describe('openai', () => {
  it('gets a whole answer', async () => {
    const backend = new MockBackendAdapter({ defaultResponse: { text: 'Equal. 🦉', usage, servedModel: 'owl-7b' } });
    server.use(backend);
    const completion = await client().chat.completions.create({ model, messages: ask, temperature: 0.5, seed: 3 });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'owl-7b',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Equal. 🦉', refusal: null }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17, prompt_tokens_details: { cached_tokens: 4 } },
    });
    expect(completion.id).toMatch(/^chatcmpl-/);
    expect(backend.requests[0]).toMatchObject({
      messages: ask,
      parameters: { model, temperature: 0.5, seed: 3 },
      metadata: { provenance: { frontend: 'openai' } },
    });
  });

  it('leaves usage out when nothing is known', async () => {
    server.use(new MockBackendAdapter({ defaultResponse: 'x' }));
    expect((await client().chat.completions.create({ model, messages: ask })).usage).toBeUndefined();
  });

  it('streams, with counts when it asks for them', async () => {
    server.use(new MockBackendAdapter({ defaultResponse: { text: 'one two three', usage }, chunk: 4 }));
    const chunks = [];
    const stream = await client().chat.completions.create({
      model,
      messages: ask,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks[0]!.choices[0]!.delta).toMatchObject({ role: 'assistant', content: '' });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('one two three');
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 12, total_tokens: 17 } });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
    expect(server.exchanges.at(-1)!.answer.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('accumulates a streamed message with parallel calls', async () => {
    const calls = [
      { name: 'read_file', input: { path: 'a.txt' } },
      { name: 'read_file', input: { path: 'ü "b"' } },
    ];
    server.use(new MockBackendAdapter({ defaultResponse: { text: 'Reading.', toolCalls: calls }, chunk: 3 }));
    const completion = await client().chat.completions.stream({ model, messages: ask, tools }).finalChatCompletion();
    const { message, finish_reason } = completion.choices[0]!;
    expect(finish_reason).toBe('tool_calls');
    expect(message.content).toBe('Reading.');
    expect(message.tool_calls!.map((call) => JSON.parse((call as any).function.arguments))).toEqual(
      calls.map((call) => call.input),
    );
  });

  it.each([false, true])('runs tools to the end, streaming: %s', async (stream) => {
    const backend = new MockBackendAdapter({
      chunk: 5,
      defaultResponse: (request) =>
        request.messages.some((message) => message.role === 'tool')
          ? 'They are equal.'
          : { toolCalls: [{ name: 'read_file', input: { path: 'a' } }, { name: 'now' }] },
    });
    server.use(backend);
    const read: string[] = [];
    const runnable = [
      {
        type: 'function' as const,
        function: {
          name: 'read_file',
          description: 'Reads.',
          parameters,
          parse: JSON.parse,
          function: ({ path }: { path: string }) => {
            read.push(path);
            return `text of ${path}`;
          },
        },
      },
      {
        type: 'function' as const,
        function: { name: 'now', description: 'Time.', parameters: {}, function: () => 'noon' },
      },
    ];
    const options = { model, messages: ask, tools: runnable } as any;
    const runner = stream
      ? client().chat.completions.runTools({ ...options, stream: true })
      : client().chat.completions.runTools(options);
    expect(await runner.finalContent()).toBe('They are equal.');
    expect(read).toEqual(['a']);
    const results = backend.requests.at(-1)!.messages.flatMap(({ content }) => partsOf(content));
    expect(results.filter((part) => part.type === 'tool_result')).toMatchObject([
      { content: [{ text: 'text of a' }] },
      { content: [{ text: 'noon' }] },
    ]);
  });

  it('gets typed errors', async () => {
    const failing = (error: Error) => server.use(new MockBackendAdapter({ defaultResponse: error }));
    const create = () => caught(client().chat.completions.create({ model, messages: ask }));
    failing(new AuthenticationError({ message: 'refused the key', status: 401 }));
    expect(await create()).toBeInstanceOf(OpenAI.AuthenticationError);
    failing(new RateLimitError({ message: 'slow down', retryAfterMs: 1500 }));
    const limited = await create();
    expect(limited).toBeInstanceOf(OpenAI.RateLimitError);
    expect(limited.code).toBe('rate_limit_exceeded');
    expect(limited.headers.get('retry-after')).toBe('2');
    failing(new ProviderError({ message: 'no such model', code: 'MODEL_NOT_FOUND', status: 404 }));
    expect(await create()).toBeInstanceOf(OpenAI.NotFoundError);
    failing(new ProviderError({ message: 'overloaded', code: 'PROVIDER_UNAVAILABLE', status: 529 }));
    expect(await create()).toMatchObject({ status: 503, type: 'server_error' });
    const invalid = await caught(client().chat.completions.create({ model, messages: [{ role: 'user' }] as any }));
    expect(invalid).toBeInstanceOf(OpenAI.BadRequestError);
    expect(invalid.param).toBe('messages[0].content');
  });

  it('retries what may be retried, and nothing else', async () => {
    let asked = 0;
    const failing = (isRetryable: boolean) =>
      server.use(
        new MockBackendAdapter({
          defaultResponse: () => {
            asked++;
            const error = { message: 'x', status: 500, isRetryable, retryAfterMs: 1 };
            return asked > 1 && isRetryable ? 'Now.' : new ProviderError(error);
          },
        }),
      );
    failing(false);
    expect(await caught(client(2).chat.completions.create({ model, messages: ask }))).toMatchObject({ status: 500 });
    expect(asked).toBe(1);
    asked = 0;
    failing(true);
    const completion = await client(2).chat.completions.create({ model, messages: ask });
    expect(completion.choices[0]!.message.content).toBe('Now.');
    expect(asked).toBe(2);
  });

  it('sees a stream that failed before and after its first piece', async () => {
    const broken = new StreamError({ message: 'gone', code: 'STREAM_TRUNCATED' });
    const read = async () => {
      let text = '';
      const seen = await caught(
        (async () => {
          const stream = await client().chat.completions.create({ model, messages: ask, stream: true });
          for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
        })(),
      );
      return { seen, text };
    };
    server.use(new MockBackendAdapter({ defaultResponse: { text: 'abcd', error: broken, errorAfter: 0 }, chunk: 2 }));
    expect(await read()).toMatchObject({ seen: { status: 502 }, text: '' });
    server.use(new MockBackendAdapter({ defaultResponse: { text: 'abcd', error: broken, errorAfter: 1 }, chunk: 2 }));
    const after = await read();
    expect(after.text).toBe('ab');
    expect(after.seen).toBeInstanceOf(OpenAI.APIError);
    expect(after.seen.message).toContain('gone');
    expect(server.exchanges.at(-1)!.answer).not.toContain('[DONE]');
  });

  it('is not sent the beginning of a message twice', async () => {
    const broken = new StreamError({ message: 'gone', code: 'STREAM_TRUNCATED' });
    let asked = 0;
    const backend = new MockBackendAdapter({
      chunk: 2,
      defaultResponse: () => (asked++ ? 'whole' : { text: 'abcd', error: broken, errorAfter: 1 }),
    });
    server.use(new Router({ pause: async () => {} }).register('mock', backend));
    const stream = await client().chat.completions.create({ model, messages: ask, stream: true });
    let text = '';
    const seen = await caught(
      (async () => {
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      })(),
    );
    expect(text).toBe('ab');
    expect(seen.message).toContain('broke off');
  });

  it('closes the backend’s stream when the caller leaves', async () => {
    server.use(
      new ReplayBackendAdapter({ text: JSON.stringify({ text: 'abcdefgh'.repeat(50), chunk: 1, delayMs: 5 }) }),
    );
    const before = server.left;
    const stream = await client().chat.completions.create({ model, messages: ask, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    while (server.left === before) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(server.left).toBe(before + 1);
  });
});

describe('openai over real wire formats', () => {
  const capabilities = { tools: true, reasoning: true, multiModal: true };
  const backends = {
    ollama: () => new OllamaBackendAdapter({ baseUrl: models.url, capabilities }),
    'openai-chat': () => new OpenAIChatBackendAdapter({ baseUrl: `${models.url}/v1`, apiKey: 'k' }),
    anthropic: () => new AnthropicBackendAdapter({ baseUrl: models.url, apiKey: 'k' }),
  };

  it.each(Object.entries(backends))('%s: thinks, calls and goes on', async (_name, open) => {
    models.set({
      turns: [
        { reasoning: 'Two files.', text: 'Reading.', calls: [{ name: 'read_file', input: { path: 'a' } }] },
        { text: 'Equal.' },
      ],
    });
    server.use(open());
    const body = { model, tools, reasoning_effort: 'medium' as const, max_tokens: 8000 };
    const first = await client()
      .chat.completions.stream({ ...body, messages: ask })
      .finalChatCompletion();
    const { message } = first.choices[0]!;
    expect(message.content).toBe('Reading.');
    expect(server.exchanges.at(-1)!.answer).toContain('reasoning_content');
    const results = message.tool_calls!.map((call) => ({
      role: 'tool' as const,
      tool_call_id: call.id,
      content: 'text',
    }));
    const messages = [...ask, message, ...results];
    const second = await client().chat.completions.create({ ...body, messages });
    expect(second.choices[0]!.message.content).toBe('Equal.');
    expect(models.chats()).toHaveLength(2);
  });
});

describe('the AI SDK', () => {
  const provider = () => createOpenAICompatible({ name: 'bridge', baseURL: `${server.url}/v1`, includeUsage: true });
  const readFile = tool({
    description: 'Reads.',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => `text of ${path}`,
  });
  const answering = () =>
    new MockBackendAdapter({
      chunk: 3,
      defaultResponse: (request) =>
        request.messages.some((message) => message.role === 'tool')
          ? { text: 'They are equal.', usage }
          : {
              reasoning: 'Both at once.',
              toolCalls: [
                { name: 'read_file', input: { path: 'a' } },
                { name: 'read_file', input: { path: 'b' } },
              ],
              usage,
            },
    });

  it('generates a text with tools', async () => {
    server.use(answering());
    const result = await generateText({
      model: provider()(model),
      prompt: 'Compare.',
      tools: { read_file: readFile },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect(result.text).toBe('They are equal.');
    expect(result.steps[0]!.reasoningText).toBe('Both at once.');
    expect(result.steps[0]!.toolResults.map((entry) => entry.output)).toEqual(['text of a', 'text of b']);
    expect(result.usage).toMatchObject({ inputTokens: 12, outputTokens: 5 });
  });

  it('streams a text with tools', async () => {
    server.use(answering());
    const result = streamText({
      model: provider()(model),
      prompt: 'Compare.',
      tools: { read_file: readFile },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    let text = '';
    for await (const delta of result.textStream) text += delta;
    expect(text).toBe('They are equal.');
    const steps = await result.steps;
    expect(steps[0]!.finishReason).toBe('tool-calls');
    expect(steps[0]!.toolCalls.map((call) => call.input)).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(await result.usage).toMatchObject({ inputTokens: 12, outputTokens: 5 });
  });

  it('reads errors', async () => {
    server.use(new MockBackendAdapter({ defaultResponse: new AuthenticationError({ message: 'refused the key' }) }));
    const seen = await caught(generateText({ model: provider()(model), prompt: 'x', maxRetries: 0 }));
    expect(seen).toMatchObject({ statusCode: 401, message: 'refused the key' });
  });
});
