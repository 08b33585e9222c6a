import { expect, test, vi } from 'vitest';
import type { BackendAdapter } from '../../../providers/adapter.ts';
import { type AdapterError, isAbort, StreamError } from '../../../providers/errors.ts';
import type { IRStreamChunk } from '../../../providers/ir.ts';
import { Router } from '../../../providers/router.ts';
import type { RouterConfig } from '../../../providers/routing/router-config.ts';
import { collect } from '../../../providers/wire/collect.ts';
import { chunksOf, cut, fails, refused, request, says, scripted, shape, unavailable } from './scripted-backend.ts';

function routerOver(backends: Record<string, BackendAdapter>, config: Partial<RouterConfig> = {}) {
  const router = new Router({ fallbackStrategy: 'sequential', pause: async () => {}, ...config });
  for (const [name, backend] of Object.entries(backends)) router.register(name, backend);
  return router.setFallbackChain(Object.keys(backends));
}
const failure = (answer: Promise<unknown>): Promise<AdapterError> =>
  answer.then(
    () => expect.unreachable(),
    (error) => error,
  );

test('execute: what was received is in the error when the budget ends', async () => {
  const router = routerOver({ a: scripted([fails(cut(), 'hal', 'f')]) }, { retry: { maxAttempts: 2 } });
  const error = await failure(router.execute(request()));
  expect(error).toMatchObject({
    code: 'STREAM_TRUNCATED',
    irState: {
      response: {
        message: { role: 'assistant', content: [{ type: 'text', text: 'half' }] },
        finishReason: 'error',
        metadata: { requestId: 'r1' },
      },
    },
  });
});

test('execute: where the last attempt gave nothing, what the one before it gave', async () => {
  const router = routerOver({ a: scripted([fails(cut(), 'half'), fails(cut())]) }, { retry: { maxAttempts: 2 } });
  const error = await failure(router.execute(request()));
  expect(error.irState?.response?.message?.content).toEqual([{ type: 'text', text: 'half' }]);
  const nothing = await failure(routerOver({ a: scripted([fails(refused())]) }).execute(request()));
  expect(nothing.irState).toBeUndefined();
});

test('execute: calls that did not end are left out', async () => {
  async function* broken(): AsyncGenerator<IRStreamChunk> {
    const { metadata } = request();
    yield { type: 'start', sequence: 0, metadata };
    yield { type: 'reasoning', sequence: 1, delta: 'hm' };
    yield { type: 'tool_use_start', sequence: 2, id: '1', name: 'f' };
    yield { type: 'tool_use_end', sequence: 3, id: '1', input: { x: 1 } };
    yield { type: 'tool_use_start', sequence: 4, id: '2', name: 'g' };
    yield { type: 'tool_use_delta', sequence: 5, id: '2', delta: '{"pa' };
  }
  const error = await failure(collect(broken()));
  expect(error).toBeInstanceOf(StreamError);
  expect(error.irState?.response?.message?.content).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'tool_use', id: '1', name: 'f', input: { x: 1 } },
  ]);
});

test('execute: an abort keeps it too', async () => {
  const router = routerOver({ a: scripted([{ pieces: ['half'], end: 'hang' }]) });
  const control = new AbortController();
  setTimeout(() => control.abort(), 20);
  const error = await failure(router.execute(request(), control.signal));
  expect(isAbort(error)).toBe(true);
  expect(error.irState?.response).toMatchObject({ finishReason: 'aborted', message: { content: [{ text: 'half' }] } });
});

test('parallel: a winner that dies is replaced by one that runs, at no attempt', async () => {
  const a = scripted([fails(refused())]);
  const dies = scripted([fails(cut(), 'half')]);
  const lives = scripted([says('whole', '!')]);
  const router = routerOver({ a, dies, lives }, { fallbackStrategy: 'parallel', retry: { maxAttempts: 3 } });
  const chunks = await chunksOf(router.executeStream(request()));
  const text = (from: number) => chunks.slice(from).flatMap((chunk) => (chunk.type === 'content' ? [chunk.delta] : []));
  const at = chunks.findIndex((chunk) => chunk.type === 'retry' && chunk.discard);
  expect(text(0)).toEqual(['half', 'whole', '!']);
  expect(text(at)).toEqual(['whole', '!']);
  expect(chunks[at]).toMatchObject({ reason: 'dies: cut off; lives answers instead', to: { name: 'lives' } });
  expect(chunks.at(-1)).toMatchObject({ type: 'done', metadata: { provenance: { backend: 'lives' } } });
  expect([dies.requests.length, lives.requests.length]).toEqual([1, 1]);
  expect(router.getStats().backends).toMatchObject({
    dies: { failures: 1, aborted: 0 },
    lives: { successes: 1, aborted: 0 },
  });
});

test('parallel: one that has not begun is waited for; where all die, the winner is asked again', async () => {
  const first = scripted([fails(cut(), 'half'), says('again')]);
  const late = scripted([says('late')]);
  const begin = late.executeStream.bind(late);
  late.executeStream = async function* (...args) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    yield* begin(...args);
  };
  const options = { fallbackStrategy: 'parallel' } as const;
  const waits = routerOver({ a: scripted([fails(refused())]), first, late }, options);
  expect(await shape(waits.executeStream(request()))).toEqual(['retry', 'half', 'retry!', 'late', 'done']);

  const [b, c] = [scripted([fails(cut(), 'b'), says('again')]), scripted([fails(unavailable())])];
  const none = routerOver({ a: scripted([fails(refused())]), b, c }, options);
  expect(await shape(none.executeStream(request()))).toEqual(['retry', 'b', 'retry!', 'again', 'done']);
});

test('parallel: the others are closed when the answer is left early', async () => {
  const [quick, slow] = [scripted([{ pieces: ['x'], end: 'hang' }]), scripted([{ pieces: ['y'], end: 'hang' }])];
  const router = routerOver({ a: scripted([fails(refused())]), quick, slow }, { fallbackStrategy: 'parallel' });
  for await (const chunk of router.executeStream(request())) if (chunk.type === 'content') break;
  await vi.waitFor(() => expect(quick.open + slow.open).toBe(0));
  expect(router.getStats().backends).toMatchObject({ quick: { aborted: 1 }, slow: { aborted: 1 } });
});
