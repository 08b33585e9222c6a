/** What the demonstration plays on: a copy of the sample project, a recorded model, and an environment without settings. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Mode } from '../../core/types.ts';
import type { ComposeOptions } from '../compose.ts';
import { RECORDING } from './recording.ts';
import type { TestRun } from './run-tests.ts';
import { SAMPLE } from './sample.ts';

export const PROMPT = 'The shares of a split bill do not always add up to the bill. Find the bug and fix it.';

export interface Stage {
  /** The copy of the sample project. */
  project: string;
  /** Everything of this demonstration, the project too. */
  home: string;
  /** The person's environment without their settings, and with this Node.js as `node`. */
  env: NodeJS.ProcessEnv;
  options(mode: Mode, headless: boolean): ComposeOptions;
  remove(): void;
}

/** Lays everything out in a new temporary folder. */
export function setStage(): Stage {
  const home = mkdtempSync(join(tmpdir(), 'ada-demo-'));
  const project = join(home, 'tally');
  for (const [path, content] of Object.entries(SAMPLE)) {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  // It makes this folder the project, whatever lies above it.
  mkdirSync(join(project, '.ada'));
  const recording = join(home, 'recording.jsonl');
  writeFileSync(recording, RECORDING);
  const env = demoEnv(home);
  return {
    project,
    home,
    env,
    options: (mode, headless) => ({
      cwd: project,
      env,
      model: `replay:${recording}`,
      mode,
      headless,
      allow: [],
      deny: [],
      directories: [],
      offline: true,
      noSkills: true,
      trust: false,
    }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export const verdict = ({ green, passed, failed }: TestRun): string =>
  `${green ? 'green' : 'red'}: ${passed} passed, ${failed} failed (node --test)`;

function demoEnv(home: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    // Inside another run of Node's test runner, `node --test` would report to that one instead.
    if (!name.startsWith('ADA_') && name !== 'NODE_TEST_CONTEXT') env[name] = value;
  }
  env.ADA_HOME = join(home, 'ada');
  env.PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
  return env;
}
