/** Starts a shell for one command as a child of ada. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { closing, isBash, tellingDirectory } from './command-script.ts';
import { takingNumber } from './mark-number.ts';
import { delay } from './processes.ts';
import { leakedFds } from './pty-pair.ts';
import { jobMark, quietEnvironment } from './shell-environment.ts';

export interface ShellStart {
  command: string;
  cwd: string;
  mark: string;
  tellsCwd: boolean;
}

/** How a shell ended; all null when that is not known. */
export interface ShellExit {
  exitCode: number | null;
  endedBy: NodeJS.Signals | null;
  /** The shell could not be started. */
  failure?: string;
}

export interface StartedShell {
  /** The number of the shell, which leads a process group, where it is known from the start. */
  pid: number | undefined;
  exit: Promise<ShellExit>;
  /** After its exit: its number, and its last directory when it said so; undefined when nobody knows. */
  ended(): Promise<{ pid: number; directory?: string } | undefined>;
}

/** Linux takes 128 KiB in one argument. */
const MOST_IN_ARGUMENT = 120_000;

export interface DirectStart extends ShellStart {
  shell: string;
  env: NodeJS.ProcessEnv;
  /** A terminal's slave for output and error; without one, pipes that `read` is called with. */
  slave: number | undefined;
  read(chunk: Buffer): void;
  /** A command that is too long for an argument goes into a file beside this one. */
  beside: string;
}

/** `closed` resolves when the pipes have ended, where there are some; `drop` closes them. */
export interface DirectShell extends StartedShell {
  closed: Promise<unknown>;
  drop(): void;
  unref(): void;
}

/** Throws where not even the attempt can be made, as for a NUL in the command. */
export function startShell(start: DirectStart): DirectShell {
  const bash = isBash(start.shell);
  const fd = bash ? 97 : 9;
  const told = start.tellsCwd ? `exec ${fd}>&3 3>&-; ${tellingDirectory(start.command, fd)}` : start.command;
  const text = (bash ? closing(leakedFds) + (process.platform === 'linux' ? takingNumber(start.mark) : '') : '') + told;
  const file = Buffer.byteLength(text) > MOST_IN_ARGUMENT ? scriptFile(start.beside, text) : undefined;
  const output = start.slave ?? 'pipe';
  const child = spawn(start.shell, file ? [file] : ['-c', text], {
    cwd: start.cwd,
    env: { ...quietEnvironment(start.env), ADA_JOB: jobMark(start.env, start.mark) },
    stdio: ['ignore', output, output, ...(start.tellsCwd ? (['pipe'] as const) : [])],
    detached: true,
  });
  const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null);
  for (const pipe of pipes) pipe.on('data', start.read);
  const exit = new Promise<ShellExit>((resolve) => {
    child.once('exit', (exitCode, endedBy) => resolve({ exitCode, endedBy }));
    child.once('error', (error) => resolve({ exitCode: null, endedBy: null, failure: error.message }));
  });
  if (file) void exit.then(() => rmSync(file, { force: true }));
  const directory = start.tellsCwd ? readLine(child.stdio[3] as Readable) : undefined;
  return {
    pid: child.pid,
    exit,
    closed: Promise.all(pipes.map(ended)),
    ended: async () => (child.pid === undefined ? undefined : { pid: child.pid, directory: await directory?.() }),
    drop() {
      for (const pipe of pipes) pipe.destroy();
    },
    unref() {
      child.unref();
      for (const pipe of pipes) (pipe as Readable & { unref?(): void }).unref?.();
    },
  };
}

/** Only its owner can read it. */
function scriptFile(beside: string, text: string): string {
  const file = `${beside}.sh`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

const ended = (pipe: Readable): Promise<void> =>
  new Promise((resolve) => pipe.once('close', resolve).once('error', () => resolve()));

/** Collects what the shell writes to its extra pipe. */
function readLine(pipe: Readable): () => Promise<string | undefined> {
  let text = '';
  const done = ended(pipe.on('data', (chunk: Buffer) => (text += chunk.toString('utf8'))));
  const answered = new Promise<void>((resolve) => pipe.once('data', () => resolve()));
  return async () => {
    // A background process may hold the pipe open.
    if (!text.endsWith('\n')) await Promise.race([done, answered, delay(100)]);
    pipe.destroy();
    return text.endsWith('\n') ? text.slice(0, -1) : undefined;
  };
}
