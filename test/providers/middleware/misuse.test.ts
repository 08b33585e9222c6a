import { expect, test } from 'vitest';
import type { Middleware } from '../../../providers/adapter.ts';
import type { IRChatRequest } from '../../../providers/ir.ts';
import { cacheKey, createCachingMiddleware } from '../../../providers/middleware/caching.ts';
import { composeMiddleware } from '../../../providers/middleware/compose-middleware.ts';
import { createCostTrackingMiddleware } from '../../../providers/middleware/cost-tracking.ts';
import { createLoggingMiddleware } from '../../../providers/middleware/logging.ts';
import { createValidationMiddleware } from '../../../providers/middleware/validation.ts';
import { request, says, scripted, shape } from '../router/scripted-backend.ts';

function through(middleware: Middleware, sent: unknown = request('hi', { parameters: { model: 'm' } })) {
  const context = { request: sent as IRChatRequest, isStreaming: true, state: {}, config: {} };
  return composeMiddleware([middleware], (inner) => scripted([says('ok')]).executeStream(inner.request))(context);
}

const user = (content: unknown) => ({ ...request(), messages: [{ role: 'user', content }] });

test.each<[string, unknown]>([
  ['messages', { ...request(), messages: null }],
  ['messages[0]', { ...request(), messages: [null] }],
  ['messages[0].role', { ...request(), messages: [{ role: 'developer', content: 'hi' }] }],
  ['messages[0].role', { ...request(), messages: [{ content: 'hi' }] }],
  ['messages[0].content', user(null)],
  ['messages[0].content', user(undefined)],
  ['messages[0].content[0]', user([null])],
  ['messages[0].content[0].type', user([{ type: 'video', url: 'x' }])],
  ['messages[0].content[0].type', user([{ type: 'constructor' }])],
  ['messages[0].content[0].text', user([{ type: 'text' }])],
  ['messages[0].content[0].source', user([{ type: 'image' }])],
  ['messages[0].content[0].source.type', user([{ type: 'image', source: { type: 'file' } }])],
  ['messages[0].content[0].source.data', user([{ type: 'image', source: { type: 'base64', mediaType: 'image/png' } }])],
  ['messages[0].content[0].input', user([{ type: 'tool_use', id: '1', name: 'f', input: '{}' }])],
  ['messages[0].content[0].content', user([{ type: 'tool_result', toolUseId: '1', content: 'ok' }])],
  [
    'messages[0].content[0].content[0].type',
    user([{ type: 'tool_result', toolUseId: '1', content: [{ type: 'tool_use' }] }]),
  ],
  ['tools', { ...request(), tools: {} }],
  ['tools[0].name', { ...request(), tools: [{ parameters: {} }] }],
  ['tools[0].parameters', { ...request(), tools: [{ name: 'f' }] }],
  ['toolChoice', { ...request(), toolChoice: 'any' }],
  ['parameters', { ...request(), parameters: 'm' }],
])('validation names the field: %s', async (field, sent) => {
  let last: unknown;
  for await (const chunk of through(createValidationMiddleware(), sent)) last = chunk;
  expect(last).toMatchObject({
    type: 'error',
    error: { name: 'ValidationError', code: 'INVALID_REQUEST', validationDetails: [{ field }] },
  });
});

const bug = () => {
  throw new TypeError('a bug');
};
const late = async () => bug();
const storage = { get: bug, set: bug, delete: bug };

test.each<[string, Middleware]>([
  ['log', createLoggingMiddleware({ log: bug })],
  ['log, later', createLoggingMiddleware({ log: late })],
  ['onCost', createCostTrackingMiddleware({ priceOf: () => null, onCost: bug })],
  ['onCost, later', createCostTrackingMiddleware({ priceOf: () => null, onCost: late })],
  ['priceOf', createCostTrackingMiddleware({ priceOf: bug })],
  ['onError of a cache', createCachingMiddleware({ storage, onError: bug })],
  ['keyOf of a cache', createCachingMiddleware({ keyOf: bug, onError: late })],
])('%s may throw: the answer comes', async (_, middleware) => {
  expect(await shape(through(middleware))).toEqual(['ok', 'done']);
});

test.each<[string, Partial<IRChatRequest>]>([
  ['parallelToolCalls', { parallelToolCalls: false }],
  ['responseFormat', { responseFormat: { type: 'json' } }],
  ['a schema', { responseFormat: { type: 'json_schema', name: 'n', schema: { type: 'object' } } }],
  ['effort', { parameters: { effort: 'low' } }],
  ['seed', { parameters: { seed: 7 } }],
  ['stop sequences', { parameters: { stopSequences: ['x'] } }],
  ['the window', { parameters: { contextTokens: 4096 } }],
  ['a field of a later version', { later: true } as Partial<IRChatRequest>],
])('%s is part of the key of a cache', async (_, more) => {
  expect(await cacheKey(request('hi', more))).not.toBe(await cacheKey(request('hi')));
});
