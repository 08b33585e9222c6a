/** Records whose number or time is not what it should be: what they say is kept, in the order of the file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseLog, recordsOf } from '../../core/parse-log.ts';
import { listSessions } from '../../core/session-list.ts';
import { logFile, openLog } from '../../core/store.ts';

const user = (text: string, seq?: unknown, time: unknown = 5) => JSON.stringify({ type: 'user', text, seq, time });
const read = (...lines: string[]) => parseLog(Buffer.from(lines.map((line) => `${line}\n`).join('')));
const told = (...lines: string[]) =>
  read(...lines).events.map((event) => [event.seq, event.type === 'user' ? event.text : event.type]);

describe('records that share a number', () => {
  it('are all kept, in the order of the file, and take the numbers that are free', () => {
    expect(told(user('a', 1), user('b', 2), user('c', 2), user('d', 5))).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [5, 'd'],
    ]);
    expect(told(user('a', 1), user('b', 2), user('c', 2), user('d', 2), user('e', 3), user('f', 3))).toEqual([
      [1, 'a'],
      [2, 'b'],
      [2, 'c'],
      [2, 'd'],
      [3, 'e'],
      [4, 'f'],
    ]);
    expect(read(user('a', 1), user('b', 2), user('c', 2)).problem).toBe(
      '1 record kept with another number or time, first at line 3, byte 88 (number 2 again)',
    );
  });

  it('of a type that nobody knows do not take the place of one that says something', () => {
    const later = '{"type":"later","seq":1,"time":5}';
    expect(told(later, user('a', 1), user('b', 2))).toEqual([
      [1, 'later'],
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  it('and say the same are one, also where one of them lost its time', () => {
    const { events, problem } = read(user('a', 1), user('b', 2), user('a', 1, 'x'), user('b', 2));
    expect(events).toHaveLength(2);
    expect(problem).toBe('2 damaged records skipped, first at line 3, byte 88 (number 1 again)');
  });

  it('stay where they are when the log goes on', () => {
    const dir = mkdtempSync(join(tmpdir(), 'ada-mended-'));
    const file = logFile(dir, 's');
    writeFileSync(file, `${[user('a', 1), user('b', 2), user('c', 2), user('d', '')].join('\n')}\n`);
    const opened = openLog(file, join(dir, 'state'));
    if ('held' in opened) throw new Error('held');
    const before = opened.log.recent.map(({ seq }) => seq);
    expect(before).toEqual([1, 2, 3, 4]);
    opened.log.append({ type: 'user', text: 'next' });
    opened.log.close();
    expect(parseLog(readFileSync(file)).events.map(({ seq }) => seq)).toEqual([...before, 5]);
    rmSync(dir, { recursive: true });
  });
});

describe('a number that cannot be used', () => {
  it.each([['7'.repeat(20)], [''], [null], [{}], [0], [-3], [1.5], [1e30], [undefined]])(
    '%j: the record stands behind the one before it',
    (seq) => {
      const lines = [user('a', 1), user('b', 2), user('x', seq), user('y', seq), user('c', 4)];
      expect(told(...lines)).toEqual([
        [1, 'a'],
        [2, 'b'],
        [3, 'x'],
        [3, 'y'],
        [4, 'c'],
      ]);
      expect(read(...lines).problem).toBe('2 records kept with another number or time, first at line 3, byte 88');
    },
  );

  it('is read where it is only written as text', () => {
    expect(told(user('b', '2'), user('a', '1'))).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  it('of a type that nobody knows: nothing shows that it is a record', () => {
    const { events, problem } = read(user('a', 1), '{"type":"text","text":"part of a message"}');
    expect(events).toHaveLength(1);
    expect(problem).toBe('1 damaged record skipped, first at line 2, byte 44');
  });
});

describe('a time that cannot be used', () => {
  it.each([['yesterday'], [1e30], [{}], [null], [undefined]])('%j: the one of the neighbour', (time) => {
    const bad = (text: string, seq: number) =>
      JSON.stringify({ type: 'user', text, seq, ...(time !== undefined && { time }) });
    const { events, problem } = read(bad('first', 1), user('a', 2, 10), bad('x', 3), user('b', 4, 20));
    expect(events.map((event) => event.time)).toEqual([10, 10, 10, 20]);
    expect(problem).toMatch(/^2 records kept with another number or time, first at line 1, byte 0$/);
  });
});

describe('what editors put around lines', () => {
  const line = '{"type":"model","value":"m","seq":1,"time":1}';
  it.each([
    ['a byte order mark', '\ufeff', ''],
    ['a carriage return', '', '\r'],
    ['white space', ' \t', '  '],
    ['all of them', '\ufeff ', ' \r'],
  ])('%s is not its content', (_name, before, behind) => {
    const lines = [line, line.replace('"seq":1', '"seq":2')].map((one) => before + one + behind);
    expect(read(...lines)).toMatchObject({ events: [{ seq: 1 }, { seq: 2 }], problem: undefined });
    expect(recordsOf(Buffer.from(lines.join('\n')), 'model')).toHaveLength(2);
    expect(read(line, before + behind).problem).toBeUndefined();
  });
});

describe('a list of sessions', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'ada-mended-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('tells name and costs of records that lost number or time', () => {
    const done = { type: 'done', finish: 'stop', text: '', usage: { cost: 0.5 }, turns: 1, seq: null, time: 'x' };
    writeFileSync(logFile(dir, 's'), `\ufeff${user('its name', 'x')}\r\n${JSON.stringify(done)}\r\n`);
    const [session] = listSessions(dir);
    expect(session!.title).toBe('its name');
    expect(Object.values(session!.costs!)).toEqual([0.5]);
  });
});
