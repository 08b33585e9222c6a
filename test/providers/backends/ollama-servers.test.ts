/** Servers that are old, slow, strange, or not Ollama at all. */
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listOllamaModels, loadedModels, serverVersion, showModel } from '../../../providers/backends/ollama/models.ts';
import { pullModel } from '../../../providers/backends/ollama/pull.ts';
import { atServer, listOnServers, showOnServers } from '../../../providers/backends/ollama/servers.ts';
import { AdapterError } from '../../../providers/errors.ts';
import { createTransport } from '../../../providers/transport.ts';
import { within } from '../../../providers/wire/within.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';

const transport = createTransport();
let server: ModelServer;
/** Accepts connections and says nothing. */
let silent: Server;
let silentUrl: string;
beforeAll(async () => {
  server = await startModelServer();
  silent = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  silentUrl = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
});
afterAll(async () => {
  transport.close();
  silent.close();
  await server.close();
});
const show = (answer: unknown) => {
  server.set({ turns: [], answers: { '/api/show': answer } });
  return showModel(transport, server.url, 'm');
};

describe('abilities that a server does not list', () => {
  it.each<[string, object, object]>([
    [
      'tools, from the template',
      { template: '{{ range $.Tools }}{{ . }}{{ end }}', details: { family: 'qwen2' } },
      { tools: true, vision: false, reasoning: false, embedding: false },
    ],
    ['no tools', { template: '{{ .Prompt }}', details: {} }, { tools: false }],
    [
      'eyes, from the projector',
      { template: 'x', projector_info: { 'clip.has_vision_encoder': true } },
      { vision: true },
    ],
    ['eyes, from the families', { template: 'x', details: { families: ['llama', 'clip'] } }, { vision: true }],
    ['eyes, from the facts', { template: 'x', model_info: { 'gemma3.vision.block_count': 27 } }, { vision: true }],
    [
      'only vectors',
      { template: '{{ .Prompt }}', details: { family: 'nomic-bert', families: ['nomic-bert'] } },
      { embedding: true, embedsOnly: true, tools: false },
    ],
    ['nothing', {}, { tools: null, vision: null, reasoning: null, embedding: false }],
  ])('%s', async (_, answer, expected) => expect(await show(answer)).toMatchObject(expected));

  it('what is listed stands', async () => {
    const template = '{{ range .Tools }}';
    expect(await show({ template, capabilities: ['completion', 'embedding'] })).toMatchObject({
      tools: false,
      embedding: true,
      embedsOnly: false,
    });
  });
});

describe('answers that are nonsense', () => {
  it.each([null, [], 'yes', 7])('/api/show with %j is a typed error', async (answer) => {
    // A bare text would be sent as it is.
    await expect(show(typeof answer === 'string' ? JSON.stringify(answer) : answer)).rejects.toBeInstanceOf(
      AdapterError,
    );
  });

  it('fields of the wrong kind are unknown', async () => {
    const details = { quantization_level: 4, parameter_size: null, family: ['x'] };
    const info = { 'general.architecture': 'x', 'x.context_length': -1 };
    expect(
      await show({ details, model_info: info, parameters: 7, capabilities: 'tools', template: [], remote_host: 3 }),
    ).toMatchObject({
      contextTokens: null,
      quantization: null,
      parameters: null,
      family: null,
      numCtx: null,
      local: true,
    });
    expect(await show({ details: null, model_info: null, parameters: 'num_ctx 0' })).toMatchObject({ numCtx: null });
  });

  it('lists leave out what is no model, and are no lists where there is none', async () => {
    const rows = [null, 7, {}, { name: 'a', size: 'big', details: 3 }, { model: 'b', size: 5 }];
    server.set({ turns: [], answers: { '/api/tags': { models: rows }, '/api/ps': { models: [null, { name: 'a' }] } } });
    expect(await listOllamaModels(transport, server.url)).toMatchObject([
      { id: 'a', size: null },
      { id: 'b', size: 5 },
    ]);
    expect(await loadedModels(transport, server.url)).toEqual([{ id: 'a', contextTokens: null }]);
    server.set({ turns: [], answers: { '/api/tags': { models: null }, '/api/version': null } });
    expect(await listOllamaModels(transport, server.url)).toEqual([]);
    await expect(serverVersion(transport, server.url)).rejects.toThrow(/does not answer as an Ollama server does/);
    server.set({ turns: [], answers: { '/api/tags': { data: [] } } });
    await expect(listOllamaModels(transport, server.url)).rejects.toThrow(/does not answer as an Ollama server does/);
  });
});

describe('cloud models', () => {
  it('have no weights here and are not local', async () => {
    expect(
      await show({ remote_host: 'https://models.example.com', capabilities: ['completion', 'tools'] }),
    ).toMatchObject({
      local: false,
      cloud: true,
    });
    server.set({ turns: [], models: [{ name: 'big:120b-cloud', size: 384 }, { name: 'small:1b' }] });
    expect(await listOllamaModels(transport, server.url, { abilities: true })).toMatchObject([
      { id: 'big:120b-cloud', local: false, cloud: true, size: null, memory: null },
      { id: 'small:1b', local: true },
    ]);
  });
});

describe('a server that accepts and does not answer', () => {
  it('is given up in one sentence, and holds up no other', async () => {
    server.set({ turns: [], models: [{ name: 'm' }] });
    const found = await listOnServers({ urls: [silentUrl, server.url], transport }, false);
    expect(found).toMatchObject({ answered: true, models: [{ id: 'm' }], failures: [{ error: { code: 'TIMEOUT' } }] });
    expect(found.failures[0]!.error.message).toBe(`${silentUrl}/api/tags does not answer: nothing came within 2 s.`);
  });

  it('is still given up by who asked, as ever', async () => {
    const stop = new AbortController();
    const asked = within(60_000, silentUrl, stop.signal, (signal) => transport.send({ url: silentUrl, signal }));
    stop.abort();
    await expect(asked).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('many models on many servers', () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  beforeEach(() => {
    process.on('warning', note);
    return () => process.off('warning', note);
  });

  it('are asked about without piling up listeners', async () => {
    const models = Array.from({ length: 30 }, (_, index) => ({ name: `m:${index}b` }));
    server.set({ turns: [], models });
    const urls = [server.url, `${server.url}/`, server.url.replace('127.0.0.1', 'localhost')];
    const found = await listOnServers({ urls, transport }, true);
    expect(found.models).toHaveLength(30);
    expect(found.models.every(({ tools }) => tools === true)).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });
});

it('an address that means this machine is looked for in both of its forms, the second only when the first refuses', async () => {
  const asked: string[] = [];
  const refuse = async (url: string): Promise<string> => {
    asked.push(url);
    if (!url.includes('[::1]')) await transport.send({ url: 'http://127.0.0.1:9' });
    return 'here';
  };
  expect(await atServer('0.0.0.0:9', refuse)).toEqual({ answer: 'here', baseUrl: 'http://[::1]:9' });
  expect(asked).toEqual(['http://127.0.0.1:9', 'http://[::1]:9']);
  await expect(atServer('127.0.0.1:9', refuse)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' });
  const once = await atServer('0.0.0.0:9', async (url) => url);
  expect(once).toEqual({ answer: 'http://127.0.0.1:9', baseUrl: 'http://127.0.0.1:9' });
});

it('a server that listens on ::1 alone is found', async (context) => {
  const { createServer: createHttpServer } = await import('node:http');
  const six = createHttpServer((_, response) => response.end('{"models":[{"name":"m"}]}'));
  const listens = await new Promise<boolean>((resolve) => {
    six.once('error', () => resolve(false));
    six.listen(0, '::1', () => resolve(true));
  });
  if (!listens) return context.skip();
  const { port } = six.address() as { port: number };
  const found = await listOnServers({ urls: [`0.0.0.0:${port}`], transport }, false);
  six.closeAllConnections();
  six.close();
  expect(found).toMatchObject({ answered: true, models: [{ id: 'm', server: { host: `[::1]:${port}` } }] });
});

it('a name that differs in case alone is found under its own', async () => {
  server.set({ turns: [], models: [{ name: 'Qwen3:8B' }, { name: 'Owl:latest' }] });
  const found = async (name: string) => (await showOnServers({ urls: [server.url], transport }, name)).found?.shown.id;
  expect(await found('qwen3:8b')).toBe('Qwen3:8B');
  expect(await found('owl')).toBe('Owl:latest');
  expect(await found('qwen3:4b')).toBeUndefined();
});

it('a password goes along and is never told', async () => {
  server.set({ turns: [], models: [{ name: 'm' }], pulls: [] });
  const url = server.url.replace('//', '//me:secret@');
  const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  await showModel(transport, url, 'm');
  const pull = async () => {
    for await (const _ of pullModel({ baseUrl: url, model: 'nobody' }));
  };
  const error = await pull().catch((thrown: AdapterError) => thrown);
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([basic, basic]);
  expect(JSON.stringify([error, (error as Error).message])).not.toContain('secret');
  server.set({ turns: [], answers: { '/api/show': null } });
  const bad = await showModel(transport, url, 'm').catch((thrown: AdapterError) => thrown);
  expect(JSON.stringify([bad, (bad as Error).message])).not.toContain('secret');
});
