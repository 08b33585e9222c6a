/** Where the prompt comes from: the argument, standard input, or both. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { ada, makePlace, type Place, wireEnv } from './ada.ts';

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
const run = (args: string[], input?: string) => ada(args, { place, env: wireEnv('ollama', server.url), input });

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

it('keeps a large piped text whole', async () => {
  const text = Array.from({ length: 20_000 }, (_, line) => `line ${line} ✓`).join('\n');
  expect((await run(['-p', 'Count:'], text)).code).toBe(0);
  expect(prompt()).toContain(text);
});
