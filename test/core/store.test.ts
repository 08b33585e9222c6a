import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { redactedEvent } from '../../core/export/redacted.ts';
import { parseLog, readLog, recordsOf } from '../../core/parse-log.ts';
import { listSessions } from '../../core/session-list.ts';
import { emptyState, reduce } from '../../core/state.ts';
import { logFile, openLog } from '../../core/store.ts';
import type { StoredBody } from '../../core/types.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ada-store-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = (id = 's') => {
  const opened = openLog(logFile(dir, id), join(dir, 'state'));
  if ('held' in opened) throw new Error(`held by ${opened.held}`);
  return opened.log;
};
const lines = (id = 's') => readFileSync(logFile(dir, id), 'utf8').split('\n');

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { value };
  return value;
}

describe('the log', () => {
  it('loads what nests as deep as anybody means it, and skips what would take every reader down', () => {
    const line = (seq: number, levels: number) =>
      `{"type":"user","text":"x","seq":${seq},"time":1,"extra":${'['.repeat(levels)}${']'.repeat(levels)}}\n`;
    const { events, problem } = parseLog(Buffer.from(line(1, 990) + line(2, 200_000) + line(3, 2)));
    expect(events.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(problem).toMatch(/first at line 2, byte \d+/);
    expect(() => JSON.stringify(events.map(redactedEvent))).not.toThrow();
  });

  it('numbers events from 1 and goes on after reopening', () => {
    const log = open();
    log.append({ type: 'user', text: 'one' });
    log.append({ type: 'mode', value: 'plan' });
    log.close();
    const again = open();
    expect(again.recent.map((event) => [event.seq, event.type])).toEqual([
      [1, 'user'],
      [2, 'mode'],
    ]);
    expect(again.append({ type: 'user', text: 'two' })[0]!.seq).toBe(3);
    again.close();
  });

  it.each([
    ['a torn line', '{"type":"user","text":"to'],
    ['a run of NUL bytes', `${'\0'.repeat(64)}\n{"type":"user","seq":9`],
    ['something that is no event', '[1,2]\n42'],
  ])('loads the rest after %s and appends on a fresh line', (_name, damage) => {
    const log = open();
    log.append({ type: 'user', text: 'kept' });
    log.close();
    appendFileSync(log.file, damage);
    const again = open();
    expect(again.problem).toMatch(/damaged record.*line 2, byte \d+/);
    again.append({ type: 'user', text: 'next' });
    again.close();
    const last = lines().at(-2)!;
    expect(JSON.parse(last)).toMatchObject({ type: 'user', text: 'next', seq: 2 });
    expect(readLog(log.file).events).toHaveLength(2);
  });

  it.each([
    ['a user event without its text', { type: 'user', text: 5 }],
    ['an assistant event without its content', { type: 'assistant' }],
    ['a call without an id', { type: 'assistant', content: [{ type: 'tool_use' }], finish: 'stop', served: {} }],
    ['a result without an output', { type: 'tool_result', id: 'a', name: 'ls' }],
    [
      'a result with half a display',
      { type: 'tool_result', id: 'a', name: 'bash', output: '', display: { kind: 'terminal' } },
    ],
    ['what nests without end', { type: 'user', text: 'x', deep: nested(1100) }],
    ['a mode that there is none of', { type: 'mode', value: 'wild' }],
    ['images that are none', { type: 'user', text: 'x', images: [{ type: 'image' }] }],
    [
      'figures that are text',
      { type: 'assistant', content: [], finish: 'stop', served: { backend: 'b', model: 'm' }, usage: { input: '1' } },
    ],
  ])('skips %s and keeps the rest', (_name, body) => {
    const lines = [
      { type: 'user', text: 'kept', seq: 1, time: 1 },
      { time: 1, ...body, seq: 2 },
      { type: 'mode', value: 'ask', seq: 3, time: 1 },
    ];
    const { events, problem } = parseLog(Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`));
    expect(events.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(problem).toMatch(/1 damaged record skipped, first at line 2/);
  });

  it.each([
    ['a torn record', '{"type":"user","text":"to'],
    ['a torn message', '{"type":"assistant","content":[{"type":"text","text":"x"},{"type":"te'],
    ['a run of NUL bytes', '\0'.repeat(300)],
  ])('keeps the record that stands on the same line behind %s', (_name, before) => {
    const record = JSON.stringify({ type: 'user', text: 'kept {"type":"user"', seq: 2, time: 1 });
    const text = `{"type":"mode","value":"ask","seq":1,"time":1}\n${before}${record}\n{"type":"x","seq":3,"time":1}\n`;
    const { events, problem } = parseLog(Buffer.from(text));
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(problem).toMatch(/^1 damaged record skipped, first at line 2, byte 47$/);
  });

  it('is not stopped by a record whose number nobody could go on from', () => {
    writeFileSync(
      logFile(dir, 's'),
      `{"type":"x","seq":1,"time":1}\n{"type":"user","text":"kept","seq":${Number.MAX_SAFE_INTEGER},"time":1}\n`,
    );
    const log = open();
    expect(log.append({ type: 'user', text: 'next' })[0]!.seq).toBe(3);
    log.close();
    expect(readLog(log.file).events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('lists only regular files: a pipe would wait for ever, and a link may lead anywhere', () => {
    open('real').close();
    execFileSync('mkfifo', [join(dir, 'pipe.jsonl')]);
    symlinkSync('/etc/passwd', join(dir, 'link.jsonl'));
    mkdirSync(join(dir, 'folder.jsonl'));
    expect(listSessions(dir).map(({ id }) => id)).toEqual(['real']);
  });

  it('takes U+2028 inside a text as an ordinary character', () => {
    const log = open();
    log.append({ type: 'user', text: 'a\u2028b\u2029c' });
    log.close();
    expect(readLog(log.file)).toMatchObject({ events: [{ text: 'a\u2028b\u2029c' }], problem: undefined });
  });

  it('keeps types and fields that it does not know', () => {
    writeFileSync(logFile(dir, 's'), '{"type":"later","seq":1,"time":1,"extra":{"a":1}}\n');
    expect(open().recent[0]).toEqual({ type: 'later', seq: 1, time: 1, extra: { a: 1 } });
  });

  it('gives the records of one type without reading the others', () => {
    const text = [
      '{"type":"session","id":1}',
      '{"type":"model","value":"a","seq":2,"time":1}',
      '{"type":"note","about":"mode","text":"{\\"type\\":\\"model\\"","seq":3,"time":1,"x":{"type":"model","value":"no"}}',
      '{"type":"model","value":"b","seq":4,"time":1}',
      '{"type":"model","value":"to',
    ].join('\n');
    expect(recordsOf(Buffer.from(text), 'model').map(({ value }) => value)).toEqual(['a', 'b']);
    expect(recordsOf(Buffer.from(text), 'session')).toEqual([]);
  });

  it('puts lines in the order of their numbers, and says nothing twice', () => {
    const text = '{"type":"b","seq":2,"time":1}\n{"type":"a","seq":1,"time":1}\n{"type":"b","seq":2,"time":1}\n';
    const { events, problem } = parseLog(Buffer.from(text));
    expect(events.map((event) => event.type)).toEqual(['a', 'b']);
    expect(problem).toBe(
      '1 damaged record skipped, first at line 3, byte 60 (number 2 again); records are out of order, first at line 2, byte 30',
    );
  });

  it('says where the order of lines breaks, and nothing where it does not', () => {
    const line = (seq: number) => `{"type":"x","seq":${seq},"time":1}\n`;
    const order = (...seqs: number[]) => parseLog(Buffer.from(seqs.map(line).join('')));
    expect(order(1, 3, 7).problem).toBeUndefined();
    const mixed = order(1, 4, 2, 3, 5);
    expect(mixed.problem).toBe('records are out of order, first at line 3, byte 60');
    expect(mixed.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });

  it('skips a byte order mark before the first line, and names places as they are in the file', () => {
    const text = '\ufeff{"type":"model","value":"a","seq":1,"time":1}\nno record\n';
    const { events, problem } = parseLog(Buffer.from(text));
    expect(events).toHaveLength(1);
    const at = Buffer.byteLength(text.slice(0, text.indexOf('no')));
    expect(problem).toBe(`1 damaged record skipped, first at line 2, byte ${at}`);
    expect(parseLog(Buffer.from('\ufeffno record\n')).problem).toMatch(/first at line 1, byte 0$/);
    expect(parseLog(Buffer.from('\ufeff'))).toMatchObject({ events: [], problem: undefined });
    expect(recordsOf(Buffer.from(text), 'model')).toHaveLength(1);
  });

  it('takes a usage of null as none', () => {
    const served = { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 };
    const lines = [
      { type: 'assistant', content: [], finish: 'stop', served, usage: null, seq: 1, time: 1 },
      { type: 'done', text: '', finish: 'stop', usage: null, turns: 1, denials: [], durationMs: 1, seq: 2, time: 1 },
      { type: 'later', usage: null, seq: 3, time: 1 },
    ];
    const { events, problem } = parseLog(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    expect(problem).toBeUndefined();
    expect(events.map((event) => 'usage' in event)).toEqual([false, false, true]);
  });

  it('stores no half of a surrogate pair, in memory as little as on disk', () => {
    const log = open();
    const input = { 'key\udc00': ['a\ud83d', 'whole 🙂', '\\ud83d'] };
    const [event] = log.append({ type: 'tool_call', id: 'a', name: 'x', detail: '\ude00\ud83d', input });
    log.close();
    const mended = { detail: '\ufffd\ufffd', input: { 'key\ufffd': ['a\ufffd', 'whole 🙂', '\\ud83d'] } };
    expect(event).toMatchObject(mended);
    expect(log.recent).toEqual([event]);
    expect(readLog(log.file).events).toEqual([event]);
    expect(readFileSync(log.file, 'utf8')).toContain('🙂');
  });

  it('mends the halves that a log holds; two escapes that are a pair stay one', () => {
    const text = String.raw`{"type":"user","text":"a\ud83db \ud83d\ude00 \uD83D\uDE00 \\ud83d \ud83d\ud83d\ude00 \udE00","seq":1,"time":1}`;
    const { events, problem } = parseLog(Buffer.from(`${text}\n`));
    expect(problem).toBeUndefined();
    expect(events).toMatchObject([{ text: 'a\ufffdb 😀 😀 \\ud83d \ufffd😀 \ufffd' }]);
  });

  it('is held by one process at a time, and by none that died', () => {
    const log = open();
    expect(openLog(log.file, join(dir, 'state'))).toEqual({ held: process.pid });
    log.close();
    writeFileSync(join(dir, 'state', 's.lock'), '999999999 1');
    open().close();
  });

  it('lists sessions by title, newest first', () => {
    const log = open('a');
    log.append({ type: 'user', text: '\n  fix the parser\nand more' });
    log.close();
    open('b').close();
    const listed = listSessions(dir);
    expect(listed.find(({ id }) => id === 'a')?.title).toBe('fix the parser');
    expect(listed.find(({ id }) => id === 'b')?.title).toBe('(empty)');
    expect([...listed].sort((x, y) => y.mtime - x.mtime)).toEqual(listed);
  });

  it('cuts no title between the halves of a character', () => {
    const prompt: StoredBody = { type: 'user', text: `${'x'.repeat(79)}🙂 and more` };
    const log = open();
    const state = reduce(emptyState(), log.append(prompt)[0]!);
    log.close();
    expect(state.title).toBe('x'.repeat(79));
    expect(listSessions(dir)[0]!.title).toBe('x'.repeat(79));
    const name = open('named');
    name.append({ type: 'title', text: `${'y'.repeat(78)}🙂🙂` });
    name.close();
    expect(listSessions(dir).find(({ id }) => id === 'named')?.title).toBe(`${'y'.repeat(78)}🙂`);
  });
});

it.skipIf(process.platform !== 'linux')('is not held by a process that has ended and was not waited for', async () => {
  // The shell replaces itself, so nobody waits for its first child.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const pid = Number(await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve)));
    await vi.waitUntil(() => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')));
    mkdirSync(join(dir, 'state'), { recursive: true });
    writeFileSync(join(dir, 'state', 's.lock'), `${pid} `);
    open().close();
  } finally {
    parent.kill('SIGKILL');
  }
});
