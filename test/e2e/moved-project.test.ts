/** Sessions of a project that was moved, copied or renamed, and logs of a later version, in the built program. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { ada, makePlace, type Place, parseLines, typesOf, wireEnv } from './ada.ts';

let server: ModelServer;
let place: Place;
let there: string;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace({ 'a.txt': 'hello\n', 'sub/b.txt': 'two\n' });
  there = join(dirname(realpathSync(place.project)), 'there');
  server.set({ turns: [{ text: 'Noted.' }] });
});
afterEach(() => place.dispose());

const env = () => wireEnv('ollama', server.url);
const run = (cwd: string, ...args: string[]) => ada(['-p', ...args], { place, env: env(), cwd });
const logsIn = (project: string) => {
  const folder = join(project, '.ada/sessions');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));
};

it('goes on in the project as it lies now, says so once, and every request begins with the one before', async () => {
  const old = realpathSync(place.project);
  const chats: object[][] = [];
  const collect = () => chats.push(...server.chats().map(({ body }) => body.messages as object[]));
  await run(old, '--yolo', 'Remember kiwi-0.');
  renameSync(old, there);
  collect();
  server.set({
    turns: [{ calls: [{ name: 'write_file', input: { path: 'made.txt', content: 'here\n' } }] }, { text: 'Made.' }],
  });
  const first = await run(there, '-c', 'Go on.');
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr).toContain(`this session began in ${old}; it goes on in ${there}`);
  expect(readFileSync(join(there, 'made.txt'), 'utf8')).toBe('here\n');
  expect(existsSync(old)).toBe(false);
  collect();
  server.set({ turns: [{ text: 'Noted.' }] });
  const second = await run(there, '-c', 'And on.');
  expect(second.stderr).not.toContain('it goes on in');
  collect();
  expect(chats).toHaveLength(4);
  for (const [i, messages] of chats.entries())
    if (i > 0) expect(JSON.stringify(messages.slice(0, chats[i - 1]!.length))).toBe(JSON.stringify(chats[i - 1]));
  expect(JSON.stringify(chats.at(-1)).match(/The project was moved or copied/g)).toHaveLength(1);
  const events = parseLines(readFileSync(logsIn(there)[0]!, 'utf8'));
  expect(typesOf(events).filter((type) => type === 'place')).toHaveLength(1);
  rmSync(there, { recursive: true });
});

it('of a copy leaves the log of the original as it is, and one that is reached by a link is not moved', async () => {
  await run(place.project, 'Remember kiwi-0.');
  const [log] = place.logs();
  const before = readFileSync(log!, 'utf8');
  cpSync(place.project, there, { recursive: true });
  expect((await run(join(there, 'sub'), '-c', 'Go on.')).stderr).toContain(`it goes on in ${there}`);
  expect(readFileSync(log!, 'utf8')).toBe(before);
  const link = join(place.home, 'link');
  symlinkSync(place.project, link);
  expect((await run(link, '-c', 'Go on.')).stderr).not.toContain('goes on in');
  expect(typesOf(place.log())).not.toContain('place');
});

it('is replayed where its log lies', async () => {
  const model = join(place.home, 'model.jsonl');
  const calls = [
    { name: 'read_file', input: { path: 'a.txt' } },
    { name: 'bash', input: { command: 'pwd; cat a.txt' } },
  ];
  writeFileSync(model, `${JSON.stringify({ toolCalls: calls })}\n{"text":"Done."}\n`);
  await ada(['-p', '--yolo', '--model', `replay:${model}`, 'Go.'], { place, env: env() });
  const id = basename(place.logs()[0]!, '.jsonl');
  cpSync(place.project, there, { recursive: true });
  writeFileSync(join(place.project, 'a.txt'), 'the original is another by now\n');
  const replay = (...args: string[]) => ada(['replay', ...args], { place, env: env(), cwd: there });
  const equal = { code: 0, stdout: 'equal: 1 prompt, 2 calls\n', stderr: '' };
  expect(await replay(id)).toMatchObject(equal);
  expect(await replay(logsIn(there)[0]!)).toMatchObject(equal);
  rmSync(place.project, { recursive: true });
  mkdirSync(place.project);
  expect(await replay(id)).toMatchObject(equal);
  rmSync(place.project, { recursive: true });
  expect(await replay(join('.ada/sessions', `${id}.jsonl`))).toMatchObject(equal);
  mkdirSync(place.project);
});

it('a log of a later version goes on in a copy, is read with a word of it, and stays as it is', async () => {
  await run(place.project, 'Remember kiwi-0.');
  const [log] = place.logs();
  const later = readFileSync(log!, 'utf8').replace('"version":1,', '"version":99,');
  writeFileSync(log!, later);
  const id = basename(log!, '.jsonl');
  const NEWER = /was written by a newer version of ada \(its log has format 99, this version knows 1\)/;
  for (const args of [
    ['show', id],
    ['export', id],
    ['fork', id],
  ]) {
    const read = await ada(['sessions', ...args], { place, env: env() });
    expect([read.code, read.stderr]).toEqual([0, expect.stringMatching(NEWER)]);
    if (args[0] !== 'fork') expect(read.stdout).toContain('kiwi-0');
  }
  const gone = await run(place.project, '-r', id, '--json', 'Go on.');
  expect(gone).toMatchObject({ code: 0, stderr: expect.stringMatching(NEWER) });
  expect(JSON.parse(gone.stdout).session).not.toBe(id);
  expect(readFileSync(log!, 'utf8')).toBe(later);
  expect((await run(place.project, '-c', 'Go on.')).stderr).not.toMatch(NEWER);
});

it('a link in the place of .ada that leads nowhere is named', async () => {
  symlinkSync(join(place.home, 'gone'), join(place.project, '.ada'));
  const { code, stderr } = await run(place.project, 'hi');
  expect(code).toBe(0);
  expect(stderr).toContain('.ada is a link that leads nowhere; its sessions are kept in ');
});
