import { expect, test } from 'vitest';
import { Router } from '../../../providers/router.ts';
import type { RouterConfig } from '../../../providers/routing/router-config.ts';
import { fails, refused, request, says, scripted, shape, unavailable } from './scripted-backend.ts';

const named = (name: string) =>
  request('hi', { metadata: { requestId: 'r', timestamp: 0, custom: { backend: name } } });
const forModel = (model: string) => request('hi', { parameters: { model } });

function three(config: Partial<RouterConfig> = {}) {
  return new Router(config)
    .register('a', scripted([says('a')], { price: 3 }))
    .register('b', scripted([says('b')], { price: null }), { serves: (model) => model.startsWith('b-') })
    .register('c', scripted([says('c')], { price: 2, local: true }));
}

test('explicit: the name in the request, else the default, else the first', async () => {
  expect(await three().selectBackend(request())).toBe('a');
  expect(await three({ defaultBackend: 'b' }).selectBackend(request())).toBe('b');
  expect(await three({ defaultBackend: 'b' }).selectBackend(named('c'))).toBe('c');
  await expect(three().selectBackend(named('nobody'))).rejects.toMatchObject({ code: 'NO_BACKEND' });
  await expect(new Router().selectBackend(request())).rejects.toMatchObject({ code: 'NO_BACKEND' });
});

test('a router without backends answers with an error chunk', async () => {
  expect(await shape(new Router().executeStream(request()))).toEqual(['NO_BACKEND']);
});

test('model-based: the mapping, then who serves the model, then the default', async () => {
  const router = three({ routingStrategy: 'model-based', modelMapping: { m: 'c' } });
  expect(await router.selectBackend(forModel('m'))).toBe('c');
  expect(await router.selectBackend(forModel('b-1'))).toBe('b');
  expect(await router.selectBackend(forModel('other'))).toBe('a');
});

test('cost-optimized: the least known price', async () => {
  expect(await three({ routingStrategy: 'cost-optimized' }).selectBackend(request())).toBe('c');
});

test('latency-optimized: each is measured once, then the fastest is taken', async () => {
  let now = 0;
  const took: Record<string, number> = { a: 30, b: 10, c: 20 };
  const router = new Router({ routingStrategy: 'latency-optimized', now: () => now });
  for (const name of ['a', 'b', 'c']) router.register(name, scripted([says(name)]));
  const order: string[] = [];
  for (let i = 0; i < 4; i++) {
    const name = await router.selectBackend(request());
    order.push(name);
    for await (const chunk of router.executeStream(request())) if (chunk.type === 'content') now += took[name]!;
  }
  expect(order).toEqual(['a', 'b', 'c', 'b']);
  expect(router.getStats().backends.b).toMatchObject({ latencyMs: { p50: 10, p95: 10, p99: 10 } });
});

test('round-robin and random', async () => {
  const router = three({ routingStrategy: 'round-robin' });
  const order = [];
  for (let i = 0; i < 4; i++) order.push(await router.selectBackend(request()));
  expect(order).toEqual(['a', 'b', 'c', 'a']);
  expect(await three({ routingStrategy: 'random', random: () => 0.5 }).selectBackend(request())).toBe('b');
});

test('custom: what the function says; nothing means the default', async () => {
  const seen: unknown[] = [];
  const router = three({
    routingStrategy: 'custom',
    customRouter: async (sent, names, context) => {
      seen.push(names, context.backends.a?.breaker);
      return sent.parameters?.model === 'x' ? 'b' : null;
    },
  });
  expect(await router.selectBackend(forModel('x'))).toBe('b');
  expect(await router.selectBackend(request())).toBe('a');
  expect(seen.slice(0, 2)).toEqual([['a', 'b', 'c'], 'closed']);
});

test('local-first: a local backend before any other', async () => {
  expect(await three({ routingStrategy: 'local-first' }).selectBackend(request())).toBe('c');
  const hosted = new Router({ routingStrategy: 'local-first' }).register('x', scripted([])).register('y', scripted([]));
  expect(await hosted.selectBackend(request())).toBe('x');
});

const image = request('', {
  messages: [
    { role: 'user', content: 'what is this' },
    {
      role: 'tool',
      content: [
        {
          type: 'tool_result',
          toolUseId: 't',
          content: [{ type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'AAAA' } }],
        },
      ],
    },
  ],
});

test('images go only to those who see, and a request only where it fits', async () => {
  const blind = scripted([says('blind')], { capabilities: { contextTokens: 100 } });
  const sees = scripted([says('sees')], { capabilities: { multiModal: true, contextTokens: 100_000 } });
  const router = new Router({ routingStrategy: 'round-robin' }).register('blind', blind).register('sees', sees);
  for (let i = 0; i < 3; i++) expect(await router.selectBackend(image)).toBe('sees');
  for (let i = 0; i < 3; i++) expect(await router.selectBackend(request('x'.repeat(4_000)))).toBe('sees');
});

test('nothing is sent to a single backend that cannot take it', async () => {
  const small = scripted([says('x')], { capabilities: { contextTokens: 100 } });
  const router = new Router().register('small', small);
  expect(await shape(router.executeStream(image))).toEqual(['INVALID_REQUEST']);
  expect(await shape(router.executeStream(request('x'.repeat(4_000))))).toEqual(['CONTEXT_OVERFLOW']);
  expect(small.requests).toHaveLength(0);
  expect(await shape(router.executeStream(request('x'.repeat(300))))).toEqual(['x', 'done']);
});

test('an own estimate of tokens decides, and the window that a local server is asked for', async () => {
  const local = scripted([says('x')], { local: true, capabilities: { contextTokens: 10_000 } });
  const sized = new Router({ estimateTokens: () => 5_000 }).register('local', local);
  expect(await shape(sized.executeStream(request()))).toEqual(['x', 'done']);
  const served = request('hi', { parameters: { contextTokens: 4_096 } });
  expect(await shape(sized.executeStream(served))).toEqual(['CONTEXT_OVERFLOW']);
});

test('abilities may differ by model', async () => {
  const router = new Router().register('a', scripted([says('x')]), {
    capabilitiesOf: (model) => (model === 'vl' ? { multiModal: true } : undefined),
  });
  expect(await shape(router.executeStream({ ...image, parameters: { model: 'vl' } }))).toEqual(['x', 'done']);
  expect(await shape(router.executeStream({ ...image, parameters: { model: 'text' } }))).toEqual(['INVALID_REQUEST']);
});

test('a request that does not fit the local model may move, where that was agreed on', async () => {
  const local = scripted([says('local')], { local: true });
  const hosted = scripted([says('hosted')], { capabilities: { multiModal: true } });
  const config: Partial<RouterConfig> = { routingStrategy: 'local-first', fallbackStrategy: 'sequential' };
  const router = (mayLeave: boolean) =>
    new Router({ ...config, mayLeave: () => mayLeave })
      .register('hosted', hosted)
      .register('local', local)
      .setFallbackChain(['hosted']);
  expect(await shape(router(false).executeStream(image))).toEqual(['INVALID_REQUEST']);
  expect(await shape(router(true).executeStream(image))).toEqual(['retry', 'hosted', 'done']);
  expect(local.requests).toHaveLength(0);
});

test('a failing backend is passed over by the balancing strategies until it has rested', async () => {
  let now = 0;
  const bad = scripted([fails(unavailable())]);
  const router = new Router({
    routingStrategy: 'round-robin',
    now: () => now,
    pause: async () => {},
    breaker: { minFailures: 4, openMs: 1_000 },
  })
    .register('bad', bad)
    .register('good', scripted([says('ok')]));
  await shape(router.executeStream(request()));
  expect(router.getBackendInfo()[0]).toMatchObject({
    name: 'bad',
    breaker: 'open',
    stats: { failures: 4, lastError: { code: 'PROVIDER_UNAVAILABLE', message: 'overloaded', time: 0 } },
  });
  for (let i = 0; i < 3; i++) expect(await router.selectBackend(request())).toBe('good');
  now = 1_000;
  expect(new Set([await router.selectBackend(request()), await router.selectBackend(request())])).toContain('bad');
});

test('a resting backend with an alternative is not asked; without one, one request at a time tries it', async () => {
  const config = { fallbackStrategy: 'sequential', breaker: { minFailures: 4 }, pause: async () => {} } as const;
  const bad = scripted([...Array(4).fill(fails(unavailable())), says('well again')]);
  const alone = new Router(config).register('bad', bad);
  await shape(alone.executeStream(request()));
  const [first, second] = await Promise.all([
    shape(alone.executeStream(request())),
    shape(alone.executeStream(request())),
  ]);
  expect(first).toEqual(['well again', 'done']);
  expect(second).toEqual(['PROVIDER_UNAVAILABLE']);
  expect(alone.getBackendInfo()[0]?.breaker).toBe('closed');

  const down = scripted([fails(unavailable())]);
  const pair = new Router(config).register('down', down).register('up', scripted([says('up')]));
  await shape(pair.executeStream(request()));
  pair.setFallbackChain(['up']);
  expect(await shape(pair.executeStream(request()))).toEqual(['retry', 'up', 'done']);
  expect(down.requests).toHaveLength(4);
});

test('a caller’s own mistakes and aborts do not open the breaker', async () => {
  const { AuthenticationError, ValidationError, RateLimitError } = await import('../../../providers/errors.ts');
  for (const error of [
    new AuthenticationError({ message: 'no' }),
    new ValidationError({ message: 'no' }),
    new RateLimitError({ message: 'no', retryAfterMs: 100_000 }),
  ]) {
    const router = new Router({ breaker: { minFailures: 1 } }).register('a', scripted([fails(error)]));
    await shape(router.executeStream(request()));
    expect(router.getBackendInfo()[0]?.breaker).toBe('closed');
  }
  const router = new Router({ breaker: { minFailures: 1 } }).register('a', scripted([fails(refused())]));
  await shape(router.executeStream(request()));
  expect(router.getBackendInfo()[0]?.breaker).toBe('open');
});

test('health, models and embeddings of all backends', async () => {
  const model = { id: 'm', provider: 'a' } as never;
  const a = Object.assign(scripted([]), {
    healthCheck: async () => false,
    listModels: async () => ({ models: [model] }),
  });
  const b = Object.assign(scripted([]), {
    healthCheck: async () => true,
    listModels: () => Promise.reject(refused()),
    embed: async () => ({ embeddings: [[1]], model: 'e' }),
  });
  const router = new Router().register('a', a).register('b', b);
  expect(await router.healthCheck()).toBe(true);
  expect(router.getBackendInfo().map((info) => info.healthy)).toEqual([false, true]);
  expect((await router.listModels()).models).toEqual([model]);
  expect(await router.embed({ model: 'e', input: ['x'] })).toEqual({ embeddings: [[1]], model: 'e' });
  expect(await new Router().register('a', a).estimateCost(request())).toBe(null);
});
