/** Lets the packed ada work on one workspace and keeps what it did. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Denial, EventOf, Usage } from '../../core/types.ts';
import { runChild } from './child.ts';
import type { Instance } from './dataset.ts';

export interface AgentOptions {
  /** Path of `app/ada.cjs`. */
  ada: string;
  model: string;
  timeoutSeconds: number;
  maxTurns: number | null;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

export interface AgentRun {
  /** How it ended, for the report; `fatal` would end every other instance in the same way. */
  end: 'stop' | 'limit' | 'error' | 'fatal' | 'aborted';
  reason: string | null;
  /** The same attempt may succeed later. */
  retryable: boolean;
  exitCode: number | null;
  turns: number | null;
  usage: Usage | null;
  denials: readonly Denial[];
  durationMs: number;
}

/** Time for ada to end a turn by its own limit before it is ended from outside. */
const GRACE_SECONDS = 30;

export function promptFor(instance: Instance): string {
  return `The repository in the working directory has the issue below. Find its cause and fix it in the source code, so that the hidden tests for this issue pass and everything that works now still does. Do not edit existing tests. When the fix is done and checked, say in a few lines what you changed.

<issue>
${instance.problem_statement.trim()}
</issue>
`;
}

/** Writes the stored events to `trajectory` (the form of a session log) and standard error beside it. */
export async function runAgent(
  instance: Instance,
  folder: string,
  trajectory: string,
  options: AgentOptions,
): Promise<AgentRun> {
  const args = [
    '--model',
    options.model,
    '--mode',
    'auto',
    '--output-format',
    'stream-json',
    '--timeout',
    String(options.timeoutSeconds),
  ];
  if (options.maxTurns !== null) args.push('--max-turns', String(options.maxTurns));
  mkdirSync(dirname(trajectory), { recursive: true });
  const log = openSync(trajectory, 'w');
  const errors = openSync(trajectory.replace(/\.jsonl$/, '.stderr.txt'), 'w');
  let done: EventOf<'done'> | undefined;
  let error: EventOf<'error'> | undefined;
  let lastError = '';
  const started = performance.now();
  try {
    const { code, timedOut } = await runChild(process.execPath, [options.ada, ...args, '-p'], {
      cwd: folder,
      env: options.env,
      input: promptFor(instance),
      timeoutMs: (options.timeoutSeconds + GRACE_SECONDS) * 1000,
      signal: options.signal,
      onLine(line, stream) {
        if (stream === 'stderr') {
          writeSync(errors, `${line}\n`);
          if (line.trim() !== '') lastError = line.trim();
          return;
        }
        const event = parseEvent(line);
        // Live pieces are repeated by the stored event that ends them.
        if (typeof event?.seq !== 'number') return;
        writeSync(log, `${line}\n`);
        if (event.type === 'done') done = event as unknown as EventOf<'done'>;
        if (event.type === 'error') error = event as unknown as EventOf<'error'>;
      },
    });
    const aborted = options.signal?.aborted === true;
    const end = aborted ? 'aborted' : endOf(code, timedOut, done);
    return {
      end,
      reason:
        end === 'stop'
          ? null
          : timedOut
            ? 'ended from outside after its time limit'
            : (error?.message ?? (lastError || `ada ended with exit code ${code}`)),
      retryable: end === 'error' && error?.retryable === true,
      exitCode: code,
      turns: done?.turns ?? null,
      usage: done?.usage ?? null,
      denials: done?.denials ?? [],
      durationMs: Math.round(performance.now() - started),
    };
  } finally {
    closeSync(log);
    closeSync(errors);
  }
}

/** Exit codes of CONTRACT, "Commands". */
function endOf(code: number | null, timedOut: boolean, done: EventOf<'done'> | undefined): AgentRun['end'] {
  if (timedOut || code === 4 || done?.finish === 'limit') return 'limit';
  if (code === 0 && done?.finish === 'stop') return 'stop';
  return code === 2 || code === 3 ? 'fatal' : 'error';
}

function parseEvent(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
