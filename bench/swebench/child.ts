/** Runs one program in a process group of its own and makes sure that the whole group is gone afterwards. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterLong } from '../../core/long-timer.ts';

export interface ChildOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  input?: string;
  timeoutMs: number;
  signal?: AbortSignal;
  onLine(line: string, stream: 'stdout' | 'stderr'): void;
}

export interface ChildResult {
  /** Null when a signal ended it. */
  code: number | null;
  timedOut: boolean;
}

/** From the polite signal to the one that cannot be ignored. */
const GRACE_MS = 5_000;

/** Rejects only when the program cannot be started. An abort or the time limit ends the whole group. */
export function runChild(command: string, args: readonly string[], options: ChildOptions): Promise<ChildResult> {
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted) return resolve({ code: null, timedOut: false });
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let timedOut = false;
    let killing: NodeJS.Timeout | undefined;
    const signalGroup = (signal: NodeJS.Signals) => {
      try {
        if (child.pid) process.kill(-child.pid, signal);
      } catch {
        // the group is gone already
      }
    };
    const stop = () => {
      signalGroup('SIGTERM');
      killing ??= setTimeout(() => signalGroup('SIGKILL'), GRACE_MS);
    };
    const stopTimer = afterLong(options.timeoutMs, () => {
      timedOut = true;
      stop();
    });
    options.signal?.addEventListener('abort', stop, { once: true });

    for (const stream of ['stdout', 'stderr'] as const) {
      createInterface({ input: child[stream], crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) =>
        options.onLine(line, stream),
      );
    }
    child.stdin.on('error', () => {}); // it may end without reading
    child.stdin.end(options.input);
    const release = () => {
      stopTimer();
      clearTimeout(killing);
      options.signal?.removeEventListener('abort', stop);
    };
    child.on('error', (error) => {
      release();
      reject(error);
    });
    // A process left in the background would keep the pipes open: end the group when its leader ends.
    child.on('exit', () => signalGroup('SIGKILL'));
    child.on('close', (code) => {
      release();
      resolve({ code, timedOut });
    });
  });
}
