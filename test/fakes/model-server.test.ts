/** The parts of the scripted server that no official client shows: faults, pacing, records, OpenAI's strictness. */
import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from './model-server.ts';
import { loopOf, type ScriptedTurn } from './script.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const model = 'test-model:latest';
const ask = { role: 'user', content: 'Well?' };
const post = (path: string, body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(server.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
    signal,
  });
const chat = (extra: object = {}) => post('/v1/chat/completions', { model, messages: [ask], stream: true, ...extra });

/** The data of every event of an OpenAI stream. */
function dataOf(text: string): string[] {
  const data: string[] = [];
  createParser({ onEvent: (event) => data.push(event.data) }).feed(text);
  return data;
}
const delta = (data: string[]) =>
  data.filter((line) => line !== '[DONE]').flatMap((line) => JSON.parse(line).choices[0]?.delta ?? []);

/** Every byte that arrived, and whether the connection broke. */
async function drain(response: Response): Promise<{ text: string; whole: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const part of response.body!) text += decoder.decode(part as Uint8Array, { stream: true });
    return { text, whole: true };
  } catch {
    return { text, whole: false };
  }
}

describe('OpenAI Chat Completions', () => {
  it('streams reasoning, text, parallel calls, usage and [DONE]', async () => {
    const turn: ScriptedTurn = {
      reasoning: 'Hm.',
      text: 'Zwölf 🦉 Boxkämpfer',
      pieceSize: 3,
      calls: [{ name: 'ls' }, { name: 'bash', id: 'own', raw: '{"command": "tru' }],
      writeSize: 7,
    };
    server.set({ turns: [turn] });
    const data = dataOf((await drain(await chat({ stream_options: { include_usage: true } }))).text);
    const deltas = delta(data);
    expect(deltas.map((piece) => piece.content ?? '').join('')).toBe(turn.text);
    expect(deltas.map((piece) => piece.reasoning_content ?? '').join('')).toBe(turn.reasoning);
    const calls = deltas.flatMap((piece) => piece.tool_calls ?? []);
    const argumentsOf = (index: number) =>
      calls
        .filter((call) => call.index === index)
        .map((call) => call.function.arguments)
        .join('');
    expect([argumentsOf(0), argumentsOf(1)]).toEqual(['{}', '{"command": "tru']);
    expect(calls.filter((call) => call.id).map((call) => call.id)).toEqual([expect.stringMatching(/^call_/), 'own']);
    expect(data.at(-1)).toBe('[DONE]');
    expect(JSON.parse(data.at(-2)!).usage.total_tokens).toBeGreaterThan(0);
    expect(JSON.parse(data.at(-3)!).choices[0].finish_reason).toBe('tool_calls');
  });

  it('answers whole, lists models, and refuses what OpenAI refuses', async () => {
    server.set({
      turns: [{ text: 'Whole.', usage: { input: 9, output: 2, cacheRead: 5, reasoning: 1 } }],
      apiKey: 'k',
    });
    const key = { authorization: 'Bearer k' };
    const whole = await (await post('/v1/chat/completions', { model, messages: [ask] }, key)).json();
    expect(whole).toMatchObject({ choices: [{ message: { content: 'Whole.' }, finish_reason: 'stop' }] });
    expect(whole).toMatchObject({ usage: { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 5 } } });
    expect((await post('/v1/chat/completions', { model, messages: [ask] })).status).toBe(401);
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(401);
    expect(await (await fetch(`${server.url}/v1/models`, { headers: key })).json()).toMatchObject({
      data: [{ id: model }],
    });
    const call = { id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } };
    const conversation = (...results: string[]) => [
      ask,
      { role: 'assistant', content: null, tool_calls: [call] },
      ...results.map((tool_call_id) => ({ role: 'tool', tool_call_id, content: 'x' })),
    ];
    const status = async (messages: object[], id = model) =>
      (await post('/v1/chat/completions', { model: id, messages }, key)).status;
    expect(await status(conversation('c1'))).toBe(200);
    expect(await status(conversation())).toBe(400);
    expect(await status(conversation('c1', 'c1'))).toBe(400);
    expect(await status(conversation('other'))).toBe(400);
    expect(await status([ask], 'absent')).toBe(404);
  });
});

describe('faults', () => {
  const turn: ScriptedTurn = { text: 'abcdefghij', pieceSize: 2 };

  it('cuts the first tries and plays the turn after them', async () => {
    server.set({ turns: [{ ...turn, fault: { kind: 'cut', after: 3 }, faultTimes: 2 }] });
    for (const _ of [1, 2]) {
      const broken = await drain(await chat());
      expect(broken.whole).toBe(false);
      expect(
        delta(dataOf(broken.text))
          .map((piece) => piece.content)
          .join(''),
      ).toBe('abcdef');
    }
    const whole = await drain(await chat());
    expect(
      delta(dataOf(whole.text))
        .map((piece) => piece.content ?? '')
        .join(''),
    ).toBe('abcdefghij');
    expect(server.chats().map((request) => [request.attempt, request.finished])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
    expect(server.chats().some((request) => request.closedEarlyAt)).toBe(false);
  });

  it('leaves the terminal event out', async () => {
    server.set({ turns: [{ ...turn, fault: { kind: 'no-end' } }] });
    const { text, whole } = await drain(await chat());
    expect(whole).toBe(true);
    expect(text).toContain('"ij"');
    expect(text).not.toMatch(/DONE|finish_reason":"stop/);
  });

  it('answers with statuses, Retry-After and pages of HTML, in the form of each vendor', async () => {
    server.set({
      turns: [{ ...turn, fault: { kind: 'status', status: 503, message: 'Busy.', retryAfter: 2 }, faultTimes: 3 }],
    });
    const openai = await chat();
    expect([openai.status, openai.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await openai.json()).toMatchObject({ error: { message: 'Busy.', type: 'server_error' } });
    expect(await (await post('/api/chat', { model, messages: [ask] })).json()).toEqual({ error: 'Busy.' });
    const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
    const anthropic = await post('/v1/messages', { model, max_tokens: 9, messages: [ask] }, headers);
    expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'api_error', message: 'Busy.' } });
    server.set({ turns: [{ ...turn, fault: { kind: 'html' } }] });
    const page = await chat();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    server.set({ turns: [{ ...turn, fault: { kind: 'hangup' } }] });
    await expect(chat()).rejects.toThrow();
  });

  it.each(['silence', 'stall'] as const)('%s lasts until the client leaves, and that is recorded', async (kind) => {
    server.set({ turns: [{ ...turn, fault: kind === 'stall' ? { kind, after: 1 } : { kind } }] });
    const control = new AbortController();
    const asked = post('/api/chat', { model, messages: [ask] }, {}, control.signal).then(drain, () => undefined);
    await expect.poll(() => server.chats().length).toBe(1);
    control.abort();
    await asked;
    await expect.poll(() => server.chats()[0]?.closedEarlyAt).toBeTypeOf('number');
    expect(server.chats()[0]?.finished).toBe(false);
  });
});

it('chooses the turn by the number of tool results', async () => {
  server.set(loopOf(2, (number) => ({ name: 'bash', input: { command: `true ${number}` } }), { text: 'Over.' }));
  const messages: object[] = [ask];
  const seen: string[] = [];
  for (let step = 0; step < 4; step++) {
    const { message } = (await (await post('/api/chat', { model, messages, stream: false })).json()) as any;
    seen.push(message.tool_calls?.[0].function.arguments.command ?? message.content);
    messages.push(message, { role: 'tool', tool_name: 'bash', content: '' });
  }
  expect(seen).toEqual(['true 1', 'true 2', 'Over.', 'Over.']);
  expect(server.chats().map((request) => request.turn)).toEqual([0, 1, 2, 3]);
});
