/** A session whose project was moved, copied or renamed goes on where the project lies now. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedInstructions } from '../../core/compaction/changed-instructions.ts';
import { History, history } from '../../core/history.ts';
import { movedPath, movedRule } from '../../core/moved-path.ts';
import { readLog } from '../../core/parse-log.ts';
import { movedNotices, movesTo } from '../../core/place.ts';
import type { Session } from '../../core/session.ts';
import { SessionFold } from '../../core/session-fold.ts';
import { emptyState, stateAfter } from '../../core/state.ts';
import type { StoredBody, StoredEvent } from '../../core/types.ts';
import { goBack, openAt } from './moved-session.ts';
import { dir, find, type Said, start, turn } from './scripted-session.ts';

const bash = (command: string): Said => ({ calls: [['bash', { command }]] });
const write = (path: string, content: string): Said => ({ calls: [['write_file', { path, content }]] });
const done: Said = { text: 'Done.' };

let elsewhere: string;
let there: string;
const open: Session[] = [];
beforeEach(() => {
  elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'ada-elsewhere-')));
  there = join(elsewhere, 'there');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.close()));
  rmSync(elsewhere, { recursive: true, force: true });
});

const at = (project: string, script: readonly Said[] = [done]) => {
  const opened = openAt(project, script);
  open.push(opened.session);
  return opened;
};
const logOf = (project: string) => join(project, 's.jsonl');
const stateOf = (project: string) => stateAfter(emptyState(), readLog(logOf(project)).events);

/** A closed session that went into the folder `sub`. */
async function stored(): Promise<void> {
  mkdirSync(join(dir, 'sub'));
  const { session } = start([bash('cd sub'), done, { text: 'Second.' }]);
  for (const text of ['first words', 'second words']) await turn(session, text);
  expect(session.state.cwd).toBe(join(dir, 'sub'));
  await session.close();
}

describe('a session of a project that was moved', () => {
  it('goes on there, in the same folder of it, and the model is told once at the end', async () => {
    await stored();
    const before = history(readLog(logOf(dir)).events);
    renameSync(dir, there);
    const { session, requests } = at(there, [write('made.txt', 'here\n'), done]);
    expect(session.state).toMatchObject({ project: there, cwd: join(there, 'sub'), formerly: [dir] });
    await turn(session, 'third words');
    expect([readFileSync(join(there, 'sub/made.txt'), 'utf8'), existsSync(dir)]).toEqual(['here\n', false]);
    await turn(session, 'fourth words');
    // Every request begins with what was sent before.
    const [sent] = requests;
    expect(JSON.stringify(sent!.messages.slice(0, before.length))).toBe(JSON.stringify(before));
    const told = JSON.stringify(requests.at(-1)!.messages).match(/The project was moved or copied/g);
    expect(told).toHaveLength(1);
    const note = find(readLog(logOf(there)).events, 'note')[0]!;
    expect(note).toMatchObject({ about: 'place' });
    for (const words of [`lies in ${there},`, `directory is ${there}/sub`, `Paths in ${dir} `])
      expect(note.text).toContain(words);
  });

  it('is there by its log alone, and says so the first time only', async () => {
    await stored();
    cpSync(dir, there, { recursive: true });
    const original = readFileSync(logOf(dir), 'utf8');
    const first = at(there);
    await first.session.close();
    expect(stateOf(there)).toMatchObject({ project: there, cwd: join(there, 'sub'), formerly: [dir] });
    const size = readFileSync(logOf(there), 'utf8');
    const again = at(there);
    await again.session.close();
    expect(readFileSync(logOf(there), 'utf8')).toBe(size);
    expect(readFileSync(logOf(dir), 'utf8')).toBe(original);
    const { events } = readLog(logOf(there));
    const { seq } = events.findLast(({ type }) => type === 'place')!;
    expect(movedNotices({ recent: events, openedAt: seq - 1 }, stateOf(there))).toEqual([
      `this session began in ${dir}; it goes on in ${there}`,
    ]);
    expect(movedNotices({ recent: events, openedAt: seq }, stateOf(there))).toEqual([]);
  });

  it('is told again when what it was told is gone back over, and folders of earlier prompts are those here', async () => {
    await stored();
    renameSync(dir, there);
    const { session, requests } = at(there, [{ text: 'Third.' }]);
    await turn(session, 'third words');
    await goBack(session, 0, 'conversation');
    expect(session.state.cwd).toBe(there);
    await turn(session, 'other words');
    const sent = JSON.stringify(requests.at(-1)!.messages);
    expect(sent).not.toContain('first words');
    expect(sent).toMatch(/other words.*The project was moved or copied/);
    const events = session.stored();
    await session.close();
    expect(stateAfter(emptyState(), events).toldProject.folder).toBe(there);
  });

  it('keeps what it was told of that through a compaction', () => {
    const note: StoredBody = { type: 'note', about: 'place', text: 'It lies elsewhere.' };
    const bodies: StoredBody[] = [{ type: 'user', text: 'a' }, note, { type: 'user', text: 'b' }];
    const fold = new History(() => []);
    for (const [i, body] of bodies.entries()) fold.add({ ...body, seq: i + 1, time: 1 } as StoredEvent);
    fold.add({ type: 'compaction', before: 1, after: 1, summary: 'short', from: 3, seq: 4, time: 1 });
    expect(JSON.stringify(fold.messages())).toMatch(/short.*It lies elsewhere\./);
  });

  it('names in a second move where it was last, and knows when it is back', async () => {
    await stored();
    renameSync(dir, there);
    const { session } = at(there);
    await turn(session, 'here');
    await session.close();
    const third = join(elsewhere, 'third');
    renameSync(there, third);
    const next = at(third);
    const { state } = next.session;
    expect(state).toMatchObject({ project: third, cwd: join(third, 'sub'), formerly: [dir, there] });
    expect(movedNotices({ recent: [{ type: 'place', seq: 2 } as StoredEvent], openedAt: 1 }, state)).toEqual([
      `this session was last in ${there}; it goes on in ${third}`,
    ]);
    await turn(next.session, 'and here');
    await next.session.close();
    renameSync(third, dir);
    const back = at(dir, [done]);
    await turn(back.session, 'home');
    const last = find(back.session.stored(), 'note').at(-1)!.text;
    expect(last).toContain(`lies in ${dir},`);
    expect(last).toContain(`Paths in ${there} and ${third} `);
  });

  it('begins in the project where its folder does not exist there, or leads out of it', async () => {
    await stored();
    cpSync(dir, there, { recursive: true });
    rmSync(join(there, 'sub'), { recursive: true });
    const cwd = join(dir, 'sub');
    const to = () => movesTo(there, { project: dir, cwd })[0];
    expect(to()).toMatchObject({ project: there, cwd: there });
    symlinkSync(elsewhere, join(there, 'sub'));
    expect(to()).toMatchObject({ cwd: there });
    expect(movesTo(there, { project: dir, cwd: elsewhere })).toMatchObject([{ cwd: there }]);
  });

  it('keeps what was allowed by path', () => {
    const rules = [
      'write_file(/old/p/a*b.txt)',
      'edit_file(src/**)',
      'bash(npm test)',
      'read_file(/old/pq)',
      'use_skill',
    ];
    const bodies: StoredBody[] = [
      opening('/old/p'),
      ...rules.flatMap((rule, i): StoredBody[] => [
        { type: 'approval', id: `${i}`, decision: 'yes', by: 'user', rule, scope: 'session' },
      ]),
      { type: 'place', from: '/old/p', project: '/new', cwd: '/new' },
    ];
    const state = stateAfter(emptyState(), numbered(bodies));
    expect(state.rules).toEqual(['write_file(/new/a*b.txt)', ...rules.slice(1)]);
  });
});

describe('a session of a project that was not moved', () => {
  it('has a log that says nothing of it, also where the project is reached by a link', async () => {
    await stored();
    const before = readFileSync(logOf(dir), 'utf8');
    const link = join(elsewhere, 'link');
    symlinkSync(dir, link);
    expect(movesTo(realpathSync(dir), { project: link, cwd: join(link, 'sub') })).toEqual([]);
    expect(movesTo(undefined, { project: dir, cwd: dir })).toEqual([]);
    await at(realpathSync(dir)).session.close();
    expect(readFileSync(logOf(dir), 'utf8')).toBe(before);
    const { session, requests } = at(dir);
    await turn(session, 'go on');
    expect(JSON.stringify(requests)).not.toContain('moved or copied');
    expect(session.stored().some(({ type }) => type === 'place')).toBe(false);
  });
});

const opening = (project: string): StoredBody => ({
  type: 'session',
  id: 's',
  version: 1,
  cwd: project,
  project,
  model: 'm',
  mode: 'ask',
  contextTokens: null,
  system: 'x',
  tools: [],
});
const numbered = (bodies: readonly StoredBody[]) =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, time: 1 }) as StoredEvent);

it('the fold that is kept of a log knows of a move', () => {
  const events = numbered([
    opening('/old'),
    { type: 'user', text: 'a' },
    { type: 'place', from: '/old', project: '/new', cwd: '/new/sub' },
    { type: 'note', about: 'place', text: 'moved' },
  ]);
  const fold = new SessionFold(() => events);
  fold.addAll(events);
  fold.add({
    type: 'done',
    text: '',
    finish: 'stop',
    usage: emptyState().usage,
    turns: 1,
    denials: [],
    durationMs: 1,
    seq: 5,
    time: 1,
  });
  const again = new SessionFold(() => events, JSON.parse(JSON.stringify(fold.save())));
  expect(again.state).toEqual(fold.state);
  expect(again.state).toMatchObject({ formerly: ['/old'], toldProject: { folder: '/new', seq: 4 } });
});

it('instructions of the old folder are those of the new one, and told anew only where they say something else', async () => {
  const { writeFileSync } = await import('node:fs');
  mkdirSync(there);
  writeFileSync(join(there, 'AGENTS.md'), 'Be brief.');
  const told = (text: string) => [
    {
      message: { role: 'system' as const, content: `x\n\nInstructions from /old/p/AGENTS.md:\n${text}` },
      seq: 1,
      from: 'system' as const,
    },
  ];
  const budget = { window: 8000, tokensPerCharacter: 0.25 } as Parameters<typeof changedInstructions>[2];
  const place = { project: there, cwd: there, formerly: ['/old/p'] };
  expect(changedInstructions(told('Be brief.'), place, budget)).toEqual([]);
  expect(changedInstructions(told('Be long.'), place, budget)).toEqual([expect.stringContaining('Be brief.')]);
});

it('paths and rules are moved as a whole, never in the middle of a name', () => {
  const cases: [string, string, string, string | undefined][] = [
    ['/a/b', '/a/b', '/c', '/c'],
    ['/a/b/x y', '/a/b', '/c', '/c/x y'],
    ['/a/bc', '/a/b', '/c', undefined],
    ['/a/b', '/', '/c', '/c/a/b'],
    ['/a/b/c', '/a/b', '/', '/c'],
  ];
  for (const [path, from, to, moved] of cases) expect(movedPath(path, from, to)).toBe(moved);
  expect(movedRule('read_file(/a\\*b/c)', '/a*b', '/d?')).toBe('read_file(/d\\?/c)');
});
