/** Runs git apart from the person's own configuration, so that a patch depends on nothing but the repository. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';

export interface GitResult {
  code: number;
  stdout: Buffer;
  stderr: string;
}

export interface GitOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  input?: string | Buffer;
  signal?: AbortSignal;
}

export class GitError extends Error {
  readonly result: GitResult;
  constructor(result: GitResult) {
    const lines = result.stderr.trim().split('\n');
    super(`git: ${lines.find((line) => /^(fatal|error): /.test(line)) ?? lines.at(-1) ?? `exit ${result.code}`}`);
    this.name = 'GitError';
    this.result = result;
  }
}

/** Made by tests and tools, never wanted in a patch; a project's own .gitignore adds to it. */
const JUNK = [
  '__pycache__/',
  '*.pyc',
  '.pytest_cache/',
  '.mypy_cache/',
  '.ruff_cache/',
  'node_modules/',
  '.venv/',
  '.DS_Store',
];

/** Writes a configuration of our own into `folder` and gives the environment that makes git use it alone. */
export function gitEnvironment(folder: string): NodeJS.ProcessEnv {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'gitconfig');
  const ignore = join(folder, 'gitignore');
  writeFileSync(ignore, `${JUNK.join('\n')}\n`);
  writeFileSync(
    config,
    `[user]\n\tname = ada\n\temail = ada@localhost\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n` +
      // Mirrors may belong to another user of the machine.
      `[safe]\n\tdirectory = *\n[core]\n\tautocrlf = false\n\texcludesFile = ${JSON.stringify(ignore)}\n[advice]\n\tdetachedHead = false\n`,
  );
  const env: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(process.env)) if (!key.startsWith('GIT_')) env[key] = value;
  return { ...env, GIT_CONFIG_GLOBAL: config, GIT_CONFIG_SYSTEM: devNull, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}

/** Resolves whatever the exit code; rejects only when git cannot be started. */
export function tryGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: options.cwd,
      env: options.env,
      signal: options.signal,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.stdin.on('error', () => {}); // git may end without reading all of it
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code: code ?? 1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') }),
    );
    child.stdin.end(options.input);
  });
}

/** The output of git; throws GitError when it fails. */
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const result = await tryGit(args, options);
  if (result.code !== 0) throw new GitError(result);
  return result.stdout;
}
