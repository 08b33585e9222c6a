/** Logs that are walked line by line say what the whole log says. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copied, copyLog } from '../../core/copy-log.ts';
import { eventsIn } from '../../core/log-events.ts';
import { readLog } from '../../core/parse-log.ts';
import { damaged } from './damaged-log.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ada-events-'));
  file = join(dir, 'a.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const user = (text: string, seq: number) => `${JSON.stringify({ type: 'user', text, seq, time: 1 })}\n`;

describe('the events of a file', () => {
  it('are those of the log as a whole, however it is damaged', () => {
    for (let seed = 0; seed < 150; seed++) {
      writeFileSync(file, damaged(seed));
      const whole = readLog(file);
      const { events, problem } = eventsIn(file);
      expect([...events], `seed ${seed}`).toEqual(whole.events);
      expect(problem).toBe(whole.problem);
      const copy = join(dir, `copy-${seed}.jsonl`);
      copyLog(file, copy, 'copy');
      expect(readLog(copy).events).toEqual(whole.events.map((event) => copied(event, 'copy')));
    }
  });

  it('are cut at no piece that is read: long lines, and characters of several bytes', () => {
    const long = '€🙂'.repeat(400_000);
    writeFileSync(file, user('a', 1) + user(long, 2) + user('b', 3) + user(long, 4).trimEnd());
    const { events } = eventsIn(file);
    for (let walk = 0; walk < 2; walk++)
      expect([...events].map((event) => event.type === 'user' && event.text)).toEqual(['a', long, 'b', long]);
  });

  it('are those of the moment at which they were asked for', () => {
    writeFileSync(file, user('a', 1));
    const { events } = eventsIn(file);
    appendFileSync(file, user('b', 2));
    expect([...events]).toHaveLength(1);
  });
});

it('a copy is not begun where the log cannot be read, and not left half where it cannot be written', () => {
  const to = join(dir, 'b.jsonl');
  expect(() => copyLog(join(dir, 'nowhere.jsonl'), to, 'b')).toThrow(/ENOENT/);
  expect(() => readFileSync(to)).toThrow(/ENOENT/);
  writeFileSync(file, user('a', 1));
  writeFileSync(to, 'another');
  expect(() => copyLog(file, to, 'b')).toThrow(/EEXIST/);
  expect(readFileSync(to, 'utf8')).toBe('another');
});
