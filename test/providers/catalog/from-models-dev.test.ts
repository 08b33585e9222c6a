import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { catalogText, fromModelsDev } from '../../../providers/catalog/from-models-dev.ts';
import { catalog } from '../../../providers/catalog/models.ts';

const text = { input: ['text'], output: ['text'] };
const seeing = { input: ['text', 'image', 'pdf'], output: ['text'] };
const limit = { context: 200_000, output: 32_000 };

/** An entry as models.dev has it, with what most of them share. */
const model = (more: object = {}) => ({
  name: 'A model',
  attachment: false,
  reasoning: false,
  tool_call: true,
  release_date: '2026-01-01',
  last_updated: '2026-01-02',
  modalities: text,
  limit,
  cost: { input: 1, output: 2 },
  ...more,
});

const sample = {
  anthropic: {
    id: 'anthropic',
    models: {
      'claude-old-1': model({ release_date: '2025-01-01' }),
      'claude-sonnet-5': model({
        modalities: seeing,
        reasoning: true,
        limit: { context: 1_000_000, output: 128_000 },
        cost: { input: 2, output: 10, cache_read: 0.2, cache_write: 2.5 },
        last_updated: '2026-07-03',
      }),
      'claude-sonnet-5-20260101': model(),
      'claude-gone': model({ status: 'deprecated' }),
      'claude-mute': model({ tool_call: false }),
      'claude-draws': model({ modalities: { input: ['text'], output: ['text', 'image'] } }),
      'claude-free': model({ cost: undefined }),
      'claude-endless': model({ limit: { context: 0, output: 0 } }),
    },
  },
  google: {
    id: 'google',
    models: {
      'gemini-3.5-flash': model({
        cost: {
          ...{ input: 1.5, output: 9, cache_read: 0.15 },
          context_over_200k: { input: 3, output: 18, cache_read: 0.3 },
        },
      }),
      'gemini-tiered': model({
        cost: {
          ...{ input: 1, output: 2 },
          tiers: [
            { input: 4, output: 8, tier: { type: 'context', size: 500_000 } },
            { input: 2, output: 4, cache_read: 0.5, tier: { type: 'context', size: 272_000 } },
            { input: 9, output: 9, tier: { type: 'speed' } },
          ],
          context_over_200k: { input: 7, output: 7 },
        },
      }),
    },
  },
  nobody: { id: 'nobody', models: { x: model() } },
};

test('rows: newest first, abilities, prices and steps, without what an agent cannot use', () => {
  const { rows, asOf, kept } = fromModelsDev(sample, catalog);
  expect(rows.anthropic).toEqual([
    ['claude-sonnet-5', 1_000_000, 128_000, 'tvr', 2, 10, 0.2, 2.5],
    ['claude-old-1', 200_000, 32_000, 't', 1, 2],
  ]);
  expect(rows.gemini).toEqual([
    ['gemini-3.5-flash', 200_000, 32_000, 't', 1.5, 9, 0.15, null, [[200_000, 3, 18, 0.3]]],
    [
      ...['gemini-tiered', 200_000, 32_000, 't', 1, 2, null, null],
      [
        [272_000, 2, 4, 0.5],
        [500_000, 4, 8],
      ],
    ],
  ]);
  expect(asOf).toBe('2026-07-03');
  expect(Object.keys(rows)).toEqual(Object.keys(catalog));
  expect(kept).not.toContain('gemini');
  for (const vendor of kept) expect(rows[vendor]).toBe(catalog[vendor]);
});

test('of many models the newest stay, and the default one always', () => {
  const models: Record<string, object> = { 'claude-sonnet-5': model({ release_date: '2020-01-01' }) };
  for (let index = 0; index < 40; index++) models[`claude-${index}`] = model({ release_date: `2026-02-${10 + index}` });
  const { anthropic } = fromModelsDev({ anthropic: { models } }, catalog).rows;
  expect(anthropic).toHaveLength(24);
  expect([anthropic![0]![0], anthropic!.at(-1)![0]]).toEqual(['claude-39', 'claude-sonnet-5']);
});

test.each([
  ['nothing', null],
  ['a list', []],
  ['other vendors', { nobody: sample.nobody }],
])('refused: %s', (_, api) => expect(() => fromModelsDev(api, catalog)).toThrow('no api.json'));

test('refused: a file without the default model of a vendor', () => {
  expect(() => fromModelsDev({ anthropic: { models: { x: model() } } }, catalog)).toThrow('claude-sonnet-5');
});

test('only the rows and the date of the file change, and the order of the source does not matter', () => {
  const file = fileURLToPath(new URL('../../../providers/catalog/models.ts', import.meta.url));
  const current = readFileSync(file, 'utf8');
  const rebuilt = catalogText(current, fromModelsDev(sample, catalog));
  expect(rebuilt).toContain('as of 2026-07-03; what a server says');
  expect(rebuilt).toContain('["claude-sonnet-5", 1_000_000, 128_000, "tvr", 2, 10, 0.2, 2.5],');
  expect(rebuilt).toContain(current.slice(current.indexOf('/**\n * Id'), current.indexOf('= {')));
  const turned = Object.fromEntries(Object.entries(sample).reverse());
  turned.anthropic = {
    ...sample.anthropic,
    models: Object.fromEntries(Object.entries(sample.anthropic.models).reverse()),
  } as never;
  expect(catalogText(rebuilt, fromModelsDev(turned, catalog))).toBe(rebuilt);
});

test('the script reads a file and prints what is formatted already', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ada-catalog-'));
  try {
    const file = join(folder, 'api.json');
    writeFileSync(file, JSON.stringify(sample));
    const script = fileURLToPath(new URL('../../../providers/catalog/rebuild.mjs', import.meta.url));
    const run = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    const { stdout, stderr, status } = run('--print', file);
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('openai is not in') });
    expect(stdout).toContain("    ['claude-sonnet-5', 1_000_000, 128_000, 'tvr', 2, 10, 0.2, 2.5],\n");
    expect(stdout).toContain('  openrouter: [[');
    expect(run(join(folder, 'none.json')).status).toBe(1);
    expect(run().status).toBe(2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
