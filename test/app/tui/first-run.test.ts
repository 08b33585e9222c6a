/** What a person without a model is told; colours and drafts, which the door looks up by itself. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StartError } from '../../../app/start-error.ts';
import { keepDraft, keptDraft } from '../../../app/tui/draft-file.ts';
import { downloadMenu, downloadQuestion, firstRunMenu, firstRunText, keptChoice } from '../../../app/tui/first-run.ts';
import { FirstRunPull, pullOverlay } from '../../../app/tui/first-run-pull.ts';
import { freeSpace } from '../../../app/tui/free-space.ts';
import { chooseTheme } from '../../../app/tui/theme.ts';
import type { Overlay } from '../../../app/tui/types.ts';
import { ScreenDriver } from './screen-driver.ts';

const missing = (change: Partial<ConstructorParameters<typeof StartError>[2]> = {}) =>
  firstRunText(
    new StartError('no model', 3, {
      ollama: { url: 'http://h:1', answered: false },
      backend: null,
      offline: false,
      ...change,
    }),
  );

describe('the first run', () => {
  it('names the three places and how to get each', () => {
    const text = missing();
    for (const part of ['http://h:1: no answer', 'ollama serve', 'ADA_BACKEND_URL', 'not set', 'ANTHROPIC_API_KEY'])
      expect(text).toContain(part);
  });
  it('knows an Ollama that has no model', () => {
    const text = missing({ ollama: { url: 'http://h:1', answered: true } });
    expect(text).toContain('has no model that can call tools');
    expect(text).toContain('ollama pull');
    expect(text).not.toContain('ollama serve');
  });
  it('lists what is installed, with why it was not taken', () => {
    const facts = { contextTokens: 4_096, parameters: '3.8B', quantization: 'Q4_0', size: 2.2e9 };
    const models = [
      { id: 'phi3:mini', tools: false, ...facts },
      { id: 'nomic', tools: false, embedding: true, contextTokens: null, size: null },
      { id: 'qwen3:235b', tools: true, contextTokens: 40_960, size: 142e9 },
    ];
    const text = missing({ ollama: { url: 'http://h:1', answered: true, models } });
    expect(text).toContain('- phi3:mini: 3.8B, Q4_0, 2.2 GB, 4k window, cannot call tools');
    expect(text).toContain('- nomic: only embeds text');
    expect(text).toContain('- qwen3:235b: 142.0 GB, 40k window, larger than the memory, or hosted');
  });
  it('says what was wrong with an answer', () => {
    expect(missing({ ollama: { url: 'http://h:1', answered: false, problem: 'A web page.' } })).toContain(
      'A web page.',
    );
  });
  it('offers to get a model only where a server can, and guards it from keys typed before', () => {
    const menu = (answered: boolean, offline = false) =>
      firstRunMenu(
        new StartError('no model', 3, {
          ollama: { url: 'http://h:1', answered },
          backend: null,
          offline,
          suggestion: { id: 'qwen3:8b', size: 5.2e9, reason: 'the best that fits' },
        }),
        77,
      ) as Extract<Overlay, { kind: 'pick' }>;
    expect(menu(false).items[0]?.value).toBe('demo');
    expect(menu(false).shownAt).toBeUndefined();
    expect(menu(true)).toMatchObject({
      shownAt: 77,
      items: [{ label: 'Get qwen3:8b (5.2 GB)', value: 'pull qwen3:8b' }, {}, {}, {}],
    });
    expect(menu(true).items[0]?.detail).toMatch(/^the Ollama server fetches it/);
    expect(menu(true, true).items[0]?.detail).toContain('the Ollama server goes out for it, not ada');
    expect(menu(true).text).toContain('ollama pull qwen3:8b (the best that fits)');
  });
  it('keeps the choice that the person had gone to when another list comes', () => {
    const menu = (answered: boolean) =>
      firstRunMenu(
        new StartError('no model', 3, {
          ollama: { url: 'http://h:1', answered },
          backend: null,
          offline: false,
          suggestion: { id: 'qwen3:8b', size: 5.2e9, reason: 'the best that fits' },
        }),
      ) as Extract<Overlay, { kind: 'pick' }>;
    const chosen = (before: Overlay) => {
      const next = keptChoice(menu(true), before) as Extract<Overlay, { kind: 'pick' }>;
      return next.items[next.selected]?.value;
    };
    expect(chosen({ ...menu(false), selected: 2 })).toBe('exit');
    expect(chosen(menu(false))).toBe('pull qwen3:8b');
  });
  it('says that a backend was tried, and what --offline left out', () => {
    expect(missing({ backend: 'http://b:2' })).toContain('http://b:2: no answer');
    expect(missing({ offline: true })).toContain('--offline');
    expect(missing({ offline: true })).not.toContain('ANTHROPIC_API_KEY');
  });
  it('repeats the reason when a certain model is missing', () => {
    expect(firstRunText(new StartError('cannot reach Ollama for x', 3))).toContain('cannot reach Ollama for x');
  });
});

describe('a download', () => {
  const error = (size: number) =>
    new StartError('no model', 3, {
      ollama: { url: 'http://127.0.0.1:11434', answered: true },
      backend: null,
      offline: false,
      suggestion: { id: 'gpt-oss:20b', size, reason: 'fits' },
    });

  it.each<[number, number | null, string | undefined]>([
    [1.4e9, null, undefined],
    [1.4e9, 1.5e9, undefined],
    [1.4e9, 1e9, 'gpt-oss:20b is 1.4 GB to download. 1.0 GB are free on its disk: that is too little.'],
    [14e9, null, 'gpt-oss:20b is 14.0 GB to download.'],
    [14e9, 90e9, 'gpt-oss:20b is 14.0 GB to download. 90.0 GB are free on its disk.'],
  ])('of %d bytes with %s free', (size, free, text) => {
    expect(downloadQuestion(error(size), 'gpt-oss:20b', free)?.text).toBe(text);
  });

  it('of unknown size is asked about', () => {
    expect(downloadQuestion(error(1e9), 'other:1b', 9e9)).toEqual({
      text: 'other:1b is a download of unknown size. 9.0 GB are free on its disk.',
      yes: 'Yes, download it',
    });
  });

  it('needs a second yes that names the size: Enter alone, also twice, downloads nothing', () => {
    const question = downloadQuestion(error(14e9), 'gpt-oss:20b', null)!;
    const screen = new ScreenDriver({ model: '' });
    const show = () => screen.act({ type: 'overlay', overlay: downloadMenu(question, 'gpt-oss:20b', 0) });
    const chosen = () => screen.take().map((effect) => (effect.type === 'command' ? effect.argument : effect.type));
    show().press('Enter');
    expect(chosen()).toEqual(['no']);
    show();
    expect(screen.screen()).toMatch(/Yes, download 14\.0 GB/);
    screen.press('Down', 'Enter');
    expect(chosen()).toEqual(['yes gpt-oss:20b']);
    show().press('Esc');
    expect(chosen()).toEqual(['no']);
  });

  it('stays asked about while the server is looked at again', () => {
    const asked = downloadMenu(downloadQuestion(error(14e9), 'gpt-oss:20b', null)!, 'gpt-oss:20b', 0);
    expect(keptChoice(firstRunMenu(error(14e9)), asked)).toBe(asked);
  });

  it('to this machine has the room of its disk; of another machine nothing is known', () => {
    const env = { HOME: tmpdir() };
    expect(freeSpace('http://127.0.0.1:11434', env)).toBeGreaterThan(0);
    expect(freeSpace('http://localhost:11434 and http://gpu-box:1', env)).toBeGreaterThan(0);
    expect(freeSpace('http://gpu-box:11434', env)).toBeNull();
    expect(
      freeSpace('http://127.0.0.1:11434', { HOME: '/nonexistent/home', OLLAMA_MODELS: '/nonexistent' }),
    ).toBeNull();
  });
});

describe('the theme', () => {
  it.each<[NodeJS.ProcessEnv, string, boolean]>([
    [{ NO_COLOR: '1', ADA_THEME: 'light' }, 'none', false],
    [{ ADA_THEME: 'light' }, 'light', false],
    [{ ADA_THEME: 'pink' }, 'dark', true],
    [{ COLORFGBG: '15;0' }, 'dark', false],
    [{ COLORFGBG: '0;15' }, 'light', false],
    [{ COLORFGBG: '0;default;7' }, 'light', false],
    [{}, 'dark', true],
  ])('of %j is %s', (env, theme, ask) => {
    expect(chooseTheme(env)).toEqual({ theme, ask });
  });
});

it('a draft is kept for its person alone, and an empty one not at all', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ada-draft-'));
  const state = join(folder, 'state');
  expect(keptDraft(state)).toBe('');
  expect(keepDraft(state, 'half a ~thought~\n日本')).toBe(true);
  expect(keptDraft(state)).toBe('half a ~thought~\n日本');
  expect(statSync(join(state, 'draft.txt')).mode & 0o777).toBe(0o600);
  keepDraft(state, '');
  expect(keptDraft(state)).toBe('');
  writeFileSync(join(folder, 'file'), '');
  expect(keepDraft(join(folder, 'file'), 'x')).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});

describe('getting a model', () => {
  function pulling(steps: readonly { status: string; completed: number; total: number }[], failure?: Error) {
    const said: string[] = [];
    const overlays: Extract<Overlay, { kind: 'pick' }>[] = [];
    let now = 0;
    const pull = new FirstRunPull({
      models: async () => ({
        async *pull(_name, signal) {
          for (const step of steps) {
            await new Promise((resolve) => setImmediate(resolve));
            if (signal?.aborted) throw new Error('aborted');
            yield step;
          }
          if (failure) throw failure;
        },
        close: () => said.push('closed'),
      }),
      show: (overlay) => overlays.push(overlay as (typeof overlays)[number]),
      done: (model) => said.push(`done ${model}`),
      failed: (model, message) => said.push(`failed ${model}: ${message}`),
      now: () => (now += 1_000),
    });
    return { pull, said, overlays };
  }
  const steps = [1, 2, 3, 4].map((part) => ({ status: 'pulling aa', completed: part * 1e8, total: 4e8 }));

  it('shows a bar with bytes and speed, and is done', async () => {
    const { pull, said, overlays } = pulling(steps);
    const one = pull.start('owl:1b');
    expect(pull.running).toBe(true);
    // A second one is none.
    await pull.start('cat:1b');
    await one;
    expect(said).toEqual(['closed', 'done owl:1b']);
    expect(overlays.map(({ text }) => text?.split('\n')[1])).toEqual([
      'asking the server',
      '100 MB of 400 MB · 25 %',
      expect.stringMatching(/^200 MB of 400 MB · 50 % · \d+\.\d MB\/s · \d+ s left$/),
      expect.stringMatching(/^300 MB of 400 MB · 75 %/),
      expect.stringMatching(/^400 MB of 400 MB · 100 %/),
    ]);
    expect(overlays[0]).toMatchObject({ title: 'Getting owl:1b', unchosen: 'stop', command: 'start' });
  });

  it('keeps what is typed meanwhile, in sight; Enter stops nothing, Esc does', () => {
    const figures = { status: 'pulling aa', completed: 1e8, total: 4e8, speed: null, remainingMs: null };
    const screen = new ScreenDriver({ model: '' });
    const show = () => screen.act({ type: 'overlay', overlay: pullOverlay('owl:1b', figures) });
    show().press('m', 'e', 'n', 'd');
    show().press(' ', 'i', 'x', 'Backspace', 't', 'Enter', 'Enter');
    expect(screen.state.composer.text).toBe('mend it');
    expect(screen.screen()).toContain('› mend it');
    expect(screen.screen()).toContain('Getting owl:1b');
    expect(screen.screen()).toContain('Esc stops');
    expect(screen.take()).toEqual([]);
    screen.press('Esc');
    expect(screen.take()).toEqual([{ type: 'command', name: 'start', argument: 'stop' }]);
    expect(screen.state.composer.text).toBe('mend it');
  });

  it('stops when told, and can be asked again', async () => {
    const { pull, said, overlays } = pulling(steps);
    const one = pull.start('owl:1b');
    await new Promise((resolve) => setImmediate(resolve));
    pull.stop();
    const count = overlays.length;
    await one;
    expect(said).toEqual(['closed', 'failed owl:1b: null']);
    expect(overlays.length).toBe(count);
    await pull.start('owl:1b');
    expect(said.at(-1)).toBe('done owl:1b');
  });

  it('tells the words of a server that cannot', async () => {
    const { pull, said } = pulling([], new Error('file does not exist'));
    await pull.start('owl:1b');
    expect(said).toEqual(['closed', 'failed owl:1b: file does not exist']);
  });
});
