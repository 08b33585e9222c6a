/** Going back and making room at a real terminal. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import { makePlace, type Place, wireEnv } from '../ada.ts';
import { Eye, KEYS } from './eye.ts';

let server: ModelServer;
let place: Place;
let eye: Eye | undefined;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace({ 'a.txt': 'alpha\n' });
});
afterEach(async () => {
  await eye?.close();
  eye = undefined;
  place.dispose();
});

const turnsEnded = () => readFileSync(place.logs()[0]!, 'utf8').split('"type":"done"').length - 1;

it('goes back over a turn with its files, makes room, and renames', async () => {
  const long = 'word '.repeat(600);
  const summary =
    '## Goal\nShip it.\n## Decisions\nNone were needed here.\n## Done\nSaid hello.\n## Next step\nShip the thing.';
  server.set({ turns: [{ text: `Hello. ${long}` }] });
  eye = await Eye.open({ place, env: wireEnv('ollama', server.url), args: ['--yolo'] });
  const seen = eye;
  await seen.until(/test-model\S* +● local/, 'the model in the status line');
  for (const [at, text] of ['first words', 'more words'].entries()) {
    seen.press(text);
    await seen.keys(KEYS.enter);
    while (turnsEnded() <= at) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  server.set({
    turns: [{ calls: [{ name: 'write_file', input: { path: 'made.txt', content: 'made\n' } }] }, { text: 'Written.' }],
  });
  seen.press('write the file');
  await seen.keys(KEYS.enter);
  await seen.until('Written.');
  expect(existsSync(join(place.project, 'made.txt'))).toBe(true);

  seen.press('/rewind');
  await seen.keys(KEYS.enter);
  await seen.until('Go back to before');
  await seen.keys(KEYS.enter);
  await seen.until(/goes away: made\.txt/);
  await seen.keys(KEYS.enter);
  await seen.until('went back to here');
  expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
  expect(seen.screen).toContain('write the file');
  expect(seen.screen).not.toContain('Written.');

  server.set({ turns: [{ text: summary }] });
  await seen.keys(KEYS.ctrlC);
  seen.press('/compact');
  await seen.keys(KEYS.enter);
  await seen.until(/older messages were summarised \(\d+ → \d+ tokens\)/);
  seen.press('/rename A good name');
  await seen.keys(KEYS.enter);
  await seen.until('A good name”');
  expect(readFileSync(place.logs()[0]!, 'utf8')).toMatch(
    /"type":"rewind"[\s\S]*"type":"compaction"[\s\S]*"type":"title"/,
  );
});

it('shows the newest part of a long conversation, and the beginning where it is scrolled to', async () => {
  const { project } = place;
  const session = { id: 'long', version: 1, cwd: project, project, model: 'test-model:latest', mode: 'ask' };
  const usage = { input: 9, output: 1, cacheRead: null, cacheWrite: null, reasoning: null, cost: null };
  const events: object[] = [{ type: 'session', ...session, contextTokens: 8192, system: 's', tools: [] }];
  for (let n = 0; n < 230; n++)
    events.push(
      { type: 'user', text: `prompt ${n}.` },
      { type: 'done', text: '', finish: 'stop', usage, turns: 1, denials: [], durationMs: 1 },
    );
  mkdirSync(join(project, '.ada/sessions'), { recursive: true });
  const lines = events.map((event, i) => `${JSON.stringify({ ...event, seq: i + 1, time: 1_700_000_000_000 })}\n`);
  writeFileSync(join(project, '.ada/sessions/long.jsonl'), lines.join(''));
  eye = await Eye.open({ place, env: wireEnv('ollama', server.url), args: ['-c'] });
  await eye.until('prompt 229.');
  await eye.keys('\t');
  await eye.keys('\x1b[H');
  // The beginning is read there, and what was at the top stays in its place: the top is higher now.
  await eye.until(/^▌ prompt 130\./m);
  await eye.keys('\x1b[H');
  await eye.until('prompt 0.');
  expect(eye.screen).not.toContain('earlier prompts');
  await eye.keys('\x1b[F');
  await eye.until('prompt 229.');
});
