import { expect, test } from 'vitest';
import { MockBackendAdapter } from '../../../providers/backends/mock.ts';
import { textOf } from '../../../providers/ir.ts';
import { createTransformMiddleware } from '../../../providers/middleware/transform.ts';
import { request } from '../router/scripted-backend.ts';
import { both } from './both-ways.ts';

const mock = () => new MockBackendAdapter({ defaultResponse: { text: 'abc', chunk: 1 } });

test('a changed request reaches the backend on both ways', async () => {
  const backend = mock();
  const { chat, stream } = both(
    backend,
    createTransformMiddleware({
      request: async (sent) => ({ ...sent, parameters: { ...sent.parameters, temperature: 0 } }),
    }),
  );
  await chat(request());
  await stream(request());
  expect(backend.requests.map((sent) => sent.parameters?.temperature)).toEqual([0, 0]);
});

test('chunks may be changed, dropped and added; numbers stay right', async () => {
  const { chat, stream } = both(
    mock(),
    createTransformMiddleware({
      chunk(chunk) {
        if (chunk.type !== 'content') return undefined;
        if (chunk.delta === 'a') return null;
        const loud = { ...chunk, delta: chunk.delta.toUpperCase() };
        return chunk.delta === 'b' ? loud : [loud, { ...chunk, delta: '!' }];
      },
    }),
  );
  expect(textOf((await chat(request())).message.content)).toBe('BC!');
  const chunks = await stream(request());
  expect(chunks.map((chunk) => (chunk.type === 'content' ? chunk.delta : chunk.type))).toEqual([
    ...['start', 'B', 'C', '!', 'done'],
  ]);
  expect(chunks.map((chunk) => chunk.sequence)).toEqual([0, 1, 2, 3, 4]);
});

test('hooks that only look change nothing', async () => {
  const seen: string[] = [];
  const backend = mock();
  const { stream } = both(
    backend,
    createTransformMiddleware({
      request: (sent) => void seen.push(textOf(sent.messages[0]!.content)),
      chunk: (chunk, { isStreaming }) => void seen.push(`${chunk.type} ${isStreaming}`),
    }),
  );
  const through = await stream(request('hi'));
  expect(seen.slice(0, 3)).toEqual(['hi', 'start true', 'content true']);
  expect(through.map((chunk) => chunk.type)).toEqual(['start', 'content', 'content', 'content', 'done']);
});

test('what a hook throws ends the request with an error', async () => {
  const backend = mock();
  const { chat } = both(
    backend,
    createTransformMiddleware({
      request() {
        throw new TypeError('no');
      },
    }),
  );
  await expect(chat(request())).rejects.toMatchObject({ name: 'MiddlewareError', message: 'no' });
  expect(backend.requests).toHaveLength(0);
});
