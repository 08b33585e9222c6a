import { afterEach, expect, test } from 'vitest';
import type { BackendAdapter } from '../../../providers/adapter.ts';
import { AnthropicBackendAdapter } from '../../../providers/backends/anthropic.ts';
import { OllamaBackendAdapter } from '../../../providers/backends/ollama.ts';
import { OpenAIChatBackendAdapter } from '../../../providers/backends/openai-chat.ts';
import { Router } from '../../../providers/router.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import type { ScriptedTurn } from '../../fakes/script.ts';
import { chunksOf, request } from './scripted-backend.ts';

const wires: Record<string, (url: string) => BackendAdapter> = {
  ollama: (url) => new OllamaBackendAdapter({ baseUrl: url }),
  openai: (url) => new OpenAIChatBackendAdapter({ baseUrl: `${url}/v1`, apiKey: 'key' }),
  anthropic: (url) => new AnthropicBackendAdapter({ baseUrl: url, apiKey: 'key' }),
};

let server: ModelServer | undefined;
afterEach(() => server?.close());

/** Plays one turn over real HTTP; pauses are remembered and not waited for. */
async function play(wire: string, turn: ScriptedTurn) {
  server = await startModelServer({ turns: [turn], models: [{ name: 'model' }] });
  const pauses: number[] = [];
  const router = new Router({ pause: async (ms) => void pauses.push(ms) }).register(wire, wires[wire]!(server.url));
  const chunks = await chunksOf(router.executeStream(request('hi', { parameters: { model: 'model' } })));
  let text = '';
  for (const chunk of chunks) {
    if (chunk.type === 'content') text += chunk.delta;
    if (chunk.type === 'retry' && chunk.discard) text = '';
  }
  const retries = chunks.filter((chunk) => chunk.type === 'retry').map((chunk) => chunk.discard);
  return {
    text,
    retries,
    pauses,
    last: chunks.at(-1)!,
    asked: server.requests.filter((r) => r.method === 'POST').length,
  };
}

const text = 'A sentence that is long enough to break off somewhere in its middle, as it did.';

for (const wire of Object.keys(wires)) {
  test(`${wire}: a good answer`, async () => {
    const { last, ...told } = await play(wire, { text });
    expect(told).toEqual({ text, retries: [], pauses: [], asked: 1 });
    expect(last).toMatchObject({
      type: 'done',
      metadata: { provenance: { backend: wire, requestedModel: 'model' }, custom: { attempts: 1 } },
    });
  });

  test(`${wire}: a stream that breaks off is asked for again, whole`, async () => {
    const { last, pauses, ...told } = await play(wire, { text, fault: { kind: 'cut', after: 2 } });
    expect(told).toEqual({ text, retries: [true], asked: 2 });
    expect(pauses).toHaveLength(1);
    expect(last).toMatchObject({ type: 'done', metadata: { custom: { attempts: 2 } } });
  });

  test(`${wire}: an answer without its end is asked for again`, async () => {
    const { text: said, asked } = await play(wire, { text, fault: { kind: 'no-end' } });
    expect([said, asked]).toEqual([text, 2]);
  });

  test(`${wire}: a connection closed without a word is tried again`, async () => {
    const { text: said, retries } = await play(wire, { text, fault: { kind: 'hangup' } });
    expect([said, retries]).toEqual([text, [false]]);
  });

  test(`${wire}: 429 waits as long as it is told`, async () => {
    const { text: said, pauses } = await play(wire, { text, fault: { kind: 'status', status: 429, retryAfter: 2 } });
    expect([said, pauses]).toEqual([text, [2_000]]);
  });

  test(`${wire}: 500 twice, then an answer`, async () => {
    const { text: said, asked } = await play(wire, { text, fault: { kind: 'status', status: 500 }, faultTimes: 2 });
    expect([said, asked]).toEqual([text, 3]);
  });

  test.each([
    [401, 'AUTHENTICATION_FAILED', 1],
    [403, 'AUTHORIZATION_FAILED', 1],
    [400, 'INVALID_REQUEST', 1],
    [500, 'PROVIDER_ERROR', 4],
  ])(`${wire}: %i to the end is %s after %i requests`, async (status, code, times) => {
    const { last, asked } = await play(wire, { text, fault: { kind: 'status', status }, faultTimes: 99 });
    expect(last).toMatchObject({ type: 'error', error: { code } });
    expect(asked).toBe(times);
  });

  test(`${wire}: a page of HTML is no answer`, async () => {
    const { last } = await play(wire, { text, fault: { kind: 'html' }, faultTimes: 99 });
    expect(last).toMatchObject({ type: 'error', error: { category: 'provider' } });
  });
}
