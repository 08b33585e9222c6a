import { expect, test } from 'vitest';
import type { ModelInfo } from '../../../providers/adapter.ts';
import { chooseDefault } from '../../../providers/routing/choose-default.ts';

const model = (id: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
  id,
  provider: 'ollama',
  local: true,
  contextTokens: null,
  outputTokens: null,
  tools: true,
  vision: null,
  reasoning: null,
  size: null,
  price: null,
  ...more,
});
const GB = 1e9;

test.each<[string, ModelInfo[], string | undefined]>([
  ['the only one', [model('phi4:latest')], 'phi4:latest'],
  ['one that can call tools', [model('qwen2.5-coder:32b', { tools: false }), model('llama3.2:3b')], 'llama3.2:3b'],
  ['not one of which that is unknown', [model('mystery', { tools: null })], undefined],
  ['not an embedder', [model('nomic-embed-text', { embedding: true })], undefined],
  ['a coding family before a larger model', [model('llama3.3:70b'), model('qwen3-coder:30b')], 'qwen3-coder:30b'],
  ['the larger of a family', [model('qwen3:8b'), model('qwen3:14b'), model('qwen3:600m')], 'qwen3:14b'],
  [
    'by the size that the server tells',
    [model('qwen3:a', { parameters: '8.2B' }), model('qwen3:b', { parameters: '14.8B' })],
    'qwen3:b',
  ],
  [
    'one that fits the memory',
    [model('qwen3-coder:480b', { size: 290 * GB }), model('qwen3:8b', { size: 5 * GB })],
    'qwen3:8b',
  ],
  ['the loaded one of equals', [model('qwen3:a'), model('qwen3:b', { loaded: true })], 'qwen3:b'],
  [
    'not one whose weights and cache take more than 70 %',
    [model('qwen3:14b', { size: 15 * GB, memory: 24 * GB }), model('qwen3:8b', { size: 5 * GB, memory: 7 * GB })],
    'qwen3:8b',
  ],
  [
    'one that is loaded evidently fits',
    [model('qwen3:14b', { size: 25 * GB, loaded: true }), model('qwen3:8b', { size: 5 * GB })],
    'qwen3:14b',
  ],
  [
    'where none fits well, the smallest that can be held',
    [model('qwen3:32b', { size: 30 * GB }), model('llama3.3:30b', { size: 25 * GB })],
    'llama3.3:30b',
  ],
  [
    'not one whose window holds only the prompt',
    [model('qwen3-coder:30b', { contextTokens: 2_048 }), model('llama3.2:3b', { contextTokens: 131_072 })],
    'llama3.2:3b',
  ],
  ['nothing', [], undefined],
])('local choice: %s', (_, local, expected) => {
  expect(chooseDefault({ local, withKey: [], memory: 32 * GB })?.model).toBe(expected);
});

test('a local model is taken before remote and hosted ones, with the reason', () => {
  const remote = { url: 'http://r', models: [model('big', { local: false })] };
  expect(chooseDefault({ local: [model('qwen3:8b', { parameters: '8.2B' })], remote, withKey: ['openai'] })).toEqual({
    vendor: 'ollama',
    model: 'qwen3:8b',
    local: true,
    reason: 'qwen3:8b (8.2B parameters, on this machine): the only local model that can call tools',
  });
});

test('then the remote backend', () => {
  const remote = { url: 'http://r', models: [model('toolless', { tools: false }), model('big', { tools: null })] };
  expect(chooseDefault({ local: [], remote, withKey: ['openai'] })).toMatchObject({
    vendor: 'remote',
    model: 'big',
    local: false,
  });
});

test('then hosted vendors with a key in the order of the table', () => {
  const choice = chooseDefault({ local: [model('x', { tools: false })], withKey: ['groq', 'anthropic'] });
  expect(choice).toMatchObject({ vendor: 'anthropic', local: false });
  expect(choice?.reason).toMatch(/^claude-\S+ at Anthropic \(hosted\): no local model that fits can call tools$/);
});

test('nothing at all is undefined', () => {
  expect(chooseDefault({ local: [], remote: { url: 'http://r', models: [] }, withKey: [] })).toBeUndefined();
});

test('the reason tells what was left out, and what is loaded', () => {
  const large = model('qwen3:235b', { size: 140 * GB });
  const small = model('qwen3:8b', { size: 5 * GB, parameters: '8.2B', loaded: true });
  const reason = (local: ModelInfo[]) => chooseDefault({ local, withKey: [], memory: 32 * GB })?.reason;
  expect(reason([large, small])).toBe(
    'qwen3:8b (8.2B parameters, on this machine, loaded already): the best of 2 local models that can call tools and fits the memory',
  );
  expect(reason([model('qwen3:32b', { size: 30 * GB })])).toMatch(
    /although it leaves little memory for anything else$/,
  );
});
