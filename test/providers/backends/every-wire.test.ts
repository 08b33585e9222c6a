/** What must hold on every wire format alike. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AdapterError } from '../../../providers/errors.ts';
import type { IRStreamChunk, IRTool } from '../../../providers/ir.ts';
import { createTransport } from '../../../providers/transport.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import { drain, lastOf, request, textOfChunks, user, wellFormed, wires } from './wires.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const readTool: IRTool = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

const failure = (chunks: readonly IRStreamChunk[]): AdapterError => {
  const error = lastOf(chunks, 'error')?.error;
  expect(error).toBeInstanceOf(AdapterError);
  return error as AdapterError;
};

/** Waits for something that another socket must notice; polls, and gives up only with the test. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.each(wires)('$name', ({ open }) => {
  it('streams a text with usage and provenance', async () => {
    server.set({ turns: [{ text: 'Hello, wide world.', pieceSize: 3, usage: { input: 11, output: 4 } }] });
    const backend = open(server.url);
    const chunks = await drain(backend.executeStream(request('hi')));
    expect(wellFormed(chunks)).toEqual([]);
    expect(textOfChunks(chunks)).toBe('Hello, wide world.');
    const done = lastOf(chunks, 'done')!;
    expect(done.finishReason).toBe('stop');
    expect(done.usage).toMatchObject({ promptTokens: 11, completionTokens: 4, totalTokens: 15 });
    expect(done.metadata.provenance).toMatchObject({
      backend: backend.metadata.name,
      requestedModel: 'test-model:latest',
      servedModel: 'test-model:latest',
    });
    expect(typeof done.metadata.custom?.latencyMs).toBe('number');
    expect(server.chats()).toHaveLength(1);
  });

  it('gives the same whole from execute', async () => {
    server.set({ turns: [{ text: 'Reading.', calls: [{ name: 'read_file', input: { path: 'a' } }] }] });
    const response = await open(server.url).execute(request('hi', { tools: [readTool] }));
    expect(response.finishReason).toBe('tool_use');
    expect(response.message.content).toMatchObject([
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', name: 'read_file', input: { path: 'a' } },
    ]);
  });

  it('puts characters together that were split over writes', async () => {
    const text = 'ä✔😀 我現在都看 e\u0301 👨‍👩‍👧‍👦';
    server.set({ turns: [{ text, pieceSize: 5, writeSize: 7 }] });
    expect(textOfChunks(await drain(open(server.url).executeStream(request('hi'))))).toBe(text);
  });

  it('streams deltas as they arrive', async () => {
    server.set({ turns: [{ pieces: ['one ', 'two ', 'three'], delayMs: 15 }] });
    const chunks = await drain(open(server.url).executeStream(request('hi')));
    expect(chunks.filter((chunk) => chunk.type === 'content').map((chunk) => chunk.delta)).toEqual([
      'one ',
      'two ',
      'three',
    ]);
  });

  it('keeps parallel calls apart', async () => {
    const calls = [
      { name: 'read_file', input: { path: 'a.txt' } },
      { name: 'read_file', input: { path: 'b.txt' } },
      { name: 'read_file', input: { path: 'ä "quoted" \\ \n' } },
    ];
    server.set({ turns: [{ text: 'Reading.', calls, argumentSize: 4 }] });
    const chunks = await drain(open(server.url).executeStream(request('hi', { tools: [readTool] })));
    expect(wellFormed(chunks)).toEqual([]);
    const ends = chunks.filter((chunk) => chunk.type === 'tool_use_end');
    expect(ends.map((chunk) => chunk.input)).toEqual(calls.map((call) => call.input));
    expect(new Set(ends.map((chunk) => chunk.id)).size).toBe(3);
    for (const end of ends) {
      const deltas = chunks.flatMap((chunk) =>
        chunk.type === 'tool_use_delta' && chunk.id === end.id ? [chunk.delta] : [],
      );
      expect(deltas.join('')).toBe(end.raw);
    }
    expect(lastOf(chunks, 'done')?.finishReason).toBe('tool_use');
  });

  it.each(['{"path": "a', '{"path": }', '[1]', '"text"'])('marks the arguments %s as invalid', async (raw) => {
    server.set({ turns: [{ calls: [{ name: 'read_file', raw }] }] });
    const end = lastOf(
      await drain(open(server.url).executeStream(request('hi', { tools: [readTool] }))),
      'tool_use_end',
    );
    expect(end?.invalid).toBeTruthy();
    // A server that parses arguments itself may hand a bare string on without its quotes.
    expect(end?.raw?.replaceAll('"', '')).toBe(raw.replaceAll('"', ''));
    expect(end?.input).toEqual({});
  });

  it('takes a call without arguments', async () => {
    server.set({ turns: [{ calls: [{ name: 'list', input: {} }] }] });
    const end = lastOf(await drain(open(server.url).executeStream(request('hi'))), 'tool_use_end');
    expect(end).toMatchObject({ input: {} });
    expect(end?.invalid).toBeUndefined();
  });

  it('streams reasoning apart from text', async () => {
    server.set({ turns: [{ reasoning: 'Let me think about it.', text: 'Yes.', pieceSize: 4 }] });
    const thinking = request('hi', { parameters: { effort: 'medium', maxTokens: 8000 } });
    const chunks = await drain(open(server.url).executeStream(thinking));
    expect(textOfChunks(chunks, 'reasoning')).toBe('Let me think about it.');
    expect(textOfChunks(chunks)).toBe('Yes.');
  });

  it('accepts an empty answer', async () => {
    server.set({ turns: [{}] });
    const chunks = await drain(open(server.url).executeStream(request('hi')));
    expect(wellFormed(chunks)).toEqual([]);
    expect(textOfChunks(chunks)).toBe('');
    expect(lastOf(chunks, 'done')?.finishReason).toBe('stop');
  });

  it('tells the length limit', async () => {
    server.set({ turns: [{ text: 'cut', finish: 'length' }] });
    expect(lastOf(await drain(open(server.url).executeStream(request('hi'))), 'done')?.finishReason).toBe('length');
  });

  it('never takes unknown usage for zero', async () => {
    server.set({ turns: [{ text: 'x', usage: null }] });
    const usage = lastOf(await drain(open(server.url).executeStream(request('hi'))), 'done')?.usage;
    // The fake of Anthropic always counts, as the real one does.
    expect([null, 0]).toContain(usage?.promptTokens);
    if (open(server.url).metadata.provider !== 'anthropic') expect(usage?.promptTokens).toBeNull();
  });

  it.each([
    ['cut', { kind: 'cut', after: 2 }],
    ['no terminal event', { kind: 'no-end' }],
  ] as const)('ends a stream with %s as truncated, text kept', async (_name, fault) => {
    server.set({ turns: [{ text: 'one two three four', pieceSize: 4, fault }] });
    const chunks = await drain(open(server.url).executeStream(request('hi')));
    expect(wellFormed(chunks)).toEqual([]);
    expect(failure(chunks)).toMatchObject({ code: 'STREAM_TRUNCATED', isRetryable: true });
    expect(textOfChunks(chunks)).toMatch(/^one/);
  });

  it('never runs a call of a message that was cut', async () => {
    const fault = { kind: 'cut', after: 1 } as const;
    const calls = [{ name: 'read_file', input: { path: 'a-long-name-of-a-file' } }];
    server.set({ turns: [{ text: 'x', calls, argumentSize: 5, fault }] });
    const chunks = await drain(open(server.url).executeStream(request('hi')));
    expect(failure(chunks).code).toBe('STREAM_TRUNCATED');
    expect(chunks.some((chunk) => chunk.type === 'tool_use_end')).toBe(false);
  });

  it('ends with one error when the stream carries one', async () => {
    const fault = { kind: 'stream-error', after: 1, message: 'the runner has stopped' } as const;
    server.set({ turns: [{ text: 'one two three', pieceSize: 4, fault }] });
    const chunks = await drain(open(server.url).executeStream(request('hi')));
    expect(wellFormed(chunks)).toEqual([]);
    expect(failure(chunks)).toMatchObject({ category: 'provider', isRetryable: true });
    expect(failure(chunks).message).toContain('the runner has stopped');
    expect(textOfChunks(chunks)).toBe('one ');
  });

  it.each([
    [400, 'INVALID_REQUEST', false],
    [401, 'AUTHENTICATION_FAILED', false],
    [403, 'AUTHORIZATION_FAILED', false],
    [404, 'MODEL_NOT_FOUND', false],
    [408, 'PROVIDER_ERROR', true],
    [413, 'CONTEXT_OVERFLOW', false],
    [422, 'INVALID_REQUEST', false],
    [429, 'RATE_LIMITED', true],
    [500, 'PROVIDER_ERROR', true],
    [502, 'PROVIDER_UNAVAILABLE', true],
    [503, 'PROVIDER_UNAVAILABLE', true],
    [529, 'PROVIDER_UNAVAILABLE', true],
  ] as const)('maps status %i to %s', async (status, code, isRetryable) => {
    const message = status === 404 ? 'no such model' : 'words of the provider';
    server.set({ turns: [{ fault: { kind: 'status', status, message, retryAfter: status === 429 ? 7 : undefined } }] });
    const backend = open(server.url);
    const chunks = await drain(backend.executeStream(request('hi')));
    expect(wellFormed(chunks)).toEqual([]);
    const error = failure(chunks);
    expect(error).toMatchObject({ code, isRetryable, status });
    expect(error.message).toContain(message);
    expect(error.provenance).toMatchObject({ backend: backend.metadata.name, model: 'test-model:latest' });
    expect(error.details?.body).toContain(message);
    expect(error.retryAfterMs).toBe(status === 429 ? 7000 : undefined);
    expect(server.chats()).toHaveLength(1);
  });

  it('knows an overflow by its words', async () => {
    const message = 'prompt is too long: 210000 tokens > 200000 maximum';
    server.set({ turns: [{ fault: { kind: 'status', status: 400, message } }] });
    const error = failure(await drain(open(server.url).executeStream(request('hi'))));
    expect(error).toMatchObject({ code: 'CONTEXT_OVERFLOW', category: 'overflow', isRetryable: false });
  });

  it.each([200, 502])('names a web page with status %i for what it is', async (status) => {
    server.set({ turns: [{ fault: { kind: 'html', status } }] });
    const error = failure(await drain(open(server.url).executeStream(request('hi'))));
    expect(error.message).toContain('web page');
    expect(error.message).toContain('Sign in');
    expect(error.category).toBe('provider');
  });

  it('reports a server that is not there', async () => {
    const error = failure(await drain(open('http://127.0.0.1:9').executeStream(request('hi'))));
    expect(error).toMatchObject({ code: 'CONNECTION_REFUSED', category: 'network' });
    expect(error.message).toContain('http://127.0.0.1:9');
  });

  it('reports a connection that is closed without an answer', async () => {
    server.set({ turns: [{ fault: { kind: 'hangup' } }] });
    expect(failure(await drain(open(server.url).executeStream(request('hi'))))).toMatchObject({
      category: 'network',
      isRetryable: true,
    });
  });

  it('closes the socket on abort, with one error', async () => {
    server.set({ turns: [{ text: 'one two three', pieceSize: 4, fault: { kind: 'stall', after: 2 } }] });
    const controller = new AbortController();
    const chunks: IRStreamChunk[] = [];
    for await (const chunk of open(server.url).executeStream(request('hi'), controller.signal)) {
      chunks.push(chunk);
      if (chunk.type === 'content') controller.abort();
    }
    expect(wellFormed(chunks)).toEqual([]);
    expect(failure(chunks)).toMatchObject({ code: 'ABORTED', isRetryable: false });
    await until(() => server.chats()[0]?.closedEarlyAt !== undefined);
  });

  it('aborts while the server is silent', async () => {
    server.set({ turns: [{ fault: { kind: 'silence' } }] });
    const controller = new AbortController();
    const running = drain(open(server.url).executeStream(request('hi'), controller.signal));
    await until(() => server.chats().length === 1);
    controller.abort();
    expect(failure(await running)).toMatchObject({ code: 'ABORTED' });
    await until(() => server.chats()[0]?.closedEarlyAt !== undefined);
  });

  it('sends nothing when it is aborted before', async () => {
    server.set({ turns: [{ text: 'x' }] });
    const chunks = await drain(open(server.url).executeStream(request('hi'), AbortSignal.abort()));
    expect(failure(chunks).code).toBe('ABORTED');
    expect(server.chats()).toHaveLength(0);
  });

  it('closes the socket when the reader leaves early', async () => {
    server.set({ turns: [{ text: 'one two three', pieceSize: 4, fault: { kind: 'stall', after: 2 } }] });
    for await (const chunk of open(server.url).executeStream(request('hi'))) if (chunk.type === 'content') break;
    await until(() => server.chats()[0]?.closedEarlyAt !== undefined);
  });

  it('times out when the answer goes silent', async () => {
    server.set({ turns: [{ text: 'one two three', pieceSize: 4, fault: { kind: 'stall', after: 2 } }] });
    const transport = createTransport({ idleTimeoutMs: 40 });
    const chunks = await drain(open(server.url, transport).executeStream(request('hi')));
    expect(failure(chunks)).toMatchObject({ code: 'TIMEOUT', isRetryable: true });
    expect(textOfChunks(chunks)).toBe('one two ');
  });

  it('sends images to a model that sees, also those of tool results, behind all results', async () => {
    server.set({ turns: [{ text: 'I see.' }] });
    const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'QUJD' } } as const;
    const dataUrl = { type: 'image', source: { type: 'url', url: 'data:image/png;base64,REVG' } } as const;
    const call = (id: string) => ({ type: 'tool_use', id, name: 'read_file', input: { path: id } }) as const;
    const messages = [
      user([{ type: 'text', text: 'look' }, image]),
      { role: 'assistant', content: [call('c1'), call('c2')] } as const,
      {
        role: 'tool',
        content: [
          { type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'one' }, dataUrl] },
          { type: 'tool_result', toolUseId: 'c2', content: [{ type: 'text', text: 'two' }] },
        ],
      } as const,
    ];
    const chunks = await drain(open(server.url).executeStream(request(messages)));
    expect(lastOf(chunks, 'error')).toBeUndefined();
    const sent = server.chats()[0]!.text;
    expect(sent.indexOf('QUJD')).toBeGreaterThan(0);
    expect(sent.indexOf('REVG')).toBeGreaterThan(sent.indexOf('QUJD'));
  });

  it('repairs a broken history so that the server takes it', async () => {
    server.set({ turns: [{ text: 'Fine.' }] });
    const call = { type: 'tool_use', id: 'same', name: 'read_file', input: { path: 'a' } } as const;
    const result = { type: 'tool_result', toolUseId: 'same', content: [{ type: 'text', text: 'A' }] } as const;
    const messages = [
      { role: 'system', content: 'Be kind.' } as const,
      user('   '),
      { role: 'assistant', content: [{ type: 'text', text: ' \n' }, call] } as const,
      { role: 'tool', content: [result] } as const,
      { role: 'assistant', content: [call, { ...call, id: 'orphan' }] } as const,
      user([
        { type: 'text', text: 'go on' },
        { ...result, content: [{ type: 'text', text: 'B' }] },
      ]),
      { role: 'assistant', content: '' } as const,
      { role: 'system', content: 'And brief.' } as const,
      user('now'),
    ];
    const chunks = await drain(open(server.url).executeStream(request(messages, { tools: [readTool] })));
    expect(lastOf(chunks, 'error')?.error).toBeUndefined();
    expect(wellFormed(chunks)).toEqual([]);
    expect(chunks.some((chunk) => chunk.type === 'warning' && chunk.warning.kind === 'renamed')).toBe(true);
    const sent = server.chats()[0]!.text;
    for (const words of ['Be kind.', 'And brief.', '(no text)', 'was interrupted']) expect(sent).toContain(words);
  });

  it('begins each request with the bytes of the one before', async () => {
    server.set({ turns: [{ text: 'x' }] });
    const first = [
      { role: 'system', content: 'You are ada.' } as const,
      user('do it'),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Yes.' },
          { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
        ],
      } as const,
      {
        role: 'tool',
        content: [{ type: 'tool_result', toolUseId: 'c1', name: 'read_file', content: [{ type: 'text', text: 'A' }] }],
      } as const,
    ];
    const second = [...first, { role: 'assistant', content: 'Done.' } as const, user('more')];
    const backend = open(server.url);
    const options = { tools: [readTool], cache: ['tools', 'system', 'messages'] } as const;
    const bodies = [first, second].map((messages) => backend.fromIR(request(messages, options)));
    const [before, after] = bodies.map((body) => JSON.stringify(body.messages).slice(0, -1));
    expect(after!.startsWith(before!)).toBe(true);
    const rest = bodies.map(({ messages: _, ...body }) => JSON.stringify(body));
    expect(rest[0]).toBe(rest[1]);
  });
});
