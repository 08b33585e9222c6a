/** Which local model is taken, where it is said to be, and what is said where it cannot be had. */
import { createServer as createTcpServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { facts, table } from '../../app/commands/models.ts';
import { serverTrouble } from '../../app/models/server-trouble.ts';
import { openModels } from '../../app/models.ts';
import type { Models, ModelsOptions } from '../../app/models-api.ts';
import type { StartError } from '../../app/start-error.ts';
import { NetworkError } from '../../providers/errors.ts';
import type { IRChatRequest } from '../../providers/ir.ts';
import { serverPlace } from '../../providers/locality.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import type { ScriptedModel } from '../fakes/script.ts';

let server: ModelServer;
const open: Models[] = [];
beforeAll(async () => {
  server = await startModelServer();
});
afterEach(() => {
  for (const models of open.splice(0)) models.close();
});
afterAll(() => server.close());

const NOWHERE = 'http://127.0.0.1:9';
/** A proxy has any name for an address: so a server is in the network, or elsewhere, and all the same on loopback. */
const through = (): NodeJS.ProcessEnv => ({ http_proxy: server.url });

function modelsOf(env: NodeJS.ProcessEnv, more: Partial<ModelsOptions> = {}): Models {
  const ollamaHosts = env.OLLAMA_HOST ? [env.OLLAMA_HOST] : more.ollamaHosts;
  const models = openModels({ env, cwd: '/', offline: false, ...more, ollamaHosts });
  open.push(models);
  return models;
}

const coder: ScriptedModel = {
  name: 'qwen3:8b',
  capabilities: ['completion', 'tools'],
  size: 1e9,
  contextTokens: 40_960,
};
const paths = () => server.requests.map(({ path }) => path);
const refusal = async (models: Models, id?: string): Promise<string> =>
  models.choose(id).then(
    ({ id: chosen }) => `chose ${chosen}`,
    (error: StartError) => `${error.exitCode}: ${error.message}`,
  );

describe('where a model is, is told by the address', () => {
  it('on this machine: with one request, and a window that its memory bears', async () => {
    server.set({ turns: [], models: [coder] });
    const chosen = await modelsOf({ OLLAMA_HOST: server.url }).choose('ollama/qwen3:8b');
    expect(chosen).toMatchObject({ id: 'ollama/qwen3:8b', local: true, contextTokens: 32_768 });
    expect(chosen.notice).toBeUndefined();
    expect(paths()).toEqual(['/api/show']);
  });

  it('in the network: local, and told so; what is loaded there decides on the window', async () => {
    const loaded = [{ name: 'qwen3:8b', context_length: 16_384 }];
    server.set({ turns: [], models: [{ ...coder, size: 900e9 }], answers: { '/api/ps': { models: loaded } } });
    const models = modelsOf({ ...through(), OLLAMA_HOST: 'gpu-box:11434' });
    const chosen = await models.choose(undefined);
    expect(chosen).toMatchObject({ id: 'ollama/qwen3:8b', local: true, contextTokens: 16_384 });
    expect(chosen.notice).toMatch(
      /^qwen3:8b \(.*in your network, at gpu-box:11434, loaded already\): the only local model/,
    );
    const listed = await models.list();
    expect(table(listed)).toMatch(/^qwen3:8b +local ollama at gpu-box:11434, loaded/m);
    expect(facts(await models.show('qwen3:8b'))).toMatch(
      /^where +local, ollama at http:\/\/gpu-box:11434, in your network$/m,
    );
  });

  it('elsewhere: not local, whatever program it is', async () => {
    server.set({ turns: [], models: [coder] });
    const models = modelsOf({ ...through(), OLLAMA_HOST: 'http://models.example.com' });
    expect(await models.choose('ollama/qwen3:8b')).toMatchObject({
      local: false,
      notice: 'qwen3:8b is served at models.example.com, not on this machine or network',
    });
    expect(await models.choose(undefined)).toMatchObject({
      local: false,
      notice: expect.stringMatching(
        /^qwen3:8b \(.*, at models\.example\.com, not on this machine or network\): the only model/,
      ),
    });
    expect(table(await models.list())).toMatch(/^qwen3:8b +hosted ollama at models\.example\.com .* -$/m);
    const other = modelsOf({ ...through(), OLLAMA_HOST: NOWHERE, LMSTUDIO_BASE_URL: 'http://models.example.com/v1' });
    expect(await other.choose('lmstudio/qwen3:8b')).toMatchObject({
      local: false,
      notice: expect.stringContaining('not on'),
    });
    const own = modelsOf(
      { ...through(), OLLAMA_HOST: NOWHERE },
      { vendors: { mine: { baseUrl: 'http://gpu-box:1/v1' } } },
    );
    expect(await own.choose('mine/qwen3:8b')).toMatchObject({ local: true });
  });

  it('a model that is only passed on is not local, not taken unasked, and has its own window', async () => {
    const cloud = { name: 'big:cloud', capabilities: ['completion', 'tools'], contextTokens: 262_144, size: 384 };
    server.set({ turns: [], models: [cloud] });
    const models = modelsOf({ OLLAMA_HOST: server.url });
    expect(await models.choose('ollama/big:cloud')).toMatchObject({ local: false, contextTokens: 262_144 });
    expect(models.load()).toBeUndefined();
    expect(await refusal(models)).toMatch(/has only models that it passes on to a hosted service/);
    expect(facts(await models.show('big:cloud'))).toMatch(/^where +hosted, .*passes it on to a hosted service$/m);
    expect(await refusal(modelsOf({ OLLAMA_HOST: server.url }, { offline: true }), 'big:cloud')).toMatch(
      /--offline closes/,
    );
  });

  it('several hosts are told apart', async () => {
    server.set({ turns: [], models: [coder] });
    const ollamaHosts = [server.url, NOWHERE];
    const models = modelsOf({}, { ollamaHosts });
    const silent: string[] = [];
    expect(table(await models.list((line) => silent.push(line)))).toMatch(/^qwen3:8b +local ollama /m);
    expect(silent).toEqual([`no Ollama at ${NOWHERE}: start it with "ollama serve"`]);
    expect(await refusal(models, 'ollama/cat')).toBe(
      `3: Ollama at ${server.url} has no model cat; not asked: no Ollama at ${NOWHERE} ("ada models pull cat" gets it)`,
    );
  });
});

describe('--offline', () => {
  it('closes what only the settings name, and says so; what OLLAMA_HOST names stays open', async () => {
    server.set({ turns: [], models: [coder] });
    const ollamaHosts = ['gpu-box:11434', server.url];
    const models = modelsOf(through(), { ollamaHosts, offline: true });
    expect(models.problems).toEqual([
      'ollama.hosts: gpu-box:11434 is left out: offline, only this machine and OLLAMA_HOST are reached',
    ]);
    expect(await models.list()).toHaveLength(1);
    expect(server.requests.every(({ headers }) => headers.host?.startsWith('127.0.0.1'))).toBe(true);
    const alone = modelsOf(through(), { ollamaHosts: ['gpu-box:11434'], offline: true });
    expect(await refusal(alone, 'ollama/x')).toMatch(/^3: ollama\.hosts: gpu-box:11434 is left out: offline/);
    expect(await refusal(alone)).toMatch(/no model can be reached: ollama\.hosts: gpu-box:11434 is left out/);
    const named = modelsOf({ ...through(), OLLAMA_HOST: 'gpu-box:11434' }, { offline: true });
    expect(await named.choose('ollama/qwen3:8b')).toMatchObject({ local: true });
  });
});

describe('windows', () => {
  it('PARAMETER num_ctx of a Modelfile is the default, and is told', async () => {
    const shown = { parameters: 'num_ctx 12345', capabilities: ['completion', 'tools'] };
    server.set({ turns: [], answers: { '/api/show': shown } });
    const models = modelsOf({ OLLAMA_HOST: server.url });
    expect(await models.choose('ollama/m:1b')).toMatchObject({ contextTokens: 12_345 });
    expect(facts(await models.show('m:1b'))).toMatch(/^window +12,345 tokens as served here: as PARAMETER num_ctx/m);
    const set = modelsOf({ OLLAMA_HOST: server.url }, { contextTokens: 9_000 });
    expect(await set.choose('ollama/m:1b')).toMatchObject({ contextTokens: 9_000 });
  });

  it('LM Studio tells its own, and what cannot call tools', async () => {
    const data = [
      {
        id: 'a',
        type: 'llm',
        state: 'loaded',
        loaded_context_length: 4_096,
        max_context_length: 131_072,
        capabilities: [],
      },
      { id: 'v', type: 'embeddings' },
      { id: 'b', type: 'llm', state: 'not-loaded', max_context_length: 32_768, capabilities: ['tool_use'] },
    ];
    server.set({ turns: [], answers: { '/v1/models': { data }, '/api/v0/models': { data } } });
    const models = modelsOf({ OLLAMA_HOST: NOWHERE, LMSTUDIO_BASE_URL: `${server.url}/v1` });
    expect(await models.choose('lmstudio/a')).toMatchObject({
      contextTokens: 4_096,
      isSmall: true,
      notice: expect.stringMatching(/^a cannot call tools/),
    });
    expect(await models.choose('lmstudio/b')).toMatchObject({
      contextTokens: 32_768,
      notice: 'b is not loaded: LM Studio decides on its window when it loads it, at most 32,768 tokens',
    });
    expect(await refusal(models, 'lmstudio/v')).toMatch(/^2: v turns text into numbers and cannot answer/);
    expect(await models.show('lmstudio/a')).toMatchObject({ window: { tokens: 4_096 }, tools: false });
  });

  it('that a model can call tools is said only where it is known', async () => {
    server.set({ turns: [], models: [{ name: 'a' }] });
    const chosen = await modelsOf({ OLLAMA_HOST: NOWHERE, VLLM_BASE_URL: `${server.url}/v1` }).choose(undefined);
    expect(chosen.id).toBe('vllm/a');
    expect(chosen.notice).toMatch(/: the only local model; whether it can call tools is not known$/);
  });
});

it('an old server does not list abilities, and its models are taken by their templates', async () => {
  const answer = { template: '{{ range .Tools }}{{ end }}', details: {}, model_info: {} };
  server.set({ turns: [], models: [{ name: 'm:1b', size: 1 }], answers: { '/api/show': answer } });
  expect((await modelsOf({ OLLAMA_HOST: server.url }).choose(undefined)).id).toBe('ollama/m:1b');
});

it('a name in other case is found, and asked for as the server has it', async () => {
  server.set({ turns: [], models: [{ ...coder, name: 'Qwen3:8B' }] });
  const { id, parameters } = await modelsOf({ OLLAMA_HOST: server.url }).choose('ollama/qwen3:8b');
  expect([id, parameters.model]).toEqual(['ollama/Qwen3:8B', 'Qwen3:8B']);
});

it('--offline closes what is not on this machine, and does not call it hosted', async () => {
  const models = modelsOf({ ...through(), OLLAMA_HOST: NOWHERE, LMSTUDIO_BASE_URL: 'gpu-box:1' }, { offline: true });
  expect(await refusal(models, 'lmstudio/m')).toBe(
    '3: lmstudio/m is not on this machine, and --offline closes every way out',
  );
});

describe('a sentence for each', () => {
  const huge = { ...coder, size: 1e15 };
  it.each<[string, ScriptedModel[], RegExp]>([
    ['no model', [], /Ollama at \S+ has no model yet; get one with "ada models pull/],
    [
      'none that answers',
      [{ name: 'e', capabilities: ['embedding'] }],
      /has only models that turn text into numbers; get/,
    ],
    ['none with tools', [{ name: 'p', capabilities: ['completion'] }], /has no model that can call tools; get/],
    [
      'small windows',
      [{ ...coder, contextTokens: 2_048 }],
      /holds more than the prompt \(the largest is 2,048 tokens\); get/,
    ],
    [
      'too big',
      [huge],
      /too big for \S+ GB of memory \(the smallest takes \S+ GB; --model tries one all the same\); get/,
    ],
  ])('%s', async (_, models, sentence) => {
    server.set({ turns: [], models });
    const said = await refusal(modelsOf({ OLLAMA_HOST: server.url }));
    expect(said).toMatch(/^3: no model can be reached: /);
    expect(said).toMatch(sentence);
    expect(said).not.toContain('ollama serve');
  });

  it.each([
    ['not-an:address', /OLLAMA_HOST “not-an:address” is not an address: write a host, host:port or a URL/],
    ['http://me:secret@box:x', /^(?!.*secret).*is not an address/],
    [NOWHERE, /cannot reach Ollama at http:\/\/127\.0\.0\.1:9 for m: start it with "ollama serve"$/],
  ])('OLLAMA_HOST %s', async (host, sentence) => {
    const models = modelsOf({ OLLAMA_HOST: host });
    expect(await refusal(models, 'ollama/m')).toMatch(sentence);
    expect(await refusal(models)).toMatch(/^(?!.*secret)3: no model can be reached: /);
  });

  it('a host name that nobody knows, and TLS where there is none', () => {
    const trouble = (errno: string, url: string, setting = 'OLLAMA_HOST') => {
      const error = new NetworkError({ message: 'It failed.', details: { errno } });
      return serverTrouble(error, { url, place: serverPlace(url), title: 'Ollama', setting });
    };
    expect(trouble('ENOTFOUND', 'http://gpu-bx:11434', 'ollama.hosts')).toEqual({
      what: 'the host name gpu-bx is not known here',
      remedy: 'check ollama.hosts',
    });
    expect(trouble('EPROTO', 'https://gpu-box').remedy).toBe('write http:// in place of https:// in OLLAMA_HOST');
    expect(trouble('EHOSTUNREACH', 'http://gpu-box')).toEqual({ what: 'It failed', remedy: 'check OLLAMA_HOST' });
  });

  it('https to a server that speaks plain http', async () => {
    const said = await refusal(modelsOf({ OLLAMA_HOST: server.url.replace('http', 'https') }), 'ollama/m');
    expect(said).toMatch(/https:\S+ does not speak TLS: write http:\/\/ in place of https:\/\/ in OLLAMA_HOST$/);
  });

  it('what accepts and does not answer', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
    const said = await Promise.all([
      refusal(modelsOf({ OLLAMA_HOST: url }), 'ollama/m'),
      refusal(modelsOf({ OLLAMA_HOST: NOWHERE, LMSTUDIO_BASE_URL: `${url}/v1` }), 'lmstudio/m'),
      refusal(modelsOf({ OLLAMA_HOST: url })),
    ]);
    silent.close();
    expect(said[0]).toBe(
      `3: cannot reach Ollama for m: ${url}/api/show does not answer: nothing came within 2 s: start Ollama again`,
    );
    expect(said[1]).toMatch(/^3: cannot reach LM Studio for m: \S+ does not answer/);
    expect(said[2]).toMatch(
      /^3: no model can be reached: \S+ does not answer: nothing came within 2 s; start Ollama again/,
    );
  });

  it('what is no server of models', async () => {
    server.set({ turns: [], answers: { '/api/show': null, '/api/tags': { hello: 1 } } });
    const models = modelsOf({ OLLAMA_HOST: server.url });
    expect(await refusal(models, 'ollama/m')).toMatch(
      /does not answer as an Ollama server does: see whether OLLAMA_HOST leads to Ollama$/,
    );
    expect(await refusal(models)).toMatch(
      /does not answer as an Ollama server does; see whether OLLAMA_HOST leads to Ollama,/,
    );
  });

  it('a bare name while Ollama is down may have been meant for it', async () => {
    const models = modelsOf({ OLLAMA_HOST: NOWHERE });
    expect(await refusal(models, 'qwen3')).toMatch(
      /^3: qwen3 is not installed: .*; not asked: no Ollama at \S+ \(start it with/,
    );
    expect(await refusal(models, 'zebra')).toMatch(/^3: no model is called zebra.*; not asked: no Ollama at/);
  });

  it('an embedding model', async () => {
    server.set({ turns: [], models: [{ name: 'e', capabilities: ['embedding'] }] });
    expect(await refusal(modelsOf({ OLLAMA_HOST: server.url }), 'ollama/e')).toMatch(/^2: e turns text into numbers/);
  });

  it('entries of ollama.hosts that are no addresses are left out, and told once', async () => {
    server.set({ turns: [], models: [coder] });
    const models = modelsOf({}, { ollamaHosts: ['a b', server.url, 'http://me:secret@x:y'] });
    expect(models.problems).toEqual([
      expect.stringMatching(/^ollama\.hosts: “a b” is not an address/),
      expect.stringMatching(/^(?!.*secret)ollama\.hosts: “http:\/\/x:y”/),
    ]);
    const silent: string[] = [];
    expect(await models.list((line) => silent.push(line))).toHaveLength(1);
    expect(silent).toEqual([]);
  });
});

describe('in the middle of a session', () => {
  const request: IRChatRequest = {
    messages: [{ role: 'user', content: 'Hello?' }],
    tools: [{ name: 't', parameters: { type: 'object' } }],
    metadata: { requestId: 'r', timestamp: 0 },
  };
  async function failure(models: Models, parameters: IRChatRequest['parameters']): Promise<string | undefined> {
    for await (const chunk of models.ask({ ...request, parameters }, new AbortController().signal))
      if (chunk.type === 'error') return chunk.error.message;
    return undefined;
  }

  it('the model was removed', async () => {
    server.set({ turns: [], models: [coder] });
    const models = modelsOf({ OLLAMA_HOST: server.url });
    const { parameters } = await models.choose('ollama/qwen3:8b');
    server.set({ turns: [], models: [] });
    expect(await failure(models, parameters)).toBe(
      `Ollama at ${server.url} has no model qwen3:8b any more: "ada models pull qwen3:8b" gets it, /model chooses another.`,
    );
  });

  it('the server dies in the middle of every answer', async () => {
    const fault = { kind: 'cut', after: 1 } as const;
    server.set({ turns: [{ text: 'A long answer that breaks off.', fault, faultTimes: 99 }], models: [coder] });
    const models = modelsOf({ OLLAMA_HOST: server.url });
    const { parameters } = await models.choose('ollama/qwen3:8b');
    expect(await failure(models, parameters)).toBe(
      `Ollama at ${server.url} broke off in the middle of its answer: it may have crashed or run out of memory, which its log tells.`,
    );
  });

  it('the model refuses tools although nothing told so', async () => {
    server.set({ turns: [], models: [{ ...coder, capabilities: ['completion'] }], answers: { '/api/show': {} } });
    const models = modelsOf({ OLLAMA_HOST: server.url });
    const { parameters } = await models.choose('ollama/qwen3:8b');
    expect(await failure(models, parameters)).toMatch(
      /^qwen3:8b cannot call tools, says Ollama at \S+: choose one that can/,
    );
  });

  it('the server is gone', async () => {
    const other = await startModelServer({ turns: [], models: [coder] });
    const models = modelsOf({ OLLAMA_HOST: other.url });
    const { parameters } = await models.choose('ollama/qwen3:8b');
    await other.close();
    expect(await failure(models, parameters)).toBe(`no Ollama at ${other.url} any more: start it with "ollama serve".`);
  });
});
