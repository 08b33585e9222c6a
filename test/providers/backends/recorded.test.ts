/** The backends without a server: the recorded model and the mock. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MockBackendAdapter } from '../../../providers/backends/mock.ts';
import { ReplayBackendAdapter } from '../../../providers/backends/replay.ts';
import { RateLimitError } from '../../../providers/errors.ts';
import { drain, lastOf, request, textOfChunks, user, wellFormed } from './wires.ts';

const lines = (...turns: object[]) => turns.map((turn) => JSON.stringify(turn)).join('\n');
const replay = (...turns: object[]) => new ReplayBackendAdapter({ file: 'r.jsonl', text: lines(...turns) });
const play = (backend: ReplayBackendAdapter, text = 'hi') => drain(backend.executeStream(request(text)));

describe('ReplayBackendAdapter', () => {
  it('answers turn by turn, with ids that are unique in the file', async () => {
    const call = { name: 'read_file', input: { path: 'a' } };
    const backend = replay(
      { reasoning: 'hm', text: 'Look.', toolCalls: [call, call] },
      { toolCalls: [call] },
      { text: 'Done.' },
    );
    const first = await play(backend);
    expect(wellFormed(first)).toEqual([]);
    expect([textOfChunks(first, 'reasoning'), textOfChunks(first)]).toEqual(['hm', 'Look.']);
    expect(lastOf(first, 'done')).toMatchObject({ finishReason: 'tool_use', usage: { promptTokens: null } });
    const second = await play(backend);
    const ids = [...first, ...second].flatMap((chunk) => (chunk.type === 'tool_use_end' ? [chunk.id] : []));
    expect(ids).toEqual(['call_1', 'call_2', 'call_3']);
    expect(lastOf(second, 'tool_use_end')?.input).toEqual({ path: 'a' });
    expect((await backend.execute(request('x'))).message.content).toEqual([{ type: 'text', text: 'Done.' }]);
    expect(backend.remaining).toBe(0);
  });

  it('names the request that had no answer', async () => {
    const backend = replay({ text: 'x' });
    await play(backend);
    const asked = lastOf(await play(backend, 'fix the bug'), 'error')!.error;
    expect(asked).toMatchObject({ category: 'provider', isRetryable: false });
    expect(asked.message).toContain('fix the bug');
    const result = {
      type: 'tool_result',
      toolUseId: '1',
      name: 'bash',
      content: [{ type: 'text', text: 'ok 12' }],
    } as const;
    const after = await drain(backend.executeStream(request([user('x'), { role: 'tool', content: [result] }])));
    expect(lastOf(after, 'error')!.error.message).toContain('the result of bash: ok 12');
  });

  it('cuts text into deltas, characters kept whole', async () => {
    const chunks = await play(replay({ text: 'ab😀cd', chunk: 3 }));
    expect(chunks.flatMap((chunk) => (chunk.type === 'content' ? [chunk.delta] : []))).toEqual(['ab😀', 'cd']);
  });

  it.each([
    [{ error: { status: 429, message: 'slow' } }, 'RATE_LIMITED', ''],
    [{ text: 'abcdef', chunk: 2, error: { status: 500, message: 'boom', afterChunks: 2 } }, 'PROVIDER_ERROR', 'abcd'],
    [{ text: 'abcdef', chunk: 2, error: { message: 'gone', afterChunks: 9 } }, 'STREAM_TRUNCATED', 'abcdef'],
  ])('fails as recorded: %j', async (turn, code, text) => {
    const backend = replay(turn, { text: 'again' });
    const chunks = await play(backend);
    expect(wellFormed(chunks)).toEqual([]);
    expect(lastOf(chunks, 'error')?.error).toMatchObject({ code });
    expect(textOfChunks(chunks)).toBe(text);
    expect(textOfChunks(await play(backend))).toBe('again');
  });

  it('honours finish and capabilities', async () => {
    const backend = replay(
      { capabilities: { contextTokens: 4096, multiModal: false } },
      { text: 'x', finish: 'length' },
    );
    expect(backend.metadata.capabilities).toMatchObject({ contextTokens: 4096, multiModal: false, tools: true });
    expect(lastOf(await play(backend), 'done')?.finishReason).toBe('length');
  });

  it('tells what the server told besides, and fails in just the words of a final error', async () => {
    const told = lastOf(await play(replay({ finish: 'stop', metadata: { streamed: true } })), 'done')!;
    expect(told.metadata.custom).toMatchObject({ streamed: true, latencyMs: expect.any(Number) });
    const message = 'v asks to slow down (429)';
    for (const status of [400, 429, undefined]) {
      const { error } = lastOf(await play(replay({ text: 'x', error: { status, message, final: true } })), 'error')!;
      expect(error).toMatchObject({ message, isRetryable: false, category: 'provider' });
    }
    expect(() => replay({ text: 'x', metadata: [] })).toThrow('metadata is not an object');
  });

  it('stops between deltas when it is aborted', async () => {
    const controller = new AbortController();
    const backend = replay({ text: 'abcdef', chunk: 1, delayMs: 60_000 });
    const chunks = [];
    for await (const chunk of backend.executeStream(request('hi'), controller.signal)) {
      chunks.push(chunk);
      if (chunk.type === 'content') setTimeout(() => controller.abort(), 5);
    }
    expect(lastOf(chunks, 'error')?.error).toMatchObject({ code: 'ABORTED' });
    expect(textOfChunks(chunks)).toBe('a');
  });

  it('reads its file, and says what is wrong with it', () => {
    const dir = mkdtempSync(join(tmpdir(), 'replay-'));
    try {
      const file = join(dir, 'a.jsonl');
      writeFileSync(file, '\ufeff{"text":"x"}\r\n\r\n');
      expect(new ReplayBackendAdapter({ file }).remaining).toBe(1);
      expect(() => new ReplayBackendAdapter({ file: join(dir, 'none') })).toThrow(/no such file/);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it.each([
    ['{"text":"x"}\n{', /line 2 is not JSON/],
    ['[1]', /line 1 is not an object/],
    ['{"text":1}', /text is not a string/],
    ['{"toolCalls":[{}]}', /no name/],
    ['{"toolCalls":[{"name":"f","input":"x"}]}', /input of f is not an object/],
    ['', /line 1: the file ends without a turn/],
    ['{"capabilities":{"tools":false}}\n\n', /line 3: the file ends without a turn/],
    ['{"text":"x"}\n{"content":"y"}', /line 2 says nothing that is known/],
    ['{}', /line 1 says nothing that is known/],
    ['{"finish":"never"}', /finish “never” is not known/],
  ])('refuses %j', (text, message) => expect(() => new ReplayBackendAdapter({ text })).toThrow(message));
});

describe('MockBackendAdapter', () => {
  it('answers by key, by the last user text, by default', async () => {
    const messages = [user('by json')];
    const backend = new MockBackendAdapter({ defaultResponse: 'default', responses: { hello: 'world' } })
      .setResponse(JSON.stringify(messages), 'json')
      .setResponse('count', (asked) => `${asked.messages.length} messages`);
    const ask = async (text: string) => (await backend.execute(request(text))).message.content;
    expect(await ask('hello')).toEqual([{ type: 'text', text: 'world' }]);
    expect(await ask('by json')).toEqual([{ type: 'text', text: 'json' }]);
    expect(await ask('count')).toEqual([{ type: 'text', text: '1 messages' }]);
    expect(await ask('else')).toEqual([{ type: 'text', text: 'default' }]);
    expect(backend.requests).toHaveLength(4);
  });

  it('calls tools, thinks, fails and waits', async () => {
    const error = new RateLimitError({ message: 'slow' });
    const backend = new MockBackendAdapter({ chunk: 2 })
      .setResponse('tool', { reasoning: 'hm', toolCalls: [{ name: 'f', input: { a: 1 } }] })
      .setResponse('fail', error)
      .setResponse('break', { text: 'abcdef', error, errorAfter: 2 })
      .setResponse('wait', { text: 'abcd', delayMs: 60_000 });
    const tool = await backend.execute(request('tool'));
    expect(tool).toMatchObject({ finishReason: 'tool_use' });
    expect(tool.message.content).toMatchObject([
      { type: 'reasoning', text: 'hm' },
      { name: 'f', input: { a: 1 } },
    ]);
    await expect(backend.execute(request('fail'))).rejects.toBe(error);
    const broken = await drain(backend.executeStream(request('break')));
    expect([textOfChunks(broken), wellFormed(broken)]).toEqual(['abcd', []]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    await expect(backend.execute(request('wait'), controller.signal)).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('gives a whole response back as it is', async () => {
    const response = await new MockBackendAdapter()
      .setResponse('a', { text: 'x', finishReason: 'length' })
      .execute(request('a'));
    const again = await new MockBackendAdapter().setResponse('a', response).execute(request('a'));
    expect(again.message).toEqual(response.message);
    expect(again.finishReason).toBe('length');
  });
});
