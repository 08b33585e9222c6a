/** Starts a command as a job from its first moment, and ends jobs. */
import { interruption } from '../../interruption.ts';
import { type Job, jobQuery, listed, makeJob } from './job.ts';
import { delay, endProcesses, type FoundProcess, findProcesses } from './processes.ts';
import { openPtyPair, type PtyPair } from './pty-pair.ts';
import { nextMark, noteStart, pruneJobs, type ShellState } from './shell-state.ts';
import { startShell } from './start-shell.ts';
import { recordShells } from './survivors.ts';

export interface JobStart {
  command: string;
  cwd: string;
  shell: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Folder of the project's state. */
  stateDir: string;
  /** Where a file may be put for a command that is too long for an argument. */
  beside: string;
}

/** So long a job is watched, so that one that fails at once is told of at once. */
const WATCH_MS = 700;
const STOP_GRACE_MS = 1000;
/** After the shell's exit the rest of its output arrives. */
const REST_MS = 50;

export async function startJob(
  state: ShellState,
  { command, cwd, shell, env, signal, stateDir, beside }: JobStart,
): Promise<{ output: string; isError?: boolean }> {
  state.record ??= recordShells(stateDir, state.mark);
  const started = Date.now();
  const mark = nextMark(state);
  const pair = await openPair(state);
  let job: Job | undefined;
  let shellProcess: ReturnType<typeof startShell>;
  try {
    const read = (chunk: Buffer) => job?.output.write(chunk);
    shellProcess = startShell({ command, cwd, mark, tellsCwd: false, shell, env, slave: pair?.slave, read, beside });
  } catch (error) {
    pair?.close();
    return { output: `The shell could not be started: ${(error as Error).message}`, isError: true };
  }
  const { pid } = shellProcess;
  if (pid === undefined) {
    pair?.close();
    return { output: `The shell could not be started: ${(await shellProcess.exit).failure}`, isError: true };
  }
  noteStart(state, pid);
  const processes = [{ pid, command }];
  const made = (job = makeJob(state.nextJob++, { shell: pid, mark, command, processes, started }, pair));
  state.jobs.push(made);
  shellProcess.unref();
  made.exit = shellProcess.exit.then(({ exitCode }) => {
    made.exitCode = exitCode;
    made.exit = undefined;
  });
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    shellProcess.exit.then(() => delay(REST_MS)),
    new Promise((resolve) => {
      timer = setTimeout(resolve, WATCH_MS);
      signal.addEventListener('abort', resolve, { once: true });
    }),
  ]);
  clearTimeout(timer);
  if (signal.aborted) {
    await stopJob(state, made);
    return { output: `${interruption(signal)}; the job was ended.`, isError: true };
  }
  pruneJobs(state);
  state.endedJobs = state.endedJobs.filter((ended) => ended !== made);
  const text = made.output.tail().text.trimEnd();
  const failed = made.ended !== undefined && made.exitCode !== 0;
  return { output: [listed(made), ...(text ? [text] : [])].join('\n'), ...(failed ? { isError: true } : {}) };
}

/** Ends a job's whole tree; gives what could not be ended. */
export async function stopJob(state: ShellState, job: Job): Promise<readonly FoundProcess[]> {
  const left = await endProcesses(() => findProcesses({ ...jobQuery(job), since: 0 }), STOP_GRACE_MS);
  if (left.length === 0) await job.exit;
  pruneJobs(state);
  state.endedJobs = state.endedJobs.filter((ended) => ended !== job);
  return left;
}

/** A terminal of its own; undefined where there are none. */
async function openPair(state: ShellState): Promise<PtyPair | undefined> {
  if (state.noPty !== undefined) return undefined;
  try {
    return await openPtyPair();
  } catch {
    return undefined;
  }
}
