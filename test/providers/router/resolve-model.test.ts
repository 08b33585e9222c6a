import { expect, test } from 'vitest';
import { editDistance, nearest } from '../../../providers/routing/nearest.ts';
import { findInstalled, resolveModel } from '../../../providers/routing/resolve-model.ts';

const installed = ['qwen3:8b', 'llama3.2:latest', 'gpt-oss:20b', 'claude-tune:latest', 'hf.co/org/model-GGUF:Q4_K_M'];

test.each([
  // replay
  ['replay:a/b.jsonl', 'replay a/b.jsonl'],
  ['replay:', 'replay '],
  // a vendor in front
  ['ollama/qwen3:8b', 'ollama qwen3:8b !'],
  ['openai/fake-model:latest', 'openai fake-model:latest !'],
  ['anthropic/claude-x', 'anthropic claude-x !'],
  ['openrouter/meta-llama/llama-4', 'openrouter meta-llama/llama-4 !'],
  ['openrouter/qwen/qwen3-coder:free', 'openrouter qwen/qwen3-coder:free !'],
  ['groq/openai/gpt-oss-120b', 'groq openai/gpt-oss-120b !'],
  ['lmstudio/some-model', 'lmstudio some-model !'],
  // installed, whatever the prefix
  ['llama3.2', 'ollama llama3.2:latest'],
  ['LLAMA3.2', 'ollama llama3.2:latest'],
  ['claude-tune', 'ollama claude-tune:latest'],
  ['gpt-oss:20b', 'ollama gpt-oss:20b'],
  ['gpt-oss', 'ollama gpt-oss:20b'],
  ['qwen3', 'ollama qwen3:8b'],
  ['hf.co/org/model-GGUF:Q4_K_M', 'ollama hf.co/org/model-GGUF:Q4_K_M'],
  // what Ollama gets from there, under any spelling
  ['hf.co/org/model-GGUF', 'ollama hf.co/org/model-GGUF:Q4_K_M'],
  ['https://huggingface.co/org/other', 'ollama huggingface.co/org/other'],
  ['HF.co/Org/Other:Q8_0', 'ollama HF.co/Org/Other:Q8_0'],
  ['https://www.huggingface.co/org/other/tree/main?x=1', 'ollama huggingface.co/org/other'],
  ['LM-Studio/qwen/qwen3-8b', 'lmstudio qwen/qwen3-8b !'],
  ['llama.cpp/devstral', 'llamacpp devstral !'],
  ['vLLM/Qwen/Qwen3-8B', 'vllm Qwen/Qwen3-8B !'],
  ['Ollama/qwen3:8b', 'ollama qwen3:8b !'],
  ['hf.co/org/other/', 'ollama hf.co/org/other'],
  ['ollama/https://hf.co/org/other:Q8_0', 'ollama hf.co/org/other:Q8_0 !'],
  // any other id with a colon
  ['claude-x:7b', 'ollama claude-x:7b'],
  ['meta-llama/llama:free', 'ollama meta-llama/llama:free'],
  // known prefixes
  ['claude-sonnet-5', 'anthropic claude-sonnet-5'],
  ['gpt-5.2', 'openai gpt-5.2'],
  ['chatgpt-4o-latest', 'openai chatgpt-4o-latest'],
  ['o3-mini', 'openai o3-mini'],
  ['gemini-2.5-pro', 'gemini gemini-2.5-pro'],
  ['gemma-4-31b-it', 'gemini gemma-4-31b-it'],
  ['mistral-large-latest', 'mistral mistral-large-latest'],
  ['codestral-latest', 'mistral codestral-latest'],
  ['grok-4.3', 'xai grok-4.3'],
  ['deepseek-chat', 'deepseek deepseek-chat'],
  ['qwen3-coder-plus', 'dashscope qwen3-coder-plus'],
  ['qwq-plus', 'dashscope qwq-plus'],
  ['@cf/meta/llama-3.1-8b-instruct', 'cloudflare @cf/meta/llama-3.1-8b-instruct'],
  // any other with a slash
  ['meta-llama/llama-3.3-70b-instruct', 'openrouter meta-llama/llama-3.3-70b-instruct'],
  ['qwen/qwen3-coder', 'openrouter qwen/qwen3-coder'],
  ['mistralai/devstral', 'openrouter mistralai/devstral'],
  // nowhere
  ['opus', 'unknown'],
  ['o-two', 'unknown'],
  ['openai/', 'unknown'],
  ['/x', 'unknown'],
  ['', 'unknown'],
])('%s -> %s', (id, expected) => {
  const found = resolveModel(id, { installed });
  const said =
    'replay' in found
      ? `replay ${found.replay}`
      : 'vendor' in found
        ? `${found.vendor} ${found.model}${found.explicit ? ' !' : ''}`
        : Object.keys(found)[0];
  expect(said).toBe(expected);
});

test('only ids that may be installed need the list', () => {
  for (const id of ['llama3.2', 'gpt-5', 'qwen/qwen3-coder'])
    expect(resolveModel(id)).toEqual({ needsInstalled: true });
  for (const id of ['replay:x', 'openai/gpt-5', 'qwen3:8b'])
    expect(resolveModel(id)).not.toHaveProperty('needsInstalled');
});

test('aliases stand for ids and are looked up once', () => {
  const aliases = { fast: 'groq/llama', loop: 'fast' };
  expect(resolveModel('fast', { aliases })).toEqual({ vendor: 'groq', model: 'llama', explicit: true });
  expect(resolveModel('loop', { aliases, installed: [] })).toMatchObject({ unknown: 'fast' });
});

test('an unknown name comes with the nearest', () => {
  expect(resolveModel('lama3.2', { installed })).toEqual({ unknown: 'lama3.2', nearest: ['llama3.2:latest'] });
  expect(resolveModel('zzzzzzzzzz', { installed })).toEqual({ unknown: 'zzzzzzzzzz', nearest: [] });
});

test('rows of one’s own count', () => {
  const rows = [{ id: 'mine', prefix: /^my-/ } as never];
  expect(resolveModel('mine/x', { rows })).toEqual({ vendor: 'mine', model: 'x', explicit: true });
  expect(resolveModel('my-x', { rows, installed: [] })).toEqual({ vendor: 'mine', model: 'my-x', explicit: false });
});

test('a tag is the part behind the last slash', () => {
  expect(findInstalled('host:5000/m', ['host:5000/m:latest'])).toBe('host:5000/m:latest');
  expect(findInstalled('host:5000', ['host:5000/m:latest'])).toBeUndefined();
  // What Ollama passes on to a server of its own is meant only by its whole name.
  expect(findInstalled('gpt-oss', ['gpt-oss:120b-cloud'])).toBeUndefined();
  expect(findInstalled('gpt-oss', ['gpt-oss:20b', 'gpt-oss:120b-cloud'])).toBe('gpt-oss:20b');
  expect(findInstalled('gpt-oss:120b-cloud', ['gpt-oss:120b-cloud'])).toBe('gpt-oss:120b-cloud');
  expect(findInstalled('host', ['host:5000/m:latest'])).toBeUndefined();
});

test('a name without a tag is the one with :latest, or the only one', () => {
  expect(findInstalled('Qwen3', installed)).toBe('qwen3:8b');
  expect(findInstalled('qwen3', ['qwen3:8b', 'qwen3:14b'])).toBeUndefined();
  expect(findInstalled('qwen3', ['qwen3:8b', 'qwen3:latest'])).toBe('qwen3:latest');
  expect(findInstalled('qwen3', ['qwen3-coder:30b'])).toBeUndefined();
  expect(findInstalled('qwen3:14b', ['qwen3:8b'])).toBeUndefined();
});

test('edit distance counts a swap as one', () => {
  expect([
    editDistance('abc', 'abc'),
    editDistance('abc', 'acb'),
    editDistance('', 'ab'),
    editDistance('kitten', 'sitting'),
  ]).toEqual([0, 1, 2, 3]);
});

test('nearest puts the likeliest first', () => {
  expect(nearest('--mdoel', ['--mode', '--model', '--timeout'])).toEqual(['--model', '--mode']);
  expect(nearest('qwen3', ['qwen3-coder:30b', 'phi4'])).toEqual(['qwen3-coder:30b']);
  expect(nearest('x', [])).toEqual([]);
});
