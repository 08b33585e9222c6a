import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thinkingStyle } from '../../../providers/backends/anthropic/request.ts';
import { AnthropicDecoder } from '../../../providers/backends/anthropic/stream.ts';
import { AnthropicBackendAdapter, type AnthropicOptions } from '../../../providers/backends/anthropic.ts';
import { type IRMessage, type IRStreamChunk, partsOf } from '../../../providers/ir.ts';
import { createMessageFold } from '../../../providers/wire/message-fold.ts';
import type { Piece } from '../../../providers/wire/stream.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import { drain, lastOf, request, user } from './wires.ts';

const backend = (options: AnthropicOptions = {}) => new AnthropicBackendAdapter({ apiKey: 'k', ...options });
const model = 'claude-test';
const thought = (text: string, signature?: string, owner = model) =>
  ({ type: 'reasoning', text, ...(signature && { signature }), model: owner }) as const;
const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: { id } }) as const;
const result = (id: string, text = id) =>
  ({ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text }] }) as const;
const ask = (messages: readonly IRMessage[], more = {}) =>
  backend().fromIR(request(messages, { parameters: { model }, ...more }));

describe('request', () => {
  it('puts system messages aside and results into one user message, in order', () => {
    const body = ask([
      { role: 'system', content: 'S1' },
      { role: 'system', content: 'S2' },
      user('U'),
      { role: 'assistant', content: [{ type: 'text', text: 'A' }, use('1'), use('2')] },
      { role: 'tool', content: [result('2')] },
      { role: 'tool', content: [result('1')] },
      user('more'),
    ]);
    expect(body.system).toEqual([
      { type: 'text', text: 'S1' },
      { type: 'text', text: 'S2' },
    ]);
    expect(body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text' }, { type: 'tool_use', id: '1' }, { type: 'tool_use', id: '2' }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1' },
          { type: 'tool_result', tool_use_id: '2' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'more' }] },
    ]);
    expect(body).toMatchObject({ model, max_tokens: 8192, stream: true });
  });

  it('keeps a later system message in its place, with a warning', async () => {
    const messages: IRMessage[] = [user('U'), { role: 'system', content: 'Later.' }, user('V')];
    expect(JSON.stringify(ask(messages).messages[1])).toContain('Later.');
    const chunks = await drain(backend({ baseUrl: 'http://127.0.0.1:9' }).executeStream(request(messages)));
    expect(lastOf(chunks, 'warning')?.warning).toMatchObject({ kind: 'downgraded', field: 'messages[1]' });
  });

  it('gives signed thinking back to its model, byte for byte, and to no other', () => {
    const text = ' so …\n\u00e9 ';
    const signed: IRMessage = {
      role: 'assistant',
      content: [
        thought(text, 'sig=='),
        { type: 'reasoning', text: '', signature: 'opaque', redacted: true, model },
        thought('aborted'),
        { type: 'text', text: 'A' },
      ],
    };
    expect(ask([user('U'), signed, user('V')]).messages[1].content).toEqual([
      { type: 'thinking', thinking: text, signature: 'sig==' },
      { type: 'redacted_thinking', data: 'opaque' },
      { type: 'text', text: 'A' },
    ]);
    const other = ask([
      user('U'),
      { role: 'assistant', content: [thought('x', 's', 'other'), { type: 'text', text: 'A' }] },
      user('V'),
    ]);
    expect(other.messages[1].content).toEqual([{ type: 'text', text: 'A' }]);
    const alone = ask([user('U'), { role: 'assistant', content: [thought('x', 's')] }, user('V')]);
    expect(alone.messages.map((message: { role: string }) => message.role)).toEqual(['user', 'user']);
  });

  it('maps ids of other vendors, the same in call and result', () => {
    const [, assistant, tool] = ask([
      user('U'),
      { role: 'assistant', content: [use('functions.x:0')] },
      { role: 'tool', content: [result('functions.x:0')] },
    ]).messages;
    expect(assistant.content[0].id).toMatch(/^[\w-]+$/);
    expect(tool.content[0].tool_use_id).toBe(assistant.content[0].id);
  });

  it('keeps images where they are, also in results', () => {
    const image = { type: 'image', source: { type: 'url', url: 'data:image/png;base64,QQ==' } } as const;
    const source = { type: 'base64', media_type: 'image/png', data: 'QQ==' };
    const body = ask([
      user([image, { type: 'image', source: { type: 'url', url: 'https://host.test/a.png' } }]),
      { role: 'assistant', content: [use('1')] },
      { role: 'tool', content: [{ type: 'tool_result', toolUseId: '1', content: [image], isError: true }] },
    ]);
    expect(body.messages[0].content).toEqual([
      { type: 'image', source },
      { type: 'image', source: { type: 'url', url: 'https://host.test/a.png' } },
    ]);
    expect(body.messages[2].content).toEqual([
      { type: 'tool_result', tool_use_id: '1', content: [{ type: 'image', source }], is_error: true },
    ]);
  });

  it.each([
    [{ effort: 'high', maxTokens: 4000 }, { thinking: { type: 'enabled', budget_tokens: 2976 } }],
    [{ effort: 'low' }, { thinking: { type: 'enabled', budget_tokens: 2048 } }],
    [{ effort: 'low', maxTokens: 1500 }, { thinking: undefined }],
    [{ effort: 'off' }, { thinking: { type: 'disabled' } }],
    [
      { effort: 'low', temperature: 0.5, topK: 3 },
      { temperature: undefined, top_k: undefined },
    ],
    [
      { temperature: 1.5, topK: 3, topP: 0.5 },
      { temperature: 1, top_k: 3, top_p: 0.5 },
    ],
    [
      { seed: 1, user: 'me' },
      { seed: undefined, metadata: { user_id: 'me' } },
    ],
    [{ stopSequences: ['X'] }, { stop_sequences: ['X'] }],
  ] as const)('parameters %j', (parameters, expected) => {
    const body = ask([user('U')], { parameters: { model, ...parameters } });
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, body[key]]))).toEqual(expected);
  });

  it.each([
    ['claude-3-7-sonnet-20250219', 'budget'],
    ['claude-opus-4-20250514', 'budget'],
    ['claude-sonnet-4-5-20250929', 'budget'],
    ['claude-haiku-4-5', 'budget'],
    ['claude-opus-4-6', 'adaptive'],
    ['claude-sonnet-5', 'adaptive'],
    ['other', 'budget'],
  ])('thinks by name: %s by %s', (name, style) => expect(thinkingStyle(name)).toBe(style));

  it('steers adaptive thinking by effort', () => {
    const adaptive = backend({ thinking: 'adaptive' }).fromIR(request('hi', { parameters: { effort: 'medium' } }));
    expect(adaptive).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } });
  });

  it('asks for the longest answer that the model gives', () => {
    expect(backend({ outputTokens: 32000 }).fromIR(request('hi')).max_tokens).toBe(32000);
    expect(backend().fromIR(request('hi', { parameters: { maxTokens: 5 } })).max_tokens).toBe(5);
  });

  it('begins with a user message and ends without trailing space', () => {
    const { messages } = ask([{ role: 'assistant', content: 'Hello. ' }]);
    expect(messages).toMatchObject([{ role: 'user' }, { role: 'assistant', content: [{ text: 'Hello.' }] }]);
  });

  it('marks the cache where it was asked to', () => {
    const tools = [
      { name: 'a', parameters: {} },
      { name: 'b', parameters: {} },
    ];
    const body = ask([{ role: 'system', content: 'S' }, user('U')], { tools, cache: ['tools', 'system', 'messages'] });
    const mark = { type: 'ephemeral' };
    expect(body.tools.map((tool: { cache_control?: object }) => tool.cache_control)).toEqual([undefined, mark]);
    expect(body.system[0].cache_control).toEqual(mark);
    expect(body.cache_control).toEqual(mark);
    expect(JSON.stringify(body.messages)).not.toContain('cache_control');
  });
});

describe('answer', () => {
  function read(events: readonly object[]) {
    const decoder = new AnthropicDecoder({ backend: 'test' });
    const out: Piece[] = [];
    for (const event of events) if (decoder.push(JSON.stringify(event), out)) break;
    const { complete } = decoder;
    const ending = decoder.finish(out);
    const fold = createMessageFold();
    for (const piece of out) fold.add(piece as IRStreamChunk);
    return { complete, ending, parts: fold.parts() };
  }
  const start = (usage: object) => ({ type: 'message_start', message: { id: 'm1', model, usage } });
  const stop = (reason: string, usage?: object) => [
    { type: 'message_delta', delta: { stop_reason: reason }, usage },
    { type: 'message_stop' },
  ];
  const call = (index: number, id: string, ...pieces: string[]) => [
    { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name: 'f', input: {} } },
    ...pieces.map((partial_json) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index },
  ];

  it('counts cached tokens once and cumulative counts once', () => {
    const head = start({
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 7,
      output_tokens: 1,
    });
    const { ending } = read([
      head,
      ...stop('end_turn', { output_tokens: 20, input_tokens: 10, cache_read_input_tokens: 100 }),
    ]);
    expect(ending.usage).toEqual({
      promptTokens: 117,
      completionTokens: 20,
      totalTokens: 137,
      cacheReadTokens: 100,
      cacheWriteTokens: 7,
      reasoningTokens: null,
    });
    expect(read([start({}), ...stop('end_turn')]).ending.usage.promptTokens).toBeNull();
  });

  it('keeps thinking, its signature, and redacted thinking', () => {
    const { parts } = read([
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'a' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'b' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'S' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'R' } },
      ...stop('end_turn'),
    ]);
    expect(parts).toEqual([
      { type: 'reasoning', text: 'ab', signature: 'S' },
      { type: 'reasoning', text: '', signature: 'R', redacted: true },
    ]);
  });

  it('does not believe a call that the limit cut', () => {
    const { parts, ending } = read([...call(0, '1'), ...call(1, '2', '{"a":', '1'), ...stop('max_tokens')]);
    expect(ending.finishReason).toBe('length');
    expect(parts).toMatchObject([
      { invalid: expect.stringContaining('cut off') },
      { invalid: expect.stringContaining('cut off') },
    ]);
    expect(read([...call(0, '1'), ...stop('tool_use')]).parts).toEqual([
      { type: 'tool_use', id: '1', name: 'f', input: {}, raw: '' },
    ]);
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['refusal', 'filter'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'stop'],
  ])('stop reason %s without calls is %s', (said, finish) => expect(read(stop(said)).ending.finishReason).toBe(finish));

  it('is complete only with message_stop', () => {
    expect(read([start({}), stop('end_turn')[0]!]).complete).toBe(false);
    expect(read(stop('end_turn')).complete).toBe(true);
  });

  it('reads a whole message', () => {
    const whole = {
      type: 'message',
      id: 'm',
      model,
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'A' },
        { type: 'tool_use', id: '1', name: 'f', input: { a: 1 } },
      ],
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    const response = backend().toIR(whole, request('hi'), 9);
    expect(response).toMatchObject({
      finishReason: 'tool_use',
      usage: { totalTokens: 7 },
      metadata: { providerResponseId: 'm' },
    });
    expect(response.message.content).toEqual([
      { type: 'text', text: 'A' },
      { type: 'tool_use', id: '1', name: 'f', input: { a: 1 }, raw: '{"a":1}' },
    ]);
  });
});

describe('server', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  it('takes signed thinking back in the next turn', async () => {
    server.set({ turns: [{ reasoning: 'Let me see.', calls: [{ name: 'read', input: {} }] }, { text: 'Done.' }] });
    const adapter = backend({ baseUrl: server.url });
    const options = { parameters: { effort: 'low' }, tools: [{ name: 'read', parameters: {} }] } as const;
    const first = await adapter.execute(request('hi', options));
    const id = partsOf(first.message.content).flatMap((part) => (part.type === 'tool_use' ? [part.id] : []))[0]!;
    const messages = [user('hi'), first.message, { role: 'tool', content: [result(id)] } as IRMessage];
    expect((await adapter.execute(request(messages, options))).message.content).toEqual([
      { type: 'text', text: 'Done.' },
    ]);
  });

  it('sends no header that stands in the environment', async () => {
    server.set({ turns: [{ text: 'ok' }] });
    process.env.ANTHROPIC_CUSTOM_HEADERS = 'x-from-outside: 1';
    try {
      await drain(backend({ baseUrl: server.url, headers: { 'x-extra': '1' } }).executeStream(request([user('hi')])));
    } finally {
      delete process.env.ANTHROPIC_CUSTOM_HEADERS;
    }
    expect(server.requests[0]!.headers).toMatchObject({ 'x-extra': '1' });
    expect(server.requests[0]!.headers).not.toHaveProperty('x-from-outside');
  });

  it('sends the key, the version, and no request of its own', async () => {
    server.set({ turns: [{ text: 'x' }] });
    await backend({ baseUrl: `${server.url}/v1/`, headers: { 'x-extra': '1' } }).execute(request('hi'));
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]!.headers).toMatchObject({ authorization: 'Bearer k', 'x-extra': '1' });
    expect(server.requests[0]!.headers['anthropic-version']).toBeTruthy();
    await backend({ baseUrl: server.url, apiKey: undefined, authToken: 't' }).execute(request('hi'));
    expect(server.requests[1]!.headers).toMatchObject({ authorization: 'Bearer t' });
  });

  it('is refused without a key, whatever the environment holds', async () => {
    server.set({ turns: [{ text: 'x' }] });
    await expect(backend({ baseUrl: server.url, apiKey: undefined }).execute(request('hi'))).rejects.toMatchObject({
      code: 'AUTHENTICATION_FAILED',
    });
  });

  it('lists models', async () => {
    server.set({ turns: [], models: [{ name: 'claude-a', contextTokens: 200000, outputTokens: 64000 }] });
    const { models } = await backend({ baseUrl: server.url }).listModels();
    expect(models).toMatchObject([
      { id: 'claude-a', provider: 'anthropic', contextTokens: 200000, outputTokens: 64000 },
    ]);
  });
});
