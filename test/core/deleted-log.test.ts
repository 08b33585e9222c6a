/** A log whose file is deleted or replaced while its session is open loses nothing that can be kept. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLog } from '../../core/parse-log.ts';
import { sessionsDir } from '../../core/project.ts';
import { logFile, openLog, type SessionLog } from '../../core/store.ts';
import { dir as sessionDir, start, turn } from './scripted-session.ts';

let project: string;
let own: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'ada-deleted-'));
  own = join(project, '.ada');
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const place = () => sessionsDir({ project, home: '/nonexistent', adaHome: join(project, 'home') }).prepare();

function open(): SessionLog {
  const { dir, stateDir } = place();
  const opened = openLog(logFile(dir, 's'), stateDir);
  if ('held' in opened) throw new Error('held');
  return opened.log;
}

const texts = (file: string) => readLog(file).events.map((event) => (event.type === 'user' ? event.text : event.type));
const say = (log: SessionLog, text: string) => log.append({ type: 'user', text });

describe('a log that is deleted while it is open', () => {
  it('is told of before the turn ends, so that whoever leaves with its end has heard it', async () => {
    const { session } = start([{ text: 'ok' }]);
    rmSync(session.file);
    const events = await turn(session, 'go');
    expect(events.slice(-2)).toMatchObject([
      { type: 'notice', text: expect.stringMatching(/written again/) },
      { type: 'done' },
    ]);
    expect(readLog(session.file).events.at(-1)).toMatchObject({ type: 'done' });
  });

  it('is written again at the end of the turn, as private and as ignored as before, and that is said once', () => {
    const log = open();
    say(log, 'one');
    expect(log.sync()).toEqual([]);
    const ignored = readFileSync(join(own, '.gitignore'), 'utf8');
    rmSync(own, { recursive: true });
    say(log, 'two');
    expect(log.sync()).toEqual(['the log of this session was deleted while it was open; it was written again']);
    expect(log.failure).toBeUndefined();
    expect(texts(log.file)).toEqual(['one', 'two']);
    expect(statSync(log.file).mode & 0o777).toBe(0o600);
    for (const folder of [own, dirname(log.file)]) expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(own, '.gitignore'), 'utf8')).toBe(ignored);
    expect(openLog(log.file, place().stateDir)).toEqual({ held: process.pid });

    say(log, 'three');
    expect(log.sync()).toEqual([]);
    log.close();
    expect(texts(log.file)).toEqual(['one', 'two', 'three']);
    const again = open();
    expect(again.recent).toHaveLength(3);
    again.close();
  });

  it('gives its older events before it is written again', () => {
    const log = open();
    say(log, 'one');
    log.sync();
    rmSync(own, { recursive: true });
    say(log, 'two');
    expect(log.recent).toHaveLength(1);
    expect(log.read().map(({ seq }) => seq)).toEqual([1, 2]);
    log.close();
  });

  it('is written again where it is closed', () => {
    const log = open();
    say(log, 'one');
    log.sync();
    rmSync(own, { recursive: true });
    log.close();
    expect(texts(log.file)).toEqual(['one']);
    expect(existsSync(join(place().stateDir, 's.lock'))).toBe(false);
  });

  it('of many megabytes is whole again', () => {
    const log = open();
    for (let i = 0; i < 50; i++) say(log, `${i} `.repeat(30_000));
    log.sync();
    const bytes = readFileSync(log.file);
    expect(bytes.length).toBeGreaterThan(3 << 20);
    rmSync(log.file);
    log.sync();
    expect(readFileSync(log.file).equals(bytes)).toBe(true);
    // From the end, and all of it.
    expect(log.read(50).map(({ seq }) => seq)).toEqual([50]);
    expect(log.read()).toHaveLength(50);
    log.close();
  });

  it('never takes the place of a file that somebody put there, and says so for as long as it is there', () => {
    const log = open();
    say(log, 'one');
    rmSync(log.file);
    writeFileSync(log.file, 'theirs\n');
    expect(log.sync()).toEqual([]);
    expect(log.failure).toBe('another file is in the place of its log');
    say(log, 'two');
    expect(log.failure).toBe('another file is in the place of its log');
    log.sync();
    // A notice says so, once.
    expect(log.read().map(({ type }) => type)).toEqual(['user', 'notice', 'user']);
    expect(readFileSync(log.file, 'utf8')).toBe('theirs\n');

    rmSync(log.file);
    expect(log.sync()).toHaveLength(1);
    say(log, 'three');
    expect(log.failure).toBeUndefined();
    log.close();
    // A notice of the trouble, and one of its end.
    expect(texts(log.file)).toEqual(['one', 'notice', 'two', 'three', 'notice']);
  });

  it('goes on elsewhere where its place was taken', () => {
    const { dir, stateDir } = place();
    const other = { dir: join(project, 'other'), stateDir: join(project, 'other-state') };
    const opened = openLog(logFile(dir, 's'), stateDir, undefined, () => other);
    if ('held' in opened) throw new Error('held');
    const { log } = opened;
    say(log, 'one');
    const taken = log.file;
    rmSync(taken);
    writeFileSync(taken, 'theirs\n');
    log.stay();
    const done = { type: 'done', text: '', finish: 'stop', usage: null, turns: 1, denials: [], durationMs: 1 } as const;
    const [notice, end] = log.append(done as never);
    expect([notice!.type, end!.type, end!.seq]).toEqual(['notice', 'done', 3]);
    expect((notice as { text: string }).text).toBe(
      `this session cannot be saved where it was: another file is in the place of its log; it goes on in ${log.file}`,
    );
    expect(log.file).toBe(logFile(other.dir, 's'));
    expect(say(log, 'two')).toHaveLength(1);
    expect(log.sync()).toEqual([]);
    log.close();
    expect(log.failure).toBeUndefined();
    expect(texts(log.file)).toEqual(['one', 'notice', 'done', 'two']);
    expect(readFileSync(taken, 'utf8')).toBe('theirs\n');
    expect(openLog(log.file, other.stateDir)).toHaveProperty('log');
  });

  it('that was moved away and back is the same', () => {
    const log = open();
    say(log, 'one');
    renameSync(own, `${own}-away`);
    say(log, 'two');
    renameSync(`${own}-away`, own);
    expect(log.sync()).toEqual([]);
    log.close();
    expect(texts(log.file)).toEqual(['one', 'two']);
  });

  it('does not bring a deleted project back, nor follow a link out of it', () => {
    const log = open();
    say(log, 'one');
    rmSync(project, { recursive: true });
    expect(log.sync()).toEqual([]);
    expect(log.failure).toMatch(/ENOENT/);
    expect(existsSync(project)).toBe(false);

    mkdirSync(join(project, 'elsewhere'), { recursive: true });
    symlinkSync('elsewhere', own);
    expect(log.sync()).toEqual([]);
    expect(log.failure).toBeDefined();
    expect(existsSync(join(project, 'elsewhere', 'sessions'))).toBe(false);
    expect(log.read()).toHaveLength(1);
    log.close();
  });

  it('leaves the lock of another process alone', () => {
    const log = open();
    const lock = join(place().stateDir, 's.lock');
    writeFileSync(lock, `${process.ppid} `);
    log.sync();
    expect(log.failure).toMatch(`process ${process.ppid} has opened its log, too`);
    log.close();
    expect(readFileSync(lock, 'utf8')).toBe(`${process.ppid} `);
  });
});

it('a session whose log is deleted between two turns keeps both', async () => {
  const { session } = start([{ text: 'One.' }, { text: 'Two.' }]);
  await turn(session, 'First.');
  rmSync(session.file);
  await turn(session, 'Second.');
  await session.close();
  expect(session.file).toBe(logFile(sessionDir, session.id));
  const { events, problem } = readLog(session.file);
  expect(problem).toBeUndefined();
  expect(events.flatMap((event) => (event.type === 'user' ? [event.text] : []))).toEqual(['First.', 'Second.']);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
});
