/** Where the prompt comes from: the argument, standard input, or both. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { ada, makePlace, type Place, type WireName, wireEnv } from './ada.ts';

let server: ModelServer;
let place: Place;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace();
  server.set({ turns: [{ text: 'Hello.' }] });
});
afterEach(() => place.dispose());

const prompt = () => {
  const users = place.log().flatMap((event) => (event.type === 'user' ? [event.text] : []));
  return users.join('\n---\n');
};
const run = (args: string[], input?: string, wire: WireName = 'ollama') =>
  ada(args, { place, env: wireEnv(wire, server.url), input });

it('takes the prompt from a pipe', async () => {
  expect(await run(['-p'], 'Name the bug.\n')).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  expect(prompt().trim()).toBe('Name the bug.');
});

it('puts the argument before the piped text', async () => {
  expect((await run(['-p', 'What is this?'], 'some output\n')).code).toBe(0);
  expect(prompt()).toMatch(/^What is this\?\s+some output\s*$/);
});

it('prints without --print when there is no terminal, by argument or by pipe', async () => {
  expect(await run(['Say hello.'])).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  expect(prompt()).toBe('Say hello.');
  expect(await run([], 'Say hello again.')).toMatchObject({ code: 0, stdout: 'Hello.\n' });
});

it('leaves a silent pipe alone, with a notice', async () => {
  const { code, stdout, stderr } = await run(['-p', 'Say hello.'], 'open');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello.\n' });
  expect(stderr).toMatch(/standard input|stdin/);
  expect(prompt()).toBe('Say hello.');
});

const large = Array.from({ length: 20_000 }, (_, line) => `line ${line} ✓`).join('\n');

it('keeps a large piped text whole', async () => {
  expect((await run(['-p', 'Count:'], large, 'openai-chat')).code).toBe(0);
  expect(prompt()).toContain(large);
});

it('sends no text that is larger than the window, and says so', async () => {
  const { code, stdout, stderr } = await run(['-p', 'Count:'], large);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/window/);
  expect(server.chats()).toEqual([]);
});
