/** Signals in the middle of a tool: the right exit code, a log that says so, and no process left. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { makePlace, type Place, parseLines, start, typesOf, wireEnv } from './ada.ts';

let server: ModelServer;
let place: Place;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** Writes down who it is, as do two children: one that ends when told to, one that does not listen. */
const hold = `echo $$ >> pids
sleep 300 & echo $! >> pids
sh -c 'trap "" TERM INT HUP; echo $$ >> pids; sleep 300; sleep 300' &
wait
`;
beforeEach(() => {
  place = makePlace({ 'hold.sh': hold });
});
const pids = (): number[] => {
  const file = join(place.project, 'pids');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
};
const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
afterEach(() => {
  for (const pid of pids()) if (alive(pid)) process.kill(pid, 'SIGKILL');
  place.dispose();
});

describe.each<[NodeJS.Signals, number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s', (signal, code) => {
  it('in a tool: the command and its children are gone, the log is complete', async () => {
    server.set({
      turns: [{ calls: [{ name: 'bash', input: { command: 'sh hold.sh' } }, { name: 'ls' }] }, { text: 'Never.' }],
    });
    const run = start(['-p', '--yolo', '--output-format', 'stream-json', 'Hold.'], {
      place,
      env: wireEnv('ollama', server.url),
    });
    await expect.poll(() => pids().length, { timeout: 15_000 }).toBe(3);
    run.process.kill(signal);
    const { code: got, stdout } = await run.ended;
    expect(got).toBe(code);
    await expect.poll(() => pids().filter(alive), { timeout: 4_000 }).toEqual([]);
    const events = parseLines(stdout);
    expect(events.at(-1)).toMatchObject({ type: 'done', finish: 'aborted' });
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count('tool_result')).toBe(count('tool_call'));
    expect(place.log().at(-1)).toEqual(events.at(-1));
    expect(server.chats()).toHaveLength(1);
  });

  it('while the model answers: the connection is closed, what was said is kept', async () => {
    server.set({ turns: [{ text: 'Half of an answer.', pieceSize: 5, fault: { kind: 'stall', after: 2 } }] });
    const run = start(['-p', '--output-format', 'stream-json', 'Go.'], { place, env: wireEnv('ollama', server.url) });
    await expect.poll(() => run.stdout, { timeout: 15_000 }).toContain('"type":"text"');
    run.process.kill(signal);
    expect((await run.ended).code).toBe(code);
    await expect.poll(() => server.chats()[0]?.closedEarlyAt).toBeTypeOf('number');
    const events = place.log();
    expect(typesOf(events)).toEqual(['session', 'user', 'assistant', 'done']);
    expect(events[2]).toMatchObject({ finish: 'aborted', content: [{ type: 'text', text: 'Half of an' }] });
    expect(server.chats()).toHaveLength(1);
  });
});
