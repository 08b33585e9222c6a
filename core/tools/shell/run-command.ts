/** Runs one command in a shell and always comes back: when the shell exits, at the timeout, or when it is stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { ClippedOutput } from './clipped-output.ts';
import { commandScript } from './command-script.ts';
import { delay, endProcesses, type FoundProcess, findProcesses, groupLives, nothingStartedSince } from './processes.ts';
import type { PtyPair } from './pty-pair.ts';
import { shellEnvironment } from './shell-environment.ts';
import { type Job, pruneJobs, returnPair, type ShellState, takePair } from './shell-state.ts';
import { TerminalText } from './terminal-text.ts';

export interface RunCommandOptions {
  command: string;
  cwd: string;
  shell: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  signal: AbortSignal;
  /** Gets new output at most ten times a second. */
  progress(text: string): void;
  /** Where the whole output goes when it is too long. */
  outputFile: string;
}

export interface CommandResult {
  output: string;
  /** Null when a signal ended the shell. */
  exitCode: number | null;
  endedBy: NodeJS.Signals | null;
  stopped: 'timeout' | 'abort' | null;
  ms: number;
  /** Where the shell was at its end, when it said so. */
  cwd?: string;
  /** Processes that still run. */
  left: readonly FoundProcess[];
  /** The shell could not be started. */
  failure?: string;
}

const PROGRESS_MS = 100;
const PROGRESS_CHARACTERS = 4000;
/** How long after its exit the output of a shell is waited for, where a background process floods the terminal. */
const DRAIN_MS = 1000;
/** Helpers of the command that end by themselves right after it are not reported. */
const STRAGGLER_MS = 120;
const TIMEOUT_GRACE_MS = 1000;
const ABORT_GRACE_MS = 250;
/** Linux takes 128 KiB in one argument. */
const MOST_IN_ARGUMENT = 120_000;

export function runCommand(state: ShellState, options: RunCommandOptions): Promise<CommandResult> {
  const running = run(state, options).finally(() => state.running.delete(running));
  state.running.add(running);
  return running;
}

async function run(state: ShellState, options: RunCommandOptions): Promise<CommandResult> {
  pruneJobs(state);
  const pair = await takePair(state);
  const began = Date.now();
  // The dot ends the session's part of the mark, so that one number is not the start of another.
  const mark = `${state.mark}.${++state.calls}.`;
  const script = commandScript(options.command, options.shell, pair?.masterFd);
  const output = new ClippedOutput(options.outputFile);
  const screen = new TerminalText((text) => output.write(text));
  const feed = new Feed(screen, options.progress);
  pair?.read((chunk) => feed.take(chunk));
  const file =
    Buffer.byteLength(script.text) > MOST_IN_ARGUMENT ? scriptFile(options.outputFile, script.text) : undefined;
  let child: ChildProcess;
  try {
    child = spawn(options.shell, file ? [file] : ['-c', script.text], {
      cwd: options.cwd,
      env: shellEnvironment(options.env, mark),
      stdio: ['ignore', pair?.slave ?? 'pipe', pair?.slave ?? 'pipe', ...(script.tellsCwd ? (['pipe'] as const) : [])],
      detached: true,
    });
  } catch (error) {
    // A NUL in the command, for example.
    if (pair) returnPair(state, pair, undefined, true);
    return {
      exitCode: null,
      endedBy: null,
      failure: (error as Error).message,
      output: '',
      stopped: null,
      ms: 0,
      left: [],
    };
  }
  const pipes = pair ? [] : [child.stdout!, child.stderr!];
  const open = pipes.map((pipe) => ended(pipe.on('data', (chunk: Buffer) => feed.take(chunk))));
  const told = script.tellsCwd ? readAll(child.stdio[3] as Readable) : undefined;
  const exit = exitOf(child);
  const find = () => findProcesses(mark, child.pid, child.pid);
  const stop = stopper(options, child, find);

  const outcome = await Promise.race([exit, stop.gone]);
  stop.settle();
  const stopped = stop.why();
  // A process that was stopped may have left children that outlive it.
  if (stopped) await stop.ended;
  const left = stopped || outcome.failure ? [] : await leftBehind(child.pid!, find);
  const clean = pair ? await drain(pair, feed) : true;
  if (!pair) await Promise.race([Promise.all(open), delay(left.length > 0 || stopped ? 100 : DRAIN_MS)]);
  for (const pipe of pipes) pipe.destroy();
  const job: Job | undefined =
    left.length > 0
      ? { shell: child.pid!, mark, command: options.command, processes: left, started: began }
      : undefined;
  if (job) state.jobs.push(job);
  if (pair) returnPair(state, pair, job, clean);
  feed.end();
  const cwd = told && !stopped ? await told() : undefined;
  if (file) rmSync(file, { force: true });
  return { ...outcome, output: output.end(), stopped, ms: Date.now() - began, cwd, left };
}

/** A command that is too long for an argument goes into a file that only its owner can read. */
function scriptFile(beside: string, text: string): string {
  const file = `${beside}.sh`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

type Exit = Pick<CommandResult, 'exitCode' | 'endedBy' | 'failure'>;

const exitOf = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve) => {
    child.once('exit', (exitCode, endedBy) => resolve({ exitCode, endedBy }));
    child.once('error', (error) => resolve({ exitCode: null, endedBy: null, failure: error.message }));
  });

const ended = (pipe: Readable): Promise<void> =>
  new Promise((resolve) => pipe.once('close', resolve).once('error', () => resolve()));

/** Ends the command and all it started at the timeout or the abort. */
function stopper(options: RunCommandOptions, child: ChildProcess, find: () => FoundProcess[]) {
  let why: CommandResult['stopped'] = null;
  let gone!: (exit: Exit) => void;
  let ending: Promise<unknown> = Promise.resolve();
  const stop = (reason: 'timeout' | 'abort') => {
    if (why || child.pid === undefined) return;
    why = reason;
    // Should even SIGKILL not reach it (a process stuck in the kernel), the call comes back all the same.
    ending = endProcesses(find, reason === 'timeout' ? TIMEOUT_GRACE_MS : ABORT_GRACE_MS);
    void ending.then(() => gone({ exitCode: null, endedBy: 'SIGKILL' }));
  };
  const onAbort = () => stop('abort');
  const timer = setTimeout(stop, options.timeoutMs, 'timeout');
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort);
  return {
    gone: new Promise<Exit>((resolve) => {
      gone = resolve;
    }),
    why: () => why,
    get ended() {
      return ending;
    },
    settle() {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
    },
  };
}

/** What still runs shortly after the shell has gone. */
async function leftBehind(shell: number, find: () => FoundProcess[]): Promise<FoundProcess[]> {
  if (nothingStartedSince(shell)) return [];
  if (process.platform !== 'linux' && !groupLives(shell)) return [];
  let left = find();
  for (let waited = 0; left.length > 0 && waited < STRAGGLER_MS; waited += 20) {
    await delay(20);
    left = find();
  }
  return left;
}

/** Reads up to a marker that is written now. False when it did not come through: the terminal is then not used again. */
async function drain(pair: PtyPair, feed: Feed): Promise<boolean> {
  const marker = Buffer.from(`\x1b]ada;${Math.random().toString(36).slice(2)}${Date.now().toString(36)}\x07`);
  const seen = feed.awaitMarker(marker);
  let sent = pair.write(marker);
  const until = Date.now() + DRAIN_MS;
  while (sent < marker.length && Date.now() < until) {
    await delay(1);
    sent += pair.write(marker.subarray(sent));
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, Math.max(1, until - Date.now()), false);
  });
  const clean = await Promise.race([seen, late]);
  clearTimeout(timer);
  return clean;
}

/** Collects what the shell writes to its extra pipe; the answer is its last whole line. */
function readAll(pipe: Readable): () => Promise<string | undefined> {
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

/** From bytes to the screen, with live output and the search for the marker. */
class Feed {
  private readonly decoder = new StringDecoder('utf8');
  private readonly screen: TerminalText;
  private readonly progress: (text: string) => void;
  private timer: NodeJS.Timeout | undefined;
  private marker: Buffer | undefined;
  private held: Buffer = Buffer.alloc(0);
  private found: ((clean: boolean) => void) | undefined;

  constructor(screen: TerminalText, progress: (text: string) => void) {
    this.screen = screen;
    this.progress = progress;
  }

  take(chunk: Buffer): void {
    if (!this.marker) {
      this.show(chunk);
      return;
    }
    const all = Buffer.concat([this.held, chunk]);
    const at = all.indexOf(this.marker);
    if (at >= 0) {
      this.show(all.subarray(0, at));
      this.held = Buffer.alloc(0);
      this.found?.(true);
      this.found = undefined;
      return;
    }
    const keep = Math.min(all.length, this.marker.length - 1);
    this.show(all.subarray(0, all.length - keep));
    this.held = all.subarray(all.length - keep);
  }

  awaitMarker(marker: Buffer): Promise<boolean> {
    this.marker = marker;
    return new Promise((resolve) => {
      this.found = resolve;
    });
  }

  end(): void {
    clearTimeout(this.timer);
    this.screen.write(this.decoder.end(this.held));
    this.screen.end();
  }

  private show(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.screen.write(this.decoder.write(bytes));
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const text = this.screen.liveText(PROGRESS_CHARACTERS);
      if (text) this.progress(text);
    }, PROGRESS_MS);
  }
}
