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
  seen.press('!echo $((6 * 7))\r');
  await seen.until(/\n42\s*\nexit 0/);
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
  await seen.until(/3:\s+Leave/);
  expect(seen.screen).not.toContain('Get ');
  seen.press('mend it\r');
  await seen.until('Your prompt is kept');
  expect(seen.screen).toMatch(/ada\s+looked for:/);
  seen.press('3\r');
  await seen.until('[exit 0]');
});

it('notices by itself that a server was started', async () => {
  const before = await startModelServer();
  const port = Number(new URL(before.url).port);
  await before.close();
  eye = await Eye.open({ place, env: { OLLAMA_HOST: `127.0.0.1:${port}`, TERM: 'dumb' } });
  const seen = eye;
  await seen.until(/3: Leave/);
  seen.press('hello\r');
  await seen.until('Your prompt is kept');
  const later = await startModelServer({ turns: [{ text: 'At your service.' }] }, port);
  try {
    await seen.until(/test-model\S* can be reached now/);
    await seen.until('At your service.');
  } finally {
    await later.close();
  }
});

it('gets a model on a first run, by a number and line by line, and sends what was typed meanwhile', async () => {
  const names = ['qwen3-coder:30b', 'gpt-oss:20b', 'qwen3:14b', 'qwen3:8b', 'qwen3:4b', 'llama3.2:3b', 'qwen3:1.7b'];
  const library = (delayMs: number) => names.map((name) => ({ model: { name }, layers: [1e9], step: 5e7, delayMs }));
  writeFileSync(join(place.project, 'unusual.txt'), 'x');
  server.set({ turns: [{ text: 'At your service.' }], models: [], pulls: library(100) });
  eye = await Eye.open({ place, env: { OLLAMA_HOST: server.url, TERM: 'dumb' }, rows: 60 });
  const seen = eye;
  await seen.until(/1: Get \S+ \(\d+\.\d GB\): /);
  expect(server.requests.some(({ path }) => path === '/api/pull')).toBe(false);
  seen.press('1\r');
  // What is large on this machine is asked about once more.
  await seen.until(/y: Yes, download|getting /);
  if (seen.screen.includes('y: Yes')) seen.press('y\r');
  await seen.until(/\d+ MB of 1\.0 GB · \d+ %/);
  seen.press('look at @unusual\r');
  await seen.until('Your prompt is kept');
  seen.press('/stop\r');
  await seen.until('goes on where it was');
  server.set({ turns: [{ text: 'At your service.' }], models: [], pulls: library(2) });
  seen.press('1\r');
  await seen.until(/\(local\), mode ask/);
  await seen.until('At your service.');
  expect(place.log().find((event) => event.type === 'user')).toMatchObject({ text: 'look at unusual.txt' });
  expect(seen.raw).not.toContain('\x1b');
});

it('takes an @ and a name for a file of the project, and asks where several are meant', async () => {
  server.set({ turns: [{ text: 'Read.' }] });
  for (const name of ['parser.ts', 'parser.test.ts', 'other.ts']) writeFileSync(join(place.project, name), 'x');
  eye = await Eye.open({ place, env: wireEnv('ollama', server.url), args: ['--plain'] });
  const seen = eye;
  await seen.until('test-model');
  seen.press('compare @other with @parser\r');
  await seen.until('Which file is @parser?');
  const [, number] = /(\d): parser\.ts/.exec(seen.screen)!;
  seen.press(`${number}\r`);
  await seen.until('Read.');
  expect(place.log().find((event) => event.type === 'user')).toMatchObject({ text: 'compare other.ts with parser.ts' });
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
