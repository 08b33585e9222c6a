/** Starts the built program as a person's shell would: in pipes, with an environment that holds nothing else. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StoredEvent } from '../../core/types.ts';
import type { RecordedRequest } from '../fakes/model-server.ts';
import { defaultModel } from '../fakes/script.ts';

const launcher = fileURLToPath(new URL('../../app/ada.cjs', import.meta.url));

/** A home and a project of their own, both empty but for `files`, gone after `dispose`. */
export interface Place {
  home: string;
  project: string;
  /** Events of the only session of the project, as stored. */
  log(): StoredEvent[];
  /** Files of the project's sessions. */
  logs(): string[];
  dispose(): void;
}

export function makePlace(files: Record<string, string> = {}): Place {
  const root = mkdtempSync(join(tmpdir(), 'ada-e2e-'));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(home);
  mkdirSync(project);
  execFileSync('git', ['init', '-q'], { cwd: project, stdio: 'ignore' });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const logs = () => {
    const folder = join(project, '.ada/sessions');
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
    return names.sort().map((name) => join(folder, name));
  };
  return {
    home,
    project,
    logs,
    log() {
      const [file, ...others] = logs();
      if (!file || others.length) throw new Error(`expected one session, found ${logs().length}`);
      return parseLines(readFileSync(file, 'utf8'));
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

export type WireName = NonNullable<RecordedRequest['wire']>;

/** What leads ada to the server on a wire format; 127.0.0.1:9 is where no Ollama listens. */
export function wireEnv(wire: WireName, url: string, model = defaultModel.name): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  switch (wire) {
    case 'ollama':
      return { OLLAMA_HOST: url, ADA_MODEL: model };
    case 'openai-chat':
      return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k', ADA_MODEL: `openai/${model}`, OLLAMA_HOST: nowhere };
    case 'anthropic':
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k', ADA_MODEL: `anthropic/${model}`, OLLAMA_HOST: nowhere };
  }
}

export interface StartOptions {
  place: Place;
  env?: Record<string, string>;
  cwd?: string;
  /** Text to pipe in; `open`: a pipe that stays open and sends nothing; default: nothing (/dev/null). */
  input?: string | 'open';
  /** Numeric id of the user and group that run it; default: ours. */
  user?: number;
}

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly stdout: string;
  readonly stderr: string;
  ended: Promise<Finished>;
}

/** Nothing here may take longer; a program that hangs is killed and fails its test by its exit code. */
const PATIENCE_MS = 25_000;

export function start(args: readonly string[], { place, env, cwd, input, user }: StartOptions): Running {
  if (!existsSync(new URL('../../dist/main.js', import.meta.url)))
    throw new Error('dist/ is missing: run the tests with npm test, or npm run build first');
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: cwd ?? place.project,
    env: {
      PATH: process.env.PATH,
      HOME: place.home,
      ADA_HOME: join(place.home, '.ada'),
      TERM: 'xterm-256color',
      NO_COLOR: '1',
      ...env,
    },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(user !== undefined && { uid: user, gid: user }),
  });
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  // A program that leaves early closes its end of the pipe; that is its right.
  child.stdin?.on('error', () => {});
  if (input !== undefined && input !== 'open') child.stdin?.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const ended = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, ...output });
    });
  });
  return {
    process: child,
    ended,
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
  };
}

export const ada = (args: readonly string[], options: StartOptions): Promise<Finished> => start(args, options).ended;

/** Every line of JSON; a line that is none throws. */
export const parseLines = <T = any>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

export const typesOf = (events: readonly { type: string }[]): string[] => events.map((event) => event.type);

/** The lines of standard error. */
export const lines = (text: string): string[] => text.trim().split('\n');
