/** `ada sessions` through the built program. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openLog } from '../../core/store.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { ada, makePlace, type Place, wireEnv } from './ada.ts';

let server: ModelServer;
let place: Place;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace({ 'a.txt': 'alpha\n' });
});
afterEach(() => place.dispose());

const KEY = `ghp_${'a1B2'.repeat(9)}`;
const run = (...args: string[]) => ada(args, { place, env: wireEnv('ollama', server.url) });
const sessions = (...args: string[]) => run('sessions', ...args);
const ids = async (): Promise<string[]> =>
  JSON.parse((await sessions('list', '--json')).stdout).sessions.map(({ id }: { id: string }) => id);

it('exports in every form, without secrets, and the replay form can be played', async () => {
  server.set({
    turns: [
      { calls: [{ name: 'edit_file', input: { path: 'a.txt', old: 'alpha', new: 'beta' } }] },
      { text: 'Changed.' },
    ],
  });
  expect((await run('-p', '--yolo', 'Change it.')).code).toBe(0);
  const log = place.logs()[0]!;
  writeFileSync(log, readFileSync(log, 'utf8').replace('"Changed."', `"Changed. ${KEY}"`));
  const markdown = await sessions('export');
  expect(markdown.stdout).toMatch(
    /^# Change it\.[\s\S]*```diff[\s\S]*\+beta[\s\S]*Changed\. \[redacted: GitHub token\]/,
  );
  const page = join(place.project, 'out.html');
  expect(await sessions('export', '-o', page)).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/);
  expect(readFileSync(page, 'utf8')).not.toContain(KEY);
  // What is there is not written over unasked, and a session never.
  expect(await sessions('export', '-o', page)).toMatchObject({ code: 2, stderr: expect.stringContaining('exists') });
  expect((await sessions('export', '-o', page, '--yes')).code).toBe(0);
  expect((await sessions('export', '-o', place.logs()[0]!, '--yes')).stderr).toContain('is a session');
  expect(JSON.parse((await sessions('export', '--format', 'json')).stdout).events.length).toBeGreaterThan(4);
  const recording = join(place.project, 'run.jsonl');
  expect((await sessions('export', '--replay', '-o', recording)).code).toBe(0);
  writeFileSync(join(place.project, 'a.txt'), 'alpha\n');
  const again = await run('-p', '--yolo', '-m', `replay:${recording}`, 'Change it.');
  expect(again).toMatchObject({ code: 0, stdout: 'Changed. [redacted: GitHub token]\n' });
  expect(readFileSync(join(place.project, 'a.txt'), 'utf8')).toBe('beta\n');
});

it('forks, shows by title, and deletes what nobody holds', async () => {
  server.set({ turns: [{ text: 'Noted.' }] });
  await run('-p', 'Remember kiwi.');
  const [first] = await ids();
  const copy = (await sessions('fork', first!)).stdout.trim();
  expect((await ids()).sort()).toEqual([first, copy].sort());
  expect(readFileSync(join(place.project, `.ada/sessions/${copy}.jsonl`), 'utf8')).toContain(`"parent":"${first}"`);

  const held = openLog(place.logs()[0]!, join(place.project, '.ada/state'));
  if ('held' in held) throw new Error('held');
  expect(await sessions('delete', held.log.id, '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`open in process ${process.pid}`),
  });
  held.log.close();
  mkdirSync(join(place.project, '.ada/state', copy, 'checkpoints'), { recursive: true });
  expect((await sessions('delete', copy)).code).toBe(2);
  expect((await sessions('delete', copy, '--yes')).code).toBe(0);
  expect(existsSync(join(place.project, '.ada/state', copy))).toBe(false);
  expect(await ids()).toEqual([first]);
  expect((await sessions('show', 'remember K')).stdout).toContain('> Remember kiwi.');
  expect((await sessions('show', 'nothing')).code).toBe(2);
});

it('writes to standard output where the file is -, and says JSON where it is asked to', async () => {
  server.set({ turns: [{ text: 'Noted.' }] });
  await run('-p', 'Remember kiwi.');
  const [first] = await ids();
  const piped = await sessions('export', '-o', '-', '--format', 'html');
  expect(piped).toMatchObject({ code: 0, stdout: expect.stringMatching(/^<!doctype html>[\s\S]*Remember kiwi/) });
  expect(existsSync(join(place.project, '-'))).toBe(false);
  const forked = JSON.parse((await sessions('fork', '--json')).stdout);
  expect(forked).toEqual({ session: expect.stringMatching(/^\d{8}-\d{6}-/), parent: first });
  const listed = (await sessions('list')).stdout;
  expect(listed).toContain(`${forked.session}  `);
  expect(listed).toContain(`Remember kiwi.  (copy of ${first})`);
  expect(JSON.parse((await sessions('delete', forked.session, '--yes', '--json')).stdout)).toEqual({
    session: forked.session,
    deleted: true,
  });
});

it('lists those that hold what is searched for', async () => {
  server.set({ turns: [{ text: 'Noted.' }, { text: 'Noted.' }] });
  await run('-p', 'Remember the kiwi and the plum.');
  await run('-p', 'Remember the fig.');
  const found = await sessions('list', '--search', 'PLUM kiwi');
  expect(found.stdout).toMatch(
    /^\S+ {2}\S+ \S+ {2}Remember the kiwi and the plum\.\n {4}you: Remember the kiwi and the plum\.\n$/,
  );
  expect(JSON.parse((await sessions('list', '--json', '--search', '"the fig"')).stdout).sessions).toMatchObject([
    { title: 'Remember the fig.', found: { count: 1, who: 'you' } },
  ]);
  expect(await sessions('list', '--search', 'nowhere')).toMatchObject({ code: 0, stdout: '' });
  expect((await sessions('show', '--search', 'x')).code).toBe(2);
});

it('goes on with a session by its title, as the other commands find it', async () => {
  server.set({ turns: [{ text: 'Noted.' }, { text: 'Noted.' }, { text: 'Noted.' }] });
  await run('-p', 'Remember the Äpfel.');
  const [first] = await ids();
  await run('-p', 'Remember nothing.');
  const again = await run('-p', '--resume=remember the apfel', '--json', 'And?');
  expect(JSON.parse(again.stdout)).toMatchObject({ session: first, finish: 'stop' });
  const unclear = await run('-p', '-r', 'remember', 'And?');
  expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining('2 sessions are called or begin with') });
  expect((await sessions('show', 'remember')).stderr).toContain('2 sessions are called or begin with');
  expect((await sessions('delete', '', '--yes')).code).toBe(2);
});

it('refuses what does not fit', async () => {
  expect((await sessions('list', '-o', 'x')).code).toBe(2);
  expect((await sessions('delete')).code).toBe(2);
  expect((await sessions('export', '--replay', '--format', 'html')).code).toBe(2);
  expect((await sessions('expotr')).stderr).toMatch(/list, show, fork, delete, export/);
});

it('old sessions go at a start, said in a notice', async () => {
  server.set({ turns: [{ text: 'Noted.' }] });
  mkdirSync(join(place.home, '.ada'), { recursive: true });
  writeFileSync(join(place.home, '.ada/settings.json'), JSON.stringify({ retention: 1 }));
  await run('-p', 'first');
  const { utimesSync, copyFileSync, rmSync } = await import('node:fs');
  const [log] = place.logs();
  for (let i = 0; i < 12; i++) {
    const copy = log!.replace(/[^/]+$/, `old-${i}.jsonl`);
    copyFileSync(log!, copy);
    utimesSync(copy, 1000 + i, 1000 + i);
  }
  rmSync(join(place.project, '.ada/state/retention'));
  expect((await run('-p', 'second')).stderr).toMatch(/removed 12 sessions older than 1 day /);
  expect(place.logs()).toHaveLength(2);
});
