/** The server of local models as people have it: addressed in any form, down, without the model. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ada, makePlace, type Place } from '../e2e/ada.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { defaultModel } from '../fakes/script.ts';

let server: ModelServer;
let place: Place;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace();
  server.set({ turns: [{ text: 'Here.' }] });
});
afterEach(() => place.dispose());

const ask = (OLLAMA_HOST: string, ...args: string[]) =>
  ada(['-p', '-m', defaultModel.name, ...args, 'Hello?'], { place, env: { OLLAMA_HOST } });

it.each<[string, (port: string) => string]>([
  ['host and port', (port) => `127.0.0.1:${port}`],
  ['the address that servers listen on', (port) => `0.0.0.0:${port}`],
  ['a URL with a slash', (port) => `http://127.0.0.1:${port}/`],
  ['a URL with the path of the API', (port) => `http://127.0.0.1:${port}/api`],
  ['a name, in quotes', (port) => `"localhost:${port}"`],
])('OLLAMA_HOST as %s', async (_, form) => {
  expect(await ask(form(new URL(server.url).port))).toMatchObject({ code: 0, stdout: 'Here.\n' });
});

describe('what goes wrong is said at once, with the remedy', () => {
  it('the server is down: which address, and how it is started', async () => {
    const run = await ask('0.0.0.0:9');
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toMatch(/127\.0\.0\.1:9\b/);
    expect(run.stderr).toContain('ollama serve');
    expect(run.stderr).not.toMatch(/ECONNREFUSED|^\s+at /m);
  });

  it('the model is missing: the nearest one that is there, and how it is got', async () => {
    const run = await ada(['-p', '-m', 'ollama/test-modell', 'Hello?'], { place, env: { OLLAMA_HOST: server.url } });
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toContain(defaultModel.name);
    expect(run.stderr).toMatch(/pull (?:ollama\/)?test-modell/);
    expect(server.chats()).toEqual([]);
  });
});
