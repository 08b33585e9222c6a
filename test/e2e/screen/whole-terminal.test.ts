/** Whatever way the program ends or stops, the terminal is as it was before. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
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
  place = makePlace();
  server.set({ turns: [{ pieces: Array.from({ length: 500 }, (_, index) => `word${index} `), delayMs: 20 }] });
});
afterEach(async () => {
  await eye?.close();
  eye = undefined;
  place.dispose();
});

const READY = /test-model\S* +● local/;

async function open(options: Partial<EyeOptions> = {}): Promise<Eye> {
  eye = await Eye.open({ place, env: wireEnv('ollama', server.url), ...options });
  return eye;
}

describe.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const)('%s in the middle of an answer', (signal, code) => {
  it('restores the terminal and ends the log', async () => {
    const seen = await open();
    await seen.until(READY);
    seen.press('go', KEYS.enter);
    await seen.until('word5');
    expect(seen.state).toMatchObject({ alternate: true, paste: true, focus: true });
    process.kill(seen.program, signal);
    await seen.until(`[exit ${code}]`);
    expect(seen.state).toEqual(UNTOUCHED);
    expect(typesOf(place.log()).at(-1)).toBe('done');
  });
});

it('a crash restores the terminal, then says what happened', async () => {
  const seen = await open({
    env: {
      ...wireEnv('ollama', server.url),
      NODE_OPTIONS:
        '--import=data:text/javascript,process.on(%22SIGUSR2%22,()=>{throw%20new%20Error(%22the%20roof%20fell%20in%22)})',
    },
  });
  await seen.until(READY);
  seen.press('go', KEYS.enter);
  await seen.until('word5');
  process.kill(seen.program, 'SIGUSR2');
  await seen.until('[exit 1]');
  expect(seen.state).toEqual(UNTOUCHED);
  expect(seen.screen).toContain('ada: the roof fell in');
});

it('Ctrl+Z stops it for the shell, and fg brings the screen back', async () => {
  const seen = await open({ shell: true });
  await seen.until(/^\$/m, 'the prompt of the shell');
  // The shell's own line editor uses bracketed paste too.
  seen.press("bind 'set enable-bracketed-paste off'; eval $ADA\r");
  await seen.until(READY);
  seen.press('a draft');
  await seen.until('a draft');
  seen.press(KEYS.ctrlZ);
  await seen.until('Stopped');
  expect(seen.state).toEqual(UNTOUCHED);
  // Nobody tells a stopped program of a new size.
  seen.resize(70, 16);
  seen.press('fg\r');
  await seen.until(({ rows }) => READY.test(rows[15]!), 'the status line in the last row');
  await seen.until('a draft');
  expect(seen.state).toMatchObject({ alternate: true, paste: true });
  // Stopped without a warning, and the shell has the terminal for itself.
  process.kill(seen.program, 'SIGSTOP');
  await seen.until('Stopped');
  seen.press('stty sane; fg\r');
  await seen.until(({ rows }) => READY.test(rows[15]!), 'the status line again');
  seen.press(' of mine');
  await seen.until('a draft of mine');
  await seen.keys(KEYS.ctrlC, KEYS.ctrlC, KEYS.ctrlC);
  await seen.until(({ state }) => !state.alternate, 'the shell again');
  expect(seen.state).toEqual(UNTOUCHED);
});

it('Ctrl+Z without a shell above comes back by itself', async () => {
  const seen = await open();
  await seen.until(READY);
  seen.press('kept');
  await seen.until('kept');
  const written = seen.raw.length;
  seen.press(KEYS.ctrlZ);
  await seen.until(({ raw }) => raw.indexOf('\x1b[?1049h', written) > 0, 'the alternate buffer again');
  await seen.until('kept');
});
