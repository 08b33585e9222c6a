/** Without any model: the app opens, says what it looked for, and plays the demonstration to its green end. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePlace, type Place } from '../ada.ts';
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
  await eye.until('No model yet');
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

it('a model that was named and is not there ends with exit 3 and one line', async () => {
  eye = await Eye.open({ place, env: nowhere, args: ['-m', 'ollama/none'] });
  await eye.until('[exit 3]');
  expect(eye.screen).toContain('cannot reach Ollama');
  expect(eye.state).toEqual(UNTOUCHED);
});
