/** One instance from its base commit to a line of the report. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentOptions, type AgentRun, runAgent } from './agent.ts';
import { type Instance, patchedFiles } from './dataset.ts';
import { extractPatch, type ModelPatch } from './patch.ts';
import type { Meta, Settings } from './report.ts';
import type { RunFolder } from './run-folder.ts';
import { makeWorkspace, type Workspace, WorkspaceError } from './workspace.ts';

export interface InstanceOptions extends AgentOptions {
  repos: string | null;
  /** Folder for the checkout, removed afterwards. */
  scratch: string;
  settings: Settings;
  /** Environment for git alone. */
  gitEnv: NodeJS.ProcessEnv;
  /** Before the second attempt, doubled before each next. */
  pauseMs: number;
}

/** Attempts where the provider or the network fails. */
const ATTEMPTS = 3;

/**
 * Writes prediction, meta line, trajectory and both forms of the patch. An infrastructure failure gives no prediction:
 * it would count as an empty patch. Returns what ends the whole run, or null.
 */
export async function runInstance(
  instance: Instance,
  run: RunFolder,
  options: InstanceOptions,
): Promise<string | null> {
  const id = instance.instance_id;
  const record = (status: Meta['status'], reason: string | null, more: Partial<Meta> = {}): Meta => ({
    instance_id: id,
    status,
    reason,
    base: null,
    exitCode: null,
    turns: null,
    usage: null,
    denials: 0,
    durationMs: 0,
    attempts: 0,
    patchBytes: 0,
    files: [],
    stripped: [],
    ...more,
    finishedAt: Date.now(),
    settings: options.settings,
  });
  if (instance.problem_statement.trim() === '') {
    run.addOutcome(record('not_run', 'the instance has no problem statement'), null);
    return null;
  }
  const folder = join(options.scratch, id);
  try {
    let workspace: Workspace;
    let agent: AgentRun;
    let attempts = 0;
    for (;;) {
      attempts += 1;
      workspace = await makeWorkspace(instance, {
        folder,
        repos: options.repos,
        env: options.gitEnv,
        signal: options.signal,
      });
      agent = await runAgent(instance, folder, run.trajectory(id), options);
      if (!agent.retryable || attempts === ATTEMPTS) break;
      await sleep(options.pauseMs * 2 ** (attempts - 1), undefined, { signal: options.signal });
    }
    if (agent.end === 'aborted') return null;
    const patch = await extractPatch(workspace, { env: options.gitEnv, testFiles: patchedFiles(instance.test_patch) });
    keepPatches(run, id, patch);
    const meta = record(statusOfRun(agent, patch), agent.reason, {
      base: workspace.base,
      exitCode: agent.exitCode,
      turns: agent.turns,
      usage: agent.usage,
      denials: agent.denials.length,
      durationMs: agent.durationMs,
      attempts,
      patchBytes: Buffer.byteLength(patch.patch),
      files: patch.files,
      stripped: patch.stripped,
    });
    const counts = meta.status !== 'error';
    run.addOutcome(
      meta,
      counts ? { instance_id: id, model_name_or_path: options.model, model_patch: patch.patch } : null,
    );
    return agent.end === 'fatal' ? agent.reason : null;
  } catch (error) {
    if (options.signal?.aborted) return null;
    if (error instanceof WorkspaceError) run.addOutcome(record('not_run', error.message), null);
    else run.addOutcome(record('error', (error as Error).message), null);
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function statusOfRun(agent: AgentRun, patch: ModelPatch): Meta['status'] {
  if (agent.end === 'limit') return 'limit';
  if (agent.end !== 'stop') return 'error';
  return patch.patch === '' ? 'empty_patch' : 'submitted';
}

function keepPatches(run: RunFolder, id: string, patch: ModelPatch) {
  run.keep(id, 'patch', patch.patch);
  if (patch.stripped.length > 0) run.keep(id, 'full.patch', patch.full);
}
