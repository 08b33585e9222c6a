/** Runs one command in a shell and always comes back: when the shell exits, at the timeout, or when it is stopped. */
import { ClippedOutput } from './clipped-output.ts';
import { mayAlterTerminal, mayMove } from './command-script.ts';
import { Feed } from './feed.ts';
import { makeJob } from './job.ts';
import { asksForKey, NEXT_PAGE } from './pager-prompt.ts';
import { delay, endProcesses, type FoundProcess, findProcesses, groupLives, nothingStartedSince } from './processes.ts';
import type { PtyPair } from './pty-pair.ts';
import { canStart, fitsStarter, openShellStarter, type ShellStarter } from './shell-starter.ts';
import {
  dropPair,
  nextMark,
  noteStart,
  pruneJobs,
  returnPair,
  type ShellState,
  sessionMark,
  takeEndedJobs,
  takePair,
} from './shell-state.ts';
import { type ShellExit, type StartedShell, startShell } from './start-shell.ts';
import { recordShells } from './survivors.ts';
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
  /** Folder of the project's state: what tells the next ada of a killed one's shells is kept there. */
  stateDir: string;
}

export interface CommandResult extends ShellExit {
  output: string;
  stopped: 'timeout' | 'abort' | null;
  ms: number;
  /** Where the shell was at its end, when it said so. */
  cwd?: string;
  /** Processes that still run, and the job that they are now. */
  left: readonly FoundProcess[];
  job?: number;
  /** One line for each job that has ended since the last command. */
  endedJobs: readonly string[];
}

/** How long after its exit the output of a shell is waited for, where a background process floods the terminal. */
const DRAIN_MS = 1000;
/** What ends by itself right after its command is not reported. */
const STRAGGLER_MS = 120;
const TIMEOUT_GRACE_MS = 1000;
const ABORT_GRACE_MS = 250;

export function runCommand(state: ShellState, options: RunCommandOptions): Promise<CommandResult> {
  const running = run(state, options).finally(() => state.running.delete(running));
  state.running.add(running);
  return running;
}

async function run(state: ShellState, options: RunCommandOptions): Promise<CommandResult> {
  pruneJobs(state);
  const endedJobs = takeEndedJobs(state);
  const pair = await takePair(state);
  const began = Date.now();
  const output = new ClippedOutput(options.outputFile);
  let typed = false;
  const origin = { file: options.outputFile.replace(/(?:\.txt)?$/, '.bin'), addsReturns: pair?.addsReturns ?? false };
  const show = (text: string) => {
    options.progress(text);
    if (!pair || !asksForKey(text)) return;
    typed = true;
    pair.type(NEXT_PAGE);
  };
  const feed = new Feed(new TerminalText((text) => output.write(text)), show, origin);
  pair?.read((chunk) => feed.take(chunk));
  const { command, cwd, env, shell } = options;
  const start = { command, cwd, mark: nextMark(state), tellsCwd: mayMove(command) };
  state.record ??= recordShells(options.stateDir, state.mark);
  let starter: ShellStarter | null = null;
  let started: StartedShell;
  let direct: ReturnType<typeof startShell> | undefined;
  try {
    if (pair && fitsStarter(start)) starter = await starterFor(state, pair, shell, env);
    if (starter) started = starter.start(start, env);
    else {
      const read = (chunk: Buffer) => feed.take(chunk);
      started = direct = startShell({ ...start, shell, env, slave: pair?.slave, read, beside: options.outputFile });
    }
  } catch (error) {
    // A NUL in the command, for example.
    if (pair) returnPair(state, pair, true);
    const failure = (error as Error).message;
    return { exitCode: null, endedBy: null, failure, output: '', stopped: null, ms: 0, left: [], endedJobs };
  }
  const find = (pid = started.pid) =>
    findProcesses({
      marks: [start.mark],
      shells: pid === undefined ? [] : [pid],
      sessions: starter ? [starter.pid] : [],
      foreign: sessionMark(state),
      since: pid,
    });
  const stop = stopper(options, find);

  const outcome = await Promise.race([started.exit, stop.gone]);
  stop.settle();
  const stopped = stop.why();
  // A process that was stopped may have left children that outlive it.
  if (stopped) await stop.ended;
  const { pid, directory } = (outcome === UNKNOWN ? undefined : await started.ended()) ?? {};
  noteStart(state, pid);
  const left = stopped || pid === undefined ? [] : await leftBehind(pid, () => find(pid));
  const drained = pair ? await drain(pair, feed) : true;
  if (direct && !pair) await Promise.race([direct.closed, delay(left.length > 0 || stopped ? 100 : DRAIN_MS)]);
  direct?.drop();
  const job = left.length > 0 ? state.nextJob++ : undefined;
  if (job !== undefined) {
    if (pair) dropPair(state, pair);
    state.jobs.push(makeJob(job, { shell: pid!, mark: start.mark, command, processes: left, started: began }, pair));
  } else if (pair) returnPair(state, pair, drained && !typed && outcome !== UNKNOWN && !mayAlterTerminal(command));
  const binary = feed.end();
  if (pair && !feed.addsReturns) pair.addsReturns = false;
  const ms = Date.now() - began;
  const text = output.end();
  const shown = binary ? `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${binary}` : text;
  return { ...outcome, output: shown, stopped, ms, cwd: stopped ? undefined : directory, left, job, endedJobs };
}

/** Who starts this command; null when it is ada itself. */
async function starterFor(
  state: ShellState,
  pair: PtyPair,
  shell: string,
  env: NodeJS.ProcessEnv,
): Promise<ShellStarter | null> {
  const known = state.starters.get(pair);
  if (known === null || known?.usable) return known;
  const opened = canStart(shell, env) ? await openShellStarter(shell, env, state.mark, pair) : undefined;
  noteStart(state, opened?.pid);
  state.starters.set(pair, opened ?? null);
  return opened ?? null;
}

/** Of a shell that nothing ends. */
const UNKNOWN: ShellExit = { exitCode: null, endedBy: null };

/** Ends the command and all it started at the timeout or the abort. */
function stopper(options: RunCommandOptions, find: () => FoundProcess[]) {
  let why: CommandResult['stopped'] = null;
  let settled = false;
  let gone!: (exit: ShellExit) => void;
  let ending: Promise<unknown> = Promise.resolve();
  const end = async (graceMs: number) => {
    // The shell may not have begun yet, and what was ended is heard of a little later. Should even SIGKILL not reach a
    // process, the call comes back all the same.
    const until = Date.now() + graceMs + 1000;
    for (let grace = graceMs; !settled && Date.now() < until; grace = 0) {
      await endProcesses(find, grace);
      if (!settled) await delay(20);
    }
    gone(UNKNOWN);
  };
  const stop = (reason: 'timeout' | 'abort') => {
    if (why) return;
    why = reason;
    ending = end(reason === 'timeout' ? TIMEOUT_GRACE_MS : ABORT_GRACE_MS);
  };
  const onAbort = () => stop('abort');
  const timer = setTimeout(stop, options.timeoutMs, 'timeout');
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort);
  return {
    gone: new Promise<ShellExit>((resolve) => {
      gone = resolve;
    }),
    why: () => why,
    get ended() {
      return ending;
    },
    settle() {
      settled = true;
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
