import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { OpenAIChatDecoder } from '../../../providers/backends/openai-chat/stream.ts';
import {
  OpenAIChatBackendAdapter,
  type OpenAIChatOptions,
  openAIBaseUrl,
} from '../../../providers/backends/openai-chat.ts';
import { type IRMessage, type IRStreamChunk, partsOf } from '../../../providers/ir.ts';
import { createTransport, type Transport } from '../../../providers/transport.ts';
import { createMessageFold } from '../../../providers/wire/message-fold.ts';
import type { Piece } from '../../../providers/wire/stream.ts';
import { startModelServer } from '../../fakes/model-server.ts';
import { drain, lastOf, request, textOfChunks, user } from './wires.ts';

const backend = (options: OpenAIChatOptions = {}) => new OpenAIChatBackendAdapter({ apiKey: 'k', ...options });

/** Feeds choices' deltas, each as a chunk of its own or all in one read, and tells the calls. */
function read(payloads: readonly (object | string)[]) {
  const decoder = new OpenAIChatDecoder({ backend: 'test' });
  const out: Piece[] = [];
  for (const payload of payloads)
    if (decoder.push(typeof payload === 'string' ? payload : JSON.stringify(payload), out)) break;
  const { complete } = decoder;
  const ending = decoder.finish(out);
  const fold = createMessageFold();
  for (const piece of out) fold.add(piece as IRStreamChunk);
  const parts = fold.parts();
  const calls = parts.flatMap((part) => (part.type === 'tool_use' ? [part] : []));
  return {
    complete,
    ending,
    parts,
    calls: calls.map((call) => [call.name, call.input]),
    ids: calls.map((call) => call.id),
  };
}
const delta = (value: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: value, finish_reason }],
});
const call = (value: object) => delta({ tool_calls: [value] });
const end = delta({}, 'tool_calls');

describe('calls as servers really send them', () => {
  const a = { name: 'f', arguments: '{"a":1}' };
  const b = { name: 'g', arguments: '{"b":2}' };
  const both = [
    ['f', { a: 1 }],
    ['g', { b: 2 }],
  ];

  it.each<[string, (object | string)[]]>([
    [
      'two whole calls on one index',
      [call({ index: 0, id: '1', function: a }), call({ index: 0, id: '2', function: b }), end],
    ],
    ['without an index', [call({ id: '1', function: a }), call({ id: '2', function: b }), end]],
    ['without index and id', [call({ function: a }), call({ function: b }), end]],
    [
      'both in one chunk',
      [
        delta({
          tool_calls: [
            { index: 0, id: '1', function: a },
            { index: 1, id: '2', function: b },
          ],
        }),
        end,
      ],
    ],
    [
      'interleaved',
      [
        call({ index: 0, id: '1', function: { name: 'f', arguments: '{"a"' } }),
        call({ index: 1, id: '2', function: { name: 'g', arguments: '{"b"' } }),
        call({ index: 0, function: { arguments: ':1}' } }),
        call({ index: 1, function: { arguments: ':2}' } }),
        end,
      ],
    ],
    [
      'ids that come late',
      [
        call({ index: 0, function: { name: 'f', arguments: '{"a":' } }),
        call({ index: 0, id: '1', function: { arguments: '1}' } }),
        call({ index: 1, function: { name: 'g' } }),
        call({ index: 1, function: { arguments: '{"b":2}' } }),
        call({ index: 1, id: '2' }),
        end,
      ],
    ],
    [
      'name and id repeated with every piece',
      [
        call({ index: 0, id: '1', function: { name: 'f', arguments: '{"a"' } }),
        call({ index: 0, id: '1', function: { name: 'f', arguments: ':1}' } }),
        call({ index: 1, id: '2', function: { name: 'g', arguments: '{"b"' } }),
        call({ index: 1, id: '2', function: { name: 'g', arguments: ':2}' } }),
        end,
      ],
    ],
    [
      'before an empty last chunk',
      [
        call({ index: 0, id: '1', function: a }),
        call({ index: 1, id: '2', function: b }),
        { choices: [] },
        end,
        { choices: [], usage: { prompt_tokens: 1 } },
        '[DONE]',
      ],
    ],
    [
      'in a last chunk that says stop',
      [call({ index: 0, id: '1', function: a }), delta({ tool_calls: [{ index: 1, id: '2', function: b }] }, 'stop')],
    ],
    [
      'ended by [DONE] alone',
      [call({ index: 0, id: '1', function: a }), call({ index: 1, id: '2', function: b }), '[DONE]'],
    ],
    [
      'with null and empty fields',
      [
        call({ index: 0, id: '1', type: 'function', function: { name: 'f', arguments: null } }),
        call({ index: 0, id: '', function: { name: '', arguments: '{"a":1}' } }),
        call({ index: 1, id: '2', function: b }),
        end,
      ],
    ],
    [
      'with arguments as objects',
      [
        call({ index: 0, id: '1', function: { name: 'f', arguments: { a: 1 } } }),
        call({ index: 1, id: '2', function: b }),
        end,
      ],
    ],
  ])('%s', (_name, payloads) => {
    const { calls, ids, complete, ending } = read(payloads);
    expect(calls).toEqual(both);
    expect(new Set(ids).size).toBe(2);
    expect(complete).toBe(true);
    expect(ending.finishReason).toBe('tool_use');
  });

  it('tells two calls with one id apart', () => {
    const { calls, ids } = read([
      call({ index: 0, id: 'x', function: a }),
      call({ index: 1, id: 'x', function: b }),
      end,
    ]);
    expect(calls).toEqual(both);
    expect(ids).toEqual(['x', 'x_2']);
    const whole = read([call({ id: 'x', function: a }), call({ id: 'x', function: a }), end]);
    expect(whole.calls).toHaveLength(2);
  });

  it('does not make a call of a server that says tool_calls and sends none', () => {
    expect(read([delta({ content: 'x' }), end]).ending.finishReason).toBe('stop');
  });

  it('keeps length, and does not believe arguments that were cut', () => {
    const { ending, parts } = read([
      call({ index: 0, id: '1', function: { name: 'f', arguments: '' } }),
      delta({}, 'length'),
    ]);
    expect(ending.finishReason).toBe('length');
    expect(parts).toMatchObject([{ type: 'tool_use', invalid: expect.stringContaining('cut off') }]);
  });
});

describe('text and thinking', () => {
  it.each(['reasoning_content', 'reasoning'])('reads thinking from %s', (field) => {
    expect(read([delta({ [field]: 'hm' }), delta({ content: 'yes', [field]: null }), delta({}, 'stop')]).parts).toEqual(
      [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'yes' },
      ],
    );
  });

  it('reads content in parts', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] };
    expect(
      read([delta({ content: [thinking] }), delta({ content: [{ type: 'text', text: 'yes' }] }, 'stop')]).parts,
    ).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'yes' },
    ]);
  });

  it.each([
    ['content_filter', 'filter'],
    ['max_tokens', 'length'],
    ['something new', 'stop'],
  ])('finish %s is %s', (said, finish) =>
    expect(read([delta({ content: 'x' }, said)]).ending.finishReason).toBe(finish),
  );

  it('is not complete before something says so', () => {
    const decoder = new OpenAIChatDecoder({ backend: 'test' });
    decoder.push(JSON.stringify(delta({ content: 'x' })), []);
    expect(decoder.complete).toBe(false);
  });

  it('throws for an error within the stream', () => {
    const decoder = new OpenAIChatDecoder({ backend: 'test' });
    expect(() => decoder.push('{"error":{"message":"no","code":429}}', [])).toThrow(/no/);
    expect(() => decoder.push('{"choices":[{"delta":{},"finish_reason":"error"}]}', [])).toThrow();
    expect(() => decoder.push('<html><title>x</title>', [])).toThrow(/web page/);
  });

  it('reads every count that is known and leaves the rest null', () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    expect(read([delta({}, 'stop'), { choices: [], usage }]).ending.usage).toEqual({
      promptTokens: 10,
      completionTokens: 5,
      totalTokens: 15,
      cacheReadTokens: 4,
      cacheWriteTokens: null,
      reasoningTokens: 2,
    });
    expect(read([delta({}, 'stop')]).ending.usage.promptTokens).toBeNull();
  });

  it.each([
    [{ cost: 0.25 }, 0.25],
    [{ cost: 0, prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 100 } }, 0],
    // With one's own key the vendor behind it charges the rest.
    [{ cost: 0.5, is_byok: true, cost_details: { upstream_inference_cost: 0.25 } }, 0.75],
    [{ cost: 0.95, is_byok: false, cost_details: { upstream_inference_cost: 19 } }, 0.95],
    [{ cost: '0.3' }, undefined],
    [{ cost: null }, undefined],
  ])('takes what the server charges, where it says so: %j', (told, cost) => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, ...told };
    expect(read([delta({}, 'stop'), { choices: [], usage }]).ending.usage.cost).toBe(cost);
  });
});

describe('request', () => {
  const conversation: IRMessage[] = [
    { role: 'system', content: 'S' },
    user('U'),
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', model: 'test-model' },
        { type: 'tool_use', id: 'functions.read:0', name: 'read', input: { path: 'ä' } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool_result', toolUseId: 'functions.read:0', content: [{ type: 'text', text: 'no' }], isError: true },
      ],
    },
  ];

  it('has the form of the API', () => {
    const tools = [{ name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } }];
    const body = backend().fromIR(
      request(conversation, { tools, toolChoice: 'required', parameters: { maxTokens: 9 } }),
    );
    expect(body).toEqual({
      model: 'test-model:latest',
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'U' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'functions.read:0', type: 'function', function: { name: 'read', arguments: '{"path":"ä"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'functions.read:0', content: 'Error: no' },
      ],
      tools: [{ type: 'function', function: tools[0] }],
      tool_choice: 'required',
      max_tokens: 9,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it.each<[string, OpenAIChatOptions['quirks'], object, object]>([
    ['maxTokensField', { maxTokensField: 'max_completion_tokens' }, { maxTokens: 9 }, { max_completion_tokens: 9 }],
    ['effort', {}, { effort: 'low' }, { reasoning_effort: 'low' }],
    ['effort: reasoning', { effort: 'reasoning' }, { effort: 'low' }, { reasoning: { effort: 'low' } }],
    ['effort: reasoning, off', { effort: 'reasoning' }, { effort: 'off' }, { reasoning: { enabled: false } }],
    ['effort: enable_thinking', { effort: 'enable_thinking' }, { effort: 'off' }, { enable_thinking: false }],
    ['effort: none', { effort: 'none' }, { effort: 'low' }, { reasoning_effort: undefined, reasoning: undefined }],
    ['streamUsage', { streamUsage: false }, {}, { stream_options: undefined }],
    ['noSampling', { noSampling: true }, { temperature: 1, topP: 1 }, { temperature: undefined, top_p: undefined }],
    ['extraBody', { extraBody: { store: false } }, {}, { store: false }],
  ])('quirk %s', (_name, quirks, parameters, expected) => {
    const body = backend({ quirks }).fromIR(request('hi', { parameters }));
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, body[key]]))).toEqual(expected);
  });

  it('quirk callIds', () => {
    const body = backend({ quirks: { callIds: 'nine' } }).fromIR(request(conversation));
    const id = body.messages[2].tool_calls[0].id;
    expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(body.messages[3].tool_call_id).toBe(id);
  });

  it('quirk reasoningBack: to the same model only', () => {
    const back = (model: string) =>
      backend({ quirks: { reasoningBack: 'reasoning_content' } }).fromIR(
        request(conversation, { parameters: { model } }),
      ).messages[2].reasoning_content;
    expect([back('test-model'), back('other')]).toEqual(['hm', undefined]);
    expect(JSON.stringify(backend().fromIR(request(conversation)))).not.toContain('hm"');
  });

  it('quirks systemRole, noJsonSchema, cacheControl', () => {
    expect(backend({ quirks: { systemRole: 'developer' } }).fromIR(request(conversation)).messages[0].role).toBe(
      'developer',
    );
    const format = { type: 'json_schema', name: 'x', schema: { type: 'object', properties: {} } } as const;
    const plain = backend({ quirks: { noJsonSchema: true } }).fromIR(request('hi', { responseFormat: format }));
    expect(plain.response_format).toEqual({ type: 'json_object' });
    const whole = backend().fromIR(request('hi', { responseFormat: format }));
    expect(whole.response_format).toEqual({ type: 'json_schema', json_schema: { name: 'x', schema: format.schema } });
    const marked = backend({ quirks: { cacheControl: true } }).fromIR(
      request(conversation, { cache: ['system', 'messages'] }),
    );
    expect(marked.messages[0].content).toEqual([{ type: 'text', text: 'S', cache_control: { type: 'ephemeral' } }]);
  });

  it('quirk assistantAfterResults', () => {
    const messages = [...conversation, user('and now')];
    const roles = (quirks: OpenAIChatOptions['quirks']) =>
      backend({ quirks })
        .fromIR(request(messages))
        .messages.slice(3)
        .map((message: { role: string }) => message.role);
    expect(roles({})).toEqual(['tool', 'user']);
    expect(roles({ assistantAfterResults: true })).toEqual(['tool', 'assistant', 'user']);
  });

  it('sends broken arguments of an earlier call as an object', () => {
    const broken: IRMessage = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: '1', name: 'f', input: {}, raw: '{"a', invalid: 'cut' }],
    };
    const sent = backend().fromIR(request([user('hi'), broken])).messages[1].tool_calls[0].function.arguments;
    expect(JSON.parse(sent)).toEqual({ invalid_arguments: '{"a' });
  });

  it('puts images of results behind all results', () => {
    const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'QQ==' } } as const;
    const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} }) as const;
    const messages: IRMessage[] = [
      user('hi'),
      { role: 'assistant', content: [use('1'), use('2')] },
      {
        role: 'tool',
        content: [
          { type: 'tool_result', toolUseId: '1', content: [image] },
          { type: 'tool_result', toolUseId: '2', content: [] },
        ],
      },
    ];
    const sent = backend().fromIR(request(messages)).messages.slice(2);
    expect(sent.map((message: { role: string }) => message.role)).toEqual(['tool', 'tool', 'user']);
    expect(sent[2].content[1]).toEqual({ type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } });
    const blind = backend({ capabilities: { multiModal: false } })
      .fromIR(request(messages))
      .messages.slice(2);
    expect(blind).toHaveLength(2);
    expect(blind[0].content).toContain('cannot see');
  });
});

describe('openAIBaseUrl', () => {
  it.each([
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1'],
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000/v1'],
    ['127.0.0.1:8000', 'http://127.0.0.1:8000/v1'],
    ['https://api.test/openai/v1/', 'https://api.test/openai/v1'],
    ['https://api.test/v1/chat/completions', 'https://api.test/v1'],
  ])('%s is %s', (value, url) => expect(openAIBaseUrl(value)).toBe(url));
  it('refuses what is no URL', () => expect(() => openAIBaseUrl('http://a b')).toThrow(/not a URL/));
});

describe('servers', () => {
  it('lists models, shows the key, reads an answer that was not streamed', async () => {
    const server = await startModelServer({
      turns: [{ text: 'x' }],
      apiKey: 'k',
      models: [{ name: 'm', contextTokens: 4096 }],
    });
    try {
      const good = backend({ baseUrl: server.url });
      expect((await good.listModels()).models).toMatchObject([{ id: 'm', contextTokens: 4096, tools: null }]);
      await expect(backend({ baseUrl: server.url, apiKey: 'bad' }).execute(request('hi'))).rejects.toMatchObject({
        code: 'AUTHENTICATION_FAILED',
      });
      const whole = backend({ baseUrl: server.url, quirks: { extraBody: { stream: false } } });
      const chunks = await drain(whole.executeStream(request('hi', { parameters: { model: 'm' } })));
      expect(textOfChunks(chunks)).toBe('x');
      expect(lastOf(chunks, 'done')?.finishReason).toBe('stop');
    } finally {
      await server.close();
    }
  });

  it('does not wait for a server that says nothing after the last word', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(delta({ content: 'x' }, 'stop'))}\n\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const asked: number[] = [];
    const real = createTransport();
    const transport: Transport = {
      ...real,
      async send(outgoing) {
        const response = await real.send(outgoing);
        const patience = (ms: number) => {
          asked.push(ms);
          response.patience(20);
        };
        return { ...response, patience };
      },
    };
    try {
      const { port } = server.address() as AddressInfo;
      const chunks = await drain(
        backend({ baseUrl: `http://127.0.0.1:${port}`, transport }).executeStream(request('hi')),
      );
      expect(lastOf(chunks, 'done')?.finishReason).toBe('stop');
      expect(asked).toEqual([5000]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('takes content null with calls', () => {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: '1', function: { name: 'f', arguments: '' } }],
    };
    const response = backend().toIR({ choices: [{ message, finish_reason: 'stop' }] }, request('hi'), 1);
    expect(partsOf(response.message.content)).toMatchObject([{ type: 'tool_use', id: '1', name: 'f', input: {} }]);
    expect(response.finishReason).toBe('tool_use');
    expect(response.raw).toBeDefined();
  });
});
