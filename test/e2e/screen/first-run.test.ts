/** Without any model: the app opens, says what it looked for, and plays the demonstration to its green end. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startModelServer } from '../../fakes/model-server.ts';
import { makePlace, type Place, wireEnv } from '../ada.ts';
import { Eye, KEYS, UNTOUCHED } from './eye.ts';

let place: Place;
let eye: Eye | undefined;
beforeEach(() => {
  place = makePlace();
});
afterEach(async () => {
  await eye?.close();
  eye = undefined;
  place.dispose();
});

const nowhere = { OLLAMA_HOST: 'http://127.0.0.1:9' };

it('says which three were looked for and how to get each', async () => {
  eye = await Eye.open({ place, env: nowhere });
  await eye.until('ada looks again by itself');
  for (const wanted of ['http://127.0.0.1:9', 'ollama serve', 'ADA_BACKEND_URL', 'ANTHROPIC_API_KEY', 'Look again']) {
    expect(eye.screen).toContain(wanted);
  }
  await eye.keys(KEYS.up, KEYS.enter);
  await eye.until('[exit 0]');
  expect(eye.state).toEqual(UNTOUCHED);
});

it('plays the demonstration with real approvals, red before and green after', async () => {
  eye = await Eye.open({ place, env: nowhere, rows: 40 });
  const seen = eye;
  await seen.until('Watch the demonstration');
  seen.press(KEYS.enter);
  for (const asked of [
    'ada wants to run a shell command',
    'ada wants to edit src/split.js',
    'ada wants to run a shell command',
  ]) {
    await seen.until(asked);
    // For a moment after it appears an approval takes no key.
    await new Promise((resolve) => setTimeout(resolve, 350));
    seen.press('y');
    await seen.until(({ screen }) => !screen.includes(asked) || screen.includes('Repaired'), `${asked} answered`);
  }
  await seen.until('Repaired: red before, green after.');
  await seen.until('0 failed');
  await seen.keys(KEYS.ctrlC, KEYS.ctrlC);
  await seen.until('[exit 0]');
  expect(seen.state).toEqual(UNTOUCHED);
});

it('goes on by itself once Ollama has a model, with what was typed meanwhile', async () => {
  const server = await startModelServer({ models: [], turns: [] });
  try {
    eye = await Eye.open({ place, env: { OLLAMA_HOST: server.url } });
    const seen = eye;
    await seen.until('has no model yet');
    seen.press('mend it');
    await seen.until('› mend it');
    server.set({ turns: [{ text: 'Mended.' }] });
    await seen.until('can be reached now');
    await seen.until('› mend it');
    seen.press(KEYS.enter);
    await seen.until('Mended.');
    const asked = server.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 4500));
    expect(server.requests.length).toBe(asked);
  } finally {
    await server.close();
  }
});

it('tells of a server that starts later without any model, and offers to get one', async () => {
  const before = await startModelServer();
  const port = Number(new URL(before.url).port);
  await before.close();
  eye = await Eye.open({ place, env: { OLLAMA_HOST: `127.0.0.1:${port}` } });
  await eye.until('no answer');
  const server = await startModelServer({ models: [], turns: [] }, port);
  try {
    await eye.until('› Get ');
    expect(eye.screen).toContain('has no model yet');
    expect(eye.screen).not.toContain('no answer');
  } finally {
    await server.close();
  }
});

it('says that it is offline', async () => {
  const server = await startModelServer({ turns: [{ text: 'Here.' }] });
  try {
    eye = await Eye.open({ place, env: { ...wireEnv('ollama', server.url), ADA_OFFLINE: 'yes' } });
    await eye.until('commands that it runs are not held');
    await eye.until(/● local +offline/);
  } finally {
    await server.close();
  }
});

it('keeps a draft that was typed without any model', async () => {
  eye = await Eye.open({ place, env: nowhere });
  const first = eye;
  await first.until('No model yet');
  first.press('half a thou');
  await first.until('› half a thou');
  await new Promise((resolve) => setTimeout(resolve, 1200));
  process.kill(first.program, 'SIGKILL');
  await first.until('[exit 137]');
  await first.close();
  eye = await Eye.open({ place, env: nowhere });
  await eye.until('› half a thou');
  await eye.close();
  const server = await startModelServer();
  try {
    eye = await Eye.open({ place, env: wireEnv('ollama', server.url) });
    await eye.until(/● local/);
    await eye.until('› half a thou');
  } finally {
    await server.close();
  }
});

it('a model that was named and is not there ends with exit 3 and one line', async () => {
  eye = await Eye.open({ place, env: nowhere, args: ['-m', 'ollama/none'] });
  await eye.until('[exit 3]');
  expect(eye.screen).toContain('cannot reach Ollama');
  expect(eye.state).toEqual(UNTOUCHED);
});
