import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ModelInfo } from '../../../providers/adapter.ts';
import { hostedFacts } from '../../../providers/catalog/hosted-facts.ts';
import { isListedLately, keepList, keptList } from '../../../providers/catalog/kept-lists.ts';
import { unknownUsage } from '../../../providers/ir.ts';

const URL = 'https://user:secret@models.example/api/v1';
const DAY = 24 * 3_600_000;
let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ada-lists-'));
  folder = join(root, 'models');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const model = (id: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
  ...{ id, provider: 'v', local: false, contextTokens: null, outputTokens: null, tools: null },
  ...{ vision: null, reasoning: null, size: null, price: null, ...more },
});
const listed = model('maker/one', { contextTokens: 32_768, price: { input: 1, output: 2, cacheRead: 0.1 } });
const file = () => join(folder, 'v.json');

it('a list that tells something is kept for its server, and for a while', () => {
  keepList(folder, 'v', URL, [listed, model('maker/two')], 1_000);
  const kept = { id: 'maker/one', contextTokens: 32_768, outputTokens: null, price: listed.price };
  expect([...keptList(folder, 'v', URL, 1_000).values()]).toEqual([kept]);
  expect(keptList(folder, 'v', URL, 29 * DAY).size).toBe(1);
  expect(keptList(folder, 'v', URL, 31 * DAY).size).toBe(0);
  expect(keptList(folder, 'v', 'https://elsewhere.example/v1', 1_000).size).toBe(0);
  expect(keptList(folder, 'w', URL, 1_000).size).toBe(0);
  expect(readFileSync(file(), 'utf8')).not.toContain('secret');
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['v.json']);
});

it('of a list of names alone is kept that it was asked for, and it takes the place of none', () => {
  expect(isListedLately(folder, 'v', URL, 1_000)).toBe(false);
  keepList(folder, 'v', URL, [model('maker/one')], 1_000);
  expect(keptList(folder, 'v', URL, 1_000).size).toBe(0);
  expect([isListedLately(folder, 'v', URL, DAY), isListedLately(folder, 'v', URL, 2 * DAY)]).toEqual([true, false]);
  expect(isListedLately(folder, 'v', 'https://elsewhere.example/v1', 1_000)).toBe(false);
  keepList(folder, 'v', URL, [listed], 1_000);
  keepList(folder, 'v', URL, [model('maker/one')], 2_000);
  expect(keptList(folder, 'v', URL, 2_000).size).toBe(1);
});

it('a name of a vendor is no path', () => {
  keepList(folder, '../v', URL, [listed]);
  expect(readdirSync(root)).toEqual(['models']);
  expect(keptList(folder, '../v', URL).size).toBe(1);
});

it('a folder that takes no file does without', () => {
  writeFileSync(folder, 'in its place');
  keepList(folder, 'v', URL, [listed]);
  expect(keptList(folder, 'v', URL).size).toBe(0);
  expect(readdirSync(root)).toEqual(['models']);
});

it.each([
  ['no JSON', () => '{"form":'],
  ['another form', (text: string) => text.replace('"form":1', '"form":2')],
  ['no time', (text: string) => text.replace(/"time":\d+/, '"time":"soon"')],
  ['no list', () => 'null'],
])('of a file with %s nothing is believed', (_, damaged) => {
  keepList(folder, 'v', URL, [listed]);
  writeFileSync(file(), damaged(readFileSync(file(), 'utf8')));
  expect(keptList(folder, 'v', URL).size).toBe(0);
});

it('figures that are none are unknown', () => {
  keepList(folder, 'v', URL, [listed]);
  const text = readFileSync(file(), 'utf8').replace('32768', '"many"').replace('"input":1', '"input":-1');
  writeFileSync(file(), text);
  expect([...keptList(folder, 'v', URL).values()]).toMatchObject([{ contextTokens: null, price: null }]);
});

it('what a server told wins over the catalogue, and what it charges over both', () => {
  const claude = 'anthropic/claude-sonnet-5';
  const usage = { ...unknownUsage(), promptTokens: 1_000_000, completionTokens: 0 };
  const known = hostedFacts(claude, 'openrouter', URL, folder);
  expect([known.contextTokens, known.cost(claude, usage)]).toEqual([1_000_000, 2]);
  keepList(folder, 'openrouter', URL, [
    model(claude, { contextTokens: 200_000, price: { input: 3, output: 15 } }),
    { ...listed, outputTokens: 4_096 },
  ]);
  const told = hostedFacts(claude, 'openrouter', URL, folder);
  expect([told.contextTokens, told.outputTokens, told.cost(claude, usage)]).toEqual([200_000, 128_000, 3]);
  expect(told.cost('maker/one', { ...usage, cacheReadTokens: 500_000 })).toBeCloseTo(0.55);
  expect(told.cost('maker/unlisted', usage)).toBe(3);
  expect(told.cost(claude, { ...usage, cost: 0.5 })).toBe(0.5);
  expect(hostedFacts('maker/one:nitro', 'openrouter', URL, folder)).toMatchObject({
    contextTokens: 32_768,
    outputTokens: 4_096,
  });
  expect(hostedFacts('maker/one:nitro', 'openrouter', URL, folder).cost('maker/one:nitro', usage)).toBe(null);
});
