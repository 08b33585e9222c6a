/** What the shell of one session keeps between calls: its terminal, its jobs, and the mark of everything it started. */
import { delay, endProcesses, type FoundProcess, findProcesses } from './processes.ts';
import { openPtyPair, type PtyPair } from './pty-pair.ts';

/** Processes that a finished command left running. */
export interface Job {
  /** Process group and session of the shell that started them. */
  shell: number;
  mark: string;
  command: string;
  processes: readonly FoundProcess[];
  /** Milliseconds since the epoch. */
  started: number;
  /** The terminal that they may still write to. */
  pair?: PtyPair;
}

export interface ShellState {
  readonly mark: string;
  calls: number;
  jobs: Job[];
  pair?: PtyPair;
  /** Why there is no terminal here. */
  noPty?: string;
  /** Calls that run now. */
  running: Set<Promise<unknown>>;
}

const KEY = 'shell';

type Memory = Map<string, unknown>;

export function shellState(memory: Memory): ShellState {
  let state = memory.get(KEY) as ShellState | undefined;
  if (!state) {
    const mark = `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
    memory.set(KEY, (state = { mark, calls: 0, jobs: [], running: new Set() }));
  }
  return state;
}

/** A terminal that no other call uses and nothing left behind writes to; undefined where there are none. */
export async function takePair(state: ShellState): Promise<PtyPair | undefined> {
  if (state.noPty !== undefined) return undefined;
  if (state.pair?.usable) return state.pair;
  try {
    const pair = await openPtyPair();
    if (!state.pair?.busy) state.pair = pair;
    return pair;
  } catch (error) {
    state.noPty = (error as Error).message.split('\n')[0]!;
    return undefined;
  }
}

/** Gives a terminal back. With `job` it stays open, and unread, for as long as the job lives. */
export function returnPair(state: ShellState, pair: PtyPair, job: Job | undefined, clean: boolean): void {
  pair.stop();
  const kept = clean && !job && (state.pair === pair || !state.pair);
  if (kept) return;
  if (state.pair === pair) state.pair = undefined;
  if (job) job.pair = pair;
  else pair.close();
}

/** Drops the jobs that have ended. */
export function pruneJobs(state: ShellState): void {
  if (state.jobs.length === 0) return;
  state.jobs = state.jobs.filter((job) => {
    job.processes = findProcesses(job.mark, job.shell, job.shell);
    if (job.processes.length > 0) return true;
    job.pair?.close();
    return false;
  });
}

/** The jobs of a session that still run. */
export function listJobs(memory: Memory): readonly Job[] {
  const state = memory.get(KEY) as ShellState | undefined;
  if (!state) return [];
  pruneJobs(state);
  return state.jobs;
}

/**
 * Ends everything that `bash` started in this session and closes its terminals. To be called when the session closes;
 * running calls must have been aborted. Resolves within 2 s.
 */
export async function endJobs(memory: Memory): Promise<void> {
  const state = memory.get(KEY) as ShellState | undefined;
  if (!state) return;
  memory.delete(KEY);
  if (state.running.size > 0) await Promise.race([Promise.allSettled(state.running), delay(1000)]);
  const shells = state.jobs.map((job) => job.shell);
  await endProcesses(() => {
    const marked = findProcesses(`${state.mark}.`);
    const known = new Set(marked.map(({ pid }) => pid));
    // Where there is no mark to find, and for what wrote over its environment.
    const grouped = shells.flatMap((shell) => findProcesses(`${state.mark}.`, shell, shell));
    return [...marked, ...grouped.filter(({ pid }) => !known.has(pid))];
  }, 250);
  for (const job of state.jobs) job.pair?.close();
  state.pair?.close();
}
