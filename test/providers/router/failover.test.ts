import { expect, test, vi } from 'vitest';
import { AuthenticationError, NetworkError, RouterError, ValidationError } from '../../../providers/errors.ts';
import { Router } from '../../../providers/router.ts';
import type { RouterConfig } from '../../../providers/routing/router-config.ts';
import {
  chunksOf,
  cut,
  fails,
  refused,
  request,
  type Scripted,
  says,
  scripted,
  shape,
  unavailable,
} from './scripted-backend.ts';

function routerOver(backends: Record<string, Scripted>, config: Partial<RouterConfig> = {}) {
  const router = new Router({ fallbackStrategy: 'sequential', pause: async () => {}, ...config });
  for (const [name, backend] of Object.entries(backends)) router.register(name, backend);
  return router.setFallbackChain(Object.keys(backends));
}

test('without a fallback strategy only the chosen backend is asked', async () => {
  const [a, b] = [scripted([fails(refused())]), scripted([says('b')])];
  expect(await shape(routerOver({ a, b }, { fallbackStrategy: 'none' }).executeStream(request()))).toEqual([
    'CONNECTION_REFUSED',
  ]);
  expect(b.requests).toHaveLength(0);
});

test('before the first piece a failure moves on to the next backend at once', async () => {
  const [a, b] = [scripted([fails(unavailable())]), scripted([says('b')])];
  const router = routerOver({ a, b });
  const chunks = await chunksOf(router.executeStream(request()));
  expect(chunks.map((chunk) => chunk.type)).toEqual(['start', 'retry', 'content', 'done']);
  expect(chunks[1]).toMatchObject({ reason: 'a: overloaded; asking b instead', delayMs: 0, discard: false });
  expect(chunks.at(-1)).toMatchObject({ metadata: { provenance: { backend: 'b' }, custom: { attempts: 2 } } });
  expect(router.getStats()).toMatchObject({ retries: 0, fallbacks: 1 });
});

test('a wrong key moves on and is not asked again', async () => {
  const a = scripted([fails(new AuthenticationError({ message: 'wrong key' }))]);
  const b = scripted([fails(unavailable()), says('b')]);
  expect(await shape(routerOver({ a, b }).executeStream(request()))).toEqual(['retry', 'retry', 'b', 'done']);
  expect(a.requests).toHaveLength(1);
});

test('a request that is wrong in itself goes nowhere else', async () => {
  const a = scripted([fails(new ValidationError({ message: 'bad' }))]);
  const b = scripted([says('b')]);
  expect(await shape(routerOver({ a, b }).executeStream(request()))).toEqual(['INVALID_REQUEST']);
  expect(b.requests).toHaveLength(0);
});

test('a stream that broke off is asked for again from the backend that began it', async () => {
  const [a, b] = [scripted([fails(cut(), 'Ha'), says('Hello')]), scripted([says('b')])];
  expect(await shape(routerOver({ a, b }).executeStream(request()))).toEqual(['Ha', 'retry!', 'Hello', 'done']);
  expect(b.requests).toHaveLength(0);
});

test('the chain is gone round while attempts are left, then an error names everyone', async () => {
  const [a, b] = [scripted([fails(unavailable())]), scripted([fails(refused())])];
  const chunks = await chunksOf(routerOver({ a, b }).executeStream(request()));
  expect(chunks.map((chunk) => chunk.type)).toEqual(['start', 'retry', 'retry', 'retry', 'error']);
  expect([a.requests.length, b.requests.length]).toEqual([3, 1]);
  const error = (chunks.at(-1) as unknown as { error: RouterError }).error;
  expect(error).toBeInstanceOf(RouterError);
  expect(error.code).toBe('ROUTING_FAILED');
  expect(error.message).toBe('No backend could answer. a: overloaded; b: connection refused');
  expect(error.details?.attempts).toEqual([
    { backend: 'a', code: 'PROVIDER_UNAVAILABLE', message: 'overloaded', sent: true },
    { backend: 'b', code: 'CONNECTION_REFUSED', message: 'connection refused', sent: true },
    { backend: 'a', code: 'PROVIDER_UNAVAILABLE', message: 'overloaded', sent: true },
    { backend: 'a', code: 'PROVIDER_UNAVAILABLE', message: 'overloaded', sent: true },
  ]);
});

test('a backend further down the chain is asked for a model that it has', async () => {
  const [a, b, c] = [scripted([fails(refused())]), scripted([fails(refused())]), scripted([says('c')])];
  const router = new Router({ fallbackStrategy: 'sequential', defaultBackend: 'a', modelAliases: { fast: 'small-1' } })
    .register('a', a)
    .register('b', b, { defaultModel: 'big-2' })
    .register('c', c, { defaultModel: 'other', serves: (model) => model === 'small-1' })
    .setFallbackChain(['b', 'c']);
  await shape(router.executeStream(request('hi', { parameters: { model: 'fast', temperature: 0 } })));
  const sent = [a, b, c].map((backend) => backend.requests[0]!.parameters);
  expect(sent.map((parameters) => parameters?.model)).toEqual(['small-1', 'big-2', 'small-1']);
  expect(sent[1]).toEqual({ model: 'big-2', temperature: 0 });
});

test('an unknown name in the chain is refused', () => {
  expect(() => new Router().setFallbackChain(['nobody'])).toThrow(/nobody/);
});

test('a custom fallback names the next backend or nobody', async () => {
  const [a, b, c] = [scripted([fails(refused())]), scripted([says('b')]), scripted([fails(refused())])];
  const asked: unknown[] = [];
  const router = routerOver(
    { a, b, c },
    {
      fallbackStrategy: 'custom',
      customFallback: (_, failed, error, attempted) => {
        asked.push([failed, error.code, attempted]);
        return failed === 'a' ? 'c' : null;
      },
    },
  );
  expect(await shape(router.executeStream(request()))).toEqual(['retry', 'ROUTING_FAILED']);
  expect(asked).toEqual([
    ['a', 'CONNECTION_REFUSED', ['a']],
    ['c', 'CONNECTION_REFUSED', ['a', 'c']],
  ]);
  expect(b.requests).toHaveLength(0);
});

test('parallel: the first whose answer begins wins, the others are aborted and closed', async () => {
  const a = scripted([fails(refused())]);
  const slow = scripted([{ end: 'hang' }]);
  const broken = scripted([fails(refused())]);
  const quick = scripted([says('quick', '!')]);
  const router = routerOver({ a, slow, broken, quick }, { fallbackStrategy: 'parallel' });
  expect(await shape(router.executeStream(request()))).toEqual(['retry', 'quick', '!', 'done']);
  await vi.waitFor(() => expect(slow.open).toBe(0));
  expect(router.getStats().backends).toMatchObject({
    a: { failures: 1 },
    slow: { requests: 1, aborted: 1, failures: 0 },
    broken: { failures: 1 },
    quick: { successes: 1 },
  });
});

test('parallel: when all fail, an error names everyone', async () => {
  const [a, b, c] = [scripted([fails(refused())]), scripted([fails(refused())]), scripted([fails(refused())])];
  const chunks = await chunksOf(routerOver({ a, b, c }, { fallbackStrategy: 'parallel' }).executeStream(request()));
  expect(chunks.at(-1)).toMatchObject({
    error: { code: 'ROUTING_FAILED', message: expect.stringMatching(/a: .*b: .*c: /) },
  });
});

test('parallel: an abort closes all of them', async () => {
  const [a, b, c] = [scripted([fails(refused())]), scripted([{ end: 'hang' }]), scripted([{ end: 'hang' }])];
  const router = routerOver({ a, b, c }, { fallbackStrategy: 'parallel' });
  const control = new AbortController();
  const result = shape(router.executeStream(request(), control.signal));
  await vi.waitFor(() => expect(c.open).toBe(1));
  control.abort();
  expect(await result).toEqual(['retry', 'ABORTED']);
  await vi.waitFor(() => expect(b.open + c.open).toBe(0));
});

test('nothing local leaves for a hosted backend unless that was agreed on', async () => {
  const local = scripted([fails(refused())], { local: true });
  const hosted = scripted([says('hosted')]);
  expect(await shape(routerOver({ local, hosted }).executeStream(request()))).toEqual(['CONNECTION_REFUSED']);
  expect(hosted.requests).toHaveLength(0);
});

test('mayLeave is asked once a request, with what would be sent', async () => {
  const local = scripted([fails(refused())], { local: true });
  const hosted = scripted([fails(unavailable()), says('hosted')]);
  const asked: unknown[] = [];
  const router = new Router({
    fallbackStrategy: 'sequential',
    pause: async () => {},
    mayLeave: async (from, to, sent) => {
      asked.push([from, to, sent.parameters?.model]);
      return true;
    },
  })
    .register('local', local)
    .register('hosted', hosted, { defaultModel: 'big' })
    .setFallbackChain(['hosted']);
  expect(await shape(router.executeStream(request()))).toEqual(['retry', 'retry', 'hosted', 'done']);
  expect(asked).toEqual([['local', 'hosted', 'big']]);
});

test('from one local backend to another nobody is asked', async () => {
  const a = scripted([fails(refused())], { local: true });
  const b = scripted([says('b')], { local: true });
  const router = routerOver({ a, b }, { mayLeave: () => expect.unreachable() });
  expect(await shape(router.executeStream(request()))).toEqual(['retry', 'b', 'done']);
});

test('an abort ends the wait for an answer about leaving', async () => {
  const local = scripted([fails(refused())], { local: true });
  const hosted = scripted([says('hosted')]);
  const control = new AbortController();
  const router = routerOver(
    { local, hosted },
    {
      mayLeave: () => {
        setImmediate(() => control.abort());
        return new Promise(() => {});
      },
    },
  );
  expect(await shape(router.executeStream(request(), control.signal))).toEqual(['ABORTED']);
  expect(hosted.requests).toHaveLength(0);
});

test('a local backend that may recover is asked again before anything leaves the machine', async () => {
  const local = scripted([fails(unavailable()), says('here')], { local: true });
  const hosted = scripted([says('hosted')]);
  const router = routerOver({ local, hosted }, { mayLeave: () => expect.unreachable() });
  expect(await shape(router.executeStream(request()))).toEqual(['retry', 'here', 'done']);
  const dead = scripted([fails(unavailable())], { local: true });
  const moving = routerOver({ dead, hosted }, { mayLeave: () => true });
  expect(await shape(moving.executeStream(request()))).toEqual(['retry', 'retry', 'hosted', 'done']);
  expect(dead.requests).toHaveLength(2);
});

test('further backends are looked for when the first request failed, once a request', async () => {
  const a = scripted([fails(refused())], { local: true });
  const [b, c] = [scripted([fails(refused())], { local: true }), scripted([says('c')])];
  const looked: string[] = [];
  const router: Router = new Router({
    fallbackStrategy: 'sequential',
    mayLeave: (from, to, _, error) => from === 'b' && to === 'c' && error.code === 'CONNECTION_REFUSED',
    moreBackends: async (failed) => {
      looked.push(failed);
      router.register('b', b).register('c', c, { defaultModel: 'big' });
      return ['b', 'c', 'nobody'];
    },
  }).register('a', a);
  const chunks = await chunksOf(router.executeStream(request()));
  expect(chunks.filter(({ type }) => type === 'retry')).toMatchObject([
    { reason: 'a: connection refused; asking b instead', to: { name: 'b', local: true } },
    { reason: 'b: connection refused; asking c/big instead', to: { name: 'c/big', local: false } },
  ]);
  expect(chunks.at(-1)).toMatchObject({ type: 'done', metadata: { provenance: { backend: 'c', local: false } } });
  expect(looked).toEqual(['a']);
  const fine: Router = new Router({ fallbackStrategy: 'sequential', moreBackends: () => expect.unreachable() });
  expect(await shape(fine.register('ok', scripted([says('ok')])).executeStream(request()))).toEqual(['ok', 'done']);
});

test('a local backend that was silent to the limit is not waited for again', async () => {
  const late = () => new NetworkError({ message: 'no answer within 600 s', code: 'TIMEOUT' });
  const local = scripted([fails(late())], { local: true });
  const hosted = scripted([says('hosted')]);
  expect(await shape(routerOver({ local, hosted }, { mayLeave: () => true }).executeStream(request()))).toEqual([
    'retry',
    'hosted',
    'done',
  ]);
  expect(local.requests).toHaveLength(1);
  const alone = scripted([fails(late())], { local: true });
  expect(await shape(routerOver({ alone }).executeStream(request()))).toEqual(['TIMEOUT']);
  expect(alone.requests).toHaveLength(1);
});

test('an answer of a local backend that breaks off twice is asked of another, from its start', async () => {
  const local = scripted([fails(cut(), 'Ha')], { local: true });
  const hosted = scripted([says('hosted')]);
  const moving = routerOver({ local, hosted }, { mayLeave: () => true });
  expect(await shape(moving.executeStream(request()))).toEqual(['Ha', 'retry!', 'Ha', 'retry!', 'hosted', 'done']);
  const staying = routerOver(
    { local: scripted([fails(cut(), 'Ha')], { local: true }), hosted },
    { mayLeave: () => false },
  );
  const kept = await shape(staying.executeStream(request()));
  expect(kept.at(-1)).toBe('STREAM_TRUNCATED');
  expect(hosted.requests).toHaveLength(1);
});
