import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openModels } from '../../app/models.ts';
import type { Models } from '../../app/models-api.ts';
import { StartError } from '../../app/start-error.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';

let server: ModelServer;
let dir: string;
beforeAll(async () => {
  server = await startModelServer();
  dir = mkdtempSync(join(tmpdir(), 'ada-window-'));
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() =>
  server.set({
    turns: [{ text: 'Hello.' }],
    models: [
      { name: 'big:8b', contextTokens: 32_768 },
      { name: 'tiny:1b', contextTokens: 2_048 },
    ],
  }),
);

const open = (): Models => openModels({ env: { OLLAMA_HOST: server.url }, cwd: dir, offline: false });

/** Who answers. */
async function answeredBy(models: Models, parameters: { model?: string }): Promise<string> {
  const request = { messages: [{ role: 'user' as const, content: 'Hi' }], parameters };
  const stream = models.ask({ ...request, metadata: { requestId: 'r', timestamp: 0 } }, new AbortController().signal);
  for await (const chunk of stream) if (chunk.type === 'error') throw chunk.error;
  return server.chats().at(-1)!.body.model;
}

it.each(['tiny:1b', 'ollama/tiny:1b'])(
  'refuses %s with the sizes and the remedies, and the model stays',
  async (id) => {
    const models = open();
    const { parameters } = await models.choose('big:8b');
    const refusal = models.choose(id, undefined, 2_600);
    await expect(refusal).rejects.toThrow(StartError);
    await expect(refusal).rejects.toThrow(
      /window of ollama\/tiny:1b is 2048 tokens.*about 2600(?!.*contextTokens).*AGENTS\.md/,
    );
    expect(await answeredBy(models, parameters)).toBe('big:8b');
    models.close();
  },
);

it('names the setting where the model has more than it is served with', async () => {
  const models = openModels({ env: { OLLAMA_HOST: server.url }, cwd: dir, offline: false, contextTokens: 2_048 });
  await expect(models.choose('big:8b', undefined, 2_600)).rejects.toThrow(/is 2048 tokens.*contextTokens.*AGENTS\.md/);
  models.close();
});

it('also where the model that stays is of another vendor', async () => {
  writeFileSync(join(dir, 'small.jsonl'), '{"capabilities":{"contextTokens":1024}}\n{"text":"From the recording."}\n');
  const models = open();
  const { parameters } = await models.choose('big:8b');
  await expect(models.choose('replay:small.jsonl', undefined, 1_500)).rejects.toThrow(/1024 tokens/);
  expect(await answeredBy(models, parameters)).toBe('big:8b');
  models.close();
});

it('takes one whose window is large enough, or unknown, or when nothing is known of the prompt', async () => {
  const models = open();
  expect(await models.choose('tiny:1b', undefined, 1_000)).toMatchObject({ contextTokens: 2_048 });
  expect(await models.choose('tiny:1b')).toMatchObject({ contextTokens: 2_048 });
  writeFileSync(join(dir, 'any.jsonl'), '{"text":"From the recording."}\n');
  expect(await models.choose('replay:any.jsonl', undefined, 90_000)).toMatchObject({ contextTokens: null });
  models.close();
});
