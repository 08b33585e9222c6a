/** The files of one run: whole lines are appended in one call, so that a kill loses at most the instances in flight. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Evaluation, Meta, Prediction, Report, Settings } from './report.ts';

/** The folder cannot be used: another process writes to it, or a file in it is broken. */
export class RunFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RunFolderError';
  }
}

/** Holds what the folder says and adds to it. Only one process at a time can have it open. */
export class RunFolder {
  readonly folder: string;
  readonly predictions = new Map<string, Prediction>();
  readonly metas = new Map<string, Meta>();
  readonly evaluations = new Map<string, Evaluation>();

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    this.#lock();
    for (const line of readLines<Prediction>(this.#path('predictions'))) this.predictions.set(line.instance_id, line);
    for (const line of readLines<Meta>(this.#path('meta'))) this.metas.set(line.instance_id, line);
    for (const line of readLines<Evaluation>(this.#path('evaluation'))) this.evaluations.set(line.instance_id, line);
  }

  /** An instance is done when its outcome says something about the model; errors are tried again. */
  isDone(id: string): boolean {
    const status = this.metas.get(id)?.status;
    return status !== undefined && status !== 'error' && status !== 'not_run';
  }

  /** The prediction comes first: one without its meta line is kept, one with a meta line cannot be missing. */
  addOutcome(meta: Meta, prediction: Prediction | null) {
    if (prediction) {
      append(this.#path('predictions'), prediction);
      this.predictions.set(prediction.instance_id, prediction);
    }
    append(this.#path('meta'), meta);
    this.metas.set(meta.instance_id, meta);
  }

  /** Gives predictions whose meta line was lost to a kill a line that says so. */
  recover(settings: Settings) {
    for (const { instance_id, model_patch } of this.predictions.values()) {
      if (this.metas.has(instance_id)) continue;
      this.addOutcome(
        {
          instance_id,
          status: model_patch === '' ? 'empty_patch' : 'submitted',
          reason: 'the run was killed before its details were written',
          base: null,
          exitCode: null,
          turns: null,
          usage: null,
          denials: 0,
          durationMs: 0,
          attempts: 1,
          patchBytes: Buffer.byteLength(model_patch),
          files: [],
          stripped: [],
          finishedAt: Date.now(),
          settings,
        },
        null,
      );
    }
  }

  addEvaluation(evaluation: Evaluation) {
    append(this.#path('evaluation'), evaluation);
    this.evaluations.set(evaluation.instance_id, evaluation);
  }

  writeReport(report: Report) {
    const path = join(this.folder, 'report.json');
    writeFileSync(`${path}.tmp`, `${JSON.stringify(report, null, 2)}\n`);
    renameSync(`${path}.tmp`, path);
  }

  trajectory(id: string): string {
    return join(this.folder, 'trajectories', `${id}.jsonl`);
  }

  /** Keeps a patch or a log beside the trajectory. */
  keep(id: string, ending: string, text: string) {
    mkdirSync(join(this.folder, 'trajectories'), { recursive: true });
    writeFileSync(join(this.folder, 'trajectories', `${id}.${ending}`), text);
  }

  close() {
    rmSync(join(this.folder, 'run.lock'), { force: true });
  }

  #path(name: string): string {
    return join(this.folder, `${name}.jsonl`);
  }

  #lock() {
    const path = join(this.folder, 'run.lock');
    for (let attempt = 0; ; attempt += 1) {
      try {
        writeFileSync(path, `${process.pid}\n`, { flag: 'wx' });
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 0) throw error;
        const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
        if (isAlive(pid)) throw new RunFolderError(`process ${pid} is already writing to ${this.folder}`);
        rmSync(path, { force: true });
      }
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function append(path: string, value: unknown) {
  const descriptor = openSync(path, 'a');
  try {
    writeSync(descriptor, `${JSON.stringify(value)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Cuts off a last line that a kill left torn, since the official scorer reads these files too. */
function readLines<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const whole = bytes.lastIndexOf(0x0a) + 1;
  if (whole < bytes.length) truncateSync(path, whole);
  const lines = bytes.toString('utf8', 0, whole).split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as T];
    } catch {
      throw new RunFolderError(`${path}:${index + 1} is not JSON; mend or remove the line`);
    }
  });
}
