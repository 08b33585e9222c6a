/** What a model refuses is asked for once, over real HTTP. */
import { afterEach, describe, expect, test } from 'vitest';
import type { BackendAdapter } from '../../../providers/adapter.ts';
import { AnthropicBackendAdapter } from '../../../providers/backends/anthropic.ts';
import { OllamaBackendAdapter } from '../../../providers/backends/ollama.ts';
import { OpenAIChatBackendAdapter } from '../../../providers/backends/openai-chat.ts';
import type { IRParameters } from '../../../providers/ir.ts';
import { Router } from '../../../providers/router.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import type { ScriptedTurn } from '../../fakes/script.ts';
import { chunksOf, request } from './scripted-backend.ts';

let server: ModelServer | undefined;
afterEach(() => server?.close());

const models = [{ name: 'model', capabilities: ['completion', 'tools'] }, { name: 'thinker' }];

/** A router over one backend that believes its models think. */
async function routed(open: (url: string) => BackendAdapter, turns: ScriptedTurn[], options = {}) {
  server = await startModelServer({ turns, models });
  const router = new Router(options).register('main', open(server.url));
  return async (parameters: IRParameters, more = {}) => {
    const before = server!.requests.length;
    const asked = request('hi', { parameters: { model: 'model', ...parameters }, ...more });
    const chunks = await chunksOf(router.executeStream(asked));
    expect(chunks.map(({ sequence }) => sequence)).toEqual(chunks.map((_, index) => index));
    return {
      bodies: server!.requests.slice(before).flatMap(({ method, body }) => (method === 'POST' ? [body as any] : [])),
      text: chunks.map((chunk) => (chunk.type === 'content' ? chunk.delta : '')).join(''),
      retries: chunks.flatMap((chunk) => (chunk.type === 'retry' ? [chunk] : [])),
      warnings: chunks.flatMap((chunk) => (chunk.type === 'warning' ? [chunk.warning] : [])),
      last: chunks.at(-1)!,
    };
  };
}

const ollama = (url: string) => new OllamaBackendAdapter({ baseUrl: url, capabilities: { reasoning: true } });
const openai = (url: string) => new OpenAIChatBackendAdapter({ baseUrl: `${url}/v1`, apiKey: 'key' });
const anthropic = (url: string) => new AnthropicBackendAdapter({ baseUrl: url, apiKey: 'key' });
const refusal = (message: string, status = 400): ScriptedTurn => ({
  text: 'an answer',
  fault: { kind: 'status', status, message },
});
const told = { kind: 'dropped', field: 'parameters.effort', message: 'model refuses it' };

describe('a model of Ollama that cannot think', () => {
  test('is asked once more without, and then never again', async () => {
    const ask = await routed(ollama, [{ text: 'one' }]);
    const first = await ask({ effort: 'high' });
    expect(first.bodies.map(({ think }) => think)).toEqual([true, undefined]);
    expect(first).toMatchObject({ text: 'one', warnings: [told], last: { type: 'done' } });
    expect(first.retries).toMatchObject([{ delayMs: 0, discard: false, attempt: 2 }]);
    expect(first.retries[0]!.reason).toContain('does not support thinking');
    expect(first.retries[0]).not.toHaveProperty('to');
    const second = await ask({ effort: 'high' });
    expect(second.bodies.map(({ think }) => think)).toEqual([undefined]);
    expect(second).toMatchObject({ text: 'one', warnings: [told], retries: [] });
    // Who does not ask is told nothing.
    expect((await ask({})).warnings).toEqual([]);
  });

  test('the other models are asked as before', async () => {
    const ask = await routed(ollama, [{ text: 'one' }]);
    await ask({ effort: 'low' });
    const { bodies } = await ask({ model: 'thinker', effort: 'low' });
    expect(bodies.map(({ think }) => think)).toEqual([true]);
  });

  test('a level that it does not know', async () => {
    const ask = await routed(ollama, [refusal('think value "low" is not supported for this model')]);
    const { bodies, text, warnings } = await ask({ model: 'thinker', effort: 'low' });
    expect([bodies.map(({ think }) => think), text]).toEqual([[true, undefined], 'an answer']);
    expect(warnings).toEqual([{ ...told, message: 'thinker refuses it' }]);
  });
});

test('a server that says so all the same is not asked a third time', async () => {
  const ask = await routed(openai, [
    { ...refusal('`reasoning_effort` is not supported with this model'), faultTimes: 9 },
  ]);
  const { bodies, last } = await ask({ effort: 'high' });
  expect(bodies.map((body) => body.reasoning_effort)).toEqual(['high', undefined]);
  expect(last).toMatchObject({ type: 'error', error: { code: 'INVALID_REQUEST', refused: 'parameters.effort' } });
});

test('one parameter does not stand for another', async () => {
  const turn = refusal('`temperature` is not supported with this model');
  const ask = await routed(openai, [turn]);
  await ask({ temperature: 0.5 });
  const { bodies, warnings } = await ask({ temperature: 0.5, effort: 'low' });
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).not.toHaveProperty('temperature');
  expect(bodies[0]).toMatchObject({ reasoning_effort: 'low' });
  expect(warnings).toEqual([{ kind: 'dropped', field: 'parameters.temperature', message: 'model refuses it' }]);
});

test('calls one at a time', async () => {
  const ask = await routed(openai, [refusal('Unknown parameter: parallel_tool_calls')]);
  const { bodies, text } = await ask({}, { parallelToolCalls: false, tools: [{ name: 'ls', parameters: {} }] });
  expect(bodies.map((body) => body.parallel_tool_calls)).toEqual([false, undefined]);
  expect(text).toBe('an answer');
});

test('thinking of Anthropic', async () => {
  const ask = await routed(anthropic, [refusal('adaptive thinking is not supported on this model')]);
  const { bodies, text } = await ask({ effort: 'low', maxTokens: 8_000 });
  expect(bodies.map(({ thinking }) => thinking !== undefined)).toEqual([true, false]);
  expect(text).toBe('an answer');
});

test('any other mistake of the request ends it as before', async () => {
  const ask = await routed(openai, [{ ...refusal("Invalid 'temperature': above maximum value"), faultTimes: 9 }]);
  const { bodies, retries, last } = await ask({ temperature: 2, effort: 'low' });
  expect([bodies.length, retries]).toEqual([1, []]);
  expect(last).toMatchObject({ type: 'error', error: { code: 'INVALID_REQUEST' } });
});

test('a router that may send one request sends one', async () => {
  const ask = await routed(ollama, [{ text: 'one' }], { retry: { maxAttempts: 1 } });
  const { bodies, last } = await ask({ effort: 'high' });
  expect([bodies.length, last.type]).toEqual([1, 'error']);
  // What it learnt it keeps.
  expect((await ask({ effort: 'high' })).text).toBe('one');
});

test('the same backend is asked before the next, and its health is not doubted', async () => {
  server = await startModelServer({ turns: [{ text: 'one' }], models });
  const router = new Router({ fallbackStrategy: 'sequential', defaultBackend: 'main', mayLeave: () => true });
  router.register('main', ollama(server.url)).register('other', openai(server.url)).setFallbackChain(['other']);
  const asked = request('hi', { parameters: { model: 'model', effort: 'high' } });
  const chunks = await chunksOf(router.executeStream(asked));
  expect(chunks.at(-1)).toMatchObject({ type: 'done', metadata: { provenance: { backend: 'main' } } });
  expect(router.getBackendInfo()[0]!.breaker).toBe('closed');
});
