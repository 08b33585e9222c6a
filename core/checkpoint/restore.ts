/** Gives files back what they held before a prompt. */
import { chmod } from 'node:fs/promises';
import { removeFile, WriteError, writeBytes } from '../tools/files/write-bytes.ts';
import { ABSENT, type ChangedFile, type Checkpoints, contentOf, type Kept, UNKEPT } from './checkpoints.ts';

/** What would become of one file. */
export interface RestoreStep {
  file: string;
  /**
   * `back`: gets its earlier content. `remove`: was created and goes. `same`: holds it already.
   * `changed`: something else changed it since, it is left alone. `lost`: what it held is not kept.
   */
  action: 'back' | 'remove' | 'same' | 'changed' | 'lost';
  kept: Kept;
}

/** What going back to before `prompt` does to files; nothing is written. */
export async function planRestore(checkpoints: Checkpoints, prompt: number): Promise<RestoreStep[]> {
  const steps: RestoreStep[] = [];
  for (const changed of checkpoints.changed()) {
    const kept = changed.states.find((state) => state.prompt >= prompt);
    if (kept) steps.push({ file: changed.file, kept, action: await actionFor(checkpoints, changed, kept) });
  }
  return steps;
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
    const { file, action, kept } = step;
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
        await writeBytes(file, [bytes], kept.mode, file);
        if (kept.mode !== undefined) await chmod(file, kept.mode);
      }
      await made();
      done.push(step);
    } catch (error) {
      done.push({ ...step, problem: (error as Error).message });
    }
  }
  return done;
}
