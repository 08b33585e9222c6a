/** Streams as the official servers send them. */
import { describe, expect, it, test } from 'vitest';
import { StreamError } from '../../../providers/errors.ts';
import { AnthropicFrontendAdapter, anthropicFrame } from '../../../providers/frontends/anthropic.ts';
import { OpenAIFrontendAdapter, openAIChatFrame } from '../../../providers/frontends/openai-chat.ts';
import { type IRStreamChunk, type IRUsage, unknownUsage } from '../../../providers/ir.ts';

const openai = new OpenAIFrontendAdapter();
const anthropic = new AnthropicFrontendAdapter();
const metadata = { requestId: 'r1', timestamp: 5_000, provenance: { requestedModel: 'm' } };
type Piece = IRStreamChunk extends infer C ? (C extends IRStreamChunk ? Omit<C, 'sequence'> : never) : never;

async function* stream(...pieces: Piece[]): AsyncGenerator<IRStreamChunk> {
  let sequence = 0;
  for (const piece of pieces) yield { sequence: sequence++, ...piece } as IRStreamChunk;
}
const start: Piece = { type: 'start', metadata };
const done = (finishReason: 'stop' | 'tool_use' | 'aborted' = 'stop', usage?: IRUsage): Piece => ({
  type: 'done',
  finishReason,
  metadata,
  ...(usage && { usage }),
});
const error: Piece = { type: 'error', error: new StreamError({ message: 'gone', code: 'STREAM_TRUNCATED' }) };
const retry = (discard: boolean): Piece => ({ type: 'retry', reason: 'busy', attempt: 2, delayMs: 0, discard });
const text = (delta: string): Piece => ({ type: 'content', delta });
const call = (id: string): Piece => ({ type: 'tool_use_start', id, name: 'f' });
const args = (id: string, delta: string): Piece => ({ type: 'tool_use_delta', id, delta });
const end = (id: string, raw?: string): Piece => ({
  type: 'tool_use_end',
  id,
  input: raw ? JSON.parse(raw) : {},
  ...(raw !== undefined && { raw }),
});

async function all(chunks: AsyncIterable<any>): Promise<any[]> {
  const out: any[] = [];
  for await (const chunk of chunks) out.push(chunk);
  return out;
}

describe('openai', () => {
  const play = (...pieces: Piece[]) => all(openai.fromIRStream(stream(...pieces)));
  const deltas = async (...pieces: Piece[]) => (await play(...pieces)).map((chunk) => chunk.choices[0]?.delta);

  it('sends the role first, then pieces, then why it ended', async () => {
    expect(await play(start, text('hi'), done())).toEqual(
      [
        [{ role: 'assistant', content: '', refusal: null }, null],
        [{ content: 'hi' }, null],
        [{}, 'stop'],
      ].map(([delta, finish_reason]) => ({
        id: 'r1',
        object: 'chat.completion.chunk',
        created: 5,
        model: 'm',
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      })),
    );
  });

  it('numbers calls, also where their pieces come mixed', async () => {
    const pieces = [
      call('a'),
      args('a', '{"x"'),
      call('b'),
      args('b', '{}'),
      args('a', ':1}'),
      end('a', '{"x":1}'),
      end('b'),
    ];
    expect(await deltas(start, ...pieces, done('tool_use'))).toEqual([
      { role: 'assistant', content: null, refusal: null },
      { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] },
      { tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      {},
    ]);
  });

  it('gives a call without arguments an empty object', async () => {
    const found = await deltas(start, call('a'), end('a', ''), done('tool_use'));
    expect(found[2]).toEqual({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] });
  });

  it('gives each signed block of thinking whole, once', async () => {
    const found = await deltas(
      start,
      { type: 'reasoning', delta: 'a', index: 0 },
      { type: 'reasoning', delta: 'b', index: 0 },
      { type: 'reasoning', delta: '', index: 0, signature: 's' },
      { type: 'reasoning', delta: '', index: 1, signature: 'dark', redacted: true },
      done(),
    );
    expect(found.slice(1)).toEqual([
      { reasoning_content: 'a' },
      { reasoning_content: 'b' },
      { reasoning_details: [{ type: 'reasoning.text', text: 'ab', signature: 's', index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'dark', index: 1 }] },
      {},
    ]);
  });

  it('sends no counts that nobody knows', async () => {
    const asked: Piece = { type: 'start', metadata: { ...metadata, custom: { includeUsage: true } } };
    const chunks = await play(asked, text('x'), done('stop', unknownUsage()));
    expect(chunks.at(-1).choices[0].finish_reason).toBe('stop');
    const known = await play(asked, text('x'), done('stop', { ...unknownUsage(), completionTokens: 3 }));
    expect(known.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: null, completion_tokens: 3 } });
  });
});

describe('anthropic', () => {
  const play = (...pieces: Piece[]) => all(anthropic.fromIRStream(stream(...pieces)));
  /** Blocks in short: `+0 text`, `0 …`, `-0`. */
  const short = async (...pieces: Piece[]) =>
    (await play(...pieces)).map((event) => {
      if (event.type === 'content_block_start') return `+${event.index} ${event.content_block.type}`;
      if (event.type === 'content_block_stop') return `-${event.index}`;
      if (event.type !== 'content_block_delta') return event.type;
      const { text, thinking, signature, partial_json } = event.delta;
      return `${event.index} ${text ?? thinking ?? signature ?? partial_json}`;
    });

  it('opens and closes one block after the other', async () => {
    expect(
      await short(
        start,
        { type: 'reasoning', delta: 'hm', index: 0 },
        { type: 'reasoning', delta: '', index: 0, signature: 'sig' },
        { type: 'reasoning', delta: '', index: 1, signature: 'dark', redacted: true },
        text('a'),
        text('b'),
        call('c'),
        args('c', '{}'),
        end('c', '{}'),
        done('tool_use'),
      ),
    ).toEqual([
      'message_start',
      '+0 thinking',
      '0 hm',
      '0 sig',
      '-0',
      '+1 redacted_thinking',
      '-1',
      '+2 text',
      '2 a',
      '2 b',
      '-2',
      '+3 tool_use',
      '3 {}',
      '-3',
      'message_delta',
      'message_stop',
    ]);
  });

  it('never has two blocks open, however the pieces come', async () => {
    const pieces = [call('a'), args('a', '{"x"'), call('b'), args('b', '{}'), text('t'), args('a', ':1}')];
    expect(await short(start, ...pieces, end('a', '{"x":1}'), end('b', '{}'), done('tool_use'))).toEqual([
      'message_start',
      '+0 tool_use',
      '0 {"x"',
      '0 :1}',
      '-0',
      '+1 tool_use',
      '1 {}',
      '-1',
      '+2 text',
      '2 t',
      '-2',
      'message_delta',
      'message_stop',
    ]);
  });

  it('tells blocks of thinking apart', async () => {
    const thought = (delta: string, index?: number): Piece => ({
      type: 'reasoning',
      delta,
      ...(index !== undefined && { index }),
    });
    expect(await short(start, thought('a', 0), thought('b', 1), thought('c', 1), done())).toEqual([
      'message_start',
      '+0 thinking',
      '0 a',
      '-0',
      '+1 thinking',
      '1 b',
      '1 c',
      '-1',
      'message_delta',
      'message_stop',
    ]);
  });

  it('starts with the whole frame of a message, and ends with all counts', async () => {
    const usage = { ...unknownUsage(), promptTokens: 10, completionTokens: 2, cacheReadTokens: 4 };
    const events = await play(start, text('x'), done('stop', usage));
    expect(events[0].message).toMatchObject({ id: 'r1', type: 'message', role: 'assistant', model: 'm', content: [] });
    expect(events.at(-2)).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 6, cache_creation_input_tokens: null, cache_read_input_tokens: 4, output_tokens: 2 },
    });
  });
});

describe.each([
  { name: 'openai', frontend: openai },
  { name: 'anthropic', frontend: anthropic },
])('$name', ({ frontend }) => {
  const play = (...pieces: Piece[]) => all(frontend.fromIRStream(stream(...pieces)) as AsyncIterable<any>);

  it('throws what fails before the first piece', async () => {
    await expect(play(start, error)).rejects.toThrow('gone');
    await expect(play(start, retry(false), error)).rejects.toThrow('gone');
    await expect(play(start, done('aborted'))).rejects.toThrow('aborted');
    await expect(play(start)).rejects.toMatchObject({ code: 'STREAM_TRUNCATED' });
  });

  it('ends with an error after the first piece, and with nothing behind it', async () => {
    for (const pieces of [[error], [], [done('aborted')], [retry(true), text('again'), done()]]) {
      const chunks = await play(start, text('a'), ...pieces);
      expect(chunks.filter((chunk) => frontend.isError(chunk))).toEqual([chunks.at(-1)]);
      expect(JSON.stringify(chunks)).not.toContain('again');
    }
  });

  it('goes on after a retry that voids nothing', async () => {
    const chunks = await play(start, retry(false), text('a'), done());
    expect(chunks.some((chunk) => frontend.isError(chunk))).toBe(false);
  });

  it('closes what it read from when it is left, and when it gives up', async () => {
    let open = 0;
    async function* source(): AsyncGenerator<IRStreamChunk> {
      open++;
      try {
        yield* stream(start, text('a'), retry(true), text('b'), done());
      } finally {
        open--;
      }
    }
    for await (const _ of frontend.fromIRStream(source())) break;
    expect(open).toBe(0);
    await all(frontend.fromIRStream(source()) as AsyncIterable<any>);
    expect(open).toBe(0);
  });
});

test('frames', () => {
  expect(openAIChatFrame({ a: 'ä\n' })).toBe('data: {"a":"ä\\n"}\n\n');
  expect(anthropicFrame({ type: 'message_stop' })).toBe('event: message_stop\ndata: {"type":"message_stop"}\n\n');
  expect([openai.toLastFrame(false), openai.toLastFrame(true), anthropic.toLastFrame()]).toEqual([
    'data: [DONE]\n\n',
    '',
    '',
  ]);
});
