import { expect, test } from 'vitest';
import {
  AuthenticationError,
  NetworkError,
  RateLimitError,
  type RouterError,
  ValidationError,
} from '../../../providers/errors.ts';
import { Router } from '../../../providers/router.ts';
import type { RouterConfig } from '../../../providers/routing/router-config.ts';
import {
  type Answer,
  chunksOf,
  cut,
  fails,
  refused,
  request,
  says,
  scripted,
  shape,
  unavailable,
} from './scripted-backend.ts';

/** A router that waits in no time and remembers how long it was asked to wait. */
function routerOver(answers: readonly Answer[], config: Partial<RouterConfig> = {}) {
  const backend = scripted(answers, { name: 'a' });
  const pauses: number[] = [];
  const router = new Router({
    random: () => 1,
    pause: async (ms) => {
      pauses.push(ms);
    },
    ...config,
  }).register('a', backend);
  return { router, backend, pauses };
}

test('an answer passes as it is, with who served it and the number of attempts', async () => {
  const { router } = routerOver([says('Hel', 'lo')]);
  const chunks = await chunksOf(router.executeStream(request('hi', { parameters: { model: 'm' } })));
  expect(chunks.map((chunk) => chunk.type)).toEqual(['start', 'content', 'content', 'done']);
  expect(chunks.at(-1)).toMatchObject({
    metadata: {
      requestId: 'r1',
      provenance: { backend: 'a', requestedModel: 'm', local: false },
      custom: { attempts: 1, latencyMs: 1 },
    },
  });
});

test('execute is the fold of the stream', async () => {
  const { router } = routerOver([fails(cut(), 'Hal'), says('Hello')]);
  const response = await router.execute(request());
  expect(response.message.content).toEqual([{ type: 'text', text: 'Hello' }]);
  expect(response.metadata.custom).toMatchObject({ attempts: 2 });
});

test('a server error is asked again with growing pauses', async () => {
  const { router, pauses, backend } = routerOver([fails(unavailable()), fails(unavailable()), says('ok')]);
  expect(await shape(router.executeStream(request()))).toEqual(['retry', 'retry', 'ok', 'done']);
  expect(pauses).toEqual([500, 1000]);
  expect(backend.requests).toHaveLength(3);
});

test('jitter takes at most half of the pause', async () => {
  const { router, pauses } = routerOver([fails(unavailable()), says('ok')], { random: () => 0 });
  await shape(router.executeStream(request()));
  expect(pauses).toEqual([250]);
});

test('retry chunks tell the reason, the attempt and the delay', async () => {
  const { router } = routerOver([fails(unavailable()), says('ok')]);
  const chunks = await chunksOf(router.executeStream(request()));
  expect(chunks[1]).toEqual({
    type: 'retry',
    sequence: 1,
    reason: 'overloaded',
    attempt: 2,
    delayMs: 500,
    discard: false,
  });
});

test('a stream that breaks off is asked for again from its start and what was streamed is void', async () => {
  const { router, backend } = routerOver([fails(cut(), 'Half of'), says('All of it')]);
  expect(await shape(router.executeStream(request()))).toEqual(['Half of', 'retry!', 'All of it', 'done']);
  expect(backend.requests[1]).toEqual(backend.requests[0]);
  expect(router.getStats()).toMatchObject({ requests: 1, successes: 1, retries: 1, fallbacks: 0 });
});

test.each<[string, Answer]>([
  ['ends without a terminal chunk', { pieces: ['x'], end: 'silent' }],
  ['is empty', { end: 'silent' }],
])('a stream that %s is asked for again', async (_, answer) => {
  const { router } = routerOver([answer, says('ok')]);
  expect((await shape(router.executeStream(request()))).slice(-2)).toEqual(['ok', 'done']);
});

test('when the attempts are used up the backend’s own error ends the stream, and the last text stays', async () => {
  const { router, backend } = routerOver([fails(cut(), 'a'), fails(cut(), 'b'), fails(cut(), 'c'), fails(cut(), 'd')]);
  expect(await shape(router.executeStream(request()))).toEqual([
    ...['a', 'retry!', 'b', 'retry!', 'c', 'retry!', 'd', 'STREAM_TRUNCATED'],
  ]);
  expect(backend.requests).toHaveLength(4);
});

test('the budget is a setting', async () => {
  const { router, backend } = routerOver([fails(unavailable())], { retry: { maxAttempts: 1 } });
  expect(await shape(router.executeStream(request()))).toEqual(['PROVIDER_UNAVAILABLE']);
  expect(backend.requests).toHaveLength(1);
});

test.each([
  ['401', new AuthenticationError({ message: 'no' }), 'AUTHENTICATION_FAILED'],
  ['400', new ValidationError({ message: 'no' }), 'INVALID_REQUEST'],
  [
    'overflow',
    new ValidationError({ message: 'no', code: 'CONTEXT_OVERFLOW', category: 'overflow' }),
    'CONTEXT_OVERFLOW',
  ],
  ['connection refused', refused(), 'CONNECTION_REFUSED'],
  [
    'connection refused, marked retryable',
    new NetworkError({ message: 'no', code: 'CONNECTION_REFUSED' }),
    'CONNECTION_REFUSED',
  ],
])('%s is asked once', async (_, error, code) => {
  const { router, backend } = routerOver([fails(error)]);
  expect(await shape(router.executeStream(request()))).toEqual([code]);
  expect(backend.requests).toHaveLength(1);
});

test('what a backend throws becomes a typed error', async () => {
  const { router, backend } = routerOver([{ end: 'throw' }]);
  const last = (await chunksOf(router.executeStream(request()))).at(-1);
  expect(last).toMatchObject({ type: 'error', error: { name: 'ProviderError', message: 'a bug' } });
  expect(backend.requests).toHaveLength(1);
});

test('Retry-After is waited for, and a long one surfaces at once', async () => {
  const soon = new RateLimitError({ message: 'slow down', status: 429, retryAfterMs: 1_500 });
  const waiting = routerOver([fails(soon), says('ok')]);
  expect(await shape(waiting.router.executeStream(request()))).toEqual(['retry', 'ok', 'done']);
  expect(waiting.pauses).toEqual([1_500]);

  const late = new RateLimitError({ message: 'come back tomorrow', status: 429, retryAfterMs: 3_600_000 });
  const giving = routerOver([fails(late), says('ok')]);
  expect(await shape(giving.router.executeStream(request()))).toEqual(['RATE_LIMITED']);
  expect(giving.pauses).toEqual([]);
});

test('a local server that loads its model costs no attempts, while patience lasts', async () => {
  let now = 0;
  const loading = unavailable({ status: 503, message: 'Loading model' });
  const backend = scripted([...Array(9).fill(fails(loading)), says('ok')], { local: true });
  const config = { now: () => now, pause: async () => void (now += 10_000) };
  const router = new Router(config).register('a', backend);
  expect((await shape(router.executeStream(request()))).slice(-2)).toEqual(['ok', 'done']);
  expect(router.getBackendInfo()[0]).toMatchObject({ breaker: 'closed' });

  const never = scripted([fails(loading)], { local: true });
  const impatient = new Router({ ...config, retry: { loadingMs: 30_000 } }).register('a', never);
  expect((await shape(impatient.executeStream(request()))).at(-1)).toBe('PROVIDER_UNAVAILABLE');
  expect(never.requests.length).toBeLessThan(10);
});

test('the same warning is told once however often the request is sent', async () => {
  const backend = scripted([]);
  let turn = 0;
  backend.executeStream = async function* (sent) {
    yield { type: 'start', sequence: 0, metadata: sent.metadata };
    yield { type: 'warning', sequence: 1, warning: { kind: 'dropped', field: 'seed', message: 'not known here' } };
    if (turn++ === 0) yield { type: 'error', sequence: 2, error: unavailable() };
    else yield { type: 'done', sequence: 2, finishReason: 'stop', metadata: sent.metadata };
  };
  const router = new Router({ pause: async () => {} }).register('a', backend);
  expect(await shape(router.executeStream(request()))).toEqual(['warning', 'retry', 'done']);
});

test('an abort ends the stream at once: no repetition, nothing counted against the backend', async () => {
  const { router, backend } = routerOver([{ pieces: ['one'], end: 'hang' }]);
  const control = new AbortController();
  const seen: string[] = [];
  for await (const chunk of router.executeStream(request(), control.signal)) {
    seen.push(chunk.type);
    if (chunk.type === 'content') control.abort();
    if (chunk.type === 'error') expect(chunk.error).toMatchObject({ code: 'ABORTED' });
  }
  expect(seen).toEqual(['start', 'content', 'error']);
  expect(backend.requests).toHaveLength(1);
  expect(backend.open).toBe(0);
  expect(router.getStats()).toMatchObject({ aborted: 1, failures: 0, backends: { a: { aborted: 1, failures: 0 } } });
});

test('an abort ends a pause', async () => {
  const control = new AbortController();
  const backend = scripted([fails(unavailable())]);
  const router = new Router({ retry: { baseDelayMs: 600_000, maxDelayMs: 600_000 } }).register('a', backend);
  const types: string[] = [];
  for await (const chunk of router.executeStream(request(), control.signal)) {
    types.push(chunk.type === 'error' ? (chunk.error as RouterError).code : chunk.type);
    if (chunk.type === 'retry') setImmediate(() => control.abort());
  }
  expect(types).toEqual(['start', 'retry', 'ABORTED']);
  expect(backend.requests).toHaveLength(1);
});

test('an aborted signal asks nobody', async () => {
  const { router, backend } = routerOver([says('x')]);
  expect(await shape(router.executeStream(request(), AbortSignal.abort()))).toEqual(['ABORTED']);
  expect(backend.requests).toHaveLength(0);
});

test('leaving the stream closes the backend’s', async () => {
  const { router, backend } = routerOver([says('a', 'b', 'c')]);
  for await (const chunk of router.executeStream(request())) {
    if (chunk.type === 'content') break;
  }
  expect(backend.open).toBe(0);
  expect(router.getStats()).toMatchObject({ aborted: 1, successes: 0, failures: 0 });
});
