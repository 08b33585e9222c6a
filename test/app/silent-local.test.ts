import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ComposeOptions } from '../../app/compose.ts';
import type { StartError } from '../../app/start-error.ts';
import type { ScriptedModel } from '../fakes/script.ts';
import { find, turn, twoServers } from './two-servers.ts';

const NOWHERE = 'http://127.0.0.1:9';
const world = twoServers();
beforeEach(() => {
  world.local.set({ turns: [{ text: 'From here.' }] });
  world.hosted.set({
    turns: [{ text: 'From afar.' }],
    models: ['gpt-5.2', 'gpt-oss', 'qwen3'].map((name) => ({ name })),
  });
});

const start = (env: Record<string, string>, fallback?: string, more?: Partial<ComposeOptions>) =>
  world.start(fallback ? { routing: { fallback } } : {}, env, more);
const refusal = (...how: Parameters<typeof start>): Promise<string> =>
  start(...how).then(
    ({ session }) => `chose ${session.state.model}`,
    (error: StartError) => `${error.exitCode}: ${error.message}`,
  );

/** Accepts and never says a word. */
async function silent(): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** A proxy with a page for everything. */
async function page(): Promise<{ url: string; close(): void }> {
  const server = createHttpServer((_, response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<html><body>Bad Gateway</body></html>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

describe('a server that is slow or broken is not none', () => {
  it.each([
    ['accepts and does not answer', silent, /does not answer: nothing came within \d s/],
    ['answers with a page', page, /web page/],
  ])('%s: nothing leaves unless it is said so, and the reason is the true one', async (_, serve, said) => {
    const server = await serve();
    for (const fallback of ['never', undefined]) {
      const words = await refusal({ OLLAMA_HOST: server.url }, fallback);
      expect(words).toMatch(said);
      expect(words).toMatch(/^3: the local model cannot be asked: .*Nothing was sent to openai\/gpt-5\.2/);
      expect(words).not.toContain('no local model');
    }
    const composition = await start({ OLLAMA_HOST: server.url }, 'always');
    expect(composition.session.state.model).toBe('openai/gpt-5.2');
    const told = composition.notices.find((text) => text.includes('(hosted)'));
    expect(told).toMatch(said);
    expect(told).not.toContain('there is no local model');
    await turn(composition);
    expect(world.hosted.chats()).toHaveLength(1);
    server.close();
  });

  it('also one that is not an Ollama, where somebody set it up', async () => {
    const server = await silent();
    const words = await refusal({ OLLAMA_HOST: NOWHERE, LMSTUDIO_BASE_URL: `${server.url}/v1` }, 'never');
    expect(words).toMatch(/^3: the local model cannot be asked: .*does not answer.*Nothing was sent/);
    server.close();
  });

  it('on the screen the hosted model is chosen with that reason, before anything is sent', async () => {
    const server = await page();
    const { session } = await start({ OLLAMA_HOST: server.url }, 'ask', { headless: false });
    expect(session.state.model).toBe('openai/gpt-5.2');
    expect(world.hosted.requests).toEqual([]);
    server.close();
  });

  it('where nothing listens there is none', async () => {
    expect(await refusal({ OLLAMA_HOST: NOWHERE }, 'never')).toBe('chose openai/gpt-5.2');
  });
});

describe('a local model that was named, and whose server is down', () => {
  const env = { OLLAMA_HOST: NOWHERE };

  it.each(['never', 'ask'])('%s: is refused where nobody can be asked', async (fallback) => {
    expect(await refusal(env, fallback, { model: 'q:8b' })).toMatch(/^3: cannot reach Ollama at \S+ for q:8b/);
  });

  it('always: a hosted model answers, and it is said', async () => {
    const composition = await start(env, 'always', { model: 'q:8b' });
    const events = await turn(composition);
    expect(find(events, 'assistant').at(-1)!.served).toMatchObject({ backend: 'openai', local: false });
    expect(find(events, 'done').at(-1)).toMatchObject({ finish: 'stop', text: 'From afar.' });
    expect(composition.notices[0]).toMatch(/^cannot reach Ollama at \S+ for q:8b: start it.*hosted model/);
    expect(composition.session.state.model).toBe('ollama/q:8b');
  });

  it('always: also where a local conversation goes on, and back when the server is there again', async () => {
    world.local.set({ turns: [{ text: 'From here.' }], models: [{ name: 'q:8b' }] });
    const first = await start({ OLLAMA_HOST: world.local.url }, 'always', { model: 'q:8b' });
    await turn(first);
    const { id } = first.session;
    await first.session.close();
    const second = await start(env, 'always', { resume: id });
    const events = await turn(second);
    expect(find(events, 'done').at(-1)!.text).toBe('From afar.');
    await second.session.close();
    const third = await turn(await start({ OLLAMA_HOST: world.local.url }, 'always', { resume: id }));
    expect(find(third, 'done').at(-1)!.text).toBe('From here.');
    expect(new Set(world.local.chats().map(({ body }) => body.options.num_ctx)).size).toBe(1);
  });

  it.each(['yes', 'no'])('ask: on the screen the person is asked; %s', async (said) => {
    const composition = await start(env, 'ask', { model: 'q:8b', headless: false });
    const events = await turn(composition, (event) => {
      if (event.type === 'question') composition.session.send({ type: 'answer', id: event.id, text: said });
    });
    expect(find(events, 'question')).toMatchObject([{ leave: 'openai/gpt-5.2' }]);
    expect(find(events, 'done').at(-1)!.finish).toBe(said === 'yes' ? 'stop' : 'error');
    expect(world.hosted.chats()).toHaveLength(said === 'yes' ? 1 : 0);
  });

  it('always: with nobody hosted it is refused as before, and with --offline', async () => {
    const none = { ...env, OPENAI_API_KEY: '', OPENAI_BASE_URL: '' };
    expect(await refusal(none, 'always', { model: 'q:8b' })).toMatch(/^3: cannot reach Ollama/);
    expect(await refusal(env, 'always', { model: 'q:8b', offline: true })).toMatch(/^3: /);
  });
});

it('a local server that fails again and again is asked each time as the first time', async () => {
  const hangup = { text: 'never', fault: { kind: 'hangup' as const }, faultTimes: 99 };
  world.local.set({ turns: [hangup], models: [{ name: 'q:8b' }] });
  const composition = await start({ OLLAMA_HOST: world.local.url }, 'ask', { model: 'q:8b', headless: false });
  const asked: number[] = [];
  for (let i = 0; i < 2; i++) {
    const before = world.local.chats().length;
    const events = await turn(composition, (event) => {
      if (event.type === 'question' && composition.session.state.openQuestions.some(({ id }) => id === event.id))
        composition.session.send({ type: 'answer', id: event.id, text: 'no' });
    });
    asked.push(world.local.chats().length - before);
    expect(find(events, 'error').at(-1)!.message).not.toMatch(/rests|failed repeatedly/);
  }
  expect(asked[0]).toBeGreaterThan(1);
  expect(new Set(asked).size).toBe(1);
  expect(world.hosted.requests).toEqual([]);
}, 30_000);

describe('a name that is both a local model’s and a vendor’s', () => {
  const here = (...names: string[]): ScriptedModel[] => names.map((name) => ({ name }));
  const choose = (models: ScriptedModel[], model: string, env: Record<string, string> = {}) => {
    world.local.set({ turns: [{ text: 'From here.' }], models });
    return refusal({ OLLAMA_HOST: world.local.url, DASHSCOPE_API_KEY: 'k', ...env }, 'never', { model });
  };

  it('is the installed one: by its only tag, by :latest, in any case', async () => {
    expect(await choose(here('gpt-oss:20b'), 'gpt-oss')).toBe('chose ollama/gpt-oss:20b');
    expect(await choose(here('qwen3:8b'), 'Qwen3')).toBe('chose ollama/qwen3:8b');
    expect(await choose(here('gpt-oss:20b', 'gpt-oss:latest'), 'gpt-oss')).toBe('chose ollama/gpt-oss:latest');
  });

  it.each(['gpt-oss', 'gpt-oss-20b', 'qwen3', 'gemma3', 'deepseek-r1', 'llama3.2', 'mistral', 'codestral'])(
    '%s is not sent to anybody where it is not installed',
    async (model) => {
      const env = { MISTRAL_API_KEY: 'k', DEEPSEEK_API_KEY: 'k', GEMINI_API_KEY: 'k' };
      const words = await choose(here(`${model}:8b`, `${model}:14b`, 'other:1b'), model, env);
      expect(words).toMatch(`3: ${model} is not installed: "ada models pull ${model}" gets it; nearest installed: `);
      expect(words).toContain(`${model}:14b, ${model}:8b`);
      expect(await choose([], model)).toMatch(/^3: \S+ is not installed/);
      expect(await choose([], model, { DASHSCOPE_API_KEY: '' })).toMatch(/^3: \S+ is not installed/);
      expect(world.hosted.requests).toEqual([]);
    },
  );

  it('gpt-oss is never OpenAI’s unless it is said so', async () => {
    expect(await refusal({ OLLAMA_HOST: NOWHERE }, 'never', { model: 'gpt-oss' })).toMatch(
      /^3: gpt-oss is not installed: .*-m openai\/gpt-oss asks OpenAI for it; not asked: no Ollama at/,
    );
    expect(await refusal({ OLLAMA_HOST: NOWHERE }, 'never', { model: 'openai/gpt-oss' })).toBe('chose openai/gpt-oss');
  });

  it('is the vendor’s where only the vendor has it', async () => {
    expect(await choose([], 'gpt-5.2')).toBe('chose openai/gpt-5.2');
    expect(await choose([], 'mistral-large-latest', { MISTRAL_API_KEY: 'k' })).toBe(
      'chose mistral/mistral-large-latest',
    );
    expect(await choose([], 'qwen3-max')).toBe('chose dashscope/qwen3-max');
    expect(await choose([], 'qwen3-max', { DASHSCOPE_API_KEY: '' })).toMatch(/wants a key/);
    expect(await refusal({ OLLAMA_HOST: NOWHERE, DASHSCOPE_API_KEY: 'k' }, 'never', { model: 'qwen3' })).toBe(
      'chose dashscope/qwen3',
    );
  });

  it('a hosted model that was named is told of, in one line', async () => {
    const told = async (model: string, more: Partial<ComposeOptions> = {}) =>
      (await start({ OLLAMA_HOST: NOWHERE, OPENAI_BASE_URL: '' }, 'never', { model, ...more })).notices;
    expect(await told('gpt-5.2')).toEqual(['gpt-5.2 at OpenAI (hosted)']);
    expect(await told('openai/gpt-5.2')).toEqual(['gpt-5.2 at OpenAI (hosted)']);
    expect(await told('gpt-5.2', { headless: false })).toEqual([]);
  });
});
