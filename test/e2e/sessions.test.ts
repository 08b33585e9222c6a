/** Conversations that go on: in another process, after damage, and where nothing can be written. */

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { ada, makePlace, type Place, parseLines, typesOf, wireEnv } from './ada.ts';

let server: ModelServer;
let place: Place;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace();
  server.set({ turns: [{ text: 'Noted.' }] });
});
afterEach(() => place.dispose());

const run = (...args: string[]) => ada(['-p', ...args], { place, env: wireEnv('ollama', server.url) });
/** The words of the people in the last request. */
const said = (): string => JSON.stringify(server.chats().at(-1)?.body.messages);

it('-c goes on with the latest session, in the same file', async () => {
  await run('Remember kiwi-0.');
  expect((await run('-c', 'Remember kiwi-1.')).code).toBe(0);
  expect(said()).toMatch(/kiwi-0.*Noted\..*kiwi-1/);
  const events = place.log();
  expect(typesOf(events)).toEqual(['session', 'user', 'assistant', 'done', 'user', 'assistant', 'done']);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
});

it('-c without a session starts one, with a notice', async () => {
  const first = await run('-c', 'Well?');
  expect(first).toMatchObject({ code: 0, stdout: 'Noted.\n' });
  expect(first.stderr).toMatch(/no (earlier |stored |previous )?session|new session/i);
});

it('-r takes the session that is named, and --fork leaves it as it was', async () => {
  const first = JSON.parse((await run('--json', 'Remember kiwi-0.')).stdout).session;
  await run('Something else.');
  expect((await run('-r', first, 'And?')).code).toBe(0);
  expect(said()).toContain('kiwi-0');
  expect(said()).not.toContain('Something else.');
  expect(place.logs()).toHaveLength(2);
  const file = place.logs().find((path) => basename(path) === `${first}.jsonl`)!;
  const before = readFileSync(file, 'utf8');
  const copy = JSON.parse((await run('-r', first, '--fork', '--json', 'In a copy.')).stdout).session;
  expect(copy).not.toBe(first);
  expect(said()).toContain('kiwi-0');
  expect(readFileSync(file, 'utf8')).toBe(before);
  const fork = parseLines(readFileSync(join(place.project, `.ada/sessions/${copy}.jsonl`), 'utf8'));
  expect(fork[0]).toMatchObject({ type: 'session', id: copy, parent: first });
});

it('--session-id names the file', async () => {
  await run('--session-id', 'my-session', 'hi');
  expect(place.logs().map((path) => basename(path))).toEqual(['my-session.jsonl']);
});

it('keeps its own files out of git, readable by their owner alone', async () => {
  await run('hi');
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: place.project, encoding: 'utf8' })).toBe('');
  expect(statSync(join(place.project, '.ada/sessions')).mode & 0o777).toBe(0o700);
  for (const file of place.logs()) expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('loads the rest of a damaged file, and appends on a line of its own', async () => {
  await run('Remember kiwi-0.');
  await run('-c', 'Remember kiwi-1.');
  const [file] = place.logs();
  appendFileSync(file!, Buffer.concat([Buffer.alloc(64), Buffer.from('\n{"type":"user","text":"a\u2028b","seq":9')]));
  const third = await run('-c', 'And now?');
  expect(third).toMatchObject({ code: 0, stdout: 'Noted.\n' });
  expect(third.stderr).toMatch(/line \d+|byte \d+/);
  expect(said()).toMatch(/kiwi-0.*kiwi-1.*And now\?/);
  const fresh = readFileSync(file!, 'utf8')
    .split('\n')
    .filter((line) => line.includes('And now?'));
  expect(fresh).toHaveLength(1);
  expect(JSON.parse(fresh[0]!)).toMatchObject({ type: 'user', text: 'And now?' });
});

it('keeps events of a type that it does not know', async () => {
  await run('Remember kiwi-0.');
  const [file] = place.logs();
  const next = place.log().at(-1)!.seq + 1;
  appendFileSync(file!, `${JSON.stringify({ type: 'from_the_future', seq: next, time: 1, extra: [1] })}\n`);
  expect((await run('-c', 'And now?')).code).toBe(0);
  const stored = place.log();
  expect(stored.map((event) => event.seq)).toEqual(stored.map((_, index) => index + 1));
  expect(stored.find((event) => event.seq === next)).toMatchObject({ type: 'from_the_future', extra: [1] });
});

it('a turn that died is ended before the next one begins', async () => {
  await run('Remember kiwi-0.');
  const [file] = place.logs();
  const seq = place.log().at(-1)!.seq;
  const died = [
    { type: 'user', text: 'Run it.' },
    {
      type: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'bash', input: { command: 'true' } }],
      finish: 'tool_use',
      served: { backend: 'ollama', model: 'test-model:latest', local: true, latencyMs: 1, attempts: 1 },
    },
    { type: 'tool_call', id: 'c1', name: 'bash', detail: 'true', input: { command: 'true' } },
  ];
  appendFileSync(
    file!,
    died.map((event, at) => `${JSON.stringify({ ...event, seq: seq + 1 + at, time: 1 })}\n`).join(''),
  );
  expect((await run('-c', 'And now?')).code).toBe(0);
  const after = place.log().slice(seq);
  expect(typesOf(after)).toEqual([
    'user',
    'assistant',
    'tool_call',
    'tool_result',
    'done',
    'user',
    'assistant',
    'done',
  ]);
  expect(after[3]).toMatchObject({ id: 'c1', isError: true });
  expect(after[4]).toMatchObject({ finish: 'aborted' });
  const { messages } = server.chats().at(-1)!.body;
  expect(messages.filter((message: any) => message.role === 'tool')).toHaveLength(1);
});

/** Superuser writes where modes forbid it, but not here. */
const superuser = process.getuid?.() === 0;
it.skipIf(process.platform === 'win32' || (superuser && !existsSync('/sys/kernel')))(
  'works in a read-only project, keeps the session in the home, and finds it again',
  async () => {
    const cwd = superuser ? '/sys/kernel' : place.project;
    if (!superuser) chmodSync(place.project, 0o555);
    const options = { place, cwd, env: wireEnv('ollama', server.url) };
    const first = await ada(['-p', 'Remember kiwi-0.'], options);
    expect(first).toMatchObject({ code: 0, stdout: 'Noted.\n' });
    expect(first.stderr).toContain(join(place.home, '.ada', 'sessions'));
    expect((await ada(['-p', '-c', 'And now?'], options)).code).toBe(0);
    expect(said()).toContain('kiwi-0');
    chmodSync(place.project, 0o755);
    const stored = readdirSync(join(place.home, '.ada/sessions'), { recursive: true, encoding: 'utf8' });
    expect(stored.filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);
  },
);

it('works where .ada cannot be a directory', async () => {
  writeFileSync(join(place.project, '.ada'), 'in the way\n');
  expect(await run('Well?')).toMatchObject({ code: 0, stdout: 'Noted.\n' });
  expect(readFileSync(join(place.project, '.ada'), 'utf8')).toBe('in the way\n');
});

it('belongs to the project, whichever of its folders one works in', async () => {
  const inner = join(place.project, 'src/deep');
  mkdirSync(inner, { recursive: true });
  await run('Remember kiwi-0.');
  await ada(['-p', '-c', 'And now?'], { place, cwd: inner, env: wireEnv('ollama', server.url) });
  expect(said()).toContain('kiwi-0');
  expect(existsSync(join(inner, '.ada'))).toBe(false);
});
