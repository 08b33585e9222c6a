import { expect, test } from 'vitest';
import { RouterError } from '../../../providers/errors.ts';
import type { IRTool } from '../../../providers/ir.ts';
import { Router } from '../../../providers/router.ts';
import { resolveModel } from '../../../providers/routing/resolve-model.ts';
import type { RouterConfig } from '../../../providers/routing/router-config.ts';
import { chunksOf, fails, refused, request, says, scripted, unavailable } from './scripted-backend.ts';

const tools: IRTool[] = [{ name: 'f', parameters: {} }];
const withTools = request('hi', { tools });
const toolless = (options: { local?: boolean } = {}) =>
  scripted([says('x')], { ...options, capabilities: { tools: false } });

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('a model may be called %s', async (model) => {
  const router = new Router({ routingStrategy: 'model-based' })
    .register('a', scripted([says('x')]))
    .register(model, scripted([says('y')]));
  const { metadata } = await router.execute(request('hi', { parameters: { model } }));
  expect(metadata.provenance).toMatchObject({ backend: 'a', requestedModel: model });
  expect(Object.keys(router.getStats().backends)).toEqual(['a', model]);
  expect(resolveModel(model, { installed: [], aliases: {} })).toMatchObject({ unknown: model });
});

test('unknown strategies are named with those that exist', () => {
  const unknown = (config: object) => () => new Router(config as Partial<RouterConfig>);
  expect(unknown({ routingStrategy: 'best' })).toThrow(RouterError);
  expect(unknown({ routingStrategy: 'constructor' })).toThrow(/explicit, model-based, .*local-first/);
  expect(unknown({ fallbackStrategy: 'all' })).toThrow(/none, sequential, parallel, custom/);
});

test.each<[string, Partial<RouterConfig>]>([
  ['customRouter', { routingStrategy: 'custom' }],
  ['customFallback', { fallbackStrategy: 'custom' }],
  ['mayLeave', { fallbackStrategy: 'sequential' }],
  ['moreBackends', { fallbackStrategy: 'sequential' }],
  ['estimateTokens', {}],
])('%s that throws is a RouterError with that cause', async (name, config) => {
  const bug = new TypeError('a bug');
  const options = {
    ...config,
    [name]: () => {
      throw bug;
    },
  };
  const router = new Router({ pause: async () => {}, retry: { maxAttempts: 3 }, ...options })
    .register('local', scripted([fails(refused())], { local: true }))
    .register('hosted', scripted([says('x')]))
    .setFallbackChain(['local', 'hosted']);
  const error = (await chunksOf(router.executeStream(request()))).at(-1);
  expect(error).toMatchObject({
    type: 'error',
    error: { name: 'RouterError', code: 'ROUTING_FAILED', message: `${name} failed: a bug`, cause: bug },
  });
});

test('a customFallback that names nobody is said', async () => {
  const router = new Router({ fallbackStrategy: 'custom', customFallback: () => 'nobody' });
  router.register('a', scripted([fails(refused())]));
  await expect(router.execute(request())).rejects.toMatchObject({
    code: 'ROUTING_FAILED',
    message:
      'No backend could answer. a: connection refused; customFallback named nobody, and no backend is called that',
    cause: { code: 'CONNECTION_REFUSED' },
  });
});

test('a request with tools goes to who can call them', async () => {
  const over = (config: Partial<RouterConfig> = {}) =>
    new Router(config).register('a', toolless()).register('b', scripted([says('y')]));
  expect(await over().selectBackend(withTools)).toBe('b');
  expect(await over().selectBackend(request())).toBe('a');
  expect(await over({ defaultBackend: 'a' }).selectBackend(withTools)).toBe('b');
  const chain = over({ fallbackStrategy: 'sequential' }).setFallbackChain(['a', 'b']);
  expect(await chain.selectBackend(withTools)).toBe('b');
  // Only those of the chain stand in, and what is asked for by name is asked.
  expect(await over({ fallbackStrategy: 'sequential' }).selectBackend(withTools)).toBe('a');
  const named = { ...withTools, metadata: { ...withTools.metadata, custom: { backend: 'a' } } };
  expect(await over().selectBackend(named)).toBe('a');
});

test('a local backend is not left because another can call tools', async () => {
  const router = new Router().register('a', toolless({ local: true })).register('b', scripted([says('y')]));
  expect(await router.selectBackend(withTools)).toBe('a');
  router.register('c', scripted([says('z')], { local: true }));
  expect(await router.selectBackend(withTools)).toBe('c');
});

test('tools that nobody can call are a warning, once', async () => {
  const router = new Router().register('a', toolless());
  const warnings = async (sent = withTools) =>
    (await chunksOf(router.executeStream(sent))).filter(({ type }) => type === 'warning');
  expect(await warnings()).toMatchObject([{ warning: { kind: 'dropped', field: 'tools' } }]);
  expect(await warnings(request())).toEqual([]);
  expect(await warnings({ ...withTools, toolChoice: 'none' })).toEqual([]);
});

test('an open breaker says how long it rests, or that it is tried just now', async () => {
  const now = 0;
  const router = new Router({ breaker: { minFailures: 1 }, now: () => now, retry: { maxAttempts: 1 } });
  const bad = scripted([fails(unavailable()), { end: 'hang' }]);
  router.register('bad', bad);
  await expect(router.execute(request())).rejects.toThrow('overloaded');
  const control = new AbortController();
  const probe = router.execute(request(), control.signal).catch(() => {});
  await expect.poll(() => bad.open).toBe(1);
  const turnedAway = await router.execute(request()).catch((error) => error);
  expect(turnedAway).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', isRetryable: true });
  expect(turnedAway.message).not.toContain('for 0 s');
  control.abort();
  await probe;
});

test('a message that ends with a stop is joined without it', async () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } } as const;
  const router = new Router({ fallbackStrategy: 'sequential' })
    .register('blind', scripted([says('x')]))
    .register('sees', scripted([says('y')], { capabilities: { multiModal: true } }))
    .setFallbackChain(['blind', 'sees']);
  const chunks = await chunksOf(router.executeStream(request('', { messages: [{ role: 'user', content: [image] }] })));
  const reason = 'blind: blind cannot see images, and the conversation holds some; asking sees instead';
  expect(chunks.find(({ type }) => type === 'retry')).toMatchObject({ reason });
});
