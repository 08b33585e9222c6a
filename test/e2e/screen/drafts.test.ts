/** What was typed and not sent: it comes back where it belongs, and nowhere else. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import { makePlace, type Place, wireEnv } from '../ada.ts';
import { Eye, KEYS } from './eye.ts';

let server: ModelServer;
let place: Place;
const eyes: Eye[] = [];
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace({ 'src/reader.ts': 'export {};\n', 'out/reader.js': '' });
});
afterEach(async () => {
  for (const eye of eyes.splice(0)) await eye.close();
  place.dispose();
});

const READY = /● local/;
const nowhere = { OLLAMA_HOST: 'http://127.0.0.1:9' };

async function open(env: Record<string, string>, wanted: string | RegExp): Promise<Eye> {
  const eye = await Eye.open({ place, env });
  eyes.push(eye);
  await eye.until(wanted);
  return eye;
}

it('a draft comes back in its own session or when it was lost, and is never taken from another window', async () => {
  writeFileSync(join(place.project, '.gitignore'), 'out/\n');
  server.set({ turns: [{ text: 'Read.' }] });
  const first = await open(nowhere, 'No model yet');
  first.press('mend it');
  await first.until('› mend it');
  await first.until('Enter looks for a model');
  first.press(KEYS.enter);
  // The list lies over the transcript.
  await first.until('Watch the demonstration');
  await first.keys(KEYS.escape);
  await first.until('what you wrote is back in the composer');
  await first.until('› mend it');
  expect(first.screen.match(/No model can be reached yet/g)).toHaveLength(1);
  // By now it is kept on disk.
  await first.until(() => drafts().includes('mend it'));

  const second = await open(wireEnv('ollama', server.url), READY);
  await second.until('› Say what to do');
  second.press('look at @read');
  await second.until('› src/reader.ts');
  expect(second.screen).not.toContain('out/reader.js');
  await second.keys('\t');
  await second.until('› look at src/reader.ts');
  second.press(KEYS.enter);
  await second.until('Read.');
  expect(place.log().find((event) => event.type === 'user')?.text).toBe('look at src/reader.ts');
  second.press('of the second');
  await second.until('› of the second');
  process.kill(second.program, 'SIGTERM');
  await second.until('[exit 143]');
  process.kill(first.program, 'SIGKILL');
  await first.until('[exit 137]');

  const third = await open(wireEnv('ollama', server.url), READY);
  await third.until('› mend it');
  await third.until('restored what you had not sent; Ctrl+C clears it');
  expect(third.screen).not.toContain('of the second');
  third.press(KEYS.ctrlC);
  await third.until('› Say what to do');
});

/** The texts that are kept for sessions that do not exist yet. */
function drafts(): string[] {
  const state = join(place.home, '.ada/state');
  const names = existsSync(state) ? readdirSync(state, { recursive: true, encoding: 'utf8' }) : [];
  return names.filter((name) => /draft-[^/]*\.txt$/.test(name)).map((name) => readFileSync(join(state, name), 'utf8'));
}
