/** Local models on the screen: one is got on the first run, loaded while the first prompt is typed, and seen to load. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import type { ScriptedPull } from '../../fakes/script.ts';
import { makePlace, type Place, wireEnv } from '../ada.ts';
import { Eye, KEYS } from './eye.ts';

let place: Place;
let server: ModelServer;
let eye: Eye | undefined;
beforeEach(async () => {
  place = makePlace();
  server = await startModelServer();
});
afterEach(async () => {
  await eye?.close();
  eye = undefined;
  await server.close();
  place.dispose();
});

/** Whatever fits the machine. */
const library = (delayMs: number): ScriptedPull[] =>
  ['qwen3-coder:30b', 'gpt-oss:20b', 'qwen3:14b', 'qwen3:8b', 'qwen3:4b', 'llama3.2:3b', 'qwen3:1.7b'].map((name) => ({
    model: { name },
    layers: [1e9],
    step: 5e7,
    delayMs,
  }));

it('gets a model: stopped by Esc, gone on with, and the session starts with it', async () => {
  const models = [{ name: 'phi3:mini', capabilities: ['completion'], contextTokens: 4_096, size: 2.2e9 }];
  server.set({ turns: [{ text: 'At your service.' }], models, pulls: library(60) });
  eye = await Eye.open({ place, env: { OLLAMA_HOST: server.url } });
  await eye.until(/› Get \S+/);
  expect(eye.screen).toContain('phi3:mini: 7.6B, Q4_K_M, 2.2 GB, 4k window, cannot call tools');
  // Nothing is got unasked, and a key that was typed before the choice could be read takes nothing.
  expect(server.requests.some(({ path }) => path === '/api/pull')).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 350));
  eye.press(KEYS.enter);
  // What is large on this machine is asked about once more.
  await eye.until(/Yes, download|█+░+/);
  if (eye.screen.includes('Yes, download')) {
    expect(server.requests.some(({ path }) => path === '/api/pull')).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 350));
    eye.press(KEYS.down, KEYS.enter);
  }
  await eye.until(/█+░+\n[34]\d\d MB of 1\.0 GB · \d+ %/);
  eye.press(KEYS.escape);
  await eye.until('goes on where it was');
  server.set({ turns: [{ text: 'At your service.' }], models, pulls: library(5) });
  await new Promise((resolve) => setTimeout(resolve, 350));
  eye.press(KEYS.enter);
  await eye.until('● local');
  eye.press('hello', KEYS.enter);
  await eye.until('At your service.');
});

it('loads the model while the first prompt is typed, once and with the window of the request', async () => {
  server.set({ turns: [{ text: 'Ready.' }], loadMs: 900 });
  eye = await Eye.open({ place, env: wireEnv('ollama', server.url) });
  await eye.until('● local');
  expect(server.requests.some(({ path }) => path === '/api/generate')).toBe(false);
  await eye.keys('h', 'i', KEYS.enter);
  await eye.until('loading test-model');
  await eye.until('Ready.');
  const loads = server.requests.filter(({ path }) => path === '/api/generate');
  expect(loads).toHaveLength(1);
  const [chat] = server.chats();
  expect(loads[0]!.body).toMatchObject({ prompt: '', keep_alive: chat!.body.keep_alive });
  expect(loads[0]!.body.options).toEqual({ num_ctx: chat!.body.options.num_ctx });
});

it('ada models pull draws one line with a bar, and Ctrl+C stops it', async () => {
  const pulls = [{ model: { name: 'owl:1b' }, layers: [1e9], step: 1e7, delayMs: 30 }];
  server.set({ turns: [], models: [], pulls });
  eye = await Eye.open({ place, env: { OLLAMA_HOST: server.url }, args: ['models', 'pull', 'owl:1b'] });
  await eye.until(/^owl:1b █+░+ \d+ MB of 1\.0 GB · \d+ % · \d+(\.\d)? MB\/s · \d+ s left$/m);
  expect(eye.rows.filter((row) => row.includes('owl:1b'))).toHaveLength(1);
  eye.press(KEYS.ctrlC);
  await eye.until('[exit 130]');
  expect(eye.screen).toContain('ada: stopped; ada models pull owl:1b goes on where it was');
});
