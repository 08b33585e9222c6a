import { describe, expect, it } from 'vitest';
import type { PullStep } from '../../../app/pull-progress.ts';
import { StartError } from '../../../app/start-error.ts';
import { PlainFirstRun, type PlainFirstRunOptions } from '../../../app/tui/plain-first-run.ts';

const missing = (answered = true, size = 1.4e9) =>
  new StartError('no model', 3, {
    ollama: { url: 'http://127.0.0.1:11434', answered, models: [] },
    suggestion: { id: 'qwen3:4b', size, reason: 'fits' },
    backend: null,
    offline: false,
  });

const step = (completed: number, status = 'pulling'): PullStep => ({ status, completed, total: 1e9 });

/** A first run at a server that sends these steps, one every 250 ms. */
function firstRun(
  steps: (signal: AbortSignal | undefined) => AsyncGenerator<PullStep, void, undefined>,
  more: Partial<PlainFirstRunOptions> = {},
) {
  const said: string[] = [];
  const done: string[] = [];
  let now = 0;
  const run = new PlainFirstRun({
    models: async () => ({
      pull: (_name: string, signal?: AbortSignal) => steps(signal),
      close: () => done.push('closed'),
    }),
    say: (...lines) => said.push(...lines),
    demonstrate: async () => void done.push('demonstration'),
    compose: async (model) => void done.push(`compose ${model ?? ''}`),
    leave: () => done.push('left'),
    look: async () => undefined,
    free: () => null,
    lookMs: 3_600_000,
    now: () => {
      now += 250;
      return now;
    },
    ...more,
  });
  return { run, said, done };
}
const nothing = async function* (): AsyncGenerator<PullStep, void, undefined> {};

it('offers by number what the screen offers', async () => {
  const { run, said, done } = firstRun(nothing);
  run.open(missing());
  expect(said[0]).toContain('ada looked for');
  expect(said.slice(1)).toEqual([
    '1: Get qwen3:4b (1.4 GB): the Ollama server fetches it; /stop stops it, and what has come is kept',
    '2: Watch the demonstration: a recorded model repairs a real bug in a sample project; you approve each step',
    '3: Look again: at once',
    '4: Leave',
    'A number chooses.',
  ]);
  expect(await run.take('mend it')).toBe(false);
  expect(await run.take('9')).toBe(false);
  expect(run.isChoosing).toBe(true);
  for (const [line, what] of [
    ['2', 'demonstration'],
    ['3', 'compose '],
    ['4', 'left'],
    ['q', 'left'],
  ] as const) {
    run.open(missing());
    expect(await run.take(line)).toBe(true);
    expect(done.at(-1)).toBe(what);
    expect(run.isChoosing).toBe(false);
  }
});

it('offers to get a model only where a server answers', () => {
  const { run, said } = firstRun(nothing);
  run.open(missing(false));
  expect(said.join('\n')).not.toContain('Get qwen3');
  expect(said).toContain(
    '1: Watch the demonstration: a recorded model repairs a real bug in a sample project; you approve each step',
  );
});

it('tells a pull in at most one line a second, and starts with the model', async () => {
  const { run, said, done } = firstRun(async function* () {
    for (let part = 0; part <= 40; part++) yield step(part * 2.5e7);
  });
  run.open(missing());
  const before = said.length;
  await run.take('1');
  const lines = said.slice(before);
  expect(lines[0]).toBe('getting qwen3:4b; /stop stops it, and what has come is kept');
  expect(lines.at(-1)).toBe('qwen3:4b is there');
  // 41 steps in ten seconds.
  expect(lines.length - 2).toBeLessThanOrEqual(11);
  expect(lines[2]).toMatch(/^100 MB of 1\.0 GB · 10 % · 100 MB\/s · 9 s left$/);
  expect(done).toEqual(['closed', 'compose ollama/qwen3:4b']);
});

it('stops on request, and offers the same again', async () => {
  const { run, said, done } = firstRun(async function* (signal) {
    yield step(1e8);
    await new Promise((_, reject) => signal!.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  run.open(missing());
  expect(run.stop()).toBe(false);
  const ended = run.take('1');
  while (!said.at(-1)!.includes('10 %')) await new Promise((resolve) => setImmediate(resolve));
  expect([run.isPulling, run.isChoosing]).toEqual([true, false]);
  expect(run.stop()).toBe(true);
  expect(await ended).toBe(true);
  expect(said).toContain('stopped; getting qwen3:4b again goes on where it was');
  expect([run.isPulling, run.isChoosing]).toEqual([false, true]);
  expect(done).toEqual(['closed']);
});

it("says why a model could not be got, in the server's words", async () => {
  const { run, said } = firstRun(async function* () {
    yield step(0, 'pulling manifest');
    throw new Error('no space left on device');
  });
  run.open(missing());
  await run.take('g');
  expect(said).toContain('qwen3:4b was not got: no space left on device');
  expect(run.isChoosing).toBe(true);
});

const large = () => missing(true, 14e9);

it.each([
  ['a large download', large, null, 'qwen3:4b is 14.0 GB to download.', '14.0 GB'],
  [
    'one that the disk has no room for',
    missing,
    1e9,
    'qwen3:4b is 1.4 GB to download. 1.0 GB are free on its disk: that is too little.',
    '1.4 GB',
  ],
])('asks once more about %s', async (_, why, free, question, size) => {
  const { run, said, done } = firstRun(nothing, { free: () => free });
  run.open(why());
  const before = said.length;
  expect(await run.take('1')).toBe(true);
  expect(said.slice(before)).toEqual([question, `y: Yes, download ${size} · n: no, nothing is downloaded`]);
  expect([run.isPulling, done]).toEqual([false, []]);
  expect(await run.take('n')).toBe(true);
  expect(said.at(-1)).toBe('A number chooses.');
  // A yes to nothing is none.
  expect(await run.take('y')).toBe(false);
  await run.take('g');
  // Another line is no answer either.
  expect(await run.take('mend it')).toBe(false);
  expect(await run.take('y')).toBe(false);
  await run.take('1');
  await run.take('y');
  expect(done).toEqual(['closed', 'compose ollama/qwen3:4b']);
  // Once is enough.
  run.open(why());
  await run.take('1');
  expect(done).toHaveLength(4);
});

describe('looking by itself', () => {
  const soon = () => new Promise((resolve) => setTimeout(resolve, 30));

  it('says nothing while nothing has changed, and what is new', async () => {
    let looks = 0;
    let now = missing(false);
    const { run, said } = firstRun(nothing, {
      lookMs: 5,
      look: async () => {
        looks++;
        return now;
      },
    });
    run.open(missing(false));
    const before = said.length;
    while (looks < 3) await soon();
    expect(said.length).toBe(before);
    now = missing();
    while (said.length === before) await soon();
    expect(said.slice(before).join('\n')).toContain('Get qwen3:4b');
    run.close();
    const after = looks;
    await soon();
    expect(looks).toBeLessThanOrEqual(after + 1);
  });

  it('a choice waits for the look that is under way, and is none where that made a session', async () => {
    let found: () => void = () => {};
    const { run, done } = firstRun(nothing, {
      lookMs: 5,
      look: () =>
        new Promise((resolve) => {
          found = () => {
            run.close();
            resolve(undefined);
          };
        }),
    });
    run.open(missing());
    await soon();
    const chosen = run.take('2');
    found();
    expect(await chosen).toBe(true);
    expect([run.isChoosing, done]).toEqual([false, []]);
  });

  it('what goes wrong with it is not told', async () => {
    let looks = 0;
    const { run, said } = firstRun(nothing, { lookMs: 5, look: () => Promise.reject(new Error(`broken ${looks++}`)) });
    run.open(missing());
    const before = said.length;
    while (looks < 3) await soon();
    expect([said.length, run.isChoosing]).toEqual([before, true]);
    run.close();
  });
});
