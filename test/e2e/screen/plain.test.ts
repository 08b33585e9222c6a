/** A terminal that cannot place its cursor: lines are only added, and everything can be done by lines. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import { makePlace, type Place, wireEnv } from '../ada.ts';
import { Eye } from './eye.ts';

let server: ModelServer;
let place: Place;
let eye: Eye | undefined;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace();
});
afterEach(async () => {
  await eye?.close();
  eye = undefined;
  place.dispose();
});

it('answers, asks, takes a reason and leaves, without one escape sequence', async () => {
  const write = (path: string) => ({ name: 'write_file', input: { path, content: 'x\n' } });
  server.set({
    turns: [
      { text: 'I \x1b[31mwrite\x1b]0;title\x07.', calls: [write('a.txt')] },
      { calls: [write('b.txt')] },
      { calls: [write('c.txt')] },
      { text: 'Written.' },
    ],
  });
  eye = await Eye.open({ place, env: { ...wireEnv('ollama', server.url), TERM: 'dumb' } });
  const seen = eye;
  await seen.until('test-model');
  seen.press('make both\r');
  await seen.until('ada wants to edit a.txt');
  expect(existsSync(join(place.project, 'a.txt'))).toBe(false);
  seen.press('y\r');
  await seen.until('ada wants to edit b.txt');
  seen.press('n keep it small\r');
  await seen.until('ada wants to edit c.txt');
  seen.press('p\r');
  await seen.until('Written.');
  expect(existsSync(join(place.project, 'a.txt'))).toBe(true);
  expect(existsSync(join(place.project, 'b.txt'))).toBe(false);
  expect(place.log().filter((event) => event.type === 'approval')).toMatchObject([
    { decision: 'yes' },
    { decision: 'no', reason: 'keep it small' },
    { decision: 'no', reason: expect.stringContaining('plan') },
  ]);
  await seen.until('mode plan');
  seen.press('/help\r');
  await seen.until('go on with a stored');
  expect(seen.raw).not.toContain('?');
  seen.press('/exit\r');
  await seen.until('[exit 0]');
  expect(seen.screen).toMatch(/ada -r \S+/);
  expect(seen.raw).not.toContain('\x1b');
});

it('is had by --plain on any terminal', async () => {
  server.set({ turns: [{ text: 'Plainly.' }] });
  eye = await Eye.open({ place, env: wireEnv('ollama', server.url), args: ['--plain', 'say it'] });
  const seen = eye;
  await seen.until('Plainly.');
  seen.press('/exit\r');
  await seen.until('[exit 0]');
  expect(seen.raw).not.toContain('\x1b');
});

it("asks before it uses a project's own settings", async () => {
  mkdirSync(join(place.project, '.ada'));
  writeFileSync(join(place.project, '.ada/settings.json'), '{"mode":"plan"}');
  eye = await Eye.open({ place, env: wireEnv('ollama', server.url), args: ['--plain'] });
  const seen = eye;
  await seen.until('y: trust this folder');
  seen.press('s\r');
  await seen.until('"mode":"plan"');
  seen.press('y\r');
  await seen.until(/test-model\S* \(local\), mode plan/);
});

it('keeps a prompt until there is a model, and breaks its lines between words', async () => {
  eye = await Eye.open({ place, columns: 50, env: { OLLAMA_HOST: 'http://127.0.0.1:9', TERM: 'dumb' } });
  const seen = eye;
  await seen.until(/q:\s+leave/);
  seen.press('mend it\r');
  await seen.until('Your prompt is kept');
  expect(seen.screen).toMatch(/ada\s+looked for:/);
  seen.press('q\r');
  await seen.until('[exit 0]');
});

it('Ctrl+C interrupts the turn, and a second one soon after leaves', async () => {
  server.set({ turns: [{ text: 'Slowly.', delayMs: 60_000 }] });
  eye = await Eye.open({ place, env: wireEnv('ollama', server.url), args: ['--plain'] });
  const seen = eye;
  await seen.until('test-model');
  seen.press('go on\r');
  await seen.until(() => server.chats().length === 1, 'the request');
  seen.press('\x03');
  await seen.until('stopping the turn; Ctrl+C again leaves');
  await seen.until(/^-- .*$/m);
  seen.press('half a li', '\x03');
  await seen.until('[exit 0]');
  expect(seen.screen).toMatch(/^To go on with this conversation: ada -r /m);
});
