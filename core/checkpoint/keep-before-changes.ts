/** Has what files were kept before a session changes them; what that takes is loaded with the first change. */

import { guardChanges } from '../tools/files/guarded-change.ts';
import type { Checkpoints } from './checkpoints.ts';

/** `stateDir`: of the session. `prompt`: number of the prompt that the turn began with. */
export function keepBeforeChanges(memory: Map<string, unknown>, stateDir: string, prompt: () => number): void {
  let checkpoints: Checkpoints | undefined;
  guardChanges(memory, async (file) => {
    checkpoints ??= (await import('./checkpoints.ts')).openCheckpoints(stateDir);
    return checkpoints.before(prompt(), file);
  });
}
