/**
 * ada is killed at a random moment of a session of 30 tools, again and again: every file is old or new, the log can be
 * read and gone on with, and the next ada leaves nothing of the killed one running. `ADA_CHAOS_ROUNDS` sets how often.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { defaultModel, type ScriptedTurn } from '../fakes/script.ts';
import { ada, makePlace, type Place, start, wireEnv } from './ada.ts';

const ROUNDS = Number(process.env.ADA_CHAOS_ROUNDS ?? 10);
const FILES = 8;
/** The files are large, so that writing them takes a while; the window must hold them. */
const contextTokens = 4_000_000;
const models = [{ ...defaultModel, contextTokens }];

let server: ModelServer;
let place: Place;
let seconds: string;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
afterEach(() => {
  for (const pid of running('sleep', seconds)) process.kill(pid, 'SIGKILL');
  place.dispose();
});

const path = (i: number) => `file-${i}.txt`;
const old = (i: number) => `old ${i}\n`.repeat(20_000);
const fresh = (i: number) => `first\n${`new ${i}\n`.repeat(25_000)}`;
const edited = (i: number) => fresh(i).replace('first', 'edited');

/** 30 calls: files written and edited, commands that end, that wait, and that leave processes behind in every way. */
function session(): ScriptedTurn[] {
  const bash = (command: string) => ({ name: 'bash', input: { command } });
  const write = (i: number) => ({ name: 'write_file', input: { path: path(i), content: fresh(i) } });
  const edit = (i: number) => ({ name: 'edit_file', input: { path: path(i), old: 'first', new: 'edited' } });
  const turns: ScriptedTurn[] = [];
  for (let i = 0; i < FILES; i++) turns.push({ calls: [write(i), edit(i)], argumentSize: 50_000 });
  const commands = [
    'echo quick',
    `sleep ${seconds} & echo left`,
    `setsid sleep ${seconds} & cd . && echo moved`,
    `trap '' TERM HUP INT; sleep 0.1; (trap '' TERM; exec sleep ${seconds}) & echo stubborn`,
    'seq 1 5000',
    `nohup sleep ${seconds} >/dev/null 2>&1 &`,
    `timeout 0.15 sleep ${seconds}; true`,
  ];
  commands.forEach((command, at) => void turns.splice(at * 2 + 1, 0, { calls: [bash(command), bash('true')] }));
  return [...turns, { text: 'Done.' }];
}

/** Live processes that were started with these words. */
function running(...words: string[]): number[] {
  const wanted = `${words.join('\0')}\0`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === wanted;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** From 0 up to `limit`, whole. */
const random = (limit: number) => Math.floor(Math.random() * limit);

describe.runIf(process.platform === 'linux')('killed at a random moment', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))('round %i', async () => {
    const names = Array.from({ length: FILES }, (_, i) => i);
    place = makePlace(Object.fromEntries(names.map((i) => [path(i), old(i)])));
    mkdirSync(join(place.home, '.ada'));
    writeFileSync(join(place.home, '.ada/settings.json'), JSON.stringify({ ollama: { contextTokens } }));
    const env = wireEnv('ollama', server.url);
    seconds = `6${random(1e6)}.${random(1e6)}7`;
    server.set({ turns: session(), models });
    const run = start(['-p', '--yolo', '--output-format', 'stream-json', 'Go.'], { place, env });
    // Calls and their results, and a moment more.
    const events = random(58);
    const seen = () => run.stdout.split('"type":"tool_').length - 1;
    while (seen() < events && run.process.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 2));
    await new Promise((resolve) => setTimeout(resolve, random(30)));
    run.process.kill('SIGKILL');
    await run.ended;
    for (const i of names) {
      const text = readFileSync(join(place.project, path(i)), 'utf8');
      expect([old(i), fresh(i), edited(i)].includes(text), `${path(i)} after ${events} events`).toBe(true);
    }

    server.set({ turns: [{ text: 'Here again.' }], models });
    const next = await ada(['-p', '--yolo', '--continue', 'And now?'], { place, env });
    expect(next, next.stderr).toMatchObject({ code: 0, stdout: 'Here again.\n' });
    expect(running('sleep', seconds)).toEqual([]);
    const folder = join(place.project, '.ada/state/shells');
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);

    const lines = place.logs().flatMap((file) => readFileSync(file, 'utf8').split('\n'));
    const read = lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as { type: string; id?: string }];
      } catch {
        return [];
      }
    });
    // One line may have been torn by the kill.
    expect(lines.filter((line) => line !== '').length - read.length).toBeLessThanOrEqual(1);
    const ids = (type: string) =>
      read
        .filter((event) => event.type === type)
        .map(({ id }) => id)
        .sort();
    expect(ids('tool_result')).toEqual(ids('tool_call'));
    expect(ids('done').length).toBe(ids('user').length);
    // What was told to the outside is kept, word for word: a line is written before anybody hears of it.
    const told = run.stdout.split('\n').filter((line) => line.includes('"seq":') && line.endsWith('}'));
    for (const line of told) expect(lines, `after ${events} events`).toContain(line);
    const { messages } = server.chats().at(-1)!.body;
    const calls = messages.reduce((sum: number, message: any) => sum + (message.tool_calls?.length ?? 0), 0);
    expect(messages.filter(({ role }: any) => role === 'tool').length).toBe(calls);
    const results = told.filter((line) => line.includes('"type":"tool_result"')).length;
    expect(calls).toBeGreaterThanOrEqual(results);
    if (told.some((line) => line.includes('"type":"user"'))) expect(JSON.stringify(messages)).toContain('Go.');
  });
});
