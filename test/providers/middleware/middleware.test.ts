import { expect, test } from 'vitest';
import type { Middleware, MiddlewareContext } from '../../../providers/adapter.ts';
import type { IRChatRequest, IRStreamChunk, IRUsage } from '../../../providers/ir.ts';
import { composeMiddleware } from '../../../providers/middleware/compose-middleware.ts';
import { createCostTrackingMiddleware } from '../../../providers/middleware/cost-tracking.ts';
import { createLoggingMiddleware, type LogEntry } from '../../../providers/middleware/logging.ts';
import { createValidationMiddleware, validateRequest } from '../../../providers/middleware/validation.ts';
import { type Answer, chunksOf, cut, fails, request, says, scripted, shape } from '../router/scripted-backend.ts';

function run(middleware: readonly Middleware[], answer: Answer = says('ok'), sent: IRChatRequest = request()) {
  const backend = scripted([answer]);
  const context: MiddlewareContext = { request: sent, isStreaming: true, state: {}, config: {} };
  const stream = composeMiddleware(middleware, (inner) => backend.executeStream(inner.request))(context);
  return { stream, backend };
}

test('without middleware it is the base itself', () => {
  const base = () => scripted([says('x')]).executeStream(request());
  expect(composeMiddleware([], base)).toBe(base);
});

test('the first is outermost, and state is shared', async () => {
  const order: string[] = [];
  const named = (name: string): Middleware =>
    async function* (context, next) {
      order.push(`${name} in`);
      context.state[name] = true;
      yield* next();
      order.push(`${name} out ${Object.keys(context.state).join()}`);
    };
  await chunksOf(run([named('a'), named('b')]).stream);
  expect(order.slice(0, 3)).toEqual(['a in', 'b in', 'b out a,b']);
});

test('pieces may be added and dropped: the numbers stay right', async () => {
  const twice: Middleware = async function* (_, next) {
    for await (const chunk of next()) {
      if (chunk.type === 'content') yield chunk;
      yield chunk;
    }
  };
  expect(await shape(run([twice], says('a', 'b')).stream)).toEqual(['a', 'a', 'b', 'b', 'done']);
});

test('nothing passes behind the end, and an end is never missing', async () => {
  const chatty: Middleware = async function* (_, next) {
    yield* next();
    yield { type: 'content', sequence: 9, delta: 'more' };
  };
  expect(await shape(run([chatty]).stream)).toEqual(['ok', 'done']);
  const silent: Middleware = async function* (_, next) {
    for await (const chunk of next()) if (chunk.type !== 'done') yield chunk;
  };
  expect(await shape(run([silent]).stream)).toEqual(['ok', 'STREAM_TRUNCATED']);
});

test.each<[string, Middleware]>([
  [
    'at once',
    () => {
      throw new TypeError('oops');
    },
  ],
  [
    'in the stream',
    async function* (_, next) {
      for await (const chunk of next()) {
        if (chunk.type === 'content') throw new TypeError('oops');
        yield chunk;
      }
    },
  ],
])('what a middleware throws %s is an error chunk', async (_, middleware) => {
  const chunks: IRStreamChunk[] = [];
  for await (const chunk of run([middleware]).stream) chunks.push(chunk);
  expect(chunks.at(-1)).toMatchObject({
    type: 'error',
    error: { name: 'MiddlewareError', message: 'oops' },
  });
});

test('a middleware may answer without asking', async () => {
  const cached: Middleware = (context) => scripted([says('cached')]).executeStream(context.request);
  const { stream, backend } = run([cached]);
  expect(await shape(stream)).toEqual(['cached', 'done']);
  expect(backend.requests).toHaveLength(0);
});

test('logging tells how a request went and nothing of what was said', async () => {
  const logged = async (answer: Answer, pieces?: number) => {
    const entries: LogEntry[] = [];
    let now = 0;
    const logging = createLoggingMiddleware({ log: (entry) => entries.push(entry), now: () => now++ });
    const sent = request('secret', { parameters: { model: 'm' } });
    for await (const chunk of run([logging], answer, sent).stream) if (chunk.type === 'content' && pieces) break;
    expect(JSON.stringify(entries)).not.toContain('secret');
    return entries;
  };
  expect(await logged(says('secret'))).toEqual([
    { event: 'request', requestId: 'r1', model: 'm', messages: 1, tools: 0, streaming: true },
    { event: 'response', requestId: 'r1', model: 'm', finishReason: 'stop', durationMs: 1 },
  ]);
  expect((await logged(fails(cut(), 'x')))[1]).toEqual({
    ...{ event: 'error', requestId: 'r1', code: 'STREAM_TRUNCATED', message: 'cut off', durationMs: 1 },
  });
  expect((await logged({ end: 'throw' }))[1]).toMatchObject({ event: 'error', code: 'TypeError' });
  expect((await logged(says('x', 'y'), 1))[1]).toEqual({ event: 'left', requestId: 'r1', durationMs: 1 });
});

const usage: IRUsage = {
  ...{ promptTokens: 1_000_000, completionTokens: 100_000, totalTokens: 1_100_000 },
  ...{ cacheReadTokens: null, cacheWriteTokens: null, reasoningTokens: null },
};

test.each([
  ['a known price', { input: 2, output: 10 }, false, 3],
  ['an unknown price', null, false, null],
  ['a local backend', null, true, 0],
])('cost tracking: %s', async (_, price, local, cost) => {
  const entries: unknown[] = [];
  const tracking = createCostTrackingMiddleware({ priceOf: () => price, onCost: (entry) => entries.push(entry) });
  const served: Middleware = async function* (_, next) {
    for await (const chunk of next()) {
      const provenance = { backend: 'b', servedModel: 'm', local };
      yield chunk.type === 'done' ? { ...chunk, usage, metadata: { ...chunk.metadata, provenance } } : chunk;
    }
  };
  const last = (await chunksOf(run([tracking, served]).stream)).at(-1);
  expect(last).toMatchObject({ metadata: { custom: { cost, latencyMs: 1 } } });
  expect(entries).toEqual([{ requestId: 'r1', model: 'm', backend: 'b', usage, cost }]);
});

test('validation refuses before anything is sent', async () => {
  const { stream, backend } = run([createValidationMiddleware({ maxMessages: 0 })]);
  const chunks: IRStreamChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks).toMatchObject([{ type: 'error', error: { name: 'ValidationError', code: 'INVALID_REQUEST' } }]);
  expect(backend.requests).toHaveLength(0);
  expect(await shape(run([createValidationMiddleware()]).stream)).toEqual(['ok', 'done']);
});

const call = (id: string) =>
  ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 't', input: {} }] }) as const;
const result = (id: string) =>
  ({ role: 'tool', content: [{ type: 'tool_result', toolUseId: id, content: [] }] }) as const;
const user = { role: 'user', content: 'hi' } as const;
const tool = (name: string, parameters: Record<string, unknown> = {}) => ({ name, parameters });

test.each<[string, Partial<IRChatRequest>, string[]]>([
  ['a good request', { messages: [user, call('1'), result('1')], tools: [tool('t')] }, []],
  ['no message', { messages: [] }, ['messages']],
  ['only a system message', { messages: [{ role: 'system', content: 'x' }] }, ['messages']],
  ['a call without result', { messages: [user, call('1')] }, ['messages[1].content[0]']],
  ['a result without call', { messages: [user, result('1')] }, ['messages[1].content[0]']],
  ['two results', { messages: [user, call('1'), result('1'), result('1')] }, ['messages[3].content[0]']],
  ['a call by the user', { messages: [{ ...call('1'), role: 'user' }, result('1')] }, ['messages[0].content[0]']],
  ['an id twice', { messages: [user, call('1'), result('1'), call('1'), result('1')] }, ['messages[3].content[0]']],
  ['a tool twice', { tools: [tool('t'), tool('t')] }, ['tools[1].name']],
  ['a tool name', { tools: [tool('a b')] }, ['tools[0].name']],
  ['a tool schema', { tools: [tool('t', { type: 'array' })] }, ['tools[0].parameters']],
  ['an unknown choice', { toolChoice: { name: 'x' } }, ['toolChoice']],
  [
    'numbers',
    { parameters: { temperature: 3, topP: Number.NaN, maxTokens: 0 } },
    ['temperature', 'topP', 'maxTokens'].map((name) => `parameters.${name}`),
  ],
])('validation: %s', (_, more, fields) => {
  expect(validateRequest(request('hi', more)).map((detail) => detail.field)).toEqual(fields);
});

test('validation: the length of all texts', () => {
  const field = { field: 'messages', message: 'more than 1 characters' };
  expect(validateRequest(request('hi'), { maxCharacters: 1 })).toEqual([field]);
});
