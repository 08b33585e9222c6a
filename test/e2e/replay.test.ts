/** `ada replay`: a stored session once more, in a copy of its project. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ada, makePlace, type Place } from './ada.ts';

let place: Place;
let scratch: string;
beforeEach(() => {
  place = makePlace({ 'a.txt': 'hello\n', 'sub/b.txt': 'two\n' });
  scratch = join(place.home, 'tmp');
  mkdirSync(scratch);
});
afterEach(() => place.dispose());

const env = () => ({ OLLAMA_HOST: 'http://127.0.0.1:9', TMPDIR: scratch });
const replay = (...args: string[]) => ada(['replay', ...args], { place, env: env() });
const bash = (command: string) => ({ name: 'bash', input: { command } });

/** Records a session with this model; the project is then as it was, and the log's path is given. */
async function record(turns: object[], ...flags: string[]): Promise<string> {
  const file = join(place.home, 'model.jsonl');
  writeFileSync(file, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  const run = await ada(['-p', ...flags, '--model', `replay:${file}`, 'Go.'], { place, env: env() });
  expect(run.code, run.stderr).toBe(0);
  writeFileSync(join(place.project, 'a.txt'), 'hello\n');
  return place.logs()[0]!;
}

const EDIT = [
  { text: 'I look.', toolCalls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
  { toolCalls: [{ name: 'edit_file', input: { path: 'a.txt', old: 'hello', new: 'bye' } }] },
  { toolCalls: [bash('cat a.txt; pwd; date; mktemp -u')] },
  { text: 'Done.' },
];

it('finds an unchanged project equal, touches nothing in it, and leaves nothing behind', async () => {
  const file = await record(EDIT, '--yolo');
  const log = readFileSync(file, 'utf8');
  expect(await replay(file)).toMatchObject({ code: 0, stdout: 'equal: 1 prompt, 3 calls\n', stderr: '' });
  expect(readFileSync(join(place.project, 'a.txt'), 'utf8')).toBe('hello\n');
  expect(readFileSync(file, 'utf8')).toBe(log);
  expect(place.logs()).toEqual([file]);
  expect(readdirSync(scratch).filter((name) => name.startsWith('ada-replay-'))).toEqual([]);
});

it('shows the first difference from both sides, and exits with 1', async () => {
  const file = await record(EDIT, '--yolo');
  writeFileSync(join(place.project, 'a.txt'), 'hello, all\n');
  const run = await replay(file);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/prompt 1 \(Go\.\), call 1\nread_file .*\nrecorded\n.*hello\nnow\n.*hello, all\n/);
  const json = await replay(file, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ equal: false, difference: { turn: 1, call: 1, what: 'result' } });
});

it('takes an id, and the project as it was from another folder', async () => {
  const file = await record(EDIT, '--yolo');
  const old = join(place.home, 'old');
  mkdirSync(old);
  writeFileSync(join(old, 'a.txt'), 'hello\n');
  writeFileSync(join(place.project, 'a.txt'), 'changed\n');
  const id = file.replace(/^.*\/|\.jsonl$/g, '');
  expect((await replay(id)).code).toBe(1);
  expect(await replay(id, '--project', old)).toMatchObject({ code: 0 });
  expect(readFileSync(join(old, 'a.txt'), 'utf8')).toBe('hello\n');
});

it('changes the copy where the log names the project by its path', async () => {
  const target = join(place.project, 'a.txt');
  const file = await record(
    [{ toolCalls: [bash(`echo more >> ${target}; cat ${target}`)] }, { text: 'Done.' }],
    '--yolo',
  );
  expect(await replay(file)).toMatchObject({ code: 0 });
  expect(readFileSync(target, 'utf8')).toBe('hello\n');
});

it('denies again what was denied, and never runs again what reaches out of the copy', async () => {
  const outside = join(place.home, 'outside');
  mkdirSync(outside);
  const remove = `rm -rf ${outside}`;
  const denied = await record([{ toolCalls: [bash(remove)] }, { text: 'Done.' }], '--yolo');
  expect(await replay(denied)).toMatchObject({ code: 0 });
  const allowed = readFileSync(denied, 'utf8').replace(
    '"decision":"no","by":"headless"',
    '"decision":"yes","by":"user"',
  );
  writeFileSync(denied, allowed);
  const run = await replay(denied);
  expect(run).toMatchObject({ code: 0, stdout: 'equal: 1 prompt, 1 call\n' });
  expect(run.stderr).toMatch(/1 call that reaches out of the copy.* not run again/);
  expect(existsSync(outside)).toBe(true);
});

it('comes out the same where a guard ended the turn, in a recording of it, too', async () => {
  const circle = { text: 'I read the file once more. '.repeat(200), chunk: 4 };
  const model = join(place.home, 'circle.jsonl');
  const turns = [{ toolCalls: [{ name: 'read_file', input: { path: 'a.txt' } }] }, circle, circle, { text: 'No.' }];
  writeFileSync(model, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  const run = await ada(['-p', '--yolo', '--model', `replay:${model}`, 'Go.'], { place, env: env() });
  expect(run.code).toBe(4);
  const [file] = place.logs() as [string];
  expect(await replay(file)).toMatchObject({ code: 0, stdout: 'equal: 1 prompt, 1 call\n', stderr: '' });
  const exported = join(place.home, 'exported.jsonl');
  expect((await ada(['sessions', 'export', '--replay', '-o', exported], { place, env: env() })).code).toBe(0);
  const played = await ada(['-p', '--yolo', '--model', `replay:${exported}`, 'Go.'], { place, env: env() });
  expect(played).toMatchObject({ code: 4, stdout: run.stdout });
  const asSession = await replay(exported);
  expect(asSession).toMatchObject({ code: 2 });
  expect(asSession.stderr).toMatch(/recorded model: ada --model replay:/);
});

it('tells of another AGENTS.md, and finds the calls equal', async () => {
  const file = await record(EDIT, '--yolo');
  writeFileSync(join(place.project, 'AGENTS.md'), 'Be brief.\n');
  const run = await replay(file);
  expect(run).toMatchObject({ code: 0, stdout: 'equal: 1 prompt, 3 calls\n' });
  expect(run.stderr).toMatch(/system prompt is another one \(AGENTS\.md/);
});

it('runs a session whose project was moved where it lies, of another project only when told to', async () => {
  const file = await record(EDIT, '--yolo');
  const moved = join(place.home, 'moved');
  renameSync(place.project, moved);
  mkdirSync(place.project);
  const there = join(moved, file.slice(place.project.length + 1));
  const run = await replay(there);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('is not among the sessions of this project; --trust runs what it says');
  expect((await replay(there, '--trust')).code).toBe(0);
});

it('runs what a foreign log says only when told to', async () => {
  const file = await record(EDIT, '--yolo');
  const foreign = join(place.home, 'foreign.jsonl');
  copyFileSync(file, foreign);
  const run = await replay(foreign);
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(/--trust/);
  expect((await replay(foreign, '--trust')).code).toBe(0);
});

it.each([
  [[], /needs a session/],
  [['nowhere.jsonl'], /no such file/],
  [['a.txt'], /is no session/],
  [['a.txt', 'b.txt'], /one session/],
])('refuses %j with exit code 2', async (args, message) => {
  const run = await replay(...args);
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(message);
});
