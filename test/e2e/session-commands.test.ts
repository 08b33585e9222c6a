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
