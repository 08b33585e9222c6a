/** `ada models`: the list, one model, and getting one with progress. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import type { Script } from '../fakes/script.ts';
import { ada, makePlace, type Place, start } from './ada.ts';

let server: ModelServer;
let place: Place;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.dispose());

const script: Script = {
  turns: [{ text: 'Hello.' }],
  models: [
    { name: 'phi3:mini', capabilities: ['completion'], parameters: '3.8B', size: 2.2e9, contextTokens: 4_096 },
    { name: 'qwen3:8b', capabilities: ['completion', 'tools'], parameters: '8.2B', size: 1e9, contextTokens: 40_960 },
  ],
};
const run = (...args: string[]) => ada(['models', ...args], { place, env: { OLLAMA_HOST: server.url } });

describe('ada models', () => {
  it('marks the one that answers when none is named, with the reason', async () => {
    server.set(script);
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^phi3:mini +local ollama +4k/m);
    expect(stdout).toMatch(/^qwen3:8b \* +local ollama +40k +tools/m);
    expect(stdout).toMatch(
      /^\* answers when no model is named: qwen3:8b \(8\.2B parameters, on this machine\): the only/m,
    );
    const { models, default: chosen } = JSON.parse((await run('list', '--json')).stdout);
    expect(models).toHaveLength(2);
    expect(chosen).toMatchObject({ id: 'qwen3:8b' });
  });

  it('shows one, with its window and why', async () => {
    server.set(script);
    const { code, stdout } = await run('show', 'ollama/phi3:mini');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^window +4,096 tokens as served here: all that the model was made for$/m);
    expect(stdout).toMatch(/^size +2\.2 GB$/m);
    expect(stdout).toMatch(/^loaded +no$/m);
    expect(stdout).toContain('It cannot call tools');
    expect(JSON.parse((await run('show', 'qwen3:8b', '--json')).stdout)).toMatchObject({
      id: 'qwen3:8b',
      local: true,
      tools: true,
      size: 1e9,
      quantization: 'Q4_K_M',
      family: 'qwen2',
      loaded: false,
      window: { tokens: expect.any(Number), reason: expect.any(String) },
    });
    expect(await run('show', 'ollama/qwen3:14b')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /has no model qwen3:14b; nearest installed: qwen3:8b.*"ada models pull qwen3:14b" gets it/,
      ),
    });
  });
});

describe('ada models pull', () => {
  const pulls = [{ model: { name: 'owl:1b' }, layers: [1e9, 2e8], step: 1e8, delayMs: 10 }];

  it('tells stages and tenths, is stopped by Ctrl+C, and goes on where it was', async () => {
    server.set({ ...script, pulls: [{ ...pulls[0]!, delayMs: 100 }] });
    const running = start(['models', 'pull', 'ollama/owl:1b'], { place, env: { OLLAMA_HOST: server.url } });
    while (!running.stderr.includes('20 %')) await new Promise((resolve) => setTimeout(resolve, 10));
    running.process.kill('SIGINT');
    const stopped = await running.ended;
    expect(stopped).toMatchObject({ code: 130, stdout: '' });
    expect(stopped.stderr).toContain('ada: stopped; ada models pull owl:1b goes on where it was');
    const whole = await run('pull', 'owl:1b');
    expect(whole).toMatchObject({ code: 0, stdout: 'owl:1b is ready\n' });
    expect(whole.stderr).not.toContain(' 10 %');
    expect(whole.stderr).toContain('success');
    expect((await run()).stdout).toContain('owl:1b');
  });

  it('passes on what the server says of a name that nobody has', async () => {
    server.set({ ...script, pulls });
    expect(await run('pull', 'nobody:1b', '--offline')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^ada: --offline: .* that server goes out for the model\n(.*\n)?ada: Ollama could not pull nobody:1b: pull model manifest: file does not exist\n$/,
      ),
    });
  });

  it('says after a break in the middle that it can go on', async () => {
    const fails = { after: 3e8, message: 'max retries exceeded: unexpected EOF' };
    server.set({ ...script, pulls: [{ ...pulls[0]!, fails }] });
    const { code, stderr } = await run('pull', 'owl:1b');
    expect(code).toBe(1);
    expect(stderr).toContain('max retries exceeded: unexpected EOF; ada models pull owl:1b goes on where it was');
  });

  it('gives up where there is no server, and without a name', async () => {
    const nowhere = { place, env: { OLLAMA_HOST: '127.0.0.1:9' } };
    expect(await ada(['models', 'pull', 'owl:1b'], nowhere)).toMatchObject({
      code: 3,
      stderr: 'ada: cannot reach Ollama at http://127.0.0.1:9 for owl:1b: start it with "ollama serve"\n',
    });
    expect(await run('pull')).toMatchObject({ code: 2, stderr: 'ada: ada models pull takes one name\n' });
  });
});

describe('a local model that is no use is told in a sentence with the remedy', () => {
  const prompt = (...args: string[]) => ada(['-p', 'Hi', ...args], { place, env: { OLLAMA_HOST: server.url } });

  it('cannot call tools', async () => {
    server.set(script);
    const { code, stderr, stdout } = await prompt('-m', 'phi3:mini');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello.\n' });
    expect(stderr).toContain('phi3:mini cannot call tools');
  });

  it('has a window that the fixed prompt does not fit', async () => {
    server.set({ ...script, models: [{ name: 'ant:1b', contextTokens: 256 }] });
    const { code, stderr } = await prompt('-m', 'ant:1b');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /the window of ollama\/ant:1b is 256 tokens, and what every request begins with takes at least/,
    );
    expect(server.chats()).toHaveLength(0);
    expect(place.logs()).toEqual([]);
  });

  it('needs more memory than there is: said once, not tried again', async () => {
    const message = 'model requires more system memory (5.6 GiB) than is available (3.1 GiB)';
    server.set({ ...script, turns: [{ fault: { kind: 'status', status: 500, message }, faultTimes: 9 }] });
    const { code, stderr } = await prompt('-m', 'qwen3:8b');
    expect(code).toBe(1);
    expect(stderr).toContain(`${message}. A smaller model needs less memory`);
    expect(server.chats()).toHaveLength(1);
  });

  it('is missing, and can be got', async () => {
    server.set(script);
    const { code, stderr } = await prompt('-m', 'qwen3:14b');
    expect(code).toBe(3);
    expect(stderr).toContain('"ada models pull qwen3:14b" gets it');
  });

  it('stands behind a page of a proxy', async () => {
    const { createServer } = await import('node:http');
    const portal = createServer((_, response) => response.writeHead(200).end('<!doctype html><title>Sign in</title>'));
    await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(portal.address() as { port: number }).port}`;
    for (const args of [['-m', 'ollama/x'], []]) {
      const { code, stderr } = await ada(['-p', 'Hi', ...args], { place, env: { OLLAMA_HOST: url } });
      expect(code).toBe(3);
      expect(stderr).toContain('answered with a web page (“Sign in”)');
    }
    portal.closeAllConnections();
    portal.close();
  });
});
