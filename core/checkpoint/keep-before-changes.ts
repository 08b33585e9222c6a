/** Has what files were kept before a session changes them; what that takes is loaded with the first change. */
import { guardChanges } from '../tools/files/guarded-change.ts';

/** `stateDir`: of the session. `prompt`: number of the prompt that the turn began with. */
export function keepBeforeChanges(memory: Map<string, unknown>, stateDir: string, prompt: () => number): void {
  guardChanges(memory, async (file) => {
    const { openCheckpoints } = await import('./checkpoints.ts');
    return openCheckpoints(stateDir).before(prompt(), file);
  });
}
