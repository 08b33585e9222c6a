/** What the shell of one session keeps between calls: its terminal, its jobs, and the mark of everything it started. */
import { type Job, jobQuery, listed } from './job.ts';
import { delay, endProcesses, findProcesses } from './processes.ts';
import { openPtyPair, type PtyPair } from './pty-pair.ts';
import type { ShellStarter } from './shell-starter.ts';
import { forgetShells } from './survivors.ts';

export interface ShellState {
  readonly mark: string;
  calls: number;
  jobs: Job[];
  nextJob: number;
  /** Jobs that have ended and that the model was not told of yet. */
  endedJobs: Job[];
  /** The last jobs that have ended: their output can still be read. */
  pastJobs: Job[];
  pair?: PtyPair;
  /** Why there is no terminal here. */
  noPty?: string;
  /** Who starts the commands that write to a terminal; null where there can be none. */
  starters: Map<PtyPair, ShellStarter | null>;
  /** The number of the first process that was started; 0 when numbers have started over since. */
  first?: number;
  /** The file that tells of this session's shells to the next ada. */
  record?: string;
  /** Calls that run now. */
  running: Set<Promise<unknown>>;
}

const KEY = 'shell';
const MOST_PAST = 10;

type Memory = Map<string, unknown>;

export function shellState(memory: Memory): ShellState {
  let state = memory.get(KEY) as ShellState | undefined;
  if (!state) {
    const mark = `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
    state = {
      mark,
      calls: 0,
      jobs: [],
      nextJob: 1,
      endedJobs: [],
      pastJobs: [],
      starters: new Map(),
      running: new Set(),
    };
    memory.set(KEY, state);
  }
  return state;
}

/** The mark of one command. The dot ends each part, so that one number is not the start of another. */
export const nextMark = (state: ShellState): string => `${state.mark}.${++state.calls}.`;

/** Found in the environment of everything that this session started. */
export const sessionMark = (state: ShellState): string => `${state.mark}.`;

/** Remembers from which number on there is something to look for. */
export function noteStart(state: ShellState, pid: number | undefined): void {
  if (pid !== undefined) state.first = pid < (state.first ?? pid) ? 0 : (state.first ?? pid);
}

/** A terminal that no other call uses and nothing left behind writes to; undefined where there are none. */
export async function takePair(state: ShellState): Promise<PtyPair | undefined> {
  if (state.noPty !== undefined) return undefined;
  if (state.pair?.usable) return state.pair;
  // A terminal that failed by itself leaves its starter.
  for (const pair of state.starters.keys()) if (!pair.usable && !pair.busy) dropPair(state, pair);
  try {
    const pair = await openPtyPair();
    if (!state.pair?.busy) state.pair = pair;
    return pair;
  } catch (error) {
    state.noPty = (error as Error).message.split('\n')[0]!;
    return undefined;
  }
}

/** Gives a terminal back after a call; it is used again when nothing writes to it any more and it behaves as it did. */
export function returnPair(state: ShellState, pair: PtyPair, clean: boolean): void {
  pair.stop();
  if (clean && (state.pair === pair || !state.pair)) return;
  dropPair(state, pair);
  pair.close();
}

/** Takes a terminal out of use without closing it. */
export function dropPair(state: ShellState, pair: PtyPair): void {
  if (state.pair === pair) state.pair = undefined;
  void state.starters.get(pair)?.close();
  state.starters.delete(pair);
}

/** Sorts out the jobs that have ended. */
export function pruneJobs(state: ShellState): void {
  if (state.jobs.length === 0) return;
  state.jobs = state.jobs.filter((job) => {
    job.processes = findProcesses(jobQuery(job));
    if (job.processes.length > 0 || job.exit) return true;
    job.end();
    state.endedJobs.push(job);
    state.pastJobs = [...state.pastJobs.slice(1 - MOST_PAST), job];
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

/** One line for each job that ended since the model was last told. */
export function takeEndedJobs(state: ShellState): readonly string[] {
  return state.endedJobs.splice(0).map((job) => `(${listed(job)})`);
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
  const starters = [...state.starters.values()].filter((starter) => starter !== null);
  // Only of those that live: the number of another could mean anybody's session by now.
  const sessions = starters.filter((starter) => starter.alive).map(({ pid }) => pid);
  await Promise.race([Promise.all(starters.map((starter) => starter.close())), delay(500)]);
  // By group and session as well, for what wrote over its environment and where there are no marks.
  const shells = state.jobs.map(({ shell }) => shell);
  const query = { marks: [sessionMark(state)], shells, sessions, since: state.first };
  const left = await endProcesses(() => findProcesses(query), 250);
  for (const job of state.jobs) job.end();
  state.pair?.close();
  if (left.length === 0) forgetShells(state.record);
}
