/** The scripted server is checked by the vendors' own clients: what they read is what the script says. */
import Anthropic from '@anthropic-ai/sdk';
import { Ollama } from 'ollama';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from './model-server.ts';
import type { ScriptedTurn } from './script.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const calling: ScriptedTurn = {
  reasoning: 'Two files, both at once. 両方。',
  text: 'Reading both files 🦉 now.',
  calls: [
    { name: 'read_file', input: { path: 'a.txt' } },
    { name: 'read_file', input: { path: 'ü.txt', limit: 3 } },
  ],
};
const answering: ScriptedTurn = { text: 'They are equal.' };
const parameters = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] };
const model = 'test-model:latest';

describe('ollama client', () => {
  const client = () => new Ollama({ host: server.url });
  const tools = [{ type: 'function', function: { name: 'read_file', description: 'Reads.', parameters } }];
  const ask = [{ role: 'user', content: 'Compare.' }];

  it('streams thinking, text and parallel calls, and goes on with their results', async () => {
    server.set({ turns: [calling, answering] });
    let [thinking, text] = ['', ''];
    const calls = [];
    let last: { done: boolean; done_reason: string; prompt_eval_count: number } | undefined;
    for await (const part of await client().chat({ model, messages: ask, tools, think: true, stream: true })) {
      thinking += part.message.thinking ?? '';
      text += part.message.content;
      calls.push(...(part.message.tool_calls ?? []));
      last = part;
    }
    expect({ thinking, text }).toEqual({ thinking: calling.reasoning, text: calling.text });
    expect(calls.map((call) => call.function.arguments)).toEqual(calling.calls?.map((call) => call.input));
    expect(last).toMatchObject({ done: true, done_reason: 'stop' });
    expect(last?.prompt_eval_count).toBe(Math.ceil(Buffer.byteLength(server.chats()[0]!.text) / 4));
    const results = calls.map((call) => ({ role: 'tool', tool_name: call.function.name, content: 'x' }));
    const messages = [...ask, { role: 'assistant', content: text, tool_calls: calls }, ...results];
    const reply = await client().chat({ model, messages, tools });
    expect(reply.message.content).toBe(answering.text);
  });

  it('does not think when told not to', async () => {
    server.set({ turns: [calling] });
    const reply = await client().chat({ model, messages: ask, think: false });
    expect(reply.message.thinking).toBeUndefined();
    expect(reply.message.tool_calls).toHaveLength(2);
  });

  it('lists, shows and loads models', async () => {
    server.set({ turns: [answering], models: [{ name: 'owl:7b', contextTokens: 8192, capabilities: ['completion'] }] });
    expect((await client().list()).models.map((entry) => entry.name)).toEqual(['owl:7b']);
    const shown = await client().show({ model: 'owl:7b' });
    expect(shown.capabilities).toEqual(['completion']);
    expect(Object.entries(shown.model_info)).toContainEqual(['qwen2.context_length', 8192]);
    expect((await client().ps()).models).toEqual([]);
    await client().generate({ model: 'owl:7b', prompt: '', options: { num_ctx: 8192 } });
    expect((await client().ps()).models).toMatchObject([{ name: 'owl:7b', context_length: 8192 }]);
    expect((await client().generate({ model: 'owl:7b', prompt: 'Well?' })).response).toBe(answering.text);
  });

  it('pulls with progress, goes on after a break, and has the model then', async () => {
    const pulls = [{ model: { name: 'owl:1b' }, layers: [300, 100], step: 100, delayMs: 5 }];
    server.set({ turns: [answering], models: [], pulls });
    const first = client();
    const seen: number[] = [];
    const pulled = async (): Promise<void> => {
      for await (const { completed } of await first.pull({ model: 'owl:1b', stream: true }))
        if (seen.push(completed ?? 0) === 3) first.abort();
    };
    await expect(pulled()).rejects.toThrow(/abort/i);
    expect((await client().list()).models).toEqual([]);
    const rest: { status: string; completed?: number }[] = [];
    for await (const { status, completed } of await client().pull({ model: 'owl:1b', stream: true }))
      rest.push({ status, completed });
    expect(rest[0]?.status).toBe('pulling manifest');
    expect(rest[1]?.completed).toBeGreaterThanOrEqual(100);
    expect(rest.at(-1)?.status).toBe('success');
    expect((await client().list()).models.map(({ name }) => name)).toEqual(['owl:1b']);
    await expect(client().pull({ model: 'nobody:1b' })).rejects.toThrow('file does not exist');
  });

  it('reports what the model cannot do, and models that are not there', async () => {
    server.set({ turns: [answering], models: [{ name: 'owl:7b', capabilities: ['completion'] }] });
    await expect(client().show({ model: 'absent' })).rejects.toMatchObject({
      status_code: 404,
      message: "model 'absent' not found",
    });
    await expect(client().chat({ model: 'owl:7b', messages: ask, tools })).rejects.toThrow('does not support tools');
    await expect(client().chat({ model: 'owl:7b', messages: ask, think: true })).rejects.toThrow(/support thinking/);
  });

  it('sees an error in the middle of a stream', async () => {
    server.set({
      turns: [{ text: 'a b c d', pieceSize: 2, fault: { kind: 'stream-error', after: 2, message: 'out of memory' } }],
    });
    let text = '';
    const read = async () => {
      for await (const part of await client().chat({ model, messages: ask, stream: true }))
        text += part.message.content;
    };
    await expect(read()).rejects.toThrow('out of memory');
    expect(text).toBe('a b ');
  });
});

describe('anthropic client', () => {
  const client = () => new Anthropic({ baseURL: server.url, apiKey: 'key', authToken: null, maxRetries: 0 });
  const tools = [{ name: 'read_file', input_schema: parameters }];
  const thinking = { type: 'enabled' as const, budget_tokens: 1024 };
  const ask = { role: 'user' as const, content: 'Compare.' };
  const request = { model, max_tokens: 2048, tools, thinking, messages: [ask] };

  it('streams signed thinking, text and parallel calls, and takes them back byte for byte', async () => {
    server.set({ turns: [calling, answering] });
    const message = await client().messages.stream(request).finalMessage();
    expect(message).toMatchObject({ stop_reason: 'tool_use', usage: { output_tokens: expect.any(Number) } });
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: calling.reasoning, signature: expect.stringMatching(/./) },
      { type: 'text', text: calling.text },
      { type: 'tool_use', name: 'read_file', input: { path: 'a.txt' } },
      { type: 'tool_use', name: 'read_file', input: { path: 'ü.txt', limit: 3 } },
    ]);
    const results = message.content
      .filter((block) => block.type === 'tool_use')
      .map((block) => ({ type: 'tool_result' as const, tool_use_id: block.id, content: 'x' }));
    const turns = (content: Anthropic.ContentBlockParam[], answers = results): Anthropic.MessageParam[] => [
      ask,
      { role: 'assistant', content },
      { role: 'user', content: answers },
    ];
    const next = await client().messages.create({ ...request, messages: turns(message.content) });
    expect(next.content).toEqual([{ type: 'text', text: answering.text }]);
    const forged = message.content.map((block) =>
      block.type === 'thinking' ? { ...block, thinking: 'Else.' } : block,
    );
    await expect(client().messages.create({ ...request, messages: turns(forged) })).rejects.toThrow(/signature/);
    const unpaired = client().messages.create({ ...request, messages: turns(message.content, results.slice(1)) });
    await expect(unpaired).rejects.toThrow(/tool_use.*without.*tool_result/);
  });

  it('lists models and counts tokens', async () => {
    server.set({ turns: [answering] });
    expect((await client().models.list()).data).toMatchObject([{ id: model, max_input_tokens: 32_768 }]);
    expect((await client().models.retrieve(model)).max_tokens).toBe(8_192);
    const count = await client().messages.countTokens({ model, messages: [ask] });
    expect(count.input_tokens).toBeGreaterThan(5);
  });

  it('gets typed errors, before a stream and in it', async () => {
    server.set({ turns: [answering], apiKey: 'other' });
    await expect(client().messages.create(request)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    server.set({ turns: [{ ...answering, fault: { kind: 'status', status: 429, retryAfter: 7 } }] });
    const limited = await client()
      .messages.create(request)
      .catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
    expect((limited as InstanceType<typeof Anthropic.RateLimitError>).headers?.get('retry-after')).toBe('7');
    server.set({ turns: [{ ...answering, fault: { kind: 'stream-error', after: 0, message: 'Overloaded' } }] });
    await expect(client().messages.stream(request).finalMessage()).rejects.toThrow('Overloaded');
    await expect(client().messages.create({ ...request, model: 'absent' })).rejects.toBeInstanceOf(
      Anthropic.NotFoundError,
    );
  });
});
