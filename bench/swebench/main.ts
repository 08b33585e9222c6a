/** `npm run swebench`: runs ada on SWE-bench instances and, with `--evaluate`, scores them here (CONTRACT, "SWE-bench"). */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DatasetError, type Instance, readDataset, selectInstances } from './dataset.ts';
import { evaluate } from './evaluate.ts';
import { FlagError, type Flags, HELP, parseFlags } from './flags.ts';
import { gitEnvironment } from './git.ts';
import { formatReport, makeReport, type Settings, statusOf } from './report.ts';
import { RunFolder, RunFolderError } from './run-folder.ts';
import { runInstance } from './run-instance.ts';

export interface SwebenchOptions {
  /** Path of ada's launcher. */
  ada: string;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Pause before a failed instance is tried again, doubled each time; default 5,000. */
  pauseMs?: number;
  signal?: AbortSignal;
  out(text: string): void;
  err(text: string): void;
}

/** Gives the exit code: 0 the run ended, 1 nothing could be run, 2 usage, 3 no model, 130 interrupted. */
export async function swebench(argv: readonly string[], options: SwebenchOptions): Promise<number> {
  let flags: Flags;
  let chosen: Instance[];
  let run: RunFolder;
  try {
    const parsed = parseFlags(argv, options.cwd);
    if (parsed === 'help') {
      options.out(HELP);
      return 0;
    }
    flags = parsed;
    chosen = selectInstances(readDataset(flags.dataset), flags.instances, flags.limit);
    if (!existsSync(options.ada)) throw new FlagError(`${options.ada} is missing: npm run build`);
    run = new RunFolder(flags.out);
  } catch (error) {
    if (!(error instanceof FlagError || error instanceof DatasetError || error instanceof RunFolderError)) throw error;
    options.err(`swebench: ${error.message}\n`);
    return 2;
  }

  // Outside the folder of the run, so that no configuration above a checkout reaches its tests. The name follows from
  // the folder, so that the next run finds and removes what a killed one left.
  const scratch = join(
    tmpdir(),
    `ada-swebench-${process.getuid?.() ?? 0}-${createHash('sha256').update(flags.out).digest('hex').slice(0, 12)}`,
  );
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const gitEnv = gitEnvironment(join(scratch, 'git'));
  const settings: Settings = {
    ada: execFileSync(process.execPath, [options.ada, '--version'], { encoding: 'utf8' }).trim(),
    node: process.version,
    model: flags.model,
    dataset: flags.dataset,
    timeoutSeconds: flags.timeout,
    maxTurns: flags.maxTurns,
    concurrency: flags.concurrency,
  };
  const ids = chosen.map((instance) => instance.instance_id);
  const report = () => makeReport(ids, run.metas, run.evaluations, settings);
  const say = (id: string) => {
    const { status, reason } = statusOf(run.metas.get(id), run.evaluations.get(id));
    options.err(`${id}: ${status}${reason === null ? '' : ` (${reason})`}\n`);
    run.writeReport(report());
  };

  let fatal: string | null = null;
  try {
    run.recover(settings);
    const todo = chosen.filter((instance) => !run.isDone(instance.instance_id));
    if (todo.length < chosen.length) options.err(`${chosen.length - todo.length} done before\n`);
    await inParallel(todo, flags.concurrency, async (instance) => {
      if (fatal !== null || options.signal?.aborted) return;
      const stop = await runInstance(instance, run, {
        ada: options.ada,
        model: flags.model,
        timeoutSeconds: flags.timeout,
        maxTurns: flags.maxTurns,
        // The agent's own git commands need a name to commit under, and no pager or hook of the person.
        env: { ...options.env, GIT_CONFIG_GLOBAL: gitEnv.GIT_CONFIG_GLOBAL },
        signal: options.signal,
        repos: flags.repos,
        scratch,
        settings,
        gitEnv,
        pauseMs: options.pauseMs ?? 5_000,
      });
      if (!options.signal?.aborted) say(instance.instance_id);
      fatal ??= stop;
    });

    if (flags.evaluate && fatal === null) {
      const open = chosen.filter(({ instance_id: id }) => {
        const verdict = run.evaluations.get(id)?.verdict;
        return (
          run.isDone(id) &&
          (run.predictions.get(id)?.model_patch ?? '') !== '' &&
          (verdict === undefined || verdict === 'not_run')
        );
      });
      await inParallel(open, flags.concurrency, async (instance) => {
        if (options.signal?.aborted) return;
        const id = instance.instance_id;
        const folder = join(scratch, `${id}.evaluate`);
        try {
          const outcome = await evaluate(instance, run.predictions.get(id)!.model_patch, {
            scratch: folder,
            repos: flags.repos,
            env: gitEnv,
            timeoutSeconds: flags.timeout,
            signal: options.signal,
            keepLog: (name, text) => run.keep(id, `${name}.tests.txt`, text),
          });
          run.addEvaluation(outcome);
          say(id);
        } catch (error) {
          if (options.signal?.aborted) return;
          run.addEvaluation({
            instance_id: id,
            verdict: 'not_run',
            reason: (error as Error).message,
            failed: [],
            passed: 0,
            durationMs: 0,
          });
          say(id);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      });
    }
    run.writeReport(report());
  } finally {
    run.close();
    rmSync(scratch, { recursive: true, force: true });
  }

  options.out(`${formatReport(report())}\n`);
  if (options.signal?.aborted) return 130;
  if (fatal !== null) {
    options.err(`swebench: stopped, since every instance would end the same way: ${fatal}\n`);
    return [...run.metas.values()].at(-1)?.exitCode === 3 ? 3 : 2;
  }
  return report().attempted === 0 ? 1 : 0;
}

async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const stop = new AbortController();
  let code = 130;
  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      code = exit;
      stop.abort();
    });
  }
  const result = await swebench(process.argv.slice(2), {
    ada: join(dirname(fileURLToPath(import.meta.url)), '../app/ada.cjs'),
    env: process.env,
    cwd: process.cwd(),
    signal: stop.signal,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
  process.exitCode = result === 130 ? code : result;
}
