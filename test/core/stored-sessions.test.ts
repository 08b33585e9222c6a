/** What is known of stored logs: their names, costs, words; and how they go. */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionsPlace } from '../../core/project.ts';
import { removeOldSessions } from '../../core/retention.ts';
import { listSessions } from '../../core/session-list.ts';
import { removeSession } from '../../core/session-removal.ts';
import { searchSessions } from '../../core/session-search.ts';
import { openLog } from '../../core/store.ts';

let root: string;
let dir: string;
let stateDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ada-stored-'));
  [dir, stateDir] = [join(root, 'sessions'), join(root, 'state')];
  mkdirSync(dir);
  mkdirSync(stateDir);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = (id: string) => join(dir, `${id}.jsonl`);
const DAY = 24 * 60 * 60 * 1000;
let seq = 0;
const line = (event: object) => `${JSON.stringify({ ...event, seq: ++seq, time: DAY })}\n`;
const write = (id: string, ...events: object[]) => {
  seq = 0;
  writeFileSync(file(id), events.map(line).join(''));
};
const add = (id: string, event: object) => appendFileSync(file(id), line(event));
const prompt = (text: string) => ({ type: 'user', text });
const done = (cost: number) => ({ type: 'done', finish: 'stop', usage: { cost } });
const row = (id: string) => listSessions(dir).find((one) => one.id === id)!;

describe('names and costs', () => {
  it('the newest name counts, wherever it stands in the log', () => {
    write('a', prompt('first words'), { type: 'title', text: 'One' }, prompt('x'.repeat(200_000)));
    expect(row('a').title).toBe('One');
    add('a', { type: 'title', text: 'Two' });
    expect(row('a').title).toBe('Two');
    write('b', prompt('say "type":"title" and {"type":"title","text":"no"}'));
    expect(row('b').title).toMatch(/^say/);
  });

  it('costs are summed by day, and go on from what the index holds', () => {
    write('a', prompt('p'), done(0.25), done(0.5));
    for (let i = 0; i < 60; i++) write(`s${i}`, prompt('p'));
    seq = 3;
    expect(row('a').costs).toEqual({ '1970-01-02': 0.75 });
    expect(existsSync(join(dir, '.index.json'))).toBe(true);
    add('a', done(1));
    add('a', { type: 'title', text: 'Named' });
    expect(row('a')).toMatchObject({ costs: { '1970-01-02': 1.75 }, title: 'Named' });
    expect(row('s1')).not.toHaveProperty('costs');
    // Another log in the same place is no longer one of them.
    write('a', prompt('quite another and longer prompt than before'), {
      type: 'notice',
      level: 'info',
      text: 'x'.repeat(500),
    });
    rmSync(join(dir, '.index.json'));
    expect(row('a').costs).toBeUndefined();
  });
});

describe('searchSessions', () => {
  const served = { backend: 'b', model: 'm' };
  const answer = (text: string) => ({ type: 'assistant', content: [{ type: 'text', text }], finish: 'stop', served });

  it('finds prompts, answers and results in any case, also over line ends and quotes', () => {
    write('a', prompt('Fix the "Parser"\nnow'), answer('The lexer was wrong.'));
    write('b', { type: 'tool_result', id: 'c', name: 'bash', output: 'héllo LEXER', isError: false });
    const found = (text: string) =>
      searchSessions(listSessions(dir), text).map(({ session, who }) => [session.id, who]);
    expect(found('"parser"\nNOW')).toEqual([['a', 'you']]);
    expect(found('lexer').sort()).toEqual([
      ['a', 'ada'],
      ['b', 'result'],
    ]);
    expect(found('HÉLLO')).toEqual([['b', 'result']]);
    expect(found('user')).toEqual([]);
    expect(found(' ')).toEqual([]);
  });

  it('says how often and shows the newest', () => {
    write('a', prompt('needle one'), answer(`${'hay '.repeat(50)}needle two`));
    expect(searchSessions(listSessions(dir), 'needle')).toMatchObject([
      { count: 2, who: 'ada', around: expect.stringMatching(/^….*hay needle two$/) },
    ]);
  });
});

describe('the words of a search', () => {
  const served = { backend: 'b', model: 'm' };
  const answer = (text: string) => ({ type: 'assistant', content: [{ type: 'text', text }], finish: 'stop', served });
  const found = (query: string) =>
    searchSessions(listSessions(dir), query)
      .map(({ session }) => session.id)
      .sort();

  it('must all be there, in one message or in several; those in quotes as they stand', () => {
    write('a', prompt('the quick brown fox'), answer('jumps over the lazy dog'));
    write('b', prompt('the brown quick fox'));
    expect(found('fox quick')).toEqual(['a', 'b']);
    expect(found('fox dog')).toEqual(['a']);
    expect(found('"quick brown"')).toEqual(['a']);
    expect(found('“quick brown” fox')).toEqual(['a']);
    expect(found('fox cat')).toEqual([]);
    expect(found('"fox')).toEqual([]);
  });

  it('are found whatever their case, accents and forms', () => {
    write('a', prompt('Zürich, Straße, e\u0301lan, ﬁle, ＡＢＣ, Ω™'));
    for (const query of ['zurich', 'ZÜRICH', 'Zu\u0308rich', 'strasse', 'élan', 'ELAN', 'file', 'abc', 'ωtm'])
      expect(found(query), query).toEqual(['a']);
    write('b', prompt('한국어 が'));
    expect([found('한국어'), found('が')]).toEqual([['b'], ['b']]);
  });

  it('are shown where the first of them stands, in the message that holds most of them', () => {
    const hay = 'ü🙂 '.repeat(50);
    write('a', prompt(`${hay}Kiwi and ${hay}plum`), answer('kiwi alone'));
    const [hit] = searchSessions(listSessions(dir), 'plum kiwi');
    expect(hit).toMatchObject({ count: 1, who: 'you' });
    expect(hit!.around).toMatch(/^….*ü🙂 Kiwi and ü🙂 .*…$/);
    expect(hit!.around).not.toMatch(/\p{Surrogate}/u);
  });

  it('are found in a log of any form: with carriage returns, marks, and records that were mended', () => {
    writeFileSync(
      file('a'),
      '\ufeff{"type":"user","text":"one kiwi","seq":"x"}\r\n{"type":"user","text":"two","seq":2}',
    );
    expect(found('kiwi two')).toEqual(['a']);
  });
});

describe('removal', () => {
  it('takes the log and its state, and refuses one that is held', () => {
    write('a', prompt('p'));
    mkdirSync(join(stateDir, 'a', 'checkpoints'), { recursive: true });
    const opened = openLog(file('a'), stateDir);
    if ('held' in opened) throw new Error('held');
    expect(removeSession({ id: 'a', file: file('a') }, [stateDir])).toEqual({ held: process.pid });
    expect(existsSync(file('a'))).toBe(true);
    opened.log.close();
    const fold = join(dir, 'a.fold');
    writeFileSync(fold, 'what it folds to');
    expect(removeSession({ id: 'a', file: file('a') }, [stateDir])).toEqual({ removed: true, left: [] });
    for (const path of [file('a'), fold, join(stateDir, 'a'), join(stateDir, 'a.lock')])
      expect(existsSync(path), path).toBe(false);
  });

  it('of old sessions leaves what is wanted, and waits a day', () => {
    const now = 1000 * DAY;
    for (let i = 0; i < 14; i++) {
      write(`s${i}`, prompt('p'));
      utimesSync(file(`s${i}`), (now - (20 + i) * DAY) / 1000, (now - (20 + i) * DAY) / 1000);
    }
    const place = { dirs: [dir], stateDir, stateDirs: [stateDir] };
    expect(removeOldSessions(place, 0, undefined, now)).toBeUndefined();
    expect(removeOldSessions(place, 31, file('s13'), now)).toBe(
      'removed 1 session older than 31 days (retention in the settings)',
    );
    expect(listSessions(dir).map(({ id }) => id)).not.toContain('s12');
    // Within the day it runs again only where the setting is another one.
    write('s12', prompt('p'));
    utimesSync(file('s12'), 1, 1);
    expect(removeOldSessions(place, 31, undefined, now + DAY / 2)).toBeUndefined();
    expect(removeOldSessions(place, 30, file('s13'), now + DAY / 2)).toMatch(/^removed 3 sessions older than 30 days/);
    expect(removeOldSessions(place, 30, undefined, now + DAY)).toBeUndefined();
    expect(removeOldSessions(place, 30, undefined, now + 2 * DAY)).toMatch(/^removed 2 sessions/);
    // A clock that was set back is no reason to wait.
    write('s0', prompt('p'));
    utimesSync(file('s0'), 1, 1);
    expect(removeOldSessions(place, 30, undefined, now)).toMatch(/^removed 1 session /);
    expect(removeOldSessions(place, 1, undefined, now)).toMatch(/^removed 8 sessions older than 1 day /);
    expect(listSessions(dir)).toEqual([]);
  });

  it('of old sessions leaves those that a process holds, and goes by the setting where the marker tells none', () => {
    write('held', prompt('p'));
    const opened = openLog(file('held'), stateDir);
    if ('held' in opened) throw new Error('held');
    utimesSync(file('held'), 1, 1);
    writeFileSync(join(stateDir, 'retention'), String(Date.now()));
    write('old', prompt('p'));
    utimesSync(file('old'), 1, 1);
    const place = { dirs: [dir], stateDir, stateDirs: [stateDir] };
    expect(removeOldSessions(place, 1)).toMatch(/^removed 1 session /);
    expect(listSessions(dir).map(({ id }) => id)).toEqual(['held']);
    opened.log.close();
  });

  it('of old sessions removes none while the clock is far ahead of everything, and says so once', () => {
    const now = 1000 * DAY;
    const place = { dirs: [dir], stateDir, stateDirs: [stateDir] };
    const put = (id: string, age: number) => {
      write(id, prompt('p'));
      utimesSync(file(id), (now - age) / 1000, (now - age) / 1000);
    };
    put('new', 60_000);
    put('week', 7 * DAY);
    put('old', 40 * DAY);
    expect(removeOldSessions(place, 30, undefined, now + 100 * DAY)).toMatch(
      /^no session was removed today: .* it is 100 days since .* those older than 30 days are removed from tomorrow on/,
    );
    expect(removeOldSessions(place, 30, undefined, now + 100 * DAY + 60_000)).toBeUndefined();
    // Nor where the setting is changed that day.
    expect(removeOldSessions(place, 1, undefined, now + 100 * DAY + 60_000)).toBeUndefined();
    // With the right clock it goes on.
    expect(removeOldSessions(place, 30, undefined, now)).toMatch(/^removed 1 session older than 30 days/);
    expect(listSessions(dir).map(({ id }) => id)).toEqual(['new', 'week']);
    // A pause that was as long as it seems: a day later they go.
    expect(removeOldSessions(place, 30, undefined, now + 50 * DAY)).toMatch(/^no session was removed today/);
    expect(removeOldSessions(place, 30, undefined, now + 51 * DAY)).toMatch(/^removed 2 sessions/);
    // Where it ran lately, a list that holds nothing new is none to wonder at; where nothing is stored there is none.
    put('old', 40 * DAY);
    expect(removeOldSessions(place, 30, undefined, now + 53 * DAY)).toMatch(/^removed 1 session /);
    expect(removeOldSessions(place, 30, undefined, now + 500 * DAY)).toBeUndefined();
    // Some days are no long pause, and of long ones in a row only every other is doubted.
    put('short', 9 * DAY);
    writeFileSync(join(stateDir, 'retention'), `${now - 5 * DAY} 1`);
    expect(removeOldSessions(place, 1, undefined, now)).toMatch(/^removed 1 session /);
    put('short', 9 * DAY);
    writeFileSync(join(stateDir, 'retention'), `${now - 8 * DAY} 1`);
    expect(removeOldSessions(place, 1, undefined, now)).toMatch(/it is 8 days since .* older than 1 day are/);
    expect(removeOldSessions(place, 1, undefined, now + 8 * DAY)).toMatch(/^removed 1 session /);
  });

  it('of old sessions reaches those that went on elsewhere', () => {
    const now = 1000 * DAY;
    write('a', prompt('p'));
    utimesSync(file('a'), 1, 1);
    const inProject = join(root, 'project');
    mkdirSync(inProject);
    const place = {
      dirs: [inProject, dir],
      stateDir: join(root, 'other-state'),
      stateDirs: [join(root, 'other-state'), stateDir],
    };
    mkdirSync(place.stateDir);
    writeFileSync(join(place.stateDir, 'retention'), `${now - 2 * DAY} 1`);
    mkdirSync(join(stateDir, 'a'));
    expect(removeOldSessions(place, 1, undefined, now)).toBe(
      'removed 1 session older than 1 day (retention in the settings)',
    );
    expect([existsSync(file('a')), existsSync(join(stateDir, 'a'))]).toEqual([false, false]);
  });
});

describe('searching what was done', () => {
  const found = (text: string) =>
    searchSessions(listSessions(dir), text).map(({ who, count, around, isGone }) => ({ who, count, around, isGone }));
  const call = (name: string, input: object) => ({ type: 'tool_call', id: 'c', name, detail: '', input });

  it('finds every argument of a call, and names', () => {
    write(
      'a',
      prompt('p'),
      call('bash', { command: 'make "quoted" kiwi' }),
      call('edit_file', { path: 'src/plum.ts', edits: [{ old: 'const fig', new: 'const\tdate' }] }),
      { type: 'title', text: 'Elderberry' },
    );
    expect(found('"quoted" KIWI')).toMatchObject([{ who: 'call', count: 1, around: 'make "quoted" kiwi' }]);
    for (const text of ['plum.ts', 'const fig', 'const\tdate']) expect(found(text)).toMatchObject([{ who: 'call' }]);
    expect(found('elderberry')).toMatchObject([{ who: 'name' }]);
    expect(found('command')).toEqual([]);
  });

  it('says of what was gone back over that the conversation no longer holds it', () => {
    write('a', prompt('fig one'), prompt('fig two and plum'), { type: 'rewind', to: 2 }, prompt('three'));
    expect(found('plum')).toEqual([{ who: 'you', count: 1, around: 'fig two and plum', isGone: true }]);
    expect(found('fig')).toEqual([{ who: 'you', count: 1, around: 'fig one', isGone: undefined }]);
  });
});

describe('what cannot be taken away', () => {
  it('is named, and hinders no other: a log that is no file, state that takes no lock', () => {
    mkdirSync(join(file('a'), 'full'), { recursive: true });
    expect(() => removeSession({ id: 'a', file: file('a') }, [stateDir])).toThrow(/unlink/);
    expect(existsSync(join(stateDir, 'a.lock'))).toBe(false);
    write('b', prompt('p'));
    rmSync(stateDir, { recursive: true });
    writeFileSync(stateDir, 'in the way');
    const result = removeSession({ id: 'b', file: file('b') }, [stateDir]);
    expect(result).toMatchObject({ removed: true });
    expect(existsSync(file('b'))).toBe(false);
    write('c', prompt('p'));
    utimesSync(file('c'), 1, 1);
    expect(removeOldSessions({ dir, stateDir } as SessionsPlace, 1)).toBeUndefined();
  });
});
