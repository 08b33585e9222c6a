import { expect, test } from 'vitest';
import { costOf, findModel } from '../../../providers/catalog/catalog.ts';
import { catalog } from '../../../providers/catalog/models.ts';
import { unknownUsage } from '../../../providers/ir.ts';
import { vendors } from '../../../providers/vendors.ts';

test('every vendor of the catalogue has a row, and every default model is in it', () => {
  const ids = vendors.map((row) => row.id);
  for (const vendor of Object.keys(catalog)) expect(ids).toContain(vendor);
  for (const row of vendors) {
    if (row.defaultModel === null) continue;
    expect(findModel(row.defaultModel, row.id), row.id).toMatchObject({ tools: true, price: expect.any(Object) });
  }
});

test.each([
  ['claude-haiku-4-5', 'anthropic', 'claude-haiku-4-5', true],
  ['claude-haiku-4-5-20251001', 'anthropic', 'claude-haiku-4-5', true],
  ['gpt-4o-2024-08-06', 'openai', 'gpt-4o', true],
  ['gpt-4o-mini', 'openai', 'gpt-4o-mini', true],
  ['gpt-4o', undefined, 'gpt-4o', true],
  ['anthropic/claude-haiku-4.5', 'openrouter', 'claude-haiku-4-5', false],
  ['openai/gpt-oss-120b', 'groq', 'openai/gpt-oss-120b', true],
  ['openai/gpt-oss-120b', undefined, 'openai/gpt-oss-120b', false],
])('%s at %s is %s, priced: %s', (id, vendor, expected, priced) => {
  const found = findModel(id, vendor);
  expect([found?.id, found?.price !== null]).toEqual([expected, priced]);
});

test.each(['claude-haiku-4-55', 'gpt-4o-audio', 'gpt-5.99', 'fake-model:latest'])('%s is unknown', (id) => {
  expect(findModel(id)).toBeUndefined();
});

test('cost: fresh, cached and written tokens, and steps for long prompts', () => {
  const million = 1_000_000;
  const price = {
    ...{ input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
    steps: [{ above: million, input: 4, output: 20, cacheRead: null }],
  };
  const usage = { ...unknownUsage(), promptTokens: million, completionTokens: 0 };
  expect(costOf({ ...usage, cost: 0.5 }, price)).toBe(0.5);
  expect(costOf(usage, price)).toBe(2);
  expect(costOf({ ...usage, completionTokens: million }, price)).toBe(12);
  expect(costOf({ ...usage, cacheReadTokens: million }, price)).toBeCloseTo(0.2);
  expect(costOf({ ...usage, cacheWriteTokens: million }, price)).toBeCloseTo(2.5);
  expect(costOf({ ...usage, cacheReadTokens: million }, { input: 2, output: 10 })).toBe(2);
  expect(costOf({ ...usage, promptTokens: 2 * million, completionTokens: million }, price)).toBe(28);
});

test('cost: unknown tokens or an unknown price are null, never 0', () => {
  expect(costOf(unknownUsage(), { input: 1, output: 1 })).toBe(null);
  expect(costOf({ ...unknownUsage(), promptTokens: 1, completionTokens: 1 }, null)).toBe(null);
  expect(costOf(undefined, { input: 1, output: 1 })).toBe(null);
});
