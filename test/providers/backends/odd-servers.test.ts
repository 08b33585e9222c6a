/** What servers send that the formats do not foresee: said, never swallowed, never a success that is none. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AnthropicDecoder } from '../../../providers/backends/anthropic/stream.ts';
import { AnthropicBackendAdapter } from '../../../providers/backends/anthropic.ts';
import { OpenAIChatDecoder } from '../../../providers/backends/openai-chat/stream.ts';
import type { IRStreamChunk } from '../../../providers/ir.ts';
import { createMessageFold } from '../../../providers/wire/message-fold.ts';
import type { Piece, StreamDecoder } from '../../../providers/wire/stream.ts';
import { startModelServer } from '../../fakes/model-server.ts';
import { drain, lastOf, request, textOfChunks, wellFormed, wires } from './wires.ts';

function read(decoder: StreamDecoder, payloads: readonly object[]) {
  const out: Piece[] = [];
  for (const payload of payloads) if (decoder.push(JSON.stringify(payload), out)) break;
  const ending = decoder.finish(out);
  const fold = createMessageFold();
  for (const piece of out) fold.add(piece as IRStreamChunk);
  return { out, ending, parts: fold.parts() };
}
const readOpenAI = (...payloads: object[]) => read(new OpenAIChatDecoder({ backend: 'test' }), payloads);
const readAnthropic = (...payloads: object[]) => read(new AnthropicDecoder({ backend: 'test' }), payloads);
const choice = (delta: object, finish_reason: string | null = null, index = 0) => ({ index, delta, finish_reason });
const chunk = (...choices: object[]) => ({ choices });
const call = (value: object) => chunk(choice({ tool_calls: [value] }));
const start = { type: 'message_start', message: { id: 'm', usage: {} } };
const stop = (stop_reason: string, usage: object = {}) => [
  { type: 'message_delta', delta: { stop_reason }, usage },
  { type: 'message_stop' },
];

/** A server that answers everything with this body. */
let body = '';
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(body);
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const events = (...payloads: (object | string)[]): string =>
  payloads.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('');

describe.each(wires.slice(1))('an answer of 200 that is none: $name', ({ open }) => {
  it.each<[string, string, object]>([
    [
      'a bare error',
      events({ object: 'error', message: 'bad words', code: 400 }),
      { status: 400, code: 'INVALID_REQUEST' },
    ],
    ['a bare error, then [DONE]', events({ object: 'error', message: 'm', code: 400 }, '[DONE]'), { status: 400 }],
    ['a bare error without a kind', events({ message: 'slow down', code: 429 }), { code: 'RATE_LIMITED' }],
    ['a detail', events({ detail: 'not here' }), { code: 'PROVIDER_ERROR' }],
    ['nothing', '', { code: 'STREAM_TRUNCATED' }],
    ['only the end', events('[DONE]'), {}],
    ['only the last event', events({ type: 'message_stop' }, '[DONE]'), {}],
  ])('%s is one typed error', async (_, sent, error) => {
    body = sent;
    const chunks = await drain(open(url).executeStream(request('hi')));
    expect(wellFormed(chunks)).toEqual([]);
    expect(lastOf(chunks, 'done')).toBeUndefined();
    expect(lastOf(chunks, 'error')?.error).toMatchObject({ name: expect.stringMatching(/Error$/), ...error });
  });
});

describe('openai-chat', () => {
  it('the news of a queue are no error', () => {
    const news = { message: 'in the queue', status: 'queued' };
    expect(readOpenAI(news, chunk(choice({ content: 'x' }, 'stop'))).parts).toEqual([{ type: 'text', text: 'x' }]);
  });

  it('shows the first of several answers only', () => {
    const { parts, ending } = readOpenAI(
      chunk(choice({ content: 'B' }, null, 1), choice({ content: 'A' })),
      chunk(choice({ content: 'B' }, null, 1)),
      chunk(choice({}, 'length', 1)),
      chunk(choice({ content: 'a' }, 'stop')),
    );
    expect(parts).toEqual([{ type: 'text', text: 'Aa' }]);
    expect(ending.finishReason).toBe('stop');
  });

  it.each<[string, object[]]>([
    ['its rest', [{ function: { name: 'file' } }]],
    ['its rest, with the id again', [{ id: '1', function: { name: 'file' } }]],
    ['its rest, with arguments', [{ function: { name: 'file', arguments: '{' } }, { function: { arguments: '}' } }]],
    ['all of it', [{ function: { name: 'read_file', arguments: '{}' } }]],
    ['two pieces', [{ function: { name: 'fi' } }, { function: { name: 'le' } }, { function: { arguments: '{}' } }]],
  ])('a name that comes in deltas is one name: %s', (_, rest) => {
    const { out, parts } = readOpenAI(
      call({ index: 0, id: '1', function: { name: 'read_', arguments: '' } }),
      ...rest.map((piece) => call({ index: 0, ...piece })),
      call({ index: 1, id: '2', function: { name: 'ls', arguments: '' } }),
      chunk(choice({ content: 'so' }, 'tool_calls')),
    );
    expect(parts).toMatchObject([
      { type: 'tool_use', id: '1', name: 'read_file', input: {} },
      { type: 'tool_use', id: '2', name: 'ls', input: {} },
      { type: 'text', text: 'so' },
    ]);
    expect(wellFormed(out.map((piece, sequence) => ({ ...piece, sequence })) as IRStreamChunk[])).not.toContain(
      'open calls',
    );
  });

  it('counts that come as text are numbers, others are unknown', () => {
    const usage = {
      prompt_tokens: '10',
      completion_tokens: 'many',
      prompt_tokens_details: { cached_tokens: '4' },
      completion_tokens_details: { reasoning_tokens: '' },
    };
    expect(readOpenAI(chunk(choice({}, 'stop')), { choices: [], usage }).ending.usage).toEqual({
      promptTokens: 10,
      completionTokens: null,
      totalTokens: null,
      cacheReadTokens: 4,
      cacheWriteTokens: null,
      reasoningTokens: null,
    });
  });

  it('reads the usage where Groq puts it', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const { ending } = readOpenAI({ ...chunk(choice({}, 'stop')), x_groq: { id: 'r', usage } });
    expect(ending.usage).toMatchObject({ promptTokens: 3, completionTokens: 2, totalTokens: 5 });
  });
});

describe('anthropic', () => {
  const use = (index: number, id: string | undefined, input: object) => [
    { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name: 'f', input: {} } },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } },
    { type: 'content_block_stop', index },
  ];

  it('tells calls of one id apart', () => {
    const { out, parts } = readAnthropic(
      start,
      ...use(0, 't1', { a: 1 }),
      ...use(1, 't1', { a: 2 }),
      ...use(2, undefined, { a: 3 }),
      ...use(3, undefined, { a: 4 }),
      ...stop('tool_use'),
    );
    expect(parts).toMatchObject([
      { id: 't1', input: { a: 1 } },
      { id: 't1_2', input: { a: 2 } },
      { id: expect.stringMatching(/./), input: { a: 3 } },
      { id: expect.stringMatching(/./), input: { a: 4 } },
    ]);
    const ends = out.flatMap((piece) => (piece.type === 'tool_use_end' ? [piece.id] : []));
    expect(new Set(ends).size).toBe(4);
  });

  it('a paused turn ends with a warning', () => {
    const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } };
    const { out, ending } = readAnthropic(start, text, ...stop('pause_turn'));
    expect(ending.finishReason).toBe('stop');
    expect(out.at(-1)).toMatchObject({ type: 'warning', warning: { kind: 'truncated', field: 'finishReason' } });
    expect(readAnthropic(start, text, ...stop('end_turn')).out.some(({ type }) => type === 'warning')).toBe(false);
    const backend = new AnthropicBackendAdapter({ apiKey: 'k' });
    const whole = { type: 'message', content: [{ type: 'text', text: 'x' }], stop_reason: 'pause_turn' };
    expect(backend.toIR(whole, request('hi'), 1).metadata.warnings).toMatchObject([{ kind: 'truncated' }]);
  });

  it('counts that come as text are numbers', () => {
    const { ending } = readAnthropic(start, ...stop('end_turn', { input_tokens: '7', output_tokens: 'x' }));
    expect(ending.usage).toMatchObject({ promptTokens: 7, completionTokens: null });
  });

  it('writes nothing to the terminal, however old the model', async () => {
    const models = ['claude-opus-4-20250514', 'claude-opus-4-5', 'claude-opus-4-6'];
    const turns = models.map(() => ({ text: 'x' }));
    const fake = await startModelServer({ turns, models: models.map((name) => ({ name, contextTokens: 200_000 })) });
    const said = (['warn', 'error', 'log', 'info', 'debug'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    );
    try {
      for (const model of models) {
        const backend = new AnthropicBackendAdapter({ baseUrl: fake.url, apiKey: 'k', thinking: 'budget' });
        const asked = request('hi', { parameters: { model, effort: 'low', maxTokens: 8_000 } });
        expect(textOfChunks(await drain(backend.executeStream(asked)))).toBe('x');
      }
      for (const spy of said) expect(spy).not.toHaveBeenCalled();
    } finally {
      for (const spy of said) spy.mockRestore();
      await fake.close();
    }
  });
});
