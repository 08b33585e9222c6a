import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  type Meter,
  type MeterProvider,
  metrics,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import type { Middleware } from '../../../providers/adapter.ts';
import { MockBackendAdapter, type MockResponse } from '../../../providers/backends/mock.ts';
import { unknownUsage } from '../../../providers/ir.ts';
import { createTelemetryMiddleware } from '../../../providers/middleware/telemetry.ts';
import { Router } from '../../../providers/router.ts';
import { cut, fails, request, says, scripted } from '../router/scripted-backend.ts';
import { both } from './both-ways.ts';

interface Recorded {
  name: string;
  kind: number | undefined;
  attributes: Record<string, unknown>;
  events: string[];
  status: unknown;
  ended: number;
}

/** A tracer and a meter that keep what they are told: the smallest of what the API allows to be registered. */
function register() {
  const spans: Recorded[] = [];
  const values: [string, number, Attributes | undefined][] = [];
  const tracer = {
    startSpan(name: string, { kind, attributes }: SpanOptions = {}) {
      const own: Recorded = { name, kind, attributes: { ...attributes }, events: [], status: undefined, ended: 0 };
      spans.push(own);
      const span: Partial<Span> = {
        setAttribute(key, value) {
          own.attributes[key] = value;
          return span as Span;
        },
        setAttributes(more) {
          Object.assign(own.attributes, more);
          return span as Span;
        },
        addEvent(event) {
          own.events.push(event);
          return span as Span;
        },
        recordException: (error) => void own.events.push(`exception ${(error as Error).message}`),
        setStatus(status) {
          own.status = status;
          return span as Span;
        },
        spanContext: () => ({ traceId: 't', spanId: name, traceFlags: 1 }),
        end: () => void own.ended++,
      };
      return span as Span;
    },
  } as Tracer;
  const meter: Partial<Meter> = {
    createHistogram: (name) => ({
      record: (value, attributes) => void values.push([name, value, attributes as Attributes]),
    }),
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer } as TracerProvider);
  metrics.setGlobalMeterProvider({ getMeter: () => meter as Meter } as MeterProvider);
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (inside, run, thisArg, ...args) => storage.run(inside, () => run.call(thisArg as never, ...args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  return { spans, values };
}

afterEach(() => {
  trace.disable();
  metrics.disable();
  context.disable();
});

const answer = { ...unknownUsage(), promptTokens: 12, completionTokens: 3, cacheReadTokens: 4 };
const mock = (response: MockResponse = { text: 'four', usage: answer, servedModel: 'm-2' }) =>
  new MockBackendAdapter({ defaultResponse: response });
const asked = () =>
  request('a secret', {
    parameters: { model: 'm', temperature: 0, maxTokens: 9, stopSequences: ['x'] },
    responseFormat: { type: 'json' },
  });

test('without a provider it changes nothing', async () => {
  const backend = mock();
  const { stream, chat } = both(backend, createTelemetryMiddleware());
  const bare = both(backend);
  const shape = (chunks: { type: string; sequence: number }[]) => chunks.map((chunk) => [chunk.type, chunk.sequence]);
  expect(shape(await stream(asked()))).toEqual(shape(await bare.stream(asked())));
  expect((await chat(asked())).message).toEqual((await bare.chat(asked())).message);
});

test('one client span for each request, with the names of the conventions and no text', async () => {
  const { spans, values } = register();
  const { stream, chat } = both(mock(), createTelemetryMiddleware({ attributes: { 'service.area': 'test' } }));
  await stream(asked());
  await chat(asked());
  expect(spans).toHaveLength(2);
  for (const span of spans)
    expect(span).toEqual({
      name: 'chat m',
      kind: 2,
      attributes: {
        'service.area': 'test',
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'mock',
        'gen_ai.request.model': 'm',
        'gen_ai.request.temperature': 0,
        'gen_ai.request.max_tokens': 9,
        'gen_ai.request.stop_sequences': ['x'],
        'gen_ai.output.type': 'json',
        'gen_ai.response.model': 'm-2',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 3,
        'gen_ai.usage.cache_read.input_tokens': 4,
      },
      events: [],
      status: undefined,
      ended: 1,
    });
  const about = expect.objectContaining({ 'gen_ai.response.model': 'm-2', 'service.area': 'test' });
  expect(values.slice(0, 3)).toEqual([
    ['gen_ai.client.token.usage', 12, about],
    ['gen_ai.client.token.usage', 3, about],
    ['gen_ai.client.operation.duration', expect.any(Number), about],
  ]);
  expect(values[0]![2]).toMatchObject({ 'gen_ai.token.type': 'input' });
});

test('an unknown count is no count', async () => {
  const { spans, values } = register();
  await both(mock('x'), createTelemetryMiddleware()).chat(request());
  expect(spans[0]!.attributes).not.toHaveProperty('gen_ai.usage.input_tokens');
  expect(values.map(([name]) => name)).toEqual(['gen_ai.client.operation.duration']);
});

test('an error marks the span, and a retry is an event in it', async () => {
  const { spans, values } = register();
  await both(mock(cut()), createTelemetryMiddleware()).stream(request());
  await expect(both(mock(cut()), createTelemetryMiddleware()).chat(request())).rejects.toThrow('cut off');
  for (const span of spans)
    expect(span).toMatchObject({
      attributes: { 'error.type': 'STREAM_TRUNCATED' },
      events: ['exception cut off'],
      status: { code: SpanStatusCode.ERROR },
      ended: 1,
    });
  expect(values.at(-1)![2]).toMatchObject({ 'error.type': 'STREAM_TRUNCATED' });
  const router = new Router({ pause: async () => {} }).register('a', scripted([fails(cut(), 'ha'), says('all')]));
  await both(router as never, createTelemetryMiddleware()).stream(request());
  expect(spans.at(-1)).toMatchObject({ events: ['retry'], attributes: { 'gen_ai.provider.name': 'a' }, ended: 1 });
});

test('a stream that is left ends its span and closes what is behind it', async () => {
  const { spans } = register();
  const backend = scripted([says('a', 'b')]);
  const middleware = createTelemetryMiddleware();
  const seen = { request: request(), isStreaming: true, state: {}, config: {} };
  for await (const _ of middleware(seen, () => backend.executeStream(request()))) break;
  expect([spans[0]!.events, spans[0]!.ended, backend.open]).toEqual([['left'], 1, 0]);
});

test('what lies further in runs inside the span', async () => {
  register();
  const inside: unknown[] = [];
  const looking: Middleware = async function* (_, next) {
    const look = () => inside.push(trace.getSpan(context.active())?.spanContext().spanId);
    look();
    for await (const chunk of next()) {
      if (chunk.type === 'done') look();
      yield chunk;
    }
  };
  await both(mock(), createTelemetryMiddleware(), looking).stream(asked());
  expect(inside).toEqual(['chat m', 'chat m']);
});

test('texts only when asked for', async () => {
  const { spans } = register();
  await both(mock(), createTelemetryMiddleware()).stream(asked());
  expect(JSON.stringify(spans)).not.toMatch(/secret|four/);
  await both(mock(), createTelemetryMiddleware({ content: true })).stream(asked());
  const { 'gen_ai.input.messages': input, 'gen_ai.output.messages': output } = spans[1]!.attributes;
  expect(JSON.parse(String(input))).toEqual([{ role: 'user', parts: [{ type: 'text', content: 'a secret' }] }]);
  expect(JSON.parse(String(output))).toEqual([{ role: 'assistant', parts: [{ type: 'text', content: 'four' }] }]);
});
