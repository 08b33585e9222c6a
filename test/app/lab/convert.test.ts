import { describe, expect, it, test } from 'vitest';
import { convert } from '../../../app/lab/convert.ts';
import { answerLine } from '../../../app/lab.ts';

const PNG = 'iVBORw0KGgo=';
const openai = {
  model: 'gpt-x',
  max_tokens: 100,
  messages: [
    { role: 'system', content: 'S' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'U' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'R' },
  ],
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
};

describe('requests', () => {
  it('become what a provider of the other format gets', async () => {
    expect(await convert({ from: 'openai-chat', to: 'anthropic', request: openai })).toEqual({
      request: {
        model: 'gpt-x',
        max_tokens: 100,
        system: [{ type: 'text', text: 'S' }],
        tools: [{ name: 'f', input_schema: { type: 'object', properties: {} } }],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'U' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
            ],
          },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'R' }] }],
          },
        ],
      },
      warnings: [],
    });
  });

  it('come back as they were', async () => {
    const { request, warnings } = (await convert({ from: 'openai-chat', to: 'openai-chat', request: openai })) as any;
    expect(request).toEqual(openai);
    expect(warnings).toEqual([]);
    const streamed = { ...openai, stream: true, stream_options: { include_usage: true } };
    expect(await convert({ from: 'openai-chat', to: 'openai-chat', request: streamed })).toEqual({
      request: streamed,
      warnings: [],
    });
  });

  it('pass through the representation between', async () => {
    const { request } = (await convert({ from: 'openai-chat', to: 'ir', request: openai })) as any;
    expect(await convert({ from: 'ir', to: 'ollama', request })).toMatchObject({
      request: {
        model: 'gpt-x',
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'U', images: [PNG] },
          { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] },
          { role: 'tool', content: 'R', tool_name: 'f' },
        ],
        options: { num_predict: 100 },
        stream: false,
      },
      warnings: [],
    });
  });

  it('say what was lost on both ways', async () => {
    const request = {
      model: 'm',
      logit_bias: {},
      seed: 1,
      messages: [
        { role: 'user', content: 'x', name: 'ada' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"cut' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'R' },
      ],
    };
    const lost = async (to: string) => {
      const { warnings } = (await convert({ from: 'openai-chat', to, request })) as any;
      return warnings.map(({ kind, field }: any) => `${kind} ${field}`);
    };
    const both = ['dropped logit_bias', 'repaired messages[1]'];
    expect(await lost('anthropic')).toEqual([...both, 'dropped messages[0].name', 'dropped parameters.seed']);
    expect(await lost('ollama')).toEqual([...both, 'dropped messages[0].name']);
    expect(await lost('openai-chat')).toEqual(both);
  });
});

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content: [
    { type: 'thinking', thinking: 'hm', signature: 'sig' },
    { type: 'text', text: 'A' },
    { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 2, cache_creation_input_tokens: 0 },
};

describe('responses', () => {
  it('become what a caller of the other format gets', async () => {
    expect(await convert({ from: 'anthropic', to: 'openai-chat', response: message })).toEqual({
      response: {
        id: 'msg_1',
        object: 'chat.completion',
        created: 0,
        model: 'claude-x',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: 'A',
              refusal: null,
              reasoning_content: 'hm',
              reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 'sig', index: 0 }],
              tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
            },
            logprobs: null,
            finish_reason: 'tool_calls',
          },
        ],
        usage: {
          prompt_tokens: 5,
          completion_tokens: 4,
          total_tokens: 9,
          prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 },
        },
      },
      warnings: [],
    });
  });

  it('come back as they were', async () => {
    const { response } = (await convert({ from: 'anthropic', to: 'anthropic', response: message })) as any;
    const content = message.content.map((block) => (block.type === 'text' ? { ...block, citations: null } : block));
    expect(response).toEqual({ ...message, content });
  });

  it('say that counts are not known', async () => {
    const response = { model: 'm', message: { role: 'assistant', content: 'hi' }, done: true };
    const { warnings } = (await convert({ from: 'ollama', to: 'anthropic', response })) as any;
    expect(warnings).toMatchObject([{ kind: 'approximated', field: 'usage' }]);
  });
});

describe('streams', () => {
  const payloads = [
    { id: 'x', model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    { id: 'x', model: 'm', choices: [{ index: 0, delta: { content: 'hä' } }] },
    { id: 'x', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { id: 'x', model: 'm', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
  ];
  const asText = `${payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join('')}data: [DONE]\n\n`;

  it.each([
    ['objects', payloads],
    ['their text', payloads.map((payload) => JSON.stringify(payload))],
    ['the stream in one', [asText]],
    ['the stream in pieces', asText.match(/.{1,7}/gs)!],
  ])('are read from %s', async (_name, stream) => {
    const { stream: events, warnings } = (await convert({ from: 'openai-chat', to: 'anthropic', stream })) as any;
    expect(warnings).toEqual([]);
    const texts = events.flatMap((event: any) => (event.type === 'content_block_delta' ? [event.delta.text] : []));
    expect(texts.join('')).toBe('hä');
    expect([events[0].type, events.at(-1).type]).toEqual(['message_start', 'message_stop']);
    expect(events[0].message).toMatchObject({ id: 'x', model: 'm' });
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 1, output_tokens: 2 },
    });
  });

  it('are read from lines', async () => {
    const lines = ['{"message":{"content":"a"}}\n{"mess', 'age":{"content":"b"},"done":true,"eval_count":2}\n'];
    const { stream } = (await convert({ from: 'ollama', to: 'openai-chat', stream: lines })) as any;
    expect(stream.map((chunk: any) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('ab');
    expect(stream.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 2 } });
  });

  it('pass through the representation between', async () => {
    const { stream } = (await convert({ from: 'openai-chat', to: 'ir', stream: payloads })) as any;
    expect(stream.map(({ type }: any) => type)).toEqual(['start', 'content', 'done']);
    const back = (await convert({ from: 'ir', to: 'openai-chat', stream })) as any;
    expect(back.stream.map((chunk: any) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('hä');
  });

  it('end with an error when they break off', async () => {
    const cut = payloads.slice(0, 2);
    const { stream } = (await convert({ from: 'openai-chat', to: 'anthropic', stream: cut })) as any;
    expect(stream.at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    const { stream: ir } = (await convert({ from: 'openai-chat', to: 'ir', stream: cut })) as any;
    expect(ir.at(-1)).toMatchObject({ type: 'error', error: { code: 'STREAM_TRUNCATED' } });
    const again = (await convert({ from: 'ir', to: 'openai-chat', stream: ir })) as any;
    expect(again.stream.at(-1)).toMatchObject({ error: { type: 'server_error' } });
    expect(await convert({ from: 'openai-chat', to: 'openai-chat', stream: [] })).toMatchObject({
      stream: [{ error: { message: expect.stringContaining('middle') } }],
    });
  });
});

test.each<[string, object, RegExp]>([
  ['an unknown format', { from: 'x', to: 'ir', request: openai }, /“x” is not one of/],
  ['nothing to convert', { from: 'ir', to: 'ir' }, /give one of/],
  ['two things', { from: 'ir', to: 'ir', request: {}, response: {} }, /give one of/],
  ['a caller of ollama', { from: 'ollama', to: 'ir', request: {} }, /cannot speak ollama yet/],
  [
    'an answer to a caller of ollama',
    { from: 'anthropic', to: 'ollama', response: message },
    /cannot speak ollama yet/,
  ],
  [
    'a request that is wrong',
    { from: 'anthropic', to: 'ir', request: { model: 'm', messages: [] } },
    /max_tokens is missing/,
  ],
  ['a request without a model', { from: 'ir', to: 'ollama', request: { messages: [] } }, /names no model/],
  [
    'another format’s answer',
    { from: 'openai-chat', to: 'ir', response: message },
    /not a whole answer of openai-chat/,
  ],
  ['a stream that is no list', { from: 'ollama', to: 'ir', stream: 'x' }, /stream must be a list/],
  ['objects among pieces of text', { from: 'ollama', to: 'ir', stream: [{}, '{"a'] }, /mixes/],
])('%s gives an error', async (_name, row, message_) => {
  expect(await answerLine(convert, JSON.stringify(row))).toEqual({ error: expect.stringMatching(message_) });
});
