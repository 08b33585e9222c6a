/**
 * Logs of real shape, damaged in every way that disks, crashes, editors and other versions damage them: what is left
 * loads, is named, folds the same every time, and can be sent on every wire. `ADA_FUZZ_SEEDS` says how many (500).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planCompaction } from '../../core/compaction/plan.ts';
import { EXPORT_FORMATS, exportSession } from '../../core/export/export-session.ts';
import { History } from '../../core/history.ts';
import { parseLog } from '../../core/parse-log.ts';
import { createPermissions } from '../../core/permission/permission.ts';
import { openSession } from '../../core/session.ts';
import { SessionFold } from '../../core/session-fold.ts';
import { listSessions } from '../../core/session-list.ts';
import { emptyState, reduce, stateAfter } from '../../core/state.ts';
import { logFile, openLog } from '../../core/store.ts';
import { isStored, type StoredEvent } from '../../core/types.ts';
import { damaged, dice } from './damaged-log.ts';
import { pairs, sendable } from './sendable.ts';

const SEEDS = Number(process.env.ADA_FUZZ_SEEDS ?? 500);
/** Seeds in one test, so that a failure names a few. */
const CHUNK = 100;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'ada-fuzz-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function folded(events: readonly StoredEvent[]) {
  const history = new History(() => events);
  let state = emptyState();
  for (const event of events) {
    history.add(event);
    state = reduce(state, event);
  }
  return { history, state };
}

/** As `toEqual`, but a hundred times as fast for what is JSON anyway. */
const same = (a: unknown, b: unknown) => expect(JSON.stringify(a) === JSON.stringify(b)).toBe(true);

/** The parts of a warning, in this order: each names the first place. */
const PARTS = [
  /^\d+ damaged records? skipped, first at line (\d+), byte (\d+)(?: \(number \d+ again\))?$/,
  /^\d+ records? kept with another number or time, first at line (\d+), byte (\d+)(?: \(number \d+ again\))?$/,
  /^records are out of order, first at line (\d+), byte (\d+)$/,
];

/** What a warning says must be where it says it is. */
function checkWarning(bytes: Buffer, problem: string | undefined): void {
  const all = bytes.toString('latin1').split('\n');
  const bad = all.findIndex((line) => line !== '' && parseLog(Buffer.from(line, 'latin1')).problem !== undefined);
  if (bad >= 0) expect(problem).toBeDefined();
  if (problem === undefined) return;
  let rest = problem.split('; ');
  const [skipped, mended, late] = PARTS.map((part) => {
    const [, line, byte] = part.exec(rest[0]!) ?? [];
    if (line === undefined) return undefined;
    rest = rest.slice(1);
    const begins = all.slice(0, Number(line) - 1).reduce((sum, text) => sum + text.length + 1, 0);
    expect(begins, problem).toBe(Number(byte));
    return Number(line);
  });
  expect(rest, problem).toEqual([]);
  // A number that comes twice may be met before what is damaged.
  if (bad >= 0) expect(Math.min(skipped ?? Infinity, mended ?? Infinity)).toBeLessThanOrEqual(bad + 1);
  if (late === undefined) return;
  // All before it are in order, and with it they are not.
  const upTo = (number: number) => parseLog(Buffer.from(all.slice(0, number).join('\n'), 'latin1')).problem ?? '';
  expect(upTo(late - 1)).not.toContain('out of order');
  expect(upTo(late)).toContain('out of order');
}

/** Wherever a fold is saved as JSON and gone on with, it is the fold of all. */
function goesOnFromSaved(events: readonly StoredEvent[], seed: number): void {
  const whole = new SessionFold(() => events);
  whole.addAll(events);
  const before = new SessionFold(() => events);
  let at = dice(seed)(events.length + 1);
  before.addAll(events.slice(0, at));
  let saved = before.save();
  for (; !saved && at < events.length; at++) {
    before.add(events[at]!);
    saved = before.save();
  }
  if (!saved) return;
  const after = new SessionFold(() => events, JSON.parse(JSON.stringify(saved)));
  for (const event of events.slice(at)) after.add(event);
  expect(after.state).toEqual(whole.state);
  same(after.history.entries(), whole.history.entries());
  same(after.facts.save(), whole.facts.save());
  same(after.history.characters, whole.history.characters);
  same([...after.callIds], [...whole.callIds]);
  same(after.opening, whole.opening);
}

function check(seed: number): void {
  const bytes = damaged(seed);
  const read = parseLog(bytes);
  checkWarning(bytes, read.problem);
  // A text that holds half of a pair would be written as an escape.
  expect(JSON.stringify(read.events)).not.toMatch(/(?<!\\)\\ud[89a-f]/);
  const { history, state } = folded(read.events);
  goesOnFromSaved(read.events, seed);
  const again = folded(parseLog(bytes).events);
  same(again.state, state);
  same(stateAfter(emptyState(), read.events), state);
  same(again.history.messages(), history.messages());
  pairs(history.messages());
  sendable(history.messages());
  // Each is slow, and every kind of damage comes back.
  const format = EXPORT_FORMATS[(seed / 4) % EXPORT_FORMATS.length];
  if (format) expect(exportSession(read.events, format, String)).toBeTypeOf('string');
  const budget = { window: 8192, limit: 6000, tokensPerCharacter: 0.25, tools: 2000 };
  for (const force of [false, true]) planCompaction(history.entries(), budget, force);

  const file = logFile(dir, `s${seed}`);
  writeFileSync(file, bytes);
  const opened = openLog(file, join(dir, 'state'));
  if ('held' in opened) throw new Error('held');
  const session = openSession({
    log: opened.log,
    ask: () => {
      throw new Error('nobody is asked');
    },
    cost: () => null,
    model: 'm',
    parameters: { model: 'm' },
    tools: [],
    permissions: createPermissions({
      project: dir,
      directories: [],
      allow: [],
      ask: [],
      deny: [],
      home: '/nonexistent',
      adaHome: join(dir, 'home'),
    }),
    directories: [],
    stateDir: join(dir, 'state'),
    limits: {},
    headless: true,
  });
  expect(session.state.running).toBe(false);
  session.send({ type: 'set', model: 'm', mode: session.state.mode === 'plan' ? 'auto' : 'plan' });
  const mode = session.state.mode;
  void session.close();
  const after = parseLog(readFileSync(file));
  const fresh = after.events.at(-1)!;
  expect(fresh).toMatchObject({ type: 'mode', value: mode });
  expect(fresh.seq).toBeGreaterThan(read.events.at(-1)?.seq ?? 0);
  // Where no record had a time, the one that was added is the neighbour that tells it.
  const times = read.events.some(({ time }) => time !== undefined)
    ? {}
    : { time: after.events[read.events.length]!.time };
  same(
    after.events.slice(0, read.events.length),
    read.events.map((event) => ({ ...event, ...times })),
  );
  expect(isStored(fresh)).toBe(true);
  same(folded(after.events).state, session.state);
  expect(after.events.filter(({ type }) => type === 'done').length).toBeGreaterThanOrEqual(
    read.events.filter(({ type }) => type === 'done').length,
  );
  pairs(folded(after.events).history.messages());
  rmSync(file);
}

describe('a damaged log', () => {
  const chunks = Array.from({ length: Math.ceil(SEEDS / CHUNK) }, (_, i) => i * CHUNK);
  it.each(chunks)('loads, is named, and can be sent: seeds from %i', (from) => {
    for (let seed = from; seed < Math.min(SEEDS, from + CHUNK); seed++) {
      try {
        check(seed);
      } catch (error) {
        (error as Error).message = `seed ${seed}: ${(error as Error).message}`;
        throw error;
      }
    }
  });

  it('is listed whatever is in it', () => {
    const folder = mkdtempSync(join(dir, 'list-'));
    for (let seed = 0; seed < 60; seed++) writeFileSync(logFile(folder, `s${seed}`), damaged(seed));
    const listed = listSessions(folder);
    expect(listed).toHaveLength(60);
    for (const { title } of listed) expect(typeof title).toBe('string');
  });
});
