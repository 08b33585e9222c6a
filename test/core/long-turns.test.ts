import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { charactersOf } from '../../core/compaction/size.ts';
import { history } from '../../core/history.ts';
import { readLog } from '../../core/parse-log.ts';
import type { Session } from '../../core/session.ts';
import type { Event } from '../../core/types.ts';
import { ProviderError } from '../../providers/errors.ts';
import type { IRChatRequest } from '../../providers/ir.ts';
import { dir, find, model, type Said, start, turn } from './scripted-session.ts';

const SUMMARY =
  '## Goal\nRead all files.\n## Decisions\nNone yet.\n## Done\nRead some of them.\n## Next step\nRead on.';
const LONG = Array.from({ length: 300 }, (_, i) => `This is sentence ${i} of an answer.`).join(' ');
const read = (path: string): Said => ({ calls: [['read_file', { path }]] });
const tooLong = () =>
  new ProviderError({ message: 'prompt too long', code: 'CONTEXT_OVERFLOW', category: 'overflow', status: 400 });

/** Files whose content fills a window of 8k after a few of them. */
function manyFiles(count: number, lines = 100): Said[] {
  return Array.from({ length: count }, (_, i) => {
    writeFileSync(join(dir, `f${i}.txt`), `file ${i}, line of text that says little\n`.repeat(lines));
    return read(`f${i}.txt`);
  });
}

/** Waits for the next event of a type. */
async function next(session: Session, type: Event['type'], act: () => void): Promise<Event> {
  const stream = session.events();
  act();
  for await (const event of stream) if (event.type === type) return event;
  throw new Error('the session ended');
}

describe('a window that gets full', () => {
  it('leaves out old results within one turn, and goes on', async () => {
    const { session, requests } = start([...manyFiles(12), { text: 'all read' }], { contextTokens: 8_192 });
    const events = await turn(session, 'read all files');
    const compactions = find(events, 'compaction');
    expect(compactions.length).toBeGreaterThan(0);
    expect(compactions.length).toBeLessThan(6);
    for (const { before, after } of compactions) expect(after).toBeLessThan(before);
    expect(find(events, 'done')[0]).toMatchObject({ finish: 'stop', text: 'all read' });
    const last = JSON.stringify(requests.at(-1)!.messages);
    expect(last).toContain('read all files');
    expect(last).toContain('left out to save room');
    expect(last.length / 4).toBeLessThan(8_192);
    // A replayed log gives the very same messages.
    expect(history(readLog(session.file).events).slice(0, -1)).toEqual(requests.at(-1)!.messages);
  });

  it('summarises older turns with the same model, and keeps the newest prompt word for word', async () => {
    const long = Array.from({ length: 40 }, (_, i): Said => ({ text: `answer ${i} ${'a'.repeat(1_000)}` }));
    const { session, requests } = start([...long.slice(0, 24), { text: SUMMARY }, { text: 'done' }], {
      contextTokens: 8_192,
    });
    let compacted = false;
    for (let i = 0; i < 40 && !compacted; i++) {
      const events = await turn(session, `prompt ${i} ${'p'.repeat(100)}`);
      compacted = find(events, 'compaction').length > 0;
    }
    const asked = requests.filter(({ messages }) => JSON.stringify(messages.at(-1)).includes('## Next step'));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked[0]!.tools).toEqual(requests[0]!.tools);
    const after = requests.at(-1)!.messages;
    expect(after[0]).toEqual(requests[0]!.messages[0]);
    expect(JSON.stringify(after[1])).toContain('prompt 0 ');
    expect(JSON.stringify(after.at(-1))).toContain('prompt ');
  });

  it('makes room once when the server says so, then says what is too large', async () => {
    const { session } = start([{ text: LONG }, { fail: tooLong() }, { text: SUMMARY }, { text: 'fits' }], {
      contextTokens: 8_192,
    });
    await turn(session, 'first');
    const events = await turn(session, 'second');
    expect(find(events, 'compaction')).toHaveLength(1);
    expect(find(events, 'error')).toEqual([]);
    expect(find(events, 'done')[0]).toMatchObject({ finish: 'stop', text: 'fits' });

    const again = start([{ fail: tooLong() }], { contextTokens: 8_192, id: 'other' });
    const failed = await turn(again.session, 'p'.repeat(100));
    expect(find(failed, 'compaction')).toEqual([]);
    expect(find(failed, 'error')).toMatchObject([{ code: 'overflow' }]);
    expect(find(failed, 'error')[0]!.message).toContain('What cannot be left out');
    expect(again.requests).toHaveLength(1);
  });

  it('stops with the sizes where the fixed parts alone are too much, and asks nobody', async () => {
    const { session, requests } = start([{ text: 'never' }], { contextTokens: 2_048 });
    const events = await turn(session, 'word '.repeat(4_000));
    expect(requests).toEqual([]);
    expect(find(events, 'error')[0]).toMatchObject({ code: 'overflow', retryable: false });
    expect(find(events, 'error')[0]!.message).toMatch(/your prompt \d+/);
    // The prompt that could not be sent is left behind.
    expect(find(await turn(session, 'short'), 'done')[0]).toMatchObject({ finish: 'stop' });
  });

  it('never runs when it is turned off', async () => {
    const { session } = start([...manyFiles(12), { text: 'all read' }], { contextTokens: 8_192, compactAt: 0 });
    expect(find(await turn(session, 'read all files'), 'compaction')).toEqual([]);
    const failing = start([{ fail: tooLong() }], { contextTokens: 8_192, compactAt: 0, id: 'other' });
    const events = await turn(failing.session, 'go');
    expect(find(events, 'error')).toMatchObject([{ code: 'overflow' }]);
    expect(find(events, 'error')[0]!.message).toMatch(/\/compact .*compactAt in the settings/);
    expect(failing.requests).toHaveLength(1);
  });

  it('runs when a person asks, keeps what they name, and then takes what was typed meanwhile', async () => {
    const { session, requests } = start([{ text: LONG }, { text: LONG }, { text: SUMMARY }, { text: 'answer' }], {
      contextTokens: 32_768,
    });
    await turn(session, 'first');
    await turn(session, 'second');
    const done = next(session, 'done', () => {
      expect(session.send({ type: 'compact', keep: 'the branch name' })).toEqual({ ok: true });
      expect(session.send({ type: 'compact' })).toEqual({ ok: false, reason: 'busy' });
      session.send({ type: 'prompt', text: 'typed meanwhile' });
    });
    expect(await done).toMatchObject({ text: 'answer' });
    expect(JSON.stringify(requests[2]!.messages.at(-1))).toContain('the branch name');
    expect(JSON.stringify(requests[3]!.messages.at(-1))).toContain('typed meanwhile');
    expect(readLog(session.file).events.map(({ type }) => type)).toContain('compaction');
  });

  it('keeps to its limit also where going back made the conversation longer again', async () => {
    // A server whose count has less in it than what is sent: what is learned of a short conversation is too little of a long one.
    const countOf = ({ messages }: IRChatRequest) => Math.ceil(JSON.stringify(messages).length / 3.6);
    const counts: number[] = [];
    const answered = (request: IRChatRequest, signal: AbortSignal) => {
      const isSummary = JSON.stringify(request.messages.at(-1)).includes('gets too long for the window');
      const counted = countOf(request);
      if (!isSummary) counts.push(counted);
      return model([{ text: isSummary ? SUMMARY : 'a short answer', counted }]).ask(
        request,
        signal,
        async () => undefined,
      );
    };
    const { session } = start([], { contextTokens: 8_192, ask: answered });
    for (let i = 0; counts.length === 0 || counts.at(-1)! < 5_600; i++)
      await turn(session, `p${i} ${'w '.repeat(360)}`);
    await turn(session, 'small');
    const { seq } = session.state.prompts.at(-1)!;
    for (let i = 0; i < 2; i++) {
      await next(session, 'compaction', () => session.send({ type: 'compact' }));
      await new Promise((resolve) => setImmediate(resolve));
      await turn(session, `after ${i}`);
    }
    expect(counts.at(-1)).toBeLessThan(3_000);
    await next(session, 'rewind', () => session.send({ type: 'rewind', to: seq, what: 'conversation' }));
    await new Promise((resolve) => setImmediate(resolve));
    await turn(session, 'q '.repeat(1_000));
    expect(counts.at(-1)).toBeLessThan(6_144);
  });

  it('leaves all as it was when it is interrupted', async () => {
    const { session } = start([{ text: LONG }, { text: LONG }, { hang: true, text: '## Goal' }], {
      contextTokens: 32_768,
    });
    await turn(session, 'first');
    await turn(session, 'second');
    const before = readLog(session.file).events.length;
    session.send({ type: 'compact' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(session.send({ type: 'abort' })).toEqual({ ok: true });
    await session.close();
    const since = readLog(session.file).events.slice(before);
    expect(since).toMatchObject([{ type: 'notice', text: 'interrupted: nothing was left out' }]);
  });

  it('tells that the server cut the prompt', async () => {
    writeFileSync(join(dir, 'big.txt'), 'a line of text that says little\n'.repeat(900));
    const { session } = start([read('big.txt'), { text: 'ok', counted: 4_096 }], { contextTokens: 131_072 });
    const notices = find(await turn(session, 'read it'), 'notice');
    expect(notices.map(({ text }) => text).join()).toContain('it seems to have cut it');
  });
});

describe('a window that turns out to be a small one', () => {
  const asksForSummary = (request: IRChatRequest) => JSON.stringify(request).includes('gets too long for the window');
  const sizeOf = ({ messages, tools }: IRChatRequest) =>
    messages.reduce((sum, message) => sum + charactersOf(message), JSON.stringify(tools).length) / 4;
  const lost = (events: readonly Event[]) =>
    find(events, 'notice').filter(({ text }) => text.includes('do not reach the model'));

  /** Three files are read; the server holds 2,048 tokens of the 16,384 that were asked for, which is noticed. */
  async function threeReads(then: readonly Said[], compactAt?: number) {
    const script = manyFiles(3, 1).map((said, i): Said => ({ ...said, counted: [810, 1_710, 2_048][i] }));
    for (let i = 0; i < 3; i++) writeFileSync(join(dir, `f${i}.txt`), `file ${i}: text\n`.repeat(300).slice(0, 3_590));
    const started = start([...script, { text: 'All read.', counted: 2_048 }, ...then], {
      contextTokens: 16_384,
      ...(compactAt !== undefined && { compactAt }),
    });
    const events = await turn(started.session, 'Read the files.');
    expect(find(events, 'notice').flatMap(({ cut }) => cut?.tokens ?? [])).toEqual([2_048]);
    expect(started.session.window().window).toBe(2_048);
    return { ...started, events, before: started.requests.length };
  }

  it('gets what it holds from then on, and its summaries do not grow', async () => {
    const answers = Array.from({ length: 60 }, (_, i): Said => ({ text: `Answer ${i}. ${'a'.repeat(300)}` }));
    const { session, requests, before } = await threeReads(answers);
    const summaries: number[] = [];
    for (let i = 0; i < 16; i++) {
      const events = await turn(session, `Question ${i}: ${'q'.repeat(200)}`);
      expect(find(events, 'error')).toEqual([]);
      expect(lost(events)).toEqual([]);
      summaries.push(...find(events, 'compaction').flatMap(({ summary }) => (summary ? [summary.length] : [])));
      expect(JSON.stringify(requests.at(-1)!.messages)).toContain(`Question ${i}`);
    }
    for (const request of requests.slice(before)) expect(sizeOf(request)).toBeLessThanOrEqual(2_048);
    expect(summaries.length).toBeGreaterThan(1);
    expect(Math.max(...summaries)).toBeLessThan(1_500);
    const notes = requests
      .at(-1)!
      .messages.filter((one) => JSON.stringify(one).includes('Older messages were left out'));
    expect(notes).toHaveLength(1);
  });

  it('is asked for no summary that it cannot read', async () => {
    const { session, requests, events: first } = await threeReads([{ text: 'Over.', counted: 1_500 }]);
    const events = await turn(session, 'What did they say?');
    expect(find([...first, ...events], 'compaction').length).toBeGreaterThan(0);
    expect(lost([...first, ...events])).toEqual([]);
    expect(requests.some(asksForSummary)).toBe(false);
    expect(find(events, 'done')).toMatchObject([{ finish: 'stop', text: 'Over.' }]);
  });

  it('is told once a turn what does not reach the model, where room is never made', async () => {
    const more = [read('a.txt'), { text: 'Over.' }].map((said): Said => ({ ...said, counted: 2_048 }));
    const { session } = await threeReads(more, 0);
    const events = await turn(session, 'Go on.');
    expect(lost(events)).toMatchObject([{ level: 'warning' }]);
    expect(lost(events)[0]!.text).toMatch(/the window holds 2048.*\/compact.*compactAt/);
    expect(find(events, 'compaction')).toEqual([]);
  });

  it('is told the same of a prompt that alone is too large, with the sizes', async () => {
    const { session } = await threeReads(
      [read('a.txt'), { text: 'Over.' }].map((said) => ({ ...said, counted: 2_048 })),
    );
    const events = await turn(session, 'word '.repeat(2_000));
    expect(lost(events)).toHaveLength(1);
    expect(lost(events)[0]!.text).toMatch(/your prompt \d{4}/);
    expect(find(events, 'done')).toMatchObject([{ finish: 'stop', text: 'Over.' }]);
  });
});

describe('a model in a circle', () => {
  it('is told once, and then the turn ends with the reason', async () => {
    const { session, requests } = start([read('a.txt')]);
    const events = await turn(session, 'go');
    expect(find(events, 'note')).toHaveLength(1);
    expect(find(events, 'done')[0]).toMatchObject({ finish: 'limit' });
    expect(find(events, 'notice').at(-1)!.text).toContain('the same calls 5 times');
    expect(requests).toHaveLength(5);
    expect(JSON.stringify(requests[3]!.messages.at(-1))).toContain('Do not repeat it');
  });

  it('may look again at what changes', async () => {
    const polls = Array.from(
      { length: 8 },
      (): Said => ({ calls: [['bash', { command: 'echo x >> log; wc -l < log' }]] }),
    );
    const { session } = start([...polls, { text: 'eight lines' }]);
    expect(find(await turn(session, 'wait for it'), 'done')[0]).toMatchObject({ text: 'eight lines', finish: 'stop' });
  });

  it('is asked once more with other sampling when it says the same over and over', async () => {
    const loop = 'I will check the file again, to be sure of what it says. '.repeat(200);
    const { session, requests } = start([{ text: loop }, { text: 'Here it is.' }]);
    const events = await turn(session, 'go');
    expect(find(events, 'retry')).toMatchObject([{ discard: true }]);
    expect(find(events, 'done')[0]).toMatchObject({ text: 'Here it is.', finish: 'stop' });
    expect(requests[1]!.parameters).toMatchObject({ temperature: 1 });
    expect(requests[1]!.messages).toEqual(requests[0]!.messages);

    const stubborn = start([{ text: loop }], { id: 'other' });
    expect(find(await turn(stubborn.session, 'go'), 'done')[0]).toMatchObject({ finish: 'limit' });
    expect(stubborn.requests).toHaveLength(2);
  });
});
