import { expect, test } from 'vitest';
import { type MockAnswer, MockBackendAdapter } from '../../../providers/backends/mock.ts';
import { type IRChatRequest, textOf, unknownUsage } from '../../../providers/ir.ts';
import {
  type CacheStorage,
  cacheKey,
  createCachingMiddleware,
  createMemoryStorage,
} from '../../../providers/middleware/caching.ts';
import { createCostTrackingMiddleware } from '../../../providers/middleware/cost-tracking.ts';
import { Router } from '../../../providers/router.ts';
import { cut, fails, request, says, scripted, shape } from '../router/scripted-backend.ts';
import { both } from './both-ways.ts';

const answering = (answer: MockAnswer | string = { text: 'four and a half', chunk: 4 }) =>
  new MockBackendAdapter({ defaultResponse: answer, local: false });

test('chat and stream share what was answered, as the same chunks', async () => {
  const backend = answering({ text: 'four words of text', reasoning: 'hm', chunk: 5 });
  const { chat, stream } = both(backend, createCachingMiddleware());
  const asked = await stream(request('a'));
  const later = await stream(request('a', { metadata: { requestId: 'r2', timestamp: 9 } }));
  const whole = await chat(request('a'));
  expect(backend.requests).toHaveLength(1);
  const pieces = (chunks: typeof asked) => chunks.slice(1, -1);
  expect(pieces(asked).length).toBeGreaterThan(4);
  expect(pieces(later)).toEqual(pieces(asked));
  expect(later[0]).toMatchObject({ type: 'start', sequence: 0, metadata: { requestId: 'r2' } });
  expect(later.at(-1)).toMatchObject({
    type: 'done',
    finishReason: 'stop',
    sequence: later.length - 1,
    metadata: { requestId: 'r2', timestamp: 9, provenance: { backend: 'mock' }, custom: { cached: true } },
  });
  expect(textOf(whole.message.content)).toBe('four words of text');
  expect(asked.at(-1)).not.toMatchObject({ metadata: { custom: { cached: true } } });
});

test('a whole answer is kept for streams', async () => {
  const backend = answering();
  const { chat, stream } = both(backend, createCachingMiddleware());
  await chat(request('a'));
  expect((await stream(request('a'))).at(-1)).toMatchObject({ metadata: { custom: { cached: true } } });
  expect(backend.requests).toHaveLength(1);
});

test.each<[string, Partial<IRChatRequest>, boolean]>([
  ['other ids and times', { metadata: { requestId: 'other', timestamp: 5 } }, true],
  ['a text as one part', { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] }, true],
  ['message metadata', { messages: [{ role: 'user', content: 'hi', metadata: { at: 1 } }] }, true],
  ['streaming and cache hints', { stream: true, cache: ['system'] }, true],
  ['how long a server keeps the model', { parameters: { model: 'm', keepAlive: '1h' } }, true],
  ['parameters that are undefined', { parameters: { model: 'm', temperature: undefined } }, true],
  ['other words', { messages: [{ role: 'user', content: 'ho' }] }, false],
  ['another role', { messages: [{ role: 'system', content: 'hi' }] }, false],
  ['another name', { messages: [{ role: 'user', content: 'hi', name: 'x' }] }, false],
  ['another model', { parameters: { model: 'n' } }, false],
  ['another temperature', { parameters: { model: 'm', temperature: 1 } }, false],
  ['tools', { tools: [{ name: 't', parameters: {} }] }, false],
  ['a tool choice', { toolChoice: 'none' }, false],
  ['a response format', { responseFormat: { type: 'json' } }, false],
])('the key: %s', async (_, more, same) => {
  const base = request('hi', { parameters: { model: 'm' } });
  expect((await cacheKey({ ...base, ...more })) === (await cacheKey(base))).toBe(same);
});

test('the key: the order of fields does not matter, the backend does', async () => {
  const parameters = [
    { model: 'm', seed: 1 },
    { seed: 1, model: 'm' },
  ];
  const [a, b] = await Promise.all(parameters.map((one) => cacheKey(request('hi', { parameters: one }))));
  expect(a).toBe(b);
  expect(await cacheKey(request(), 'a')).not.toBe(await cacheKey(request(), 'b'));
});

test.each<[string, MockAnswer]>([
  ['an error', { text: 'ha', error: cut(), errorAfter: 1 }],
  ['an answer that was cut off', { text: 'ha', finishReason: 'length' }],
  ['a filtered answer', { text: 'ha', finishReason: 'filter' }],
  ['an answer that calls a tool', { toolCalls: [{ name: 't' }] }],
])('not kept: %s', async (_, answer) => {
  const backend = answering(answer);
  const { stream } = both(backend, createCachingMiddleware());
  await stream(request());
  await stream(request());
  expect(backend.requests).toHaveLength(2);
});

test('not kept: an answer that its reader left, or that was aborted', async () => {
  const storage = createMemoryStorage();
  const backend = scripted([says('a', 'b')]);
  const { stream } = both(backend, createCachingMiddleware({ storage }));
  const controller = new AbortController();
  controller.abort();
  await stream(request(), controller.signal);
  expect(storage.size).toBe(0);
  const middleware = createCachingMiddleware({ storage });
  const context = { request: request(), isStreaming: true, state: {}, config: {} };
  for await (const _ of middleware(context, () => backend.executeStream(request()))) break;
  expect([storage.size, backend.open]).toEqual([0, 0]);
});

test('answers that call tools are kept when that is asked for', async () => {
  const backend = answering({ toolCalls: [{ name: 't', input: { a: [1] } }] });
  const { stream, chat } = both(backend, createCachingMiddleware({ toolAnswers: true }));
  await stream(request());
  expect((await chat(request())).message.content).toMatchObject([{ type: 'tool_use', name: 't', input: { a: [1] } }]);
  expect(backend.requests).toHaveLength(1);
});

test('what a retry made void is not kept', async () => {
  const inner = scripted([fails(cut(), 'ha'), says('whole')]);
  const router = new Router({ pause: async () => {} }).register('a', inner);
  const { stream } = both(router as never, createCachingMiddleware());
  expect((await stream(request())).some((chunk) => chunk.type === 'retry')).toBe(true);
  const again = (async function* () {
    yield* await stream(request());
  })();
  expect(await shape(again)).toEqual(['whole', 'done']);
  expect(inner.requests).toHaveLength(2);
});

test('an aborted replay ends as aborted', async () => {
  const { stream, chat } = both(answering(), createCachingMiddleware());
  await chat(request());
  const controller = new AbortController();
  controller.abort();
  expect((await stream(request(), controller.signal)).at(-1)).toMatchObject({ error: { code: 'ABORTED' } });
});

test('an old answer is asked for anew', async () => {
  let now = 0;
  const backend = answering();
  const { chat } = both(backend, createCachingMiddleware({ maxAgeMs: 10, now: () => now }));
  for (now of [0, 10, 11, 12]) await chat(request());
  expect(backend.requests).toHaveLength(2);
});

test('memory: the longest unused goes first, and what is too large is not kept', () => {
  const storage = createMemoryStorage({ maxEntries: 2, maxCharacters: 10 });
  storage.set('a', '1');
  storage.set('b', '2');
  storage.get('a');
  storage.set('c', '3');
  expect(['a', 'b', 'c'].map((key) => storage.get(key))).toEqual(['1', undefined, '3']);
  storage.set('d', '123456789');
  expect(['a', 'c', 'd'].map((key) => storage.get(key))).toEqual([undefined, '3', '123456789']);
  storage.set('e', '12345678901');
  expect([storage.get('e'), storage.size]).toEqual([undefined, 2]);
  storage.set('d', '1');
  storage.delete('c');
  expect(storage.size).toBe(1);
});

test('storage of one’s own; what it throws or spoils costs nothing but the cache', async () => {
  const kept = new Map<string, string>();
  const storage: CacheStorage = {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
    delete: async (key) => void kept.delete(key),
  };
  const backend = answering();
  const { chat } = both(backend, createCachingMiddleware({ storage, keyOf: () => 'k' }));
  await chat(request('a'));
  await chat(request('b'));
  expect([...kept.keys(), backend.requests.length]).toEqual(['k', 1]);
  kept.set('k', '{"chunks":');
  await chat(request('b'));
  expect(backend.requests).toHaveLength(2);

  const errors: unknown[] = [];
  const broken = {
    get: () => Promise.reject(new Error('get')),
    set: () => Promise.reject(new Error('set')),
    delete() {},
  };
  const through = both(backend, createCachingMiddleware({ storage: broken, onError: (error) => errors.push(error) }));
  expect(textOf((await through.chat(request())).message.content)).toBe('four and a half');
  expect(errors.map(String)).toEqual(['Error: get', 'Error: set']);
});

test('no key: neither looked up nor kept', async () => {
  const backend = answering();
  const { chat } = both(backend, createCachingMiddleware({ keyOf: () => undefined }));
  await chat(request());
  await chat(request());
  expect(backend.requests).toHaveLength(2);
});

test('a cached answer costs nothing, on either side of cost tracking', async () => {
  const usage = { ...unknownUsage(), promptTokens: 1_000_000, completionTokens: 0 };
  for (const inside of [false, true]) {
    const costs: unknown[] = [];
    const tracking = createCostTrackingMiddleware({
      priceOf: () => ({ input: 2, output: 2 }),
      onCost: ({ cost }) => costs.push(cost),
    });
    const layers = [tracking, createCachingMiddleware()];
    const { chat } = both(answering({ text: 'x', usage }), ...(inside ? layers.reverse() : layers));
    expect((await chat(request())).metadata.custom).toMatchObject({ cost: 2 });
    expect((await chat(request())).metadata.custom).toMatchObject({ cost: 0, cached: true });
    expect(costs).toEqual(inside ? [2] : [2, 0]);
  }
});
