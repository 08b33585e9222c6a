import { expect, it } from 'vitest';
import { suggestModel } from '../../../providers/routing/suggest-model.ts';

const GIB = 2 ** 30;

it.each([
  [64, 'qwen3-coder:30b'],
  [32, 'qwen3-coder:30b'],
  [24, 'gpt-oss:20b'],
  [16, 'qwen3:14b'],
  [12, 'qwen3:8b'],
  [8, 'qwen3:4b'],
  [5, 'llama3.2:3b'],
])('with %d GiB it is %s', (memory, id) => {
  expect(suggestModel(memory * GIB)?.id).toBe(id);
});

it('says why, and nothing where nothing fits', () => {
  expect(suggestModel(16 * GIB)?.reason).toMatch(/best for coding that fits here: 11\.2 of 17 GB of memory/);
  expect(suggestModel(2 * GIB)).toBeUndefined();
});
