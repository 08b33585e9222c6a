/** The window of a local model: asked for once, the same for every request, and never cut without a word. */
import { describe, expect, it } from 'vitest';
import type { Script, ScriptedUsage } from '../fakes/script.ts';
import { doneOf, find, type StartOptions, server, start, turn, write } from './local-session.ts';

const numCtx = () => server.chats().map(({ body }) => body.options?.num_ctx);
const SUMMARY =
  '## Goal\nRead.\n## Decisions\nNone so far.\n## Done\nRead some files.\n## Next step\nRead the rest of them.';
/** Reads that many files of 400 lines, then ends. */
function reading(files: number, more: Partial<Script> = {}): Script {
  for (let n = 1; n <= files; n++) write(`f${n}.txt`, `file ${n}, a line of text that says little\n`.repeat(150));
  return {
    turns: (results) =>
      results < files
        ? { calls: [{ name: 'read_file', input: { path: `f${results + 1}.txt` } }] }
        : { text: 'All read.' },
    ...more,
  };
}

describe('num_ctx', () => {
  it('is sent with every request, and stays: the model is loaded once', async () => {
    server.set({ turns: [{ calls: [{ name: 'read_file', input: { path: 'a.txt' } }] }, { text: 'Read.' }] });
    const ada = await start();
    for (const prompt of ['First.', `Second. ${'word '.repeat(2_000)}`, 'Third.']) await turn(ada, prompt);
    expect(new Set(numCtx())).toEqual(new Set([ada.model.contextTokens]));
    expect(ada.model.contextTokens! % 8_192).toBe(0);
    expect(server.chats().every(({ body }) => body.keep_alive === '30m')).toBe(true);
  });

  it('is the same for a summary, and in the next process', async () => {
    const settings = { ollama: { contextTokens: 8_192, keepAlive: '2h' } };
    server.set({ turns: (results) => (results ? { text: SUMMARY } : { text: `Answer. ${SUMMARY}` }) });
    const ada = await start({ settings });
    await turn(ada, 'word '.repeat(3_000));
    await turn(ada, 'word '.repeat(1_500));
    await turn(ada, 'word '.repeat(1_500));
    expect(server.chats().some(({ text }) => text.includes('## Next step') && text.includes('summar'))).toBe(true);
    await ada.session.close();
    // What the settings say now is no reason to load the model anew in the middle of a conversation.
    const again = await start({ settings: { ollama: { contextTokens: 16_384 } }, resume: 'latest' });
    await turn(again, 'Go on.');
    expect(new Set(numCtx())).toEqual(new Set([8_192]));
    expect(server.chats()[0]!.body.keep_alive).toBe('2h');
  });
});

describe('a server that cuts', () => {
  it('never gets more than it was asked to hold: older results are left out first', async () => {
    server.set(reading(12, { cutsLongPrompts: true }));
    const events = await turn(await start({ settings: { ollama: { contextTokens: 8_192 } } }), 'Read all files.');
    expect(find(events, 'compaction').length).toBeGreaterThan(0);
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text: 'All read.' });
    for (const { text, status } of server.chats()) {
      expect(status).toBe(200);
      expect(text).toContain('Read all files.');
      expect(Buffer.byteLength(text) / 4).toBeLessThanOrEqual(8_192);
    }
  });

  it('a prompt that cannot fit is not sent; the sizes and the remedy are told', async () => {
    server.set({ turns: [{ text: 'Never.' }], cutsLongPrompts: true });
    const events = await turn(await start({ settings: { ollama: { contextTokens: 4_096 } } }), 'word '.repeat(6_000));
    expect(server.chats()).toEqual([]);
    expect(find(events, 'error')).toMatchObject([
      {
        code: 'overflow',
        message: expect.stringMatching(/needs about \d+ tokens and the window holds 4096.*ollama\.contextTokens/),
      },
    ]);
  });

  it('and then finds no prompt any more, says so in other words: room is made, no bare 500 is shown', async () => {
    server.set(reading(5, { cutsLongPrompts: true }));
    const events = await turn(await start({ wire: 'lmstudio' }), 'Read all files.');
    expect(server.chats().map(({ status }) => status)).toContain(500);
    expect(find(events, 'compaction').length).toBeGreaterThan(0);
    expect(find(events, 'retry')).toEqual([]);
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text: 'All read.' });
  });

  it('is noticed where nobody can name a window, and then room is made in what is left', async () => {
    server.set({ turns: [{ text: `Noted. ${SUMMARY}` }], cutsLongPrompts: true });
    const ada = await start({ wire: 'lmstudio' });
    const events = [];
    for (let n = 1; n <= 12; n++)
      events.push(...(await turn(ada, `Prompt ${n}. ${`part ${n} of a long text. `.repeat(80)}`)));
    const told = find(events, 'notice').filter(({ text }) => text.includes('seems to have cut it'));
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]!.level).toBe('warning');
    expect(find(events.slice(events.indexOf(told[0]!)), 'compaction').length).toBeGreaterThan(0);
    expect(doneOf(events)).toMatchObject({ finish: 'stop' });
    // From then on the server gets no more than it holds.
    expect(Buffer.byteLength(server.chats().at(-1)!.text) / 4).toBeLessThan(4_096);
  });
});

it('a slow start is no failure: the answer is waited for', async () => {
  server.set({ turns: [{ text: 'Here.', firstByteMs: 700 }] });
  const events = await turn(await start());
  expect(find(events, 'retry')).toEqual([]);
  expect(doneOf(events)).toMatchObject({ text: 'Here.' });
});

describe('the whole prompt is counted', () => {
  it.each<[NonNullable<StartOptions['wire']>, ScriptedUsage]>([
    ['ollama', { input: 1_050, output: 10 }],
    ['openai-chat', { input: 1_050, output: 10, cacheRead: 900 }],
    // This format tells what was cached apart from the rest.
    ['anthropic', { input: 100, output: 10, cacheRead: 900, cacheWrite: 50 }],
  ])('%s', async (wire, usage) => {
    server.set({ turns: [{ text: 'Here.', usage }] });
    const [message] = find(await turn(await start({ wire })), 'assistant');
    expect(message!.usage).toMatchObject({ input: 1_050, output: 10, cacheRead: usage.cacheRead ?? null });
  });
});
