import { expect, it } from 'vitest';
import { servedBy } from '../../core/served.ts';
import { streamMessage } from '../../core/stream-message.ts';
import { ProviderError } from '../../providers/errors.ts';
import type { IRStreamChunk } from '../../providers/ir.ts';

const metadata = {
  requestId: 'r',
  timestamp: 0,
  provenance: { backend: 'b', requestedModel: 'm', local: true },
};
const sink = { live() {}, stored() {} };
async function* chunks(...bodies: object[]) {
  for (const [sequence, body] of bodies.entries()) yield { sequence, ...body } as IRStreamChunk;
}
const read = (...bodies: object[]) =>
  streamMessage(chunks({ type: 'start', metadata }, ...bodies), new AbortController().signal, sink, {
    text: '',
    reasoning: '',
  });
const retry = (attempt: number) => ({ type: 'retry', reason: 'busy', attempt, delayMs: 0, discard: false });

it('tells of an answer that failed how often it was tried, and how long the last try took', async () => {
  const error = new ProviderError({ message: 'busy', provenance: { backend: 'b' } });
  const slow = (async function* () {
    yield* chunks({ type: 'start', metadata }, retry(2), retry(3));
    await new Promise((resolve) => setTimeout(resolve, 15));
    yield* chunks({ type: 'error', error });
  })();
  const message = await streamMessage(slow, new AbortController().signal, sink, { text: '', reasoning: '' });
  const served = servedBy(message, 'm');
  expect(served).toMatchObject({ backend: 'b', attempts: 3 });
  expect(served.latencyMs).toBeGreaterThan(0);
});

it('leaves what the end of an answer tells as it is', async () => {
  const custom = { latencyMs: 7, attempts: 2 };
  const done = { type: 'done', finishReason: 'stop', usage: null, metadata: { ...metadata, custom } };
  expect(servedBy(await read({ type: 'content', delta: 'Hi.' }, done), 'm')).toMatchObject(custom);
});

it('ends what repeats itself at the same character, whatever the pieces were', async () => {
  const text = `First. ${'I read the file again. '.repeat(200)}`;
  const cut = async (size: number) => {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!.map((delta) => ({ type: 'content', delta }));
    const { content, repeats } = await read(...pieces);
    return { content, repeats };
  };
  const first = await cut(4);
  expect(first.repeats).toBe(true);
  for (const size of [200, 511, text.length]) expect(await cut(size)).toEqual(first);
});
