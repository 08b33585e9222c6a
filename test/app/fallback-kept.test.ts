import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ComposeOptions, Composition } from '../../app/compose.ts';
import type { Event } from '../../core/types.ts';
import { startModelServer } from '../fakes/model-server.ts';
import type { Fault } from '../fakes/script.ts';
import { find, turn as turnOf, twoServers } from './two-servers.ts';

const world = twoServers();
const servers: { close(): void }[] = [];
beforeEach(() => {
  world.hosted.set({ turns: [{ text: 'From afar.' }], models: [{ name: 'gpt-5.2' }] });
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** What is asked is answered with `said`. */
const turn = (composition: Composition, said?: string): Promise<Event[]> =>
  turnOf(composition, (event) => {
    if (event.type === 'question' && said) composition.session.send({ type: 'answer', id: event.id, text: said });
  });

const start = (env: Record<string, string>, fallback: string, more?: Partial<ComposeOptions>) =>
  world.start({ routing: { fallback } }, env, more);

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  servers.push({ close });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
/** A gateway before an Ollama that never gets ready. */
const loads = (response: ServerResponse): void => {
  response.writeHead(503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }));
};

describe('a server that accepts and never answers', () => {
  it('always: after seconds, not after the long wait for a first word, a hosted model answers', async () => {
    const url = await serve(() => {});
    const composition = await start({ OLLAMA_HOST: url }, 'always', { model: 'q:8b' });
    expect(composition.notices[0]).toMatch(/does not answer: nothing came within \d s.*hosted model does/);
    const events = await turn(composition);
    expect(find(events, 'done')[0]).toMatchObject({ finish: 'stop', text: 'From afar.' });
    expect(find(events, 'assistant')[0]!.served).toMatchObject({ backend: 'openai', local: false });
  });

  it('ask: the person is asked as soon', async () => {
    const url = await serve(() => {});
    const events = await turn(await start({ OLLAMA_HOST: url }, 'ask', { model: 'q:8b', headless: false }), 'no');
    expect(find(events, 'question')).toMatchObject([{ leave: 'openai/gpt-5.2' }]);
    expect(find(events, 'error')[0]!.message).toMatch(/does not answer: nothing came within/);
    expect(world.hosted.requests).toEqual([]);
  });

  it('is asked again at the next prompt, and answers when it is well', async () => {
    let isWell = false;
    world.local.set({ turns: [{ text: 'From here.' }], models: [{ name: 'q:8b' }] });
    const url = await serve((request, response) => {
      if (!isWell) return;
      const parts: Buffer[] = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', async () => {
        const body = parts.length ? Buffer.concat(parts).toString() : undefined;
        const answer = await fetch(`${world.local.url}${request.url}`, { method: request.method, body });
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(await answer.text());
      });
    });
    const composition = await start({ OLLAMA_HOST: url }, 'always', { model: 'q:8b' });
    expect(find(await turn(composition), 'done')[0]!.text).toBe('From afar.');
    isWell = true;
    expect(find(await turn(composition), 'assistant')[0]!.served).toMatchObject({ backend: 'ollama', local: true });
  });
});

describe('a server that is loading its model', () => {
  it('is waited for, and said so, also where it is an Ollama', async () => {
    let asked = 0;
    world.local.set({ turns: [{ text: 'From here.' }], models: [{ name: 'q:8b' }] });
    const said: string[] = [];
    const url = await serve(async (request, response) => {
      if (asked++ < 1) return loads(response);
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const body = parts.length ? Buffer.concat(parts).toString() : undefined;
      const answer = await fetch(`${world.local.url}${request.url}`, { method: request.method, body });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(await answer.text());
    });
    const composition = await start({ OLLAMA_HOST: url }, 'never', { model: 'q:8b', tell: (line) => said.push(line) });
    expect(said).toEqual([`Ollama at ${url} is loading the model; ada waits for it`]);
    expect(find(await turn(composition), 'done')[0]!.text).toBe('From here.');
  });

  it('on the screen nothing hosted takes its place unless it is said so', async () => {
    const url = await serve((_, response) => loads(response));
    const env = { OLLAMA_HOST: 'http://127.0.0.1:9', LLAMACPP_BASE_URL: `${url}/v1` };
    const refused = await start(env, 'ask', { headless: false }).catch((error: Error) => error.message);
    expect(refused).toMatch(/llama\.cpp server at \S+ is loading its model.*Nothing was sent to openai\/gpt-5\.2/);
    const { session, notices } = await start(env, 'always', { headless: false });
    expect(session.state.model).toBe('openai/gpt-5.2');
    expect(notices.join()).toMatch(/\(hosted\): llama\.cpp server at \S+ is loading its model/);
    expect(notices.join()).not.toContain('there is no local model');
  });
});

describe('an answer that breaks off', () => {
  const dies: Fault = { kind: 'cut', after: 1 };
  const lacks: Fault = { kind: 'stream-error', after: 1, message: 'CUDA error: out of memory' };
  const breaking = (fault: Fault) =>
    world.local.set({
      turns: [{ text: 'A long answer that nobody will ever see the end of.', fault, faultTimes: 99 }],
      models: [{ name: 'q:8b' }],
    });

  it.each([
    ['the server dies each time', dies, 2],
    ['it lacks memory', lacks, 1],
  ])('%s, always: what was said is void, and the whole is asked of another', async (_, fault, times) => {
    breaking(fault);
    const events = await turn(await start({ OLLAMA_HOST: world.local.url }, 'always', { model: 'q:8b' }));
    expect(world.local.chats()).toHaveLength(times);
    expect(find(events, 'retry').at(-1)).toMatchObject({ discard: true });
    expect(find(events, 'notice').map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/asking openai\/gpt-5\.2 instead \(hosted\)/),
    );
    expect(find(events, 'assistant')).toMatchObject([
      { content: [{ type: 'text', text: 'From afar.' }], served: { backend: 'openai', local: false } },
    ]);
  });

  it.each(['yes', 'no'])('ask: the person is asked; %s', async (said) => {
    breaking(lacks);
    const events = await turn(
      await start({ OLLAMA_HOST: world.local.url }, 'ask', { model: 'q:8b', headless: false }),
      said,
    );
    expect(find(events, 'question')).toMatchObject([{ leave: 'openai/gpt-5.2' }]);
    expect(find(events, 'done')[0]!.finish).toBe(said === 'yes' ? 'stop' : 'error');
    expect(world.hosted.chats()).toHaveLength(said === 'yes' ? 1 : 0);
  });

  it('never: it is said that no hosted model was asked, and what was said is kept', async () => {
    breaking(lacks);
    const events = await turn(await start({ OLLAMA_HOST: world.local.url }, 'never', { model: 'q:8b' }));
    expect(find(events, 'error')[0]!.message).toMatch(
      /out of memory.*\. No hosted model was asked in its place: routing\.fallback does not allow it here\.$/s,
    );
    expect(find(events, 'assistant')[0]).toMatchObject({ finish: 'error', served: { backend: 'ollama', local: true } });
    expect(world.hosted.requests).toEqual([]);
  });

  it('always: where the conversation does not fit the stand-in, that is the reason', async () => {
    breaking(lacks);
    const near = await startModelServer({ turns: [{ text: 'never' }], models: [{ name: 'm', contextTokens: 300 }] });
    const env = { OLLAMA_HOST: world.local.url, OPENAI_API_KEY: '', VLLM_BASE_URL: `${near.url}/v1` };
    const events = await turn(await start(env, 'always', { model: 'q:8b' }));
    expect(find(events, 'error')[0]!.message).toMatch(/out of memory.*more than the window of 300/s);
    await near.close();
  });
});
