/** What a large log folds to is kept beside it, and used only where it still holds. */
import { appendFileSync, existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { history } from '../../core/history.ts';
import { readLog } from '../../core/parse-log.ts';
import { emptyState, stateAfter } from '../../core/state.ts';
import { logFile, lookAt } from '../../core/store.ts';
import { dir, start, turn } from './scripted-session.ts';

const TURNS = 60;
const log = () => logFile(dir, 's');
const fold = () => join(dir, 's.fold');
const SAID = [{ text: 'Yes.' }];

/** A session of over a megabyte, whose older part was left out of the conversation; closed. */
async function large(): Promise<void> {
  const { session } = start(SAID);
  await session.close();
  let seq = readLog(log()).events.at(-1)!.seq;
  const served = { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 };
  const usage = { input: 9, output: 1, cacheRead: null, cacheWrite: null, reasoning: null, cost: null };
  const lines: string[] = [];
  const add = (body: object) => lines.push(JSON.stringify({ ...body, seq: ++seq, time: 1 }));
  for (let n = 0; n < TURNS; n++) {
    const call = { type: 'tool_use', id: `call_${n}`, name: 'read_file', input: { path: `f${n}` } };
    add({ type: 'user', text: `Prompt ${n}` });
    add({ type: 'assistant', content: [call], finish: 'tool_use', usage, served });
    add({ type: 'tool_call', id: call.id, name: call.name, detail: `f${n}`, input: call.input });
    add({ type: 'tool_result', id: call.id, name: call.name, output: `${n} `.repeat(10_000), isError: false });
    add({ type: 'todos', items: [{ text: `step ${n >> 3}`, status: 'active' }] });
    add({ type: 'assistant', content: [{ type: 'text', text: `Answer ${n}` }], finish: 'stop', usage, served });
    add({ type: 'done', text: '', finish: 'stop', usage, turns: 2, denials: [], durationMs: 1 });
  }
  add({
    type: 'compaction',
    before: 9,
    after: 1,
    summary: 'What was.',
    from: seq - 6,
    pruneBefore: seq - 13,
    clip: 400,
  });
  appendFileSync(log(), `${lines.join('\n')}\n`);
  await start(SAID).session.close();
}

describe('what a large log folds to', () => {
  it('is kept when it is closed, and opens as the whole log does', async () => {
    await large();
    expect(statSync(fold()).mode & 0o777).toBe(0o600);
    expect(statSync(fold()).size).toBeLessThan(100_000);
    const { kept, rest } = lookAt(log());
    expect(kept!.size).toBe(statSync(log()).size);
    expect(rest).toHaveLength(0);

    const { session, requests } = start(SAID);
    const { events } = readLog(log());
    expect(session.state).toEqual(stateAfter(emptyState(), events));
    await turn(session, 'And now?');
    expect(requests[0]!.messages.slice(0, -1)).toEqual(history(events));
    expect(session.openedAt).toBe(events.at(-1)!.seq);
    const stored = session.events(AbortSignal.timeout(1000), 1);
    const first = await stored.next();
    expect(first.value).toMatchObject({ type: 'session', seq: 1 });
    await stored.return?.();
  });

  it('still goes back to what is no longer in memory', async () => {
    await large();
    const { session, requests } = start(SAID);
    const [prompt] = session.state.prompts.slice(2);
    session.send({ type: 'rewind', to: prompt!.seq, what: 'conversation' });
    for await (const event of session.events()) if (event.type === 'rewind') break;
    await turn(session, 'Again.');
    const text = JSON.stringify(requests[0]!.messages);
    expect(text).toContain('Prompt 1');
    expect(text).toContain('1 1 1 1 1');
    expect(text).not.toMatch(/Prompt 2|What was/);
    expect(requests[0]!.messages).toEqual(history(readLog(log()).events).slice(0, -1));
  });

  it('is gone on with from where a process died', async () => {
    await large();
    const { events } = readLog(log());
    const more = { type: 'mode', value: 'plan', seq: events.at(-1)!.seq + 1, time: 1 };
    appendFileSync(log(), `${JSON.stringify(more)}\n`);
    const { kept, rest } = lookAt(log());
    expect(kept).toBeDefined();
    expect(JSON.parse(rest.toString())).toEqual(more);
    const { session } = start(SAID);
    expect(session.state).toEqual(stateAfter(emptyState(), readLog(log()).events));
  });

  const spoilt: [string, () => void][] = [
    [
      'of a log that was edited',
      () => {
        const text = readFileSync(log(), 'utf8');
        writeFileSync(log(), text.replace('Prompt 3', 'Prompt x'));
        utimesSync(log(), new Date(), new Date(Date.now() + 5_000));
      },
    ],
    [
      'of a log that lost its end',
      () => {
        const bytes = readFileSync(log());
        writeFileSync(log(), bytes.subarray(0, bytes.lastIndexOf(10, bytes.length - 2) + 1));
      },
    ],
    [
      'of a log whose end was changed before it grew',
      () => {
        const text = readFileSync(log(), 'utf8').replace('What was.', 'What xxx.');
        writeFileSync(log(), `${text}{"type":"mode","value":"plan","seq":100000,"time":1}\n`);
      },
    ],
    ['of another version', () => writeFileSync(fold(), readFileSync(fold(), 'utf8').replace('"form":"', '"form":"0'))],
    ['that is damaged', () => writeFileSync(fold(), readFileSync(fold(), 'utf8').replace('What was.', 'What xxx.'))],
    ['that is torn', () => writeFileSync(fold(), readFileSync(fold()).subarray(0, 2000))],
    ['that is empty', () => writeFileSync(fold(), '')],
  ];
  it.each(spoilt)('is not used: one %s', async (_, spoil) => {
    await large();
    spoil();
    expect(lookAt(log()).kept).toBeUndefined();
    const { session } = start(SAID);
    expect(session.state).toEqual(stateAfter(emptyState(), readLog(log()).events));
  });

  it('gives way to the whole log where numbers do not simply go on', async () => {
    await large();
    appendFileSync(log(), '{"type":"title","text":"Late","seq":2,"time":1}\n');
    expect(lookAt(log()).kept).toBeDefined();
    const { session } = start(SAID);
    expect(session.state.title).toBe(stateAfter(emptyState(), readLog(log()).events).title);
  });

  it('keeps the warning of lines that are damaged', async () => {
    await large();
    const { events, problem } = readLog(log());
    expect(problem).toBeUndefined();
    appendFileSync(log(), 'no record\n');
    const damaged = readLog(log()).problem!;
    await start(SAID).session.close();
    expect(lookAt(log()).kept?.problem).toBe(damaged);
    expect(lookAt(log()).kept?.lastSeq).toBe(events.at(-1)!.seq);
  });

  it('is not kept of a small log', async () => {
    const { session } = start(SAID);
    await turn(session, 'Hi.');
    await session.close();
    expect(existsSync(fold())).toBe(false);
  });
});
