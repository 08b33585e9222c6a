/** `bash`: a shell command, without input, whose working directory is kept for the next one. */
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { interruption } from '../interruption.ts';
import { unixLineEnds } from '../permission/line-ends.ts';
import { knowProjectSecrets } from '../project-secrets.ts';
import { redact } from '../redact.ts';
import type { Tool, ToolContext, ToolOutput } from '../types.ts';
import { visibleControls } from '../visible-controls.ts';
import { defineTool } from './call/define-tool.ts';
import { locate, shownPath } from './files/locate.ts';
import type { BashOptions } from './shell/bash-options.ts';
import { markInCommand } from './shell/mark-in-command.ts';
import { placesInCommand } from './shell/places-in-command.ts';
import { findShell } from './shell/shell-environment.ts';
import { leaveUnusable, unusable } from './shell/usable-directory.ts';

export type { BashOptions };

const DEFAULT_SECONDS = 120;
const MOST_SECONDS = 3600;

interface Input {
  command: string;
  timeout?: number;
  cwd?: string;
}

export const createBash = (options: BashOptions): Tool<Input> =>
  defineTool({
    name: 'bash',
    description: 'Run a shell command, without input. The working directory is kept for the next call.',
    input: z.object({
      command: z.string(),
      timeout: z.optional(z.number().check(z.describe(`seconds, default ${DEFAULT_SECONDS}`))),
      cwd: z.optional(z.string().check(z.describe('this call only'))),
    }),
    kind: 'execute',
    gate: ({ command, cwd }, context) => ({ kind: 'command', command, cwd: locate(cwd ?? '', context.cwd) }),
    title: ({ command }) => {
      const [first = '', ...more] = command.trim().split('\n');
      return more.length > 0 ? `${first} … (${more.length + 1} lines)` : first;
    },
    run: (input, context) => run(input, context, options),
  });

/** Loaded with the first command, and only looked up once: an import() that is already loaded still costs 0.1 ms. */
const loadParts = async () => {
  const [{ runCommand }, { shellState }] = await Promise.all([
    import('./shell/run-command.ts'),
    import('./shell/shell-state.ts'),
  ]);
  return { runCommand, shellState };
};
let parts: Awaited<ReturnType<typeof loadParts>> | undefined;

async function run(
  { command, timeout, cwd: own }: Input,
  context: ToolContext,
  options: BashOptions,
): Promise<ToolOutput> {
  const marked = markInCommand(command);
  if (marked) return { output: marked, isError: true };
  const notes: string[] = [];
  const cwd = locate(own ?? '', context.cwd);
  // Before the command: it may put the files elsewhere.
  knowProjectSecrets(context.project, { first: true, places: placesInCommand(command, cwd) });
  const problem = own === undefined ? undefined : unusable(cwd);
  if (problem) return { output: `The directory ${own} ${problem}.`, isError: true };
  const gone = own === undefined ? leaveUnusable(context) : undefined;
  if (gone) return { output: gone, isError: true };
  const { runCommand, shellState } = (parts ??= await loadParts());
  const state = shellState(context.memory);
  const hadTerminal = state.noPty === undefined;
  const result = await runCommand(state, {
    command: unixLineEnds(command),
    cwd,
    shell: options.shell ?? findShell(options.env),
    env: options.env,
    timeoutMs: timeoutMs(timeout),
    signal: context.signal,
    progress: (text) => context.progress(redact(text)),
    stateDir: dirname(context.stateDir),
    outputFile: join(context.stateDir, `bash-${context.id.replace(/[^\w-]/g, '_').slice(0, 80)}.txt`),
  });
  if (result.failure) return { output: `The shell could not be started: ${result.failure}`, isError: true };
  // As a shell would say it of a command of its own.
  const code = result.endedBy ? 128 + constants.signals[result.endedBy] : result.stopped ? null : result.exitCode;
  const seconds = `${(result.ms / 1000).toFixed(1)} s`;
  const ended = 'it was ended, with what was found of all that it started';
  if (result.stopped === 'timeout') notes.push(`(timed out after ${seconds}; ${ended})`);
  else if (result.stopped === 'abort') {
    const why = interruption(context.signal);
    notes.push(`(${why.charAt(0).toLowerCase()}${why.slice(1)} after ${seconds}; ${ended})`);
  } else if (code !== 0) notes.push(exitNote(code));
  if (result.left.length > 0) {
    const rows = result.left.slice(0, 10).map(({ pid, command }) => visibleControls(`${pid} ${command}`.trim()));
    notes.push(
      `(still running as job ${result.job}: ${rows.join('; ')}. To stop: background { action: "stop", id: ${result.job} }. All end with the session)`,
    );
  }
  notes.push(...result.endedJobs);
  // A directory given for one call is not where the next one starts.
  if (own === undefined && result.cwd && result.cwd !== cwd && existsSync(result.cwd)) {
    context.setCwd(result.cwd);
    notes.push(`(working directory: ${shownPath(result.cwd, context.project)})`);
  } else if (own === undefined && result.cwd && !existsSync(result.cwd) && existsSync(cwd))
    notes.push(
      `(${shownPath(result.cwd, context.project)} has vanished; the working directory stays ${shownPath(cwd, context.project)})`,
    );
  if (hadTerminal && state.noPty !== undefined)
    notes.push(`(no terminal could be opened, output came through pipes: ${state.noPty})`);
  const text = result.output.trimEnd();
  const failed = code !== 0;
  const body = text === '' ? (failed || notes.length > 0 ? [] : ['(no output)']) : [text];
  return {
    output: [...body, ...notes].join('\n'),
    display: { kind: 'terminal', command, output: text, exitCode: result.stopped ? null : code },
    ...(failed ? { isError: true } : {}),
  };
}

/** Models that learned from other tools give milliseconds; no command may run for so many seconds. */
function timeoutMs(timeout = DEFAULT_SECONDS): number {
  if (!(timeout > 0)) return DEFAULT_SECONDS * 1000;
  return timeout > MOST_SECONDS ? Math.min(timeout, MOST_SECONDS * 1000) : timeout * 1000;
}

function exitNote(code: number | null): string {
  if (code === null) return '(how it ended is not known: something ended its parent process)';
  const [signal] = Object.entries(constants.signals).find(([, number]) => 128 + number === code) ?? [];
  return signal ? `(exit code ${code}: ended by ${signal})` : `(exit code ${code})`;
}
