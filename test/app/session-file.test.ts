/** Which log a session is kept in, where folders refuse. A plain file in the place of a folder refuses everybody, root too. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findStored } from '../../app/find-stored.ts';
import { forkStored, goOn, readStored, recordedTurns, startNew } from '../../app/session-file.ts';
import { readLog } from '../../core/parse-log.ts';
import { sessionsDir } from '../../core/project.ts';
import type { StoredBody } from '../../core/types.ts';

let root: string;
let project: string;
let adaHome: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ada-session-file-')));
  [project, adaHome] = [join(root, 'project'), join(root, 'ada-home')];
  mkdirSync(project);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const place = () => sessionsDir({ project, home: '/nonexistent', adaHome });
const opening: StoredBody = {
  type: 'session',
  id: 's',
  version: 1,
  cwd: '/p',
  project: '/p',
  model: 'm',
  mode: 'ask',
  contextTokens: null,
  system: 'x',
  tools: [],
};

/** A stored session in the project, last changed long ago. */
function store(...bodies: StoredBody[]): string {
  const { log } = startNew(undefined, place().prepare(), { sessionId: 's' }, []);
  for (const body of [opening, ...bodies]) log.append(body);
  log.close();
  utimesSync(log.file, 1000, 1000);
  return log.file;
}

function take(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
}

describe('a session that cannot be written where it lies', () => {
  it('goes on in a copy elsewhere, with one notice that says why, and is found there the next time', () => {
    const file = store({ type: 'user', text: 'kept' });
    take(join(project, '.ada/state'));
    const notices: string[] = [];
    const { log, stateDir } = goOn(readStored(file), place().prepare(), {}, notices);
    expect(dirname(log.file)).toMatch(/ada-home\/sessions\/[0-9a-f]{16}$/);
    expect(stateDir).toMatch(/ada-home\/state\/[0-9a-f]{16}$/);
    expect(notices).toEqual([
      expect.stringMatching(/cannot be written where it lies \(E\w+: .*\); going on in a copy, \S+ in .*ada-home/),
    ]);
    expect(log.recent).toMatchObject([{ type: 'session', parent: 's', id: log.id }, { text: 'kept' }]);
    log.append({ type: 'user', text: 'more' });
    log.close();
    expect(readLog(file).events).toHaveLength(2);

    const again = place().prepare();
    const found = findStored('latest', again.dirs);
    expect(found).toBe(log.file);
    const later: string[] = [];
    const next = goOn(readStored(found!), again, {}, later).log;
    expect(next.file).toBe(log.file);
    expect(later).toEqual([again.notice]);
    next.close();
    // When the project can be written again, the newest of both places is still the one.
    rmSync(join(project, '.ada/state'));
    const back = place().prepare();
    expect(back.fallback).toBe(false);
    const there = goOn(readStored(findStored('latest', back.dirs)!), back, {}, later);
    expect([there.log.file, there.stateDir]).toEqual([log.file, stateDir]);
    expect(later).toHaveLength(1);
    there.log.close();
  });

  it('goes on in memory as the last resort', () => {
    const file = store({ type: 'user', text: 'kept' });
    take(join(project, '.ada/state'));
    take(join(adaHome, 'sessions'));
    const before = readdirSync(dirname(file));
    const notices: string[] = [];
    const { log, stateDir } = goOn(readStored(file), place().prepare(), {}, notices);
    rmSync(stateDir, { recursive: true });
    expect(notices).toEqual([expect.stringMatching(/nor can a copy of it be saved: .*; it goes on in memory$/)]);
    expect(log.append({ type: 'user', text: 'half \ud800' })[0]).toMatchObject({ seq: 3, text: 'half \ufffd' });
    expect(log.read(2).map((event) => event.type === 'user' && event.text)).toEqual(['kept', 'half \ufffd']);
    expect(log.openedAt).toBe(2);
    log.close();
    expect(() => log.append({ type: 'user', text: 'late' })).toThrow(/closed/);
    expect(readdirSync(dirname(file))).toEqual(before);
  });

  it('that cannot be read is refused in plain words', () => {
    expect(() => readStored(join(project, 'none.jsonl'))).toThrow(/^that session cannot be read: ENOENT/);
  });
});

describe('a new session', () => {
  it('moves on where a place turns out to take no file', () => {
    const first = place().prepare();
    take(first.stateDir);
    const notices: string[] = [];
    const { log } = startNew(undefined, first, {}, notices);
    expect(dirname(log.file)).toContain(adaHome);
    expect(notices).toEqual([expect.stringMatching(/its sessions are kept in/)]);
    log.close();
    expect(readdirSync(first.dir).filter((name) => name.endsWith('.jsonl'))).toEqual([]);
  });

  it.each([
    ['a b', /letters, digits, dots and dashes only/],
    ['x'.repeat(300), /at most 101 characters, and this one has 300/],
  ])('named %s is refused for the true reason', (sessionId, why) => {
    expect(() => startNew(undefined, place().prepare(), { sessionId }, [])).toThrow(why);
  });

  it('takes no name that a session has in another place', () => {
    store();
    take(join(project, '.ada/state'));
    expect(() => startNew(undefined, place().prepare(), { sessionId: 's' }, [])).toThrow(/there is a session/);
  });
});

it('what a recording has answered is counted from when it was chosen', () => {
  const served = { backend: 'replay', model: 'f', local: true, latencyMs: 1, attempts: 1 };
  const answer: StoredBody = { type: 'assistant', content: [{ type: 'text', text: 'x' }], finish: 'stop', served };
  const retry: StoredBody = { type: 'retry', reason: 'r', attempt: 2, delayMs: 0, discard: true };
  const file = store(answer, { type: 'model', value: 'replay:f' }, answer, retry, answer);
  expect(recordedTurns(readStored(file), 'replay:f')).toBe(3);
  appendFileSync(file, readFileSync(file));
  expect(recordedTurns(readStored(file), 'replay:f')).toBe(3);
  expect(recordedTurns(readStored(file), 'ollama/m')).toBe(0);
});

describe('a log of a later format', () => {
  const NEWER = /was written by a newer version of ada \(its log has format 99, this version knows 1\)/;

  function later(version = '99'): string {
    const file = store({ type: 'user', text: 'kept' });
    const text = readFileSync(file, 'utf8').replace('"version":1,', `"version":${version},`);
    writeFileSync(file, `${text}{"type":"unheard","seq":3,"time":1,"of":"it"}\n`);
    return file;
  }

  it('is gone on with in a copy of this format, and stays as it is', () => {
    const file = later();
    const before = readFileSync(file, 'utf8');
    const notices: string[] = [];
    const { log, stateDir } = goOn(readStored(file), place().prepare(), {}, notices);
    expect(notices).toEqual([expect.stringMatching(NEWER)]);
    expect(notices[0]).toMatch(/^that session .*; going on in a copy, \S+$/);
    expect(log.recent).toMatchObject([{ version: 1, parent: 's', id: log.id }, { text: 'kept' }, { type: 'unheard' }]);
    log.append({ type: 'user', text: 'more' });
    log.close();
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(join(project, '.ada/state'))).not.toContain('s.lock');
    // The copy is this version's own.
    const again = goOn(readStored(log.file), { ...place().prepare(), stateDir }, {}, notices);
    expect([again.log.file, notices.length]).toEqual([log.file, 1]);
    again.log.close();
  });

  it('may be called otherwise than by a number', () => {
    const file = later('"2.0"');
    const before = readFileSync(file, 'utf8');
    const notices: string[] = [];
    const { log } = goOn(readStored(file), place().prepare(), {}, notices);
    expect(notices).toEqual([expect.stringMatching(/format 2\.0, this version knows 1.*going on in a copy/)]);
    log.close();
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('is copied with a word of it', () => {
    const file = later();
    const notices: string[] = [];
    const id = forkStored(file, place().prepare(), notices);
    startNew(file, place().prepare(), {}, notices).log.close();
    expect(notices).toEqual([expect.stringMatching(NEWER), expect.stringMatching(NEWER)]);
    expect(readLog(join(dirname(file), `${id}.jsonl`)).events[0]).toMatchObject({ version: 1, parent: 's' });
  });

  it('is not what a log without a version, or a damaged one, is taken for', () => {
    for (const head of ['"version":"1",', '"version":0,', '']) {
      rmSync(join(project, '.ada'), { recursive: true, force: true });
      const file = store();
      writeFileSync(file, readFileSync(file, 'utf8').replace('"version":1,', head));
      const notices: string[] = [];
      const { log } = goOn(readStored(file), place().prepare(), {}, notices);
      expect([log.file, notices]).toEqual([file, []]);
      log.close();
    }
  });
});

describe('a copy for later', () => {
  it('holds the session under its own id, with what undoes its changes, and is not open', () => {
    const file = store({ type: 'user', text: 'kept' });
    mkdirSync(join(project, '.ada/state/s/checkpoints'), { recursive: true });
    writeFileSync(join(project, '.ada/state/s/checkpoints/x'), 'before');
    const id = forkStored(file, place().prepare(), []);
    const copy = join(dirname(file), `${id}.jsonl`);
    expect(readLog(copy).events).toMatchObject([{ type: 'session', parent: 's', id }, { text: 'kept' }]);
    expect(readFileSync(join(project, '.ada/state', id, 'checkpoints/x'), 'utf8')).toBe('before');
    expect(readdirSync(join(project, '.ada/state'))).not.toContain(`${id}.lock`);
  });

  it('lies elsewhere where the project takes none, and is refused where nothing does', () => {
    const file = store({ type: 'user', text: 'kept' });
    take(join(project, '.ada/state'));
    const notices: string[] = [];
    const id = forkStored(file, place().prepare(), notices);
    expect(notices).toEqual([expect.stringContaining('ada-home')]);
    expect(
      place()
        .prepare()
        .dirs.map((dir) => readdirSync(dir).includes(`${id}.jsonl`)),
    ).toContain(true);
    take(adaHome);
    expect(() => forkStored(file, place().prepare(), [])).toThrow(/^no copy of s can be kept: /);
  });
});
