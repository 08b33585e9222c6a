/** Gives files back what they held before a prompt. */
import { chmod } from 'node:fs/promises';
import { removeFile, WriteError, writeBytes } from '../tools/files/write-bytes.ts';
import { ABSENT, type ChangedFile, type Checkpoints, contentOf, type Kept, modeOf, UNKEPT } from './checkpoints.ts';

/** What would become of one file. */
export interface RestoreStep {
  file: string;
  /**
   * `back`: gets its earlier content. `remove`: was created and goes. `same`: holds it already.
   * `changed`: something else changed it since, it is left alone. `lost`: what it held is not kept.
   */
  action: 'back' | 'remove' | 'same' | 'changed' | 'lost';
  kept: Kept;
  /** Permissions that it gets back; undefined where it keeps those that it has. */
  mode?: number;
}

/** What going back to before `prompt` does to files; nothing is written. */
export async function planRestore(checkpoints: Checkpoints, prompt: number): Promise<RestoreStep[]> {
  const steps: RestoreStep[] = [];
  for (const changed of checkpoints.changed()) {
    const kept = changed.states.find((state) => state.prompt >= prompt);
    if (!kept) continue;
    const [action, mode] = await Promise.all([actionFor(checkpoints, changed, kept), modeFor(changed, kept)]);
    steps.push({ file: changed.file, kept, action, ...(mode !== undefined && { mode }) });
  }
  return steps;
}

/** What somebody else made of the permissions stays: a file that was closed is not opened again. */
async function modeFor({ file, afterMode }: ChangedFile, { mode, ownMode }: Kept): Promise<number | undefined> {
  const now = await modeOf(file);
  return now === undefined || (ownMode && now === afterMode) ? mode : undefined;
}

async function actionFor(checkpoints: Checkpoints, { file, after }: ChangedFile, kept: Kept) {
  const now = await contentOf(file);
  if (kept.before === UNKEPT) return 'lost';
  if (now === kept.before) return 'same';
  if (now !== after || now === UNKEPT) return 'changed';
  if (kept.before === ABSENT) return 'remove';
  return (await checkpoints.content(kept.before)) ? 'back' : 'lost';
}

/**
 * Does what was planned, file by file; what changed since the plan was made is left alone. `at`: the prompt that a later
 * going back counts these changes to. Gives the steps as they turned out.
 */
export async function restore(
  checkpoints: Checkpoints,
  prompt: number,
  at: number,
): Promise<(RestoreStep & { problem?: string })[]> {
  const done: (RestoreStep & { problem?: string })[] = [];
  for (const step of await planRestore(checkpoints, prompt)) {
    const { file, action, kept, mode } = step;
    if (action !== 'back' && action !== 'remove') {
      done.push(step);
      continue;
    }
    try {
      const made = await checkpoints.before(at, file);
      if (action === 'remove') await removeFile(file, file);
      else {
        const bytes = await checkpoints.content(kept.before);
        if (!bytes) throw new WriteError('its earlier content is no longer kept');
        const isThere = mode !== undefined && (await modeOf(file)) !== undefined;
        // Closed before it holds what fewer could read, and never so far that it cannot be written.
        if (isThere) await chmod(file, mode | 0o200);
        await writeBytes(file, [bytes], mode, file);
        if (isThere) await chmod(file, mode);
      }
      await made();
      done.push(step);
    } catch (error) {
      done.push({ ...step, problem: (error as Error).message });
    }
  }
  return done;
}
