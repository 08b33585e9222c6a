/**
 * Locality as a promise: with a local model nothing leaves the machine. Once where there is no way out, in a network
 * namespace that holds loopback alone; once with every connection of the program and its children traced.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleProgram } from '../app/bundle.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import type { ScriptedTurn } from '../fakes/script.ts';
import { makePlace, type Place, wireEnv } from './ada.ts';
import { Eye, KEYS } from './screen/eye.ts';

const run = promisify(execFile);
const launcher = fileURLToPath(new URL('../../app/ada.cjs', import.meta.url));

const works = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasNamespaces = works('unshare', '-rn', 'sh', '-c', 'ip link set lo up');
const hasTrace = works('strace', '-f', '-qq', '-e', 'trace=connect', 'true');

/** Everything that a conversation does without a network. */
const turns: readonly ScriptedTurn[] = [
  { reasoning: 'Look first.', text: 'Reading.', calls: [{ name: 'read_file', input: { path: 'list.txt' } }] },
  { calls: [{ name: 'write_file', input: { path: 'list.txt', content: 'first\nsecond\n' } }] },
  { calls: [{ name: 'edit_file', input: { path: 'list.txt', edits: [{ old: 'second', new: '2nd' }] } }] },
  {
    calls: [
      { name: 'grep', input: { pattern: '2nd' } },
      { name: 'glob', input: { pattern: '*.txt' } },
    ],
  },
  { calls: [{ name: 'update_todos', input: { items: [{ text: 'Write', status: 'done' }] } }] },
  { calls: [{ name: 'use_tool', input: { name: 'list_skills', input: {} } }] },
  { calls: [{ name: 'bash', input: { command: 'wc -l < list.txt; sort list.txt' } }] },
  { text: 'The list has two lines.' },
];

let place: Place;
let folder: string;
beforeEach(() => {
  place = makePlace({ 'list.txt': 'first\n' });
  folder = mkdtempSync(join(tmpdir(), 'ada-network-'));
});
afterEach(() => {
  place.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: place.home,
  ADA_HOME: join(place.home, '.ada'),
  NO_COLOR: '1',
});

describe.skipIf(!hasNamespaces)('where there is only loopback', () => {
  /** Serves the model inside of the namespace, runs the program there and prints what became of it. */
  let driver: ReturnType<typeof bundleProgram>;
  beforeAll(() => {
    driver = bundleProgram(`
      import { spawnSync, spawn } from 'node:child_process';
      import { networkInterfaces } from 'node:os';
      import { startModelServer } from '../test/fakes/model-server.ts';
      const [launcher, script, ...args] = process.argv.slice(2);
      const server = await startModelServer(JSON.parse(script));
      const child = spawn(process.execPath, [launcher, ...args], {
        env: { ...process.env, OLLAMA_HOST: server.url, ADA_MODEL: 'test-model:latest' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const output = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
      child.on('close', async (code) => {
        const chats = server.chats().map(({ status }) => status);
        await server.close();
        console.log(JSON.stringify({ code, ...output, chats, interfaces: Object.keys(networkInterfaces()) }));
      });
    `);
  });
  afterAll(() => driver.remove());

  it('the whole scenario works, offline', async () => {
    const inside = 'ip link set lo up && exec "$@"';
    const args = [driver.file, launcher, JSON.stringify({ turns }), '-p', '--yolo', '--offline', 'Add a line.'];
    const { stdout } = await run('unshare', ['-rn', 'sh', '-c', inside, 'sh', process.execPath, ...args], {
      cwd: place.project,
      env: environment(),
    });
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ code: 0, stdout: 'The list has two lines.\n', interfaces: ['lo'] });
    expect(result.chats).toEqual(turns.map(() => 200));
    const log = place.log();
    const results = log.filter((event) => event.type === 'tool_result');
    expect(results.map(({ name, isError }) => [name, isError])).toEqual(
      ['read_file', 'write_file', 'edit_file', 'grep', 'glob', 'update_todos', 'list_skills', 'bash'].map((name) => [
        name,
        false,
      ]),
    );
    expect(log.filter((event) => event.type === 'assistant').every(({ served }) => served.local)).toBe(true);
    expect(readFileSync(join(place.project, 'list.txt'), 'utf8')).toBe('first\n2nd\n');
  });
});

describe.skipIf(!hasTrace)('a normal start with a local model', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());
  beforeEach(() => server.set({ turns: turns.filter(({ calls }) => !calls || calls[0]!.name === 'bash') }));

  /** Where the traced processes connected or sent to over IP, as `address port`. */
  function peers(): string[] {
    const found = new Set<string>();
    const pattern = /sa_family=AF_INET6?, sin6?_port=htons\((\d+)\).*?(?:inet_addr\("([^"]+)"\)|AF_INET6, "([^"]+)")/g;
    for (const [, port, four, six] of readFileSync(join(folder, 'trace'), 'utf8').matchAll(pattern))
      found.add(`${four ?? six} ${port}`);
    return [...found].sort();
  }
  const strace = () => ['-f', '-qq', '-o', join(folder, 'trace'), '-e', 'trace=connect,sendto,sendmsg,sendmmsg'];
  const own = () => new URL(server.url).port;

  it('headless: reaches nothing but that server, and asks no name', async () => {
    const { stdout } = await run('strace', [...strace(), process.execPath, launcher, '-p', '--yolo', 'Go.'], {
      cwd: place.project,
      env: { ...environment(), ...wireEnv('ollama', server.url) },
    });
    expect(stdout).toBe('The list has two lines.\n');
    expect(peers()).toEqual([`127.0.0.1 ${own()}`]);
  });

  it('on the screen: the same, from the start to the answer', async () => {
    const eye = await Eye.open({ place, env: { ...environment(), ...wireEnv('ollama', server.url) }, shell: true });
    try {
      await eye.until(/^\$/m, 'the prompt of the shell');
      eye.press(`eval strace ${strace().join(' ')} "$ADA" --yolo\r`);
      await eye.until('test-model');
      await eye.keys('Go.', KEYS.enter);
      await eye.until('The list has two lines.');
      await eye.keys('/exit', KEYS.enter);
      await eye.until(({ state }) => !state.alternate, 'the end of the program');
    } finally {
      await eye.close();
    }
    const reached = peers();
    expect(reached).toContain(`127.0.0.1 ${own()}`);
    // Without a model named elsewhere the screen may look on this machine for others.
    expect(reached.filter((peer) => !/^(127\.|::1 )/.test(peer))).toEqual([]);
    expect(reached.filter((peer) => peer.endsWith(' 53'))).toEqual([]);
  });
});
