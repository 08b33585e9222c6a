/** A conversation at a real terminal: typing, pasting, approvals, steering, scrolling, resizing, leaving. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import type { Script } from '../../fakes/script.ts';
import { makePlace, type Place, typesOf, wireEnv } from '../ada.ts';
import { Eye, type EyeOptions, KEYS, UNTOUCHED } from './eye.ts';

let server: ModelServer;
let place: Place;
let eye: Eye | undefined;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace({ 'notes.txt': 'one\n' });
});
afterEach(async () => {
  await eye?.close();
  eye = undefined;
  place.dispose();
});

const READY = /test-model\S* +● local/;

async function open(script: Script, options: Partial<EyeOptions> = {}): Promise<Eye> {
  server.set(script);
  eye = await Eye.open({ place, env: wireEnv('ollama', server.url), ...options });
  await eye.until(READY, 'the model in the status line');
  return eye;
}

async function leave(seen: Eye): Promise<void> {
  await seen.keys(KEYS.ctrlC, KEYS.ctrlC);
  await seen.until('[exit 0]');
}

const write = { name: 'write_file', input: { path: 'made.txt', content: 'first\nsecond\n' } };

describe('the composer', () => {
  it('shows what is typed, sends it on Enter, and shows the answer', async () => {
    const seen = await open({ turns: [{ text: 'Hello, person.' }] });
    seen.press('say hi');
    await seen.until('say hi');
    seen.press(KEYS.enter);
    await seen.until('Hello, person.');
    expect(server.chats()).toHaveLength(1);
    await leave(seen);
    expect(seen.screen).toMatch(/ada -r \S+/);
    expect(seen.state).toEqual(UNTOUCHED);
    expect(typesOf(place.log())).toEqual(['session', 'user', 'assistant', 'done']);
  });

  it('runs a command of the person, shows what it says, and tells the model', async () => {
    const seen = await open({ turns: [{ text: 'I see it.' }] });
    seen.press('!cat notes.txt && echo $((40 + 2))');
    await seen.keys(KEYS.enter);
    await seen.until(/\n\s*42\s*\n/);
    seen.press('what was that?');
    await seen.keys(KEYS.enter);
    await seen.until('I see it.');
    expect(JSON.stringify(server.chats()[0])).toContain('$ cat notes.txt && echo $((40 + 2))\\\\none\\\\n42');
    expect(place.log().map(({ type }) => type)).not.toContain('approval_request');
    await leave(seen);
  });

  it('takes a paste with line ends as text and sends nothing', async () => {
    const seen = await open({ turns: [{ text: 'Read.' }] });
    seen.press(KEYS.paste('first line\nsecond line\n'), 'and typed');
    await seen.until(/first line\n +second line\n +and typed/);
    expect(server.chats()).toHaveLength(0);
    seen.press(KEYS.enter);
    await seen.until('Read.');
    const [prompt] = place.log().filter((event) => event.type === 'user');
    expect(prompt?.text).toBe('first line\nsecond line\nand typed');
  });

  it('keeps the cursor right behind wide and joined characters', async () => {
    const seen = await open({ turns: [{ text: 'Fine.' }] });
    const before = seen.cursor;
    seen.press('日本語é👩‍👩‍👧x');
    await seen.until(/日本語é/);
    await seen.until(({ cursor }) => cursor.column === before.column + 6 + 1 + 2 + 1, 'the cursor behind ten cells');
  });

  it('keeps an unsent draft for the next start of the conversation', async () => {
    const seen = await open({ turns: [{ text: 'Noted.' }] });
    seen.press('remember', KEYS.enter);
    await seen.until('Noted.');
    seen.press('half a thou');
    await seen.until('half a thou');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    // Nothing can be saved any more.
    process.kill(seen.program, 'SIGKILL');
    await seen.until('[exit 137]');
    await seen.close();
    const again = await open({ turns: [{ text: 'Noted.' }] }, { args: ['-c'] });
    await again.until('half a thou');
    await again.until('remember');
  });
});

it('a draft before the first prompt can be gone on with', async () => {
  const seen = await open({ turns: [] });
  seen.press('/');
  await seen.until('/help');
  seen.press('\x7f', 'not yet said');
  await seen.until('not yet said');
  process.kill(seen.program, 'SIGTERM');
  await seen.until('[exit 143]');
  expect(seen.screen).toMatch(/draft: ada -r \S+/);
  await seen.close();
  const again = await open({ turns: [] }, { args: ['-c'] });
  await again.until('not yet said');
});

describe('an approval', () => {
  const script: Script = { turns: [{ text: 'I will make it.', calls: [write] }, { text: 'All done.' }] };

  it('shows the change and waits; y makes it', async () => {
    const seen = await open(script);
    seen.press('make it', KEYS.enter);
    await seen.until(/ada wants to edit made\.txt/);
    await seen.until('second');
    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
    await untilTaken(seen, 'y', 'All done.');
    expect(readFileSync(join(place.project, 'made.txt'), 'utf8')).toBe('first\nsecond\n');
  });

  it('is not answered by what was typed before it appeared', async () => {
    const seen = await open(script);
    seen.press('make it', KEYS.enter, 'yyyy');
    await seen.until(/ada wants to edit made\.txt/);
    await seen.until(/› .*yyyy/);
    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
  });

  it('is denied when plan mode comes on', async () => {
    const seen = await open(script);
    seen.press('make it', KEYS.enter);
    await seen.until(/ada wants to edit made\.txt/);
    seen.press(KEYS.shiftTab);
    await seen.until('All done.');
    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
    expect(place.log().find((event) => event.type === 'approval')).toMatchObject({ decision: 'no' });
  });

  it('n gives the model a reason', async () => {
    const seen = await open(script);
    seen.press('make it', KEYS.enter);
    await seen.until(/ada wants to edit made\.txt/);
    await untilTaken(seen, 'n', 'no, because:');
    seen.press('not in this folder', KEYS.enter);
    await seen.until('All done.');
    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
    const answer = place.log().find((event) => event.type === 'approval');
    expect(answer).toMatchObject({ decision: 'no', by: 'user', reason: 'not in this folder' });
  });

  it('a allows it and what comes after, and shows the mode', async () => {
    const second = { name: 'write_file', input: { path: 'other.txt', content: 'x\n' } };
    const seen = await open({ turns: [{ calls: [write] }, { calls: [second] }, { text: 'All done.' }] });
    seen.press('make both', KEYS.enter);
    await seen.until(/ada wants to edit made\.txt/);
    await untilTaken(seen, 'a', 'All done.');
    await seen.until(/● local +auto/);
    expect(existsSync(join(place.project, 'other.txt'))).toBe(true);
  });

  it('waiting when the program is told to end is denied, and nothing is changed', async () => {
    const seen = await open(script);
    seen.press('make it', KEYS.enter);
    await seen.until(/ada wants to edit made\.txt/);
    process.kill(seen.program, 'SIGTERM');
    await seen.until('[exit 143]');
    expect(seen.state).toEqual(UNTOUCHED);
    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
    expect(
      place
        .log()
        .slice(-3)
        .map(({ type }) => type),
    ).toEqual(['approval', 'tool_result', 'done']);
  });

  it('r saves the rule, and the next conversation does not ask', async () => {
    const call = { name: 'bash', input: { command: 'touch made.txt' } };
    const shell: Script = { turns: [{ calls: [call] }, { text: 'All done.' }] };
    const seen = await open(shell);
    seen.press('make it', KEYS.enter);
    await seen.until('ada wants to run a shell command');
    await seen.until('touch made.txt');
    await untilTaken(seen, 'r', 'All done.');
    expect(place.log().find((event) => event.type === 'approval')).toMatchObject({ decision: 'yes', scope: 'project' });
    await leave(seen);
    await seen.close();
    const again = await open(shell);
    again.press('make it', KEYS.enter);
    await again.until('All done.');
  });
});

/** Presses an answer until it is taken: for a moment after it appears an approval takes none. */
async function untilTaken(seen: Eye, key: string, wanted: string | RegExp): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 350));
  seen.press(key);
  await seen.until(wanted);
}

describe('a running turn', () => {
  const slow: Script = {
    turns: [
      { pieces: Array.from({ length: 200 }, (_, index) => `line ${index}\n\n`), delayMs: 8 },
      { text: 'Steered.' },
    ],
  };

  it('is steered by Enter, and scrolls while it streams', async () => {
    const seen = await open({
      turns: [{ text: 'Looking.', calls: [{ name: 'ls', input: {} }], delayMs: 300 }, { text: 'Understood.' }],
    });
    seen.press('go', KEYS.enter);
    await seen.until(/waiting for the model|writing/);
    seen.press('in French please', KEYS.enter);
    await seen.until('Understood.');
    expect(
      place.log().some((event) => event.type === 'user' && event.steered && event.text === 'in French please'),
    ).toBe(true);
  });

  it('can be read while it goes on, and is followed again at its end', async () => {
    const seen = await open(slow);
    seen.press('go', KEYS.enter);
    await seen.until(/line [3-9]\d/);
    seen.press(KEYS.pageUp);
    await seen.until('more below');
    const top = () => seen.rows[0];
    const held = top();
    const written = seen.raw.length;
    await seen.until(({ raw }) => raw.length > written + 200, 'the stream going on');
    expect(top()).toBe(held);
    seen.press(KEYS.end);
    await seen.until('line 199');
    await seen.until(({ screen }) => !screen.includes('more below'), 'following again');
  });

  it('is interrupted by Esc and leaves the rest usable', async () => {
    const seen = await open(slow);
    seen.press('go', KEYS.enter);
    await seen.until(/line \d\d/);
    seen.press(KEYS.escape);
    await seen.until('interrupted');
    server.set({ turns: [{ text: 'Still here.' }] });
    seen.press('and now', KEYS.enter);
    await seen.until('Still here.');
    await leave(seen);
  });

  it('gives back what it was told and did not take, when Esc is quicker', async () => {
    const seen = await open(slow);
    seen.press('go', KEYS.enter);
    await seen.until(/line \d\d/);
    seen.press('in French please', KEYS.enter);
    await seen.until('↳ next: in French please');
    seen.press(KEYS.escape);
    await seen.until('interrupted');
    await seen.until('› in French please');
    expect(place.log().filter((event) => event.type === 'user')).toHaveLength(1);
    server.set({ turns: [{ text: 'En français.' }] });
    seen.press(KEYS.enter);
    await seen.until('En français.');
    expect(place.log().filter((event) => event.type === 'user')).toHaveLength(2);
  });

  it('can be resized at any moment', async () => {
    const seen = await open(slow);
    seen.press('go', KEYS.enter);
    await seen.until(/line \d\d/);
    for (const [columns, rows] of [
      [60, 12],
      [200, 50],
      [21, 7],
      [10, 4],
      [100, 30],
    ] as const) {
      seen.resize(columns, rows);
      await seen.until(({ rows: lines }) => lines.length === rows);
    }
    await seen.until('line 199');
    await seen.until(READY);
  });
});

describe('the command line', () => {
  it('may bring the first prompt', async () => {
    const seen = await open({ turns: [{ text: 'Straight away.' }] }, { args: ['say it', '--mode', 'plan'] });
    await seen.until('Straight away.');
    await seen.until(/● local +plan/);
  });

  it('--resume without an id lets the person choose', async () => {
    for (const text of ['first words', 'second words']) {
      const seen = await open({ turns: [{ text: 'Yes.' }] });
      seen.press(text, KEYS.enter);
      await seen.until('Yes.');
      await leave(seen);
      await seen.close();
    }
    eye = await Eye.open({ place, env: wireEnv('ollama', server.url), args: ['-r'] });
    const seen = eye;
    await seen.until(/second words[\s\S]*first words/);
    await seen.keys('first', KEYS.enter);
    await seen.until(/▌ first words/);
    expect(seen.screen).not.toContain('second words');
    await seen.until(READY);
  });

  it('flags of --print are refused, and the terminal is untouched', async () => {
    eye = await Eye.open({ place, args: ['--output-format', 'json'] });
    await eye.until('[exit 2]');
    expect(eye.screen).toContain('--output-format needs --print');
    expect(eye.raw).not.toContain('\x1b[?1049h');
  });
});

describe('earlier conversations', () => {
  it('give their prompts to the arrow keys and the search', async () => {
    for (const text of ['explain the parser', 'write the tests']) {
      const seen = await open({ turns: [{ text: 'Yes.' }] });
      seen.press(text, KEYS.enter);
      await seen.until('Yes.');
      await leave(seen);
      await seen.close();
    }
    const seen = await open({ turns: [{ text: 'Yes.' }] });
    await seen.keys(KEYS.up);
    await seen.until('› write the tests');
    await seen.keys(KEYS.up);
    await seen.until('› explain the parser');
    await seen.keys(KEYS.ctrlC, KEYS.ctrlR, 'wri', 'te');
    await seen.until(/search: write[\s\S]*write the tests/);
    await seen.keys(KEYS.enter);
    await seen.until('› write the tests');
    expect(server.chats()).toHaveLength(0);
  });
});

describe('the settings of a project', () => {
  const settings = () => {
    mkdirSync(join(place.project, '.ada'));
    writeFileSync(join(place.project, '.ada/settings.json'), '{"mode":"plan"}');
  };
  const asked = async (): Promise<Eye> => {
    server.set({ turns: [] });
    eye = await Eye.open({ place, env: wireEnv('ollama', server.url) });
    await eye.until('Trust this folder?');
    // For a moment it takes no key, as an approval does.
    await new Promise((resolve) => setTimeout(resolve, 350));
    return eye;
  };

  it('are used after a yes, which is asked for once', async () => {
    settings();
    const seen = await asked();
    await seen.keys(KEYS.down, KEYS.down, KEYS.enter);
    await seen.until('"mode":"plan"');
    await seen.keys(KEYS.escape);
    await seen.until('Trust this folder?');
    await new Promise((resolve) => setTimeout(resolve, 350));
    seen.press(KEYS.enter);
    await seen.until(/● local +plan/);
    await seen.close();
    const again = await open({ turns: [] });
    await again.until(/● local +plan/);
    expect(again.raw).not.toContain('Trust this folder?');
  });

  it('stay unused after a no, for good, and after Esc until the next start', async () => {
    settings();
    const seen = await asked();
    seen.press(KEYS.escape);
    await seen.until(/● local +ask/);
    await seen.close();
    const second = await asked();
    await second.keys(KEYS.down, KEYS.enter);
    await second.until(/● local +ask/);
    await second.close();
    const third = await open({ turns: [] });
    await third.until(/● local +ask/);
    expect(third.raw).not.toContain('Trust this folder?');
  });
});

describe('slash commands', () => {
  it('switch the mode, show the keys and begin anew', async () => {
    const seen = await open({ turns: [{ text: 'First answer.' }] });
    await seen.keys('/', 'plan', KEYS.enter);
    await seen.until(/● local +plan/);
    await seen.keys('?');
    await seen.until(/interrupt the turn/);
    await seen.keys(KEYS.escape);
    seen.press('one', KEYS.enter);
    await seen.until('First answer.');
    await seen.keys('/clear', KEYS.enter);
    await seen.until(({ screen }) => !screen.includes('First answer.'), 'an empty conversation');
    seen.press('two', KEYS.enter);
    await seen.until('First answer.');
    expect(place.logs()).toHaveLength(2);
    await seen.keys('/resume', KEYS.enter);
    await seen.until(/Go on with/);
    await seen.keys(KEYS.enter);
    await seen.until(/▌ one/);
    await seen.keys('/nonsense', KEYS.enter);
    await seen.until('no command /nonsense');
    await seen.keys('/exit', KEYS.enter);
    await seen.until('[exit 0]');
  });

  it('a conversation without a word leaves no file', async () => {
    const seen = await open({ turns: [] });
    await leave(seen);
    expect(place.logs()).toEqual([]);
    expect(seen.screen).not.toContain('ada -r');
  });
});
