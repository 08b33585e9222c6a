import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { loadSettings } from '../../core/settings.ts';

const base = mkdtempSync(join(tmpdir(), 'ada-settings-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let adaHome: string;
let project: string;
let count = 0;
beforeEach(() => {
  adaHome = join(base, `${count}-home`);
  project = join(base, `${count++}-project`);
  mkdirSync(adaHome);
  mkdirSync(join(project, '.ada'), { recursive: true });
});

const own = (value: unknown) =>
  writeFileSync(join(adaHome, 'settings.json'), typeof value === 'string' ? value : JSON.stringify(value));
const shared = (value: unknown) => writeFileSync(join(project, '.ada/settings.json'), JSON.stringify(value));
const load = (env: NodeJS.ProcessEnv = {}, trusted = true) => loadSettings({ adaHome, project, trusted, env });

test('without files there are defaults and no problems', () => {
  expect(load()).toEqual({
    settings: {
      model: undefined,
      mode: undefined,
      routing: { fallback: 'ask', models: {} },
      ollama: { hosts: [], keepAlive: undefined, contextTokens: undefined },
      vendors: {},
      permissions: { allow: [], ask: [], deny: [], directories: [] },
      protectedPaths: [],
      skills: { off: [] },
      ownAllow: [],
    },
    problems: [],
  });
});

test('own < project < environment; lists add up, aliases merge', () => {
  own({
    model: 'a',
    mode: 'plan',
    routing: { models: { x: '1', y: '1' } },
    permissions: { allow: ['bash(a)'], deny: ['bash(d)'] },
    ollama: { keepAlive: '30m', contextTokens: 8192 },
  });
  shared({
    model: 'b',
    routing: { fallback: 'never', models: { y: '2' } },
    permissions: { allow: ['bash(b)'], directories: ['../lib', '/abs'] },
    protectedPaths: ['x'],
  });
  const { settings, problems } = load({ ADA_MODEL: 'c', OLLAMA_HOST: 'h:1' });
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({
    model: 'c',
    mode: 'plan',
    routing: { fallback: 'never', models: { x: '1', y: '2' } },
    ollama: { hosts: ['h:1'], keepAlive: '30m', contextTokens: 8192 },
    permissions: { allow: ['bash(a)', 'bash(b)'], deny: ['bash(d)'], directories: [join(project, '../lib'), '/abs'] },
    protectedPaths: ['x'],
    ownAllow: ['bash(a)'],
  });
  expect(load({ ADA_AUTO_APPROVE: '1' }).settings.mode).toBe('auto');
  expect(load({ ADA_AUTO_APPROVE: '0', ADA_MODEL: '' }).settings).toMatchObject({ mode: 'plan', model: 'b' });
});

test('the settings of an untrusted project are not read', () => {
  shared({ model: 'b', permissions: { allow: ['bash'] }, nonsense: 1 });
  expect(load({}, false)).toMatchObject({ settings: { model: undefined, permissions: { allow: [] } }, problems: [] });
});

describe('what is wrong is named and left out, the rest holds', () => {
  const problems = (value: unknown) => {
    own(value);
    return load().problems.map((line) => line.replace(`${join(adaHome, 'settings.json')}: `, ''));
  };
  test.each<[unknown, RegExp[]]>([
    [{ mode: 'yolo' }, [/^mode must be one of ask, plan, auto/]],
    [{ model: 1 }, [/^model must be a string/]],
    [{ model: '' }, [/^model must not be empty/]],
    [{ routing: 'x' }, [/^routing must be an object/]],
    [{ ollama: { contextTokens: -1 } }, [/^ollama\.contextTokens must be more than 0/]],
    [{ ollama: { keepAlive: true } }, [/^ollama\.keepAlive must be a text or a number/]],
    [
      { permissions: { deny: ['bash(', 'bash(x)', 3] } },
      [/^permissions\.deny\.0 is no rule/, /^permissions\.deny\.2 must be a string/],
    ],
    [{ modle: 'x' }, [/^modle is no setting; did you mean model\?/]],
    [{ permissions: { alow: [] } }, [/^permissions\.alow is no setting; did you mean permissions\.allow\?/]],
    [{ theme: 'dark', compactAt: 0.5 }, []],
    [{ vendors: ['http://x'] }, [/^vendors must be an object/]],
    [{ somethingElse: true }, [/somethingElse is no setting of this version/]],
    [[], [/must be a JSON object/]],
    ['{\n "model": "x",\n}', [/not valid JSON in line 3; a comma before/]],
    ['{\n // hi\n "model": "x" }', [/not valid JSON in line 2; comments are not allowed/]],
    ['{ "model": "x"', [/not valid JSON/]],
  ])('%j', (value, expected) => {
    const found = problems(value);
    expect(found).toHaveLength(expected.length);
    for (const [i, pattern] of expected.entries()) expect(found[i]).toMatch(pattern);
  });

  test.each<[string, unknown, RegExp]>([
    ['Box', { baseUrl: 'http://x' }, /^vendors\.Box must be lower-case letters/],
    ['a/b', { baseUrl: 'http://x' }, /^vendors\.a\/b must be lower-case letters/],
    ['a', 'http://x', /^vendors\.a must be an object/],
    ['a', {}, /^vendors\.a\.baseUrl must be a string/],
    ['a', { baseUrl: 'localhost:1' }, /^vendors\.a\.baseUrl must be an http or https URL/],
    ['a', { baseUrl: 'file:///etc' }, /^vendors\.a\.baseUrl must be an http or https URL/],
    ['a', { baseUrl: 'http://x', url: 'y' }, /^vendors\.a has url, which is not known there/],
    ['a', { baseUrl: 'http://x', wire: 'smoke' }, /^vendors\.a\.wire must be one of openai-chat, anthropic, ollama/],
    ['a', { baseUrl: 'http://x', keyVariable: 'sk-1234' }, /^vendors\.a\.keyVariable must be the name of an env/],
    ['a', { baseUrl: 'http://x', headers: { 'a b': 'c' } }, /^vendors\.a\.headers\.a b is no name of a header/],
    ['a', { baseUrl: 'http://x', headers: { a: 'b\nc' } }, /^vendors\.a\.headers\.a is no value of a header/],
    [
      'a',
      { baseUrl: 'http://x', quirks: { callIds: 'ten' } },
      /^vendors\.a\.quirks\.callIds must be one of any, short/,
    ],
    ['a', { baseUrl: 'http://x', quirks: { streamUsage: 1 } }, /^vendors\.a\.quirks\.streamUsage must be a boolean/],
    ['a', { baseUrl: 'http://x', quirks: { odd: 1 } }, /^vendors\.a\.quirks has odd/],
  ])('vendors: %s %j', (name, vendor, expected) => {
    const good = { baseUrl: 'https://{ACCOUNT}.example.com/v1', quirks: { callIds: 'nine', extraBody: { a: [1] } } };
    expect(problems({ vendors: { [name]: vendor, good } })).toEqual([expect.stringMatching(expected)]);
    expect(load().settings.vendors).toEqual({ good });
  });

  test('a good deny rule survives a bad neighbour', () => {
    own({ mode: 'nonsense', permissions: { deny: ['bash(', 'bash(x)'] }, model: 'm' });
    expect(load().settings).toMatchObject({ model: 'm', mode: undefined, permissions: { deny: ['bash(x)'] } });
  });

  test('a folder in the place of the file', () => {
    mkdirSync(join(adaHome, 'settings.json'));
    expect(load().problems).toEqual([expect.stringContaining('cannot be read (EISDIR)')]);
  });
});
