/** What a run came to: pure functions over its records. */
import type { Usage } from '../../core/types.ts';

/**
 * `submitted`: a patch that was not scored. `limit`: turns, cost or time ran out and the patch so far does not resolve
 * the issue or was not scored. `error`: the program, the network or the provider failed. `not_run`: nothing can be
 * said, because the instance or its tests could not be run here. The last two say nothing about the model.
 */
export type Status = 'resolved' | 'unresolved' | 'empty_patch' | 'limit' | 'error' | 'not_run' | 'submitted';

export const STATUSES: readonly Status[] = [
  'resolved',
  'unresolved',
  'submitted',
  'empty_patch',
  'limit',
  'error',
  'not_run',
];

/** A line of predictions.jsonl, the official form. */
export interface Prediction {
  instance_id: string;
  model_name_or_path: string;
  model_patch: string;
}

/** Everything that can change a score. */
export interface Settings {
  ada: string;
  node: string;
  model: string;
  dataset: string;
  timeoutSeconds: number;
  maxTurns: number | null;
  concurrency: number;
}

/** A line of meta.jsonl; of several for one instance the last counts. */
export interface Meta {
  instance_id: string;
  status: Exclude<Status, 'resolved' | 'unresolved'>;
  reason: string | null;
  base: string | null;
  exitCode: number | null;
  turns: number | null;
  usage: Usage | null;
  denials: number;
  durationMs: number;
  attempts: number;
  patchBytes: number;
  files: readonly string[];
  /** Changed paths that were left out of the submitted patch: tests that the scoring replaces, scratch files. */
  stripped: readonly string[];
  /** ms since the epoch. */
  finishedAt: number;
  settings: Settings;
}

/** A line of evaluation.jsonl; of several for one instance the last counts. */
export interface Evaluation {
  instance_id: string;
  verdict: 'resolved' | 'unresolved' | 'not_run';
  reason: string | null;
  /** Names of tests that should pass and did not. */
  failed: readonly string[];
  passed: number;
  durationMs: number;
}

export interface Report {
  total: number;
  /** Instances that a model really worked on to an end of its own or to a limit. */
  attempted: number;
  /** Share of `attempted` that is resolved, from 0 to 1; null when nothing was scored. */
  score: number | null;
  counts: Readonly<Record<Status, number>>;
  instances: readonly {
    instance_id: string;
    status: Status;
    reason: string | null;
    turns: number | null;
    durationMs: number | null;
  }[];
  settings: Settings;
}

/** The status of one instance from its newest records. */
export function statusOf(
  meta: Meta | undefined,
  evaluation: Evaluation | undefined,
): { status: Status; reason: string | null } {
  if (!meta) return { status: 'not_run', reason: 'not run yet' };
  if (meta.status !== 'submitted' && meta.status !== 'limit') return { status: meta.status, reason: meta.reason };
  if (!evaluation) return { status: meta.status, reason: meta.reason };
  if (evaluation.verdict === 'resolved') return { status: 'resolved', reason: null };
  if (meta.status === 'limit') return { status: 'limit', reason: meta.reason };
  return { status: evaluation.verdict, reason: evaluation.reason };
}

export function makeReport(
  ids: readonly string[],
  metas: ReadonlyMap<string, Meta>,
  evaluations: ReadonlyMap<string, Evaluation>,
  settings: Settings,
): Report {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  const instances = ids.map((instance_id) => {
    const meta = metas.get(instance_id);
    const { status, reason } = statusOf(meta, evaluations.get(instance_id));
    counts[status] += 1;
    return { instance_id, status, reason, turns: meta?.turns ?? null, durationMs: meta?.durationMs ?? null };
  });
  const attempted = ids.length - counts.error - counts.not_run;
  const scored = ids.some((id) => evaluations.has(id) && evaluations.get(id)!.verdict !== 'not_run');
  return {
    total: ids.length,
    attempted,
    score: scored && attempted > 0 ? counts.resolved / attempted : null,
    counts,
    instances,
    settings,
  };
}

/** The report for a person. */
export function formatReport(report: Report): string {
  const width = Math.max(...report.instances.map(({ instance_id }) => instance_id.length), 8);
  const lines = report.instances.map(({ instance_id, status, reason }) =>
    `${instance_id.padEnd(width)}  ${status.padEnd(11)}  ${reason ?? ''}`.trimEnd(),
  );
  lines.push('', STATUSES.map((status) => `${status} ${report.counts[status]}`).join(' · '));
  if (report.score !== null)
    lines.push(
      `resolved ${report.counts.resolved} of ${report.attempted} attempted (${(report.score * 100).toFixed(1)} %)`,
    );
  return lines.join('\n');
}
