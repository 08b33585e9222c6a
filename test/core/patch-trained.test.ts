import { expect, test } from 'vitest';
import { isPatchTrained, toolsFor } from '../../core/patch-trained.ts';
import { coreTools, lateTools } from '../../core/tools/index.ts';

test.each([
  ['openai/gpt-5', true],
  ['openai/gpt-5.2', true],
  ['openai/gpt-5-mini-2025-08-07', true],
  ['openai/codex-mini-latest', true],
  ['openai/o3', true],
  ['openai/o4-mini', true],
  ['openai/gpt-4.1', true],
  ['openai/gpt-4.1-nano', true],
  ['openrouter/openai/gpt-5.1-codex', true],
  ['remote/gpt-5.2', true],
  ['openai/gpt-4o', false],
  ['openai/o1', false],
  ['openai/gpt-50', false],
  ['groq/openai/gpt-oss-120b', false],
  ['anthropic/claude-sonnet-5', false],
  ['ollama/gpt-5:latest', false],
  ['ollama/codex', false],
  ['replay:/x/gpt-5', false],
])('%s knows apply_patch by heart: %s', (id, expected) => {
  expect(isPatchTrained(id)).toBe(expected);
});

test('it stands beside edit_file with its schema, once, and is late for all others', () => {
  const all = [...coreTools(), ...lateTools({})];
  const names = (id: string) =>
    toolsFor(id, all)
      .filter((tool) => !tool.late)
      .map(({ name }) => name);
  const core = coreTools().map(({ name }) => name);
  expect(names('ollama/qwen3')).toEqual(core);
  expect(names('openai/gpt-5.2')).toEqual(core.toSpliced(core.indexOf('edit_file') + 1, 0, 'apply_patch'));
  expect(toolsFor('openai/gpt-5.2', all)).toHaveLength(all.length);
  const without = all.filter(({ name }) => name !== 'apply_patch');
  expect(toolsFor('openai/gpt-5.2', without)).toBe(without);
});
