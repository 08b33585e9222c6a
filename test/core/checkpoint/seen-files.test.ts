/** What the model knows of files follows from the log: going on, a copy and going back give the record of that point. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyLog } from '../../../core/copy-log.ts';
import { redactedEvent } from '../../../core/export/redacted.ts';
import { readLog } from '../../../core/parse-log.ts';
import type { Session } from '../../../core/session.ts';
import { logFile } from '../../../core/store.ts';
import { coreTools, lateTools } from '../../../core/tools/index.ts';
import type { RewindScope, StoredEvent } from '../../../core/types.ts';
import { dir, find, type Said, start, turn } from '../scripted-session.ts';

const read = (path: string): Said => ({ calls: [['read_file', { path }]] });
const write = (path: string, content: string): Said => ({ calls: [['write_file', { path, content }]] });
const edit = (path: string, old: string, to: string): Said => ({ calls: [['edit_file', { path, old, new: to }]] });
const done: Said = { text: 'Done.' };
const at = (name: string) => join(dir, name);

/** The result of the last call of a turn. */
async function result(session: Session, text = 'do it'): Promise<string> {
  return find(await turn(session, text), 'tool_result').at(-1)!.output;
}

async function back(session: Session, index: number, what: RewindScope): Promise<void> {
  const stream = session.events();
  expect(session.send({ type: 'rewind', to: session.state.prompts[index]!.seq, what })).toEqual({ ok: true });
  for await (const event of stream) if (event.type === 'activity' && event.doing === null) break;
}

describe('files that the model knows', () => {
  it('stand in the log, by what a call read or wrote', async () => {
    const patch = '*** Begin Patch\n*** Add File: new.txt\n+one\n*** Delete File: b.txt\n*** End Patch\n';
    const calls = [...read('a.txt').calls!, ...write('b.txt', 'b\n').calls!, ...read('b.txt').calls!];
    const tools = [...coreTools(), ...lateTools({})];
    const { session } = start([{ calls }, { calls: [['apply_patch', { patch }]] }, done], { tools });
    const results = find(await turn(session, 'go'), 'tool_result');
    expect(results.map(({ seen }) => seen?.map(({ path }) => path))).toEqual([
      ['a.txt'],
      ['b.txt'],
      ['b.txt'],
      ['new.txt', 'b.txt'],
    ]);
    expect(results[0]!.seen![0]!.mark).toMatch(/^6 [\w-]{43}$/);
    expect(results[1]!.seen).toEqual(results[2]!.seen);
    expect(results[3]!.seen![1]).toEqual({ path: 'b.txt', mark: null });
    // From the mark of a short secret it could be found by trying.
    expect(JSON.stringify(results.map((event) => redactedEvent(event as StoredEvent)))).not.toContain('seen');
  });

  it('are known when the session is gone on with', async () => {
    const first = start([read('a.txt'), done]);
    await turn(first.session, 'read');
    await first.session.close();
    writeFileSync(at('a.txt'), 'theirs\n');
    const { session } = start([write('a.txt', 'mine\n'), done, read('a.txt'), write('a.txt', 'mine\n'), done]);
    expect(await result(session)).toContain('has changed on disk since you read it');
    expect(await result(session)).toBe('Wrote a.txt (1 line, 5 bytes). It replaced 1 line, 7 bytes.');
  });

  it('are known in a copy', async () => {
    const first = start([write('new.txt', 'one\n'), done]);
    await turn(first.session, 'write');
    await first.session.close();
    copyLog(logFile(dir, 's'), logFile(dir, 'copy'), 'copy');
    const { session } = start([write('new.txt', 'two\n'), done], { id: 'copy' });
    expect(await result(session)).toBe('Wrote new.txt (1 line, 4 bytes). It replaced 1 line, 4 bytes.');
  });

  it('are after going back what the conversation left them, and its own restoring is no change', async () => {
    const script = [write('a.txt', 'v1\n'), done, write('a.txt', 'v2\n'), done, write('a.txt', 'v3\n'), done];
    const { session } = start([...script, edit('a.txt', 'v1', 'again'), done]);
    for (const text of ['one', 'two', 'three']) await turn(session, text);
    await back(session, 1, 'both');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('v1\n');
    expect(await result(session)).toMatch(/^Edited a\.txt \([^)]*\)\.$/);
  });

  it('are unknown again when what read them is gone', async () => {
    const { session } = start([done, read('a.txt'), done, write('a.txt', 'x\n'), done]);
    for (const text of ['one', 'two']) await turn(session, text);
    await back(session, 1, 'conversation');
    expect(await result(session)).toContain(', which you had not read.');
  });

  it('are unknown again where a later prompt made them, also for an edit', async () => {
    const { session } = start([done, edit('a.txt', 'alpha', 'beta'), done, edit('a.txt', 'alpha', 'gamma'), done]);
    for (const text of ['one', 'two']) await turn(session, text);
    await back(session, 1, 'both');
    expect(await result(session)).toMatch(/^Edited a\.txt/);
  });

  it('that stayed as a later prompt made them have changed since', async () => {
    const script = [write('a.txt', 'v1\n'), done, write('a.txt', 'v2\n'), done, write('a.txt', 'v3\n'), done];
    const { session } = start(script);
    for (const text of ['one', 'two']) await turn(session, text);
    await back(session, 1, 'conversation');
    expect(await result(session)).toContain('has changed on disk since you read it');
  });

  it('are compared line by line with what they held then, within one process', async () => {
    const script = [write('a.txt', 'one\ntwo\n'), done, write('a.txt', 'gone\n'), done];
    const { session } = start([...script, edit('a.txt', 'one', '1'), done]);
    for (const text of ['one', 'two']) await turn(session, text);
    await back(session, 1, 'both');
    writeFileSync(at('a.txt'), 'one\ntwo\ntheirs\n');
    expect(await result(session)).toContain('the file had changed on disk since you read it, but the text to replace');
  });

  it('are read from a log as far as it can be read', async () => {
    const first = start([write('a.txt', 'v1\n'), done]);
    await turn(first.session, 'one');
    await first.session.close();
    const { events } = readLog(logFile(dir, 's'));
    const odd = events.map((event) =>
      event.type === 'tool_result' ? { ...event, seen: [null, 'x', { path: 3, mark: 'm' }, ...event.seen!] } : event,
    );
    writeFileSync(logFile(dir, 's'), `${odd.map((event) => JSON.stringify(event)).join('\n')}\n`);
    const { session } = start([write('a.txt', 'v2\n'), done]);
    expect(await result(session)).toBe('Wrote a.txt (1 line, 3 bytes). It replaced 1 line, 3 bytes.');
  });
});
