/** Servers that fail, and what a person gets: one line, the right exit code, and the whole answer when it came late. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import type { Fault, ScriptedTurn } from '../fakes/script.ts';
import { ada, lines, makePlace, type Place, parseLines, type WireName, wireEnv } from './ada.ts';

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

const wires: WireName[] = ['ollama', 'openai-chat', 'anthropic'];
const reply = 'This answer breaks off in the middle the first time.';

/** Plays a turn with a fault and gives the events of the run. */
async function play(wire: WireName, turn: ScriptedTurn) {
  server.set({ turns: [turn] });
  const run = await ada(['-p', '--output-format', 'stream-json', 'hi'], { place, env: wireEnv(wire, server.url) });
  const events = parseLines(run.stdout);
  const of = (type: string) => events.filter((event) => event.type === type);
  return { ...run, events, of };
}

describe.each(wires)('%s', (wire) => {
  it('asks once when the key is refused', async () => {
    const { code, of, stderr } = await play(wire, { fault: { kind: 'status', status: 401 }, faultTimes: 9 });
    expect(code).toBe(1);
    expect(server.chats()).toHaveLength(1);
    expect(of('error')).toMatchObject([{ code: 'authentication', retryable: false }]);
    expect(of('done')).toMatchObject([{ finish: 'error' }]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.each<[string, Fault]>([
    ['a stream that is cut', { kind: 'cut', after: 5 }],
    ['a stream that ends without its last event', { kind: 'no-end' }],
    ['an error inside the stream', { kind: 'stream-error', after: 5, message: 'Overloaded' }],
  ])('asks again from the start after %s', async (_, fault) => {
    const { code, events, of } = await play(wire, { text: reply, pieceSize: 4, fault });
    expect(code).toBe(0);
    expect(server.chats()).toHaveLength(2);
    expect(of('retry')).toMatchObject([
      { discard: true, attempt: expect.any(Number), reason: expect.stringMatching(/./) },
    ]);
    expect(of('assistant')).toMatchObject([{ content: [{ type: 'text', text: reply }], served: { attempts: 2 } }]);
    expect(of('done')).toMatchObject([{ text: reply, finish: 'stop' }]);
    // What was streamed before the retry is void: offsets begin again, and the pieces after it are the whole answer.
    const after = events
      .slice(events.findIndex((event) => event.type === 'retry'))
      .filter((event) => event.type === 'text');
    expect(after[0].at).toBe(0);
    expect(after.map((event) => event.delta).join('')).toBe(reply);
  });
});

it('waits as long as Retry-After says, and says so', async () => {
  const { code, of } = await play('openai-chat', {
    text: 'Recovered.',
    fault: { kind: 'status', status: 429, retryAfter: 1 },
  });
  expect(code).toBe(0);
  expect(server.chats()).toHaveLength(2);
  expect(of('retry')).toHaveLength(1);
  expect(of('retry')[0].delayMs).toBeGreaterThanOrEqual(1000);
  const [first, second] = server.chats();
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(995);
  expect(of('done')).toMatchObject([{ text: 'Recovered.' }]);
});

it('gets through a server that fails twice', async () => {
  const { code, of } = await play('ollama', {
    text: 'Recovered.',
    fault: { kind: 'status', status: 500 },
    faultTimes: 2,
  });
  expect(code).toBe(0);
  expect(server.chats()).toHaveLength(3);
  expect(of('retry').map((event) => event.discard)).toEqual([false, false]);
  expect(of('assistant')).toMatchObject([{ served: { attempts: 3 } }]);
});

it('gets through a connection that is closed without an answer', async () => {
  const { code, of } = await play('anthropic', { text: 'Recovered.', fault: { kind: 'hangup' } });
  expect(code).toBe(0);
  expect(of('done')).toMatchObject([{ text: 'Recovered.' }]);
});

it.each(wires)('%s: says that a page of HTML is no answer', async (wire) => {
  server.set({ turns: [{ fault: { kind: 'html' }, faultTimes: 99 }] });
  const run = await ada(['-p', 'hi'], { place, env: wireEnv(wire, server.url) });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/web page/);
  expect(run.stderr).not.toMatch(/<h1>|^\s+at /m);
  expect(lines(run.stderr).length).toBeLessThanOrEqual(4);
});

it('never prints half an answer: the turn fails when every try breaks off', async () => {
  server.set({ turns: [{ text: reply, pieceSize: 4, fault: { kind: 'cut', after: 5 }, faultTimes: 99 }] });
  const run = await ada(['-p', 'hi'], { place, env: wireEnv('ollama', server.url) });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(place.log().at(-1)).toMatchObject({ type: 'done', finish: 'error' });
}, 40_000);

it('json tells the same failure to a program', async () => {
  server.set({ turns: [{ fault: { kind: 'status', status: 401, message: 'Who are you?' }, faultTimes: 9 }] });
  const run = await ada(['-p', '--json', 'hi'], { place, env: wireEnv('anthropic', server.url) });
  expect(run.code).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({
    type: 'result',
    isError: true,
    finish: 'error',
    error: { code: 'authentication', message: expect.stringContaining('Who are you?') },
  });
});

it('runs no call whose arguments are broken, and tells the model', async () => {
  server.set({ turns: [{ calls: [{ name: 'bash', raw: '{"command": "touch ran' }] }, { text: 'Over.' }] });
  const run = await ada(['-p', '--yolo', 'hi'], { place, env: wireEnv('openai-chat', server.url) });
  expect(run).toMatchObject({ code: 0, stdout: 'Over.\n' });
  expect(existsSync(join(place.project, 'ran'))).toBe(false);
  const call = place.log().find((event) => event.type === 'assistant');
  expect(call).toMatchObject({
    content: [{ type: 'tool_use', invalid: expect.any(String), raw: '{"command": "touch ran' }],
  });
});

it('runs no call of a message that broke off', async () => {
  const calls = [
    { name: 'bash', input: { command: 'touch ran-1' } },
    { name: 'bash', input: { command: 'touch ran-2' } },
  ];
  server.set({ turns: [{ calls, argumentSize: 6, fault: { kind: 'cut', after: 6 } }, { text: 'Over.' }] });
  const run = await ada(['-p', '--yolo', 'hi'], { place, env: wireEnv('anthropic', server.url) });
  expect(run.code).toBe(0);
  const ran = place.log().filter((event) => event.type === 'tool_call');
  expect(ran.map((event) => event.input)).toEqual(calls.map((call) => call.input));
});
