/** What is read of a project before and beside its session: earlier prompts, and whether its settings are trusted. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { earlierPrompts } from '../../../app/tui/earlier-prompts.ts';
import { projectPlace } from '../../../app/tui/project-place.ts';
import { keepTrust, trustQuestion } from '../../../app/tui/trust-question.ts';
import { isTrusted } from '../../../core/project.ts';

let root: string;
let project: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ada-memory-')));
  project = join(root, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, '.ada/sessions'), { recursive: true });
  env = { HOME: join(root, 'home') };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A log of prompts, each at its own second. */
function store(id: string, prompts: readonly (readonly [time: number, text: string])[], more = ''): void {
  const session = { type: 'session', id, cwd: project, project, model: 'm', mode: 'ask', system: '', tools: [] };
  const lines = [{ ...session, seq: 1, time: 1 }].map((event) => JSON.stringify(event));
  for (const [time, text] of prompts)
    lines.push(JSON.stringify({ type: 'user', text, seq: lines.length + 1, time: time * 1000 }));
  const file = join(project, '.ada/sessions', `${id}.jsonl`);
  writeFileSync(file, `${lines.join('\n')}\n${more}`);
  const newest = Math.max(...prompts.map(([time]) => time));
  utimesSync(file, newest, newest);
}

const prompts = (without?: string) => earlierPrompts(project, env, without);

describe('earlier prompts', () => {
  it('come oldest first, each once where it was last said, and without the conversation on the screen', () => {
    store('a', [
      [10, 'one'],
      [11, 'two\nlines'],
    ]);
    store('b', [
      [20, 'one'],
      [21, 'three'],
    ]);
    store('now', [[30, 'here']]);
    expect(prompts('now')).toEqual(['two\nlines', 'one', 'three']);
  });

  it('of a copied conversation are not told twice, and keep their place', () => {
    store('a', [
      [10, 'one'],
      [20, 'two'],
    ]);
    store('copy', [
      [10, 'one'],
      [30, 'three'],
    ]);
    expect(prompts()).toEqual(['one', 'two', 'three']);
  });

  it('are read past damaged lines, and past outputs that quote a log', () => {
    const quoted = JSON.stringify({
      type: 'tool_result',
      id: '1',
      name: 'x',
      output: '"type":"user"',
      seq: 9,
      time: 9,
    });
    store('a', [[10, 'one']], `${quoted}\n{"type":"user","te`);
    expect(prompts()).toEqual(['one']);
  });

  it('are none in a project without any', () => {
    expect(prompts()).toEqual([]);
  });

  it('are bounded', () => {
    store(
      'a',
      Array.from({ length: 900 }, (_, at) => [at, `prompt ${at}`] as const),
    );
    expect(prompts()).toHaveLength(500);
    expect(prompts().at(-1)).toBe('prompt 899');
  });
});

describe('trust', () => {
  const settings = (text: string) => writeFileSync(join(project, '.ada/settings.json'), text);

  it.each(['{}', '[]', '{"mode":', ''])('is not asked for where %j sets nothing', (text) => {
    settings(text);
    expect(trustQuestion(project, env)).toBeUndefined();
  });

  it('is asked for once: a yes and a no are kept, and a later yes takes a no back', () => {
    expect(trustQuestion(project, env)).toBeUndefined();
    settings('{"mode":"auto"}');
    const question = trustQuestion(join(project, '.git'), env)!;
    expect(question).toMatchObject({ project, text: '{"mode":"auto"}' });
    const { adaHome } = projectPlace(project, env);
    expect(existsSync(adaHome)).toBe(false);
    keepTrust(question, false);
    expect(trustQuestion(project, env)).toBeUndefined();
    expect(isTrusted(adaHome, project)).toBe(false);
    keepTrust(question, true);
    expect(isTrusted(adaHome, project)).toBe(true);
    expect(JSON.parse(readFileSync(join(adaHome, 'trust.json'), 'utf8'))).toEqual({ projects: [project] });
  });
});
