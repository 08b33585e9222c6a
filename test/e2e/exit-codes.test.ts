/** Exit codes of usage, missing models and limits: one line of explanation, an empty standard output, no stack. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { loopOf } from '../fakes/script.ts';
import { ada, type Finished, lines, makePlace, type Place, parseLines, wireEnv } from './ada.ts';

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

/** The whole of a refusal: its code, nothing on standard output, one line on standard error that matches. */
function expectRefusal(run: Finished, code: number, line: RegExp): void {
  expect(run).toMatchObject({ code, stdout: '' });
  expect(run.stderr).toMatch(line);
  expect(run.stderr).not.toMatch(/^\s+at /m);
  expect(lines(run.stderr)).toHaveLength(1);
}
const local = () => wireEnv('ollama', server.url);

describe('2: usage and settings', () => {
  it.each<[string, string[], RegExp]>([
    ['an unknown flag', ['--no-such-flag'], /--no-such-flag.*--no-skills/],
    ['a flag with a slip', ['-p', '--modle', 'x', 'hi'], /--modle.*--model/],
    ['an unknown command', ['sesions'], /sesions.*sessions/],
    ['neither a terminal nor a prompt', [], /--print/],
    ['print without a prompt', ['-p'], /prompt/],
    ['a directory that is not there', ['-C', '/nonexistent-directory', '-p', 'hi'], /\/nonexistent-directory/],
    ['an output format that is none', ['-p', '--output-format', 'xml', 'hi'], /xml/],
    ['a mode that is none', ['-p', '--mode', 'wild', 'hi'], /wild/],
    ['a limit that is none', ['-p', '--max-turns', 'many', 'hi'], /max-turns/],
    ['a session that is not there', ['-p', '-r', 'absent', 'hi'], /absent/],
  ])('%s', async (_, args, line) => {
    expectRefusal(await ada(args, { place, env: local() }), 2, line);
    expect(server.chats()).toEqual([]);
  });
});

describe('3: no model can be reached', () => {
  it('names what it looked for when nothing is there', async () => {
    expectRefusal(await ada(['-p', 'hi'], { place, env: { OLLAMA_HOST: 'http://127.0.0.1:9' } }), 3, /Ollama|ollama/);
  });
  it('sends a model that no server has nowhere, and names the nearest', async () => {
    expectRefusal(await ada(['-p', '-m', 'test-modle', 'hi'], { place, env: local() }), 3, /test-modle.*test-model/);
    expect(server.chats()).toEqual([]);
  });
  it('says so when the server of a named model is down', async () => {
    const env = { OLLAMA_HOST: 'http://127.0.0.1:9' };
    expectRefusal(await ada(['-p', '-m', 'nonesuch:1b', 'hi'], { place, env }), 3, /nonesuch:1b|127\.0\.0\.1:9/);
  });
  it('leaves no session behind', async () => {
    await ada(['-p', 'hi'], { place, env: { OLLAMA_HOST: 'http://127.0.0.1:9' } });
    expect(place.logs()).toEqual([]);
    expect(readdirSync(place.project)).toEqual(['.git']);
    expect(readdirSync(join(place.home)).filter((name) => name !== '.ada')).toEqual([]);
  });
});

describe('4: a limit ended it', () => {
  it('--max-turns', async () => {
    server.set(loopOf(9, (number) => ({ name: 'ls', input: { path: number % 2 ? '.' : './' } }), { text: 'Over.' }));
    const run = await ada(['-p', '--max-turns', '3', '--output-format', 'stream-json', 'Go on.'], {
      place,
      env: local(),
    });
    expect(run.code).toBe(4);
    expect(server.chats()).toHaveLength(3);
    const events = parseLines(run.stdout);
    expect(events.at(-1)).toMatchObject({ type: 'done', finish: 'limit', turns: 3 });
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count('tool_result')).toBe(count('tool_call'));
  });

  it('--timeout, and the connection is closed', async () => {
    server.set({ turns: [{ text: 'Too slow.', fault: { kind: 'stall', after: 1 }, pieceSize: 3, faultTimes: 9 }] });
    const run = await ada(['-p', '--timeout', '1', '--json', 'hi'], { place, env: local() });
    expect(run.code).toBe(4);
    expect(JSON.parse(run.stdout)).toMatchObject({ finish: 'limit' });
    await expect.poll(() => server.chats()[0]?.closedEarlyAt).toBeTypeOf('number');
    expect(server.chats()).toHaveLength(1);
  });
});

describe('0', () => {
  it.each<[string, string[], RegExp]>([
    ['version', ['--version'], /^\d+\.\d+\.\d+\n$/],
    ['version, short', ['-v'], /^\d+\.\d+\.\d+\n$/],
    ['help', ['--help'], /--output-format/],
    ['help of a command', ['sessions', '--help'], /sessions/],
    ['models', ['models'], /test-model:latest/],
  ])('%s', async (_, args, out) => {
    const run = await ada(args, { place, env: local() });
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(out);
  });
});
