import { expect, test } from 'vitest';
import type { FrontendAdapter, Middleware } from '../../providers/adapter.ts';
import { Bridge } from '../../providers/bridge.ts';
import { ValidationError } from '../../providers/errors.ts';
import { textOf } from '../../providers/ir.ts';
import { Router } from '../../providers/router.ts';
import { cut, fails, request, says, scripted } from './router/scripted-backend.ts';

/** A format of one line: the request is the text, an answer is the text in capitals. */
const shouting: FrontendAdapter<string, string, string> = {
  metadata: { ...scripted([]).metadata, name: 'shouting' },
  toIR: async (text) => request(text),
  fromIR: async (response) => textOf(response.message.content).toUpperCase(),
  async *fromIRStream(stream) {
    for await (const chunk of stream) {
      if (chunk.type === 'content') yield chunk.delta.toUpperCase();
      if (chunk.type === 'error') yield `ERROR ${chunk.error.message}`;
    }
  },
  validate: async (text) => {
    if (text === '') throw new ValidationError({ message: 'say something' });
  },
};

const all = async (stream: AsyncIterable<string>) => {
  const out: string[] = [];
  for await (const chunk of stream) out.push(chunk);
  return out;
};

test('chat and stream say the same', async () => {
  const bridge = new Bridge(shouting, scripted([says('hel', 'lo')]));
  expect(await bridge.chat('hi')).toBe('HELLO');
  expect(await all(bridge.chatStream('hi'))).toEqual(['HEL', 'LO']);
});

test('the frontend is named in the provenance of what is sent', async () => {
  const backend = scripted([says('x')]);
  await new Bridge(shouting, backend).chat('hi');
  expect(backend.requests[0]!.metadata.provenance).toEqual({ frontend: 'shouting' });
});

test('middleware sees every request, and its change reaches the wire on both ways', async () => {
  const backend = scripted([says('x')]);
  const seen: unknown[] = [];
  const colder: Middleware = (context, next) => {
    seen.push([context.isStreaming, context.backendName, context.config.key]);
    context.request = { ...context.request, parameters: { temperature: 0 } };
    return next();
  };
  const bridge = new Bridge(shouting, backend, { config: { key: 1 } });
  expect(bridge.use(colder)).toBe(bridge);
  await bridge.chat('hi');
  await all(bridge.chatStream('hi'));
  expect(seen).toEqual([
    [false, 'scripted', 1],
    [true, 'scripted', 1],
  ]);
  expect(backend.requests.map((sent) => [sent.parameters?.temperature, sent.stream])).toEqual([
    [0, undefined],
    [0, true],
  ]);
});

test('a request that the format refuses is not sent', async () => {
  const backend = scripted([says('x')]);
  const bridge = new Bridge(shouting, backend);
  await expect(bridge.chat('')).rejects.toThrow('say something');
  await expect(all(bridge.chatStream(''))).rejects.toThrow('say something');
  expect(backend.requests).toHaveLength(0);
});

test('an error is thrown by chat, and told by the frontend in a stream', async () => {
  const bridge = new Bridge(shouting, scripted([fails(cut(), 'half')]));
  await expect(bridge.chat('hi')).rejects.toMatchObject({ code: 'STREAM_TRUNCATED' });
  expect(await all(bridge.chatStream('hi'))).toEqual(['HALF', 'ERROR cut off']);
});

test('a router stands where a backend does', async () => {
  const router = new Router({ pause: async () => {} }).register('a', scripted([fails(cut(), 'ha'), says('all')]));
  expect(await new Bridge(shouting, router).chat('hi')).toBe('ALL');
});

test('leaving a stream closes the backend’s', async () => {
  const backend = scripted([says('a', 'b')]);
  for await (const _ of new Bridge(shouting, backend).use((_, next) => next()).chatStream('hi')) break;
  expect(backend.open).toBe(0);
});
