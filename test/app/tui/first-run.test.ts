/** What a person without a model is told; colours and drafts, which the door looks up by itself. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StartError } from '../../../app/start-error.ts';
import { keepDraft, keptDraft } from '../../../app/tui/draft-file.ts';
import { firstRunText } from '../../../app/tui/first-run.ts';
import { chooseTheme } from '../../../app/tui/theme.ts';

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
  it('says that a backend was tried, and what --offline left out', () => {
    expect(missing({ backend: 'http://b:2' })).toContain('http://b:2: no answer');
    expect(missing({ offline: true })).toContain('--offline');
    expect(missing({ offline: true })).not.toContain('ANTHROPIC_API_KEY');
  });
  it('repeats the reason when a certain model is missing', () => {
    expect(firstRunText(new StartError('cannot reach Ollama for x', 3))).toContain('cannot reach Ollama for x');
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
