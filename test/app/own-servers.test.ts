/** LM Studio, llama.cpp's server and vLLM: found by a name, waited for, and told of with settings of their own. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { facts } from '../../app/commands/models.ts';
import { openModels } from '../../app/models.ts';
import type { Models, ModelsOptions } from '../../app/models-api.ts';
import type { StartError } from '../../app/start-error.ts';
import { firstRunText } from '../../app/tui/first-run.ts';
import type { IRChatRequest, IRStreamChunk } from '../../providers/ir.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import type { Script, ScriptedModel } from '../fakes/script.ts';

let server: ModelServer;
let ollama: ModelServer;
const open: Models[] = [];
beforeAll(async () => {
  server = await startModelServer();
  ollama = await startModelServer();
});
afterEach(() => {
  for (const models of open.splice(0)) models.close();
});
afterAll(() => Promise.all([server.close(), ollama.close()]));

const NOWHERE = 'http://127.0.0.1:9';
type Program = NonNullable<Script['program']>;
const VARIABLE: Record<Program, string> = {
  lmstudio: 'LMSTUDIO_BASE_URL',
  llamacpp: 'LLAMACPP_BASE_URL',
  vllm: 'VLLM_BASE_URL',
};

function at(
  program: Program,
  models: ScriptedModel[],
  script: Partial<Script> = {},
  more: Partial<ModelsOptions> = {},
) {
  server.set({ program, turns: [{ text: 'Hello.' }], models, ...script });
  const env = { OLLAMA_HOST: NOWHERE, [VARIABLE[program]]: `${server.url}/v1`, ...more.env };
  const opened = openModels({ cwd: '/', offline: false, ...more, env, ollamaHosts: [env.OLLAMA_HOST] });
  open.push(opened);
  return opened;
}
const refusal = (models: Models, id?: string): Promise<StartError> =>
  models.choose(id).then(
    ({ id: chosen }) => expect.unreachable(`chose ${chosen}`),
    (error: StartError) => error,
  );
const embedder = { name: 'text-embedding-nomic', capabilities: ['embedding'], contextTokens: 2_048 };
const loaded = { name: 'qwen/qwen3-8b', contextTokens: 131_072, loadedTokens: 16_384 };

describe('LM Studio', () => {
  it('shows the window that a model is loaded with, and the longest that it was made for', async () => {
    const models = at('lmstudio', [loaded, { name: 'b', contextTokens: 32_768 }]);
    const shown = facts(await models.show('lmstudio/qwen/qwen3-8b'));
    expect(shown).toMatch(/^window +16,384 tokens as served here: as its server decides$/m);
    expect(shown).toMatch(/^longest +131,072 tokens, what it was made for$/m);
    expect(shown).toMatch(/^loaded +yes, with 16,384 tokens$/m);
    const other = facts(await models.show('lmstudio/b'));
    expect(other).toMatch(/^window +unknown: LM Studio decides when it loads the model$/m);
    expect(other).toMatch(/^longest +32,768 tokens/m);
    expect(other).toMatch(/^loaded +no$/m);
  });

  it('that has only an embedding model, or none, is told of', async () => {
    const error = await refusal(at('lmstudio', [embedder]));
    const sentence = `LM Studio at ${server.url}/v1 has only models that turn text into numbers`;
    expect(error.message).toContain(sentence);
    expect(firstRunText(error)).toContain(`${sentence}.`);
    expect((await refusal(at('lmstudio', []))).message).toContain(
      `LM Studio at ${server.url}/v1 has no model loaded (load one in LM Studio)`,
    );
    const keyed = at('lmstudio', [], {}, { env: { OPENAI_API_KEY: 'k' } });
    expect((await keyed.choose(undefined)).notice).toBe(
      `gpt-5.2 at OpenAI (hosted): LM Studio at ${server.url}/v1 has no model loaded (load one in LM Studio)`,
    );
  });
});

it("llama.cpp's server tells what it serves, and what the model was trained for", async () => {
  const models = at('llamacpp', [{ name: 'm', contextTokens: 8_192, trainedTokens: 40_960 }]);
  const shown = facts(await models.show('llamacpp/m'));
  expect(shown).toMatch(/^window +8,192 tokens as served here/m);
  expect(shown).toMatch(/^longest +40,960 tokens/m);
});

it('of vLLM only the window is known', async () => {
  const shown = facts(await at('vllm', [{ name: 'm', contextTokens: 8_192 }]).show('vllm/m'));
  expect(shown).toMatch(/^window +8,192 tokens as served here/m);
  expect(shown).not.toMatch(/^longest/m);
});

describe('a name without a vendor', () => {
  it.each<[Program, string, string]>([
    ['lmstudio', 'qwen/qwen3-8b', 'qwen/qwen3-8b'],
    ['lmstudio', 'qwen/qwen3-8b', 'qwen3-8b'],
    ['lmstudio', 'qwen2.5-coder-7b-instruct', 'Qwen2.5-Coder-7B-Instruct'],
    ['llamacpp', '/models/devstral-q4.gguf', 'devstral-q4'],
    ['llamacpp', 'ggml-org/gemma-3-4b-it-GGUF:Q4_K_M', 'ggml-org/gemma-3-4b-it-GGUF:Q4_K_M'],
    ['vllm', 'zebra', 'zebra'],
  ])('%s: %s is found as %s', async (program, name, asked) => {
    const models = at(
      program,
      [embedder, { name, contextTokens: 32_768, loadedTokens: 32_768 }].slice(program === 'llamacpp' ? 1 : 0),
    );
    expect((await models.choose(asked)).id).toBe(`${program}/${name}`);
    expect((await models.show(asked)).id).toBe(`${program}/${name}`);
  });

  it('is one of the settings too', async () => {
    const models = at('lmstudio', [loaded], {}, { aliases: { mine: 'qwen3-8b' } });
    expect((await models.choose('mine')).id).toBe('lmstudio/qwen/qwen3-8b');
  });

  it('is not guessed: two that end so are none, and Ollama and a vendor with a key come first', async () => {
    const twice = at('lmstudio', [loaded, { ...loaded, name: 'other/qwen3-8b' }]);
    expect((await refusal(twice, 'qwen3-8b')).message).toMatch(/is not installed/);
    ollama.set({
      turns: [],
      models: [{ name: 'zebra:latest', capabilities: ['completion', 'tools'], contextTokens: 32_768 }],
    });
    const both = at('lmstudio', [{ ...loaded, name: 'zebra' }], {}, { env: { OLLAMA_HOST: ollama.url } });
    expect((await both.choose('zebra')).id).toBe('ollama/zebra:latest');
    const keyed = at('lmstudio', [{ ...loaded, name: 'gpt-x' }], {}, { env: { OPENAI_API_KEY: 'k' } });
    expect((await keyed.choose('gpt-x')).id).toBe('openai/gpt-x');
  });

  it('that nobody has names what is here, and who can get it', async () => {
    const message = async (name: string) => (await refusal(at('lmstudio', [loaded]), name)).message;
    expect(await message('qwen3-9b')).toBe(
      'qwen3-9b is not installed: load it in LM Studio ("lms load qwen3-9b"); nearest installed: lmstudio/qwen/qwen3-8b',
    );
    expect(await message('qwen3:9b')).toMatch(/^cannot reach Ollama at .*; here is lmstudio\/qwen\/qwen3-8b$/);
    expect(await message('hf.co/org/model')).toMatch(/^cannot reach Ollama at .* for hf\.co\/org\/model: /);
  });

  it.each<[Program, string]>([
    ['lmstudio', 'load it in LM Studio ("lms load qwen3-9b")'],
    ['vllm', '"vllm serve qwen3-9b" serves it'],
  ])('with %s in front: what it does not list is asked of nobody', async (program, get) => {
    const models = at(program, [loaded, { name: 'zebra', contextTokens: 8_192 }]);
    const title = program === 'vllm' ? 'vLLM' : 'LM Studio';
    const sentence = `${title} at ${server.url}/v1 has no model qwen3-9b: ${get}; nearest there: qwen/qwen3-8b`;
    expect(await refusal(models, `${program}/qwen3-9b`)).toMatchObject({ exitCode: 3, message: sentence });
    await expect(models.show(`${program}/qwen3-9b`)).rejects.toThrow(sentence);
    expect((await models.choose(`${program}/Qwen3-8B`)).id).toBe(`${program}/qwen/qwen3-8b`);
    expect(server.chats()).toEqual([]);
  });

  it('that nobody has is refused as ever, with the remedy of the program that runs', async () => {
    const remedy = '(ada models lists what can be reached, load one in LM Studio)';
    for (const models of [[loaded], []]) {
      const error = await refusal(at('lmstudio', models), 'zebra');
      expect(error).toMatchObject({ exitCode: 3, message: `no model is called zebra ${remedy}` });
    }
    expect((await refusal(at('lmstudio', []), 'qwen3')).message).toBe(
      'qwen3 is not installed: load it in LM Studio ("lms load qwen3")',
    );
  });

  it('that begins like a hosted vendor is found where that vendor has no key', async () => {
    const oss = { ...loaded, name: 'openai/gpt-oss-20b' };
    expect((await at('lmstudio', [oss]).choose(oss.name)).id).toBe(`lmstudio/${oss.name}`);
    expect((await at('lmstudio', [oss]).show(oss.name)).id).toBe(`lmstudio/${oss.name}`);
    const keyed = at('lmstudio', [oss], {}, { env: { OPENAI_API_KEY: 'k' } });
    expect((await keyed.choose(oss.name)).id).toBe(oss.name);
    expect((await refusal(at('lmstudio', [oss]), 'openai/gpt-5')).message).toBe(
      'OpenAI wants a key: set OPENAI_API_KEY',
    );
  });
});

describe('a server that is loading its model', () => {
  const model = { name: 'm', contextTokens: 16_384 };

  it('is waited for where the model is named, and said so once', async () => {
    const said: string[] = [];
    const models = at('llamacpp', [model], { loadingAnswers: 3 }, { tell: (line) => said.push(line) });
    expect(await models.choose('llamacpp/m')).toMatchObject({ contextTokens: 16_384 });
    expect(said).toEqual([`llama.cpp server at ${server.url}/v1 is loading the model; ada waits for it`]);
  });

  it('is waited for where none is named and nobody watches; else it is told, and looked at again', async () => {
    const models = at('llamacpp', [model], { loadingAnswers: 2 }, { patient: true });
    expect((await models.choose(undefined)).id).toBe('llamacpp/m');
    const watched = at('llamacpp', [model], { loadingAnswers: 1 });
    expect(await refusal(watched)).toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(`llama.cpp server at ${server.url}/v1 is loading its model`),
    });
    expect((await watched.choose(undefined)).id).toBe('llamacpp/m');
  });

  it('is waited for where a name without a vendor may be its model’s', async () => {
    const said: string[] = [];
    const tell = (line: string) => said.push(line);
    const file = { name: '/models/devstral.gguf', contextTokens: 16_384 };
    const models = at('llamacpp', [file], { loadingAnswers: 2 }, { tell });
    expect((await models.choose('devstral')).id).toBe('llamacpp//models/devstral.gguf');
    expect(said).toEqual([`llama.cpp server at ${server.url}/v1 is loading the model; ada waits for it`]);
  });

  it('is not passed over by the list for a hosted one', async () => {
    const models = at('llamacpp', [model], { loadingAnswers: 99 }, { env: { OPENAI_API_KEY: 'k' } });
    expect(await models.preferred()).toBeUndefined();
  });

  it('is waited for by show too', async () => {
    const said: string[] = [];
    const models = at('llamacpp', [model], { loadingAnswers: 2 }, { tell: (line) => said.push(line) });
    expect(await models.show('llamacpp/m')).toMatchObject({ id: 'llamacpp/m', contextTokens: 16_384 });
    expect(said).toEqual([`llama.cpp server at ${server.url}/v1 is loading the model; ada waits for it`]);
  });

  it('is told of by the list', async () => {
    const silent: string[] = [];
    expect(await at('llamacpp', [model], { loadingAnswers: 9 }).list((line) => silent.push(line))).toEqual([]);
    expect(silent).toContain(`llama.cpp server at ${server.url}/v1 is loading its model: try again when it is ready`);
  });

  it('is not waited for any more when the models are closed', async () => {
    const models = at('llamacpp', [model], { loadingAnswers: 999 }, { tell: () => setImmediate(() => models.close()) });
    expect((await refusal(models, 'llamacpp/m')).message).toMatch(/is still loading its model: try again/);
  });
});

describe('an address', () => {
  const vllm = (VLLM_BASE_URL: string) => {
    const env = { OLLAMA_HOST: NOWHERE, VLLM_BASE_URL };
    const models = openModels({ cwd: '/', offline: false, env, ollamaHosts: [NOWHERE] });
    open.push(models);
    return models;
  };

  it('may lack its scheme and its path', async () => {
    server.set({ program: 'vllm', turns: [], models: [{ name: 'zebra', contextTokens: 16_384 }] });
    const models = vllm(server.url.replace('http://', ''));
    expect((await models.choose(undefined)).id).toBe('vllm/zebra');
    expect((await models.list()).map(({ id }) => id)).toEqual(['vllm/zebra']);
  });

  it.each(['what is it', 'ftp://box'])('that is none is told with its variable: %s', async (written) => {
    const wrong = `VLLM_BASE_URL “${written}” is not an address`;
    expect((await refusal(vllm(written))).message).toContain(wrong);
    expect(await refusal(vllm(written), 'vllm/zebra')).toMatchObject({
      exitCode: 3,
      message: `cannot reach vLLM for zebra: ${wrong}: write its URL, such as http://127.0.0.1:8000/v1`,
    });
  });

  it('where nobody listens is no model that can be reached', async () => {
    const sentence = `cannot reach vLLM at ${NOWHERE} for zebra: start it ("vllm serve MODEL")`;
    expect(await refusal(vllm(NOWHERE), 'vllm/zebra')).toMatchObject({
      exitCode: 3,
      isSilent: true,
      message: sentence,
    });
    await expect(vllm(NOWHERE).show('vllm/zebra')).rejects.toThrow(sentence);
  });
});

describe('in the middle of a session', () => {
  const request: IRChatRequest = {
    messages: [{ role: 'user', content: 'Hello?' }],
    metadata: { requestId: 'r', timestamp: 0 },
  };
  async function chunks(models: Models, model: string): Promise<IRStreamChunk[]> {
    const all: IRStreamChunk[] = [];
    const stream = models.ask({ ...request, parameters: { model } }, new AbortController().signal);
    for await (const chunk of stream) all.push(chunk);
    return all;
  }
  const failure = async (program: Program, status: number, message: string, code?: string) => {
    const fault = { kind: 'status', status, message, code } as const;
    const models = at(program, [loaded], { turns: [{ fault, faultTimes: 9 }] });
    const { parameters } = await models.choose(`${program}/${loaded.name}`);
    const last = (await chunks(models, parameters.model!)).at(-1)!;
    return last.type === 'error' ? last.error.message : last.type;
  };

  it('llama.cpp that was started anew is waited for, as loading', async () => {
    const models = at('llamacpp', [{ name: 'm', contextTokens: 16_384 }]);
    await models.choose('llamacpp/m');
    server.set({ program: 'llamacpp', turns: [{ text: 'Hello.' }], models: [{ name: 'm' }], loadingAnswers: 1 });
    const all = await chunks(models, 'm');
    expect(all.flatMap((chunk) => (chunk.type === 'retry' ? [chunk.reason] : []))).toEqual([
      'llama.cpp server is loading the model',
    ]);
    expect(all.at(-1)).toMatchObject({ type: 'done' });
  });

  it('LM Studio has nothing loaded any more', async () => {
    const models = at('lmstudio', [loaded]);
    await models.choose('lmstudio/qwen/qwen3-8b');
    server.set({ program: 'lmstudio', turns: [], models: [] });
    const last = (await chunks(models, loaded.name)).at(-1)!;
    expect(last.type === 'error' && last.error.message).toBe(
      `LM Studio at ${server.url}/v1 has no model loaded: load it in LM Studio ("lms load qwen/qwen3-8b"), /model chooses another.`,
    );
  });

  const TOO_LITTLE =
    'Failed to load model "qwen/qwen3-8b". Error: Model loading was stopped due to insufficient system resources.';
  it.each<[Program, number, string, string | undefined, RegExp]>([
    [
      'lmstudio',
      404,
      TOO_LITTLE,
      'model_not_found',
      /insufficient system resources\. A smaller model .*lms load --context-length\)\.$/,
    ],
    [
      'llamacpp',
      500,
      'failed to allocate compute buffers',
      undefined,
      /smaller window \(--ctx-size of llama-server\)\.$/,
    ],
    ['vllm', 500, 'CUDA out of memory.', undefined, /smaller window \(--max-model-len of vLLM\)\.$/],
  ])('%s has too little memory', async (program, status, message, code, sentence) => {
    const said = await failure(program, status, message, code);
    expect(said).toMatch(sentence);
    expect(said).not.toMatch(/ollama/i);
  });
});

describe('a window that is too small', () => {
  it.each<[Program, RegExp]>([
    ['lmstudio', /larger context length \(in LM Studio, or lms load --context-length\)/],
    ['llamacpp', /larger window \(--ctx-size\)/],
    ['vllm', /larger window \(--max-model-len\)/],
  ])('%s: by its own setting', async (program, setting) => {
    const contextTokens = program === 'lmstudio' ? 8_192 : 2_048;
    const models = at(program, [{ name: 'm', contextTokens, loadedTokens: 2_048 }]);
    expect((await models.choose(`${program}/m`)).widen).toMatch(setting);
    const said = await models.choose(`${program}/m`, undefined, 4_000).catch((error: Error) => error.message);
    expect(said).toMatch(setting);
    expect(said).not.toMatch(/ollama\./i);
  });

  it('nor of one that was made for no more', async () => {
    const models = at('lmstudio', [{ name: 'm', contextTokens: 2_048, loadedTokens: 2_048 }]);
    expect((await models.choose('lmstudio/m')).widen).toBeUndefined();
  });

  it('of a hosted model nobody can change', async () => {
    server.set({ turns: [] });
    const models = at('vllm', [], {}, { env: { OPENAI_API_KEY: 'k' } });
    expect((await models.choose('openai/gpt-5.2')).widen).toBeUndefined();
  });
});
