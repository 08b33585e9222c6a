/** `background`: commands that go on beside the conversation, and what `bash` left running. All end with the session. */
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { unixLineEnds } from '../permission/line-ends.ts';
import { knowProjectSecrets } from '../project-secrets.ts';
import type { Tool, ToolContext, ToolOutput } from '../types.ts';
import { defineTool } from './call/define-tool.ts';
import type { BashOptions } from './shell/bash-options.ts';
import { markInCommand } from './shell/mark-in-command.ts';
import { placesInCommand } from './shell/places-in-command.ts';
import { findShell } from './shell/shell-environment.ts';
import { leaveUnusable } from './shell/usable-directory.ts';

interface Input {
  action: 'list' | 'output' | 'stop' | 'start';
  command?: string;
  id?: number;
}

export const createBackground = (options: BashOptions): Tool<Input> =>
  defineTool({
    name: 'background',
    description: 'Start a command that keeps running; list, read or stop such jobs.',
    input: z.object({
      action: z.enum(['list', 'output', 'stop', 'start']),
      command: z.optional(z.string().check(z.describe('for start'))),
      id: z.optional(z.number().check(z.describe('job, for output and stop; default: the only one'))),
    }),
    kind: 'execute',
    late: true,
    gate: ({ action, command }, { cwd }) =>
      action === 'start' ? { kind: 'command', command: command ?? '', cwd } : { kind: 'none' },
    title: ({ action, command, id }) => [action, id, command].filter((part) => part !== undefined).join(' '),
    run: (input, context) => run(input, context, options),
  });

async function run(input: Input, context: ToolContext, options: BashOptions): Promise<ToolOutput> {
  const [{ shellState, pruneJobs }, { listed }] = await Promise.all([
    import('./shell/shell-state.ts'),
    import('./shell/job.ts'),
  ]);
  const state = shellState(context.memory);
  pruneJobs(state);
  if (input.action === 'start') {
    if (!input.command?.trim()) return { output: '`command` is missing: what is to be started?', isError: true };
    const marked = markInCommand(input.command);
    if (marked) return { output: marked, isError: true };
    const gone = leaveUnusable(context);
    if (gone) return { output: gone, isError: true };
    knowProjectSecrets(context.project, { first: true, places: placesInCommand(input.command, context.cwd) });
    const { startJob } = await import('./shell/start-job.ts');
    return startJob(state, {
      command: unixLineEnds(input.command),
      cwd: context.cwd,
      shell: options.shell ?? findShell(options.env),
      env: options.env,
      signal: context.signal,
      stateDir: dirname(context.stateDir),
      beside: join(context.stateDir, `job-${context.id.replace(/[^\w-]/g, '_').slice(0, 80)}`),
    });
  }
  const jobs = [...state.jobs, ...state.pastJobs].sort((a, b) => a.id - b.id);
  if (input.action === 'list') {
    state.endedJobs.length = 0;
    return { output: jobs.map((job) => listed(job)).join('\n') || 'There are no jobs.' };
  }
  const candidates = input.action === 'stop' || state.jobs.length > 0 ? state.jobs : jobs;
  const [only, ...others] = candidates;
  const job = input.id !== undefined ? jobs.find(({ id }) => id === input.id) : others.length === 0 ? only : undefined;
  if (!job) {
    const problem = input.id !== undefined ? `There is no job ${input.id}.` : only ? 'Which job?' : 'There is no job.';
    return { output: [problem, ...jobs.map((one) => listed(one))].join('\n'), isError: true };
  }
  if (input.action === 'stop') {
    if (job.ended !== undefined) return { output: `Nothing to stop: ${listed(job)}` };
    const { stopJob } = await import('./shell/start-job.ts');
    const left = await stopJob(state, job);
    return left.length === 0
      ? { output: `Stopped: ${listed(job)}` }
      : { output: `These processes could not be ended: ${left.map(({ pid }) => pid).join(' ')}`, isError: true };
  }
  const { text, isCut } = job.output.tail();
  const head = isCut ? '[… only the last lines are kept …]\n' : '';
  return { output: `${listed(job)}\n${head}${text.trimEnd() || '(no output)'}` };
}
