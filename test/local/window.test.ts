/** The window of a local model: asked for once, the same for every request, and never cut without a word. */
import { describe, expect, it } from 'vitest';
import { defaultModel, type Script, type ScriptedUsage } from '../fakes/script.ts';
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
    // A smaller window in the settings is no reason to load the model anew in the middle of a conversation.
    const again = await start({ settings: { ollama: { contextTokens: 4_096 } }, resume: 'latest' });
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

  it('nobody is told to serve more than the model was made for', async () => {
    const words = async (contextTokens: number) => {
      server.set({ turns: [{ text: 'Never.' }], models: [{ ...defaultModel, contextTokens }] });
      const ada = await start({ settings: { ollama: { contextTokens: 4_096 } } });
      return find(await turn(ada, 'word '.repeat(6_000)), 'error')[0]!.message;
    };
    expect(await words(4_096)).toMatch(/the window holds 4096.*\/model/);
    expect(await words(4_096)).not.toContain('ollama.contextTokens');
    expect(await words(8_192)).toContain('ollama.contextTokens');
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

describe('a server that cuts at a window of its own, whatever it is asked for', () => {
  const settings = { ollama: { contextTokens: 8_192 } };
  /** One prompt in a process of its own. */
  async function once(n: number, more: StartOptions = {}) {
    const ada = await start({ settings, ...(n > 1 && { resume: 'latest' }), ...more });
    const events = await turn(ada, `Prompt ${n}. ${`part ${n} of a long text. `.repeat(60)}`);
    await ada.session.close();
    return { events, window: ada.session.window().window };
  }

  it('is noticed once through many processes, and from then on gets what it holds', async () => {
    server.set({ turns: [{ text: `Noted. ${SUMMARY}` }], cutsLongPrompts: { window: 2_048 } });
    const runs = [];
    for (let n = 1; n <= 8; n++) runs.push(await once(n));
    const told = runs.flatMap(({ events }, n) =>
      find(events, 'notice').flatMap(({ text, cut }) => (text.includes('seems to have cut it') ? [{ n, cut }] : [])),
    );
    expect(told).toHaveLength(1);
    expect(told[0]!.n).toBeLessThan(5);
    expect(told[0]!.cut).toEqual({ tokens: expect.any(Number), asked: 8_192 });
    const later = runs.slice(told[0]!.n + 1);
    expect(later.flatMap(({ events }) => find(events, 'compaction')).length).toBeGreaterThan(0);
    expect(find(later[0]!.events, 'compaction')).toHaveLength(1);
    for (const { window } of later) {
      expect(window).toBeGreaterThanOrEqual(told[0]!.cut!.tokens);
      expect(window).toBeLessThanOrEqual(2_048);
    }
    expect(later.every(({ events }) => doneOf(events).finish === 'stop')).toBe(true);
    expect(Buffer.byteLength(server.chats().at(-1)!.text) / 4).toBeLessThan(2_300);
  });

  it('is what it was once another model answers', async () => {
    const models = ['one:8b', 'two:8b'].map((name) => ({ name, contextTokens: 32_768 }));
    server.set({ models, turns: [{ text: `Noted. ${SUMMARY}` }], cutsLongPrompts: { window: 2_048 } });
    for (let n = 1; n <= 5; n++) await once(n, { model: 'one:8b' });
    const { window } = await once(6, { model: 'one:8b' });
    expect(window).toBeLessThanOrEqual(2_048);
    server.set({ models, turns: [{ text: 'Here.' }] });
    expect((await once(7, { model: 'two:8b' })).window).toBe(8_192);
  });

  it('refuses no prompt by a window that was only guessed: it is told, and goes on', async () => {
    server.set({ turns: [{ text: `Noted. ${SUMMARY}` }], cutsLongPrompts: { window: 2_048 } });
    const ada = await start({ settings });
    for (let n = 1; n <= 2; n++) await turn(ada, 'word '.repeat(1_500));
    const events = await turn(ada, 'word '.repeat(1_500));
    expect(find(events, 'error')).toEqual([]);
    expect(doneOf(events).finish).toBe('stop');
    expect(find(events, 'notice').some(({ text }) => text.includes('the window holds 2048'))).toBe(true);
    // The server has been given more meanwhile.
    server.set({ turns: [{ text: `Noted. ${SUMMARY}` }] });
    const better = await turn(ada, 'word '.repeat(1_500));
    expect(find(better, 'notice').map(({ cut }) => cut)).toContain(null);
    expect(ada.session.window().window).toBe(8_192);
  });
});

describe('an answer that is cut', () => {
  const cut = async (usage: ScriptedUsage | null, finish = 'length') => {
    server.set({ turns: [{ text: 'So far', finish: finish as 'length', usage }] });
    const events = await turn(await start({ settings: { ollama: { contextTokens: 8_192 } } }));
    expect(doneOf(events)).toMatchObject({ finish: finish === 'length' ? 'limit' : 'stop' });
    return find(events, 'notice').map(({ text }) => text);
  };

  it('by the end of the window says so, with the remedies', async () => {
    for (const output of [7_480, 7_481]) {
      const [text, ...more] = await cut({ input: 711, output });
      expect(text).toMatch(/^the window of 8192 tokens was full .*711 .*; the answer is cut/);
      expect(text).toMatch(/\/compact.*larger window.*ollama\.contextTokens/);
      expect(more).toEqual([]);
    }
  });

  it('else says that it is the limit of the answer', async () => {
    expect(await cut({ input: 711, output: 4_096 })).toEqual(['the model reached its output limit; the answer is cut']);
    expect(await cut(null)).toEqual(['the model reached its output limit; the answer is cut']);
    expect(await cut({ input: 711, output: 7_480 }, 'stop')).toEqual([]);
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
