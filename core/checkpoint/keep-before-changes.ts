/** Has what files were kept before a session changes them; what that takes is loaded with the first change. */
import type { SessionState } from '../state.ts';
import { guardChanges } from '../tools/files/guarded-change.ts';

/** `stateDir`: of the session. `state`: as it is then. */
export function keepBeforeChanges(
  memory: Map<string, unknown>,
  stateDir: string,
  state: () => Pick<SessionState, 'project' | 'formerly' | 'prompts'>,
): void {
  guardChanges(memory, async (file) => {
    const { openCheckpoints } = await import('./checkpoints.ts');
    const now = state();
    return openCheckpoints(stateDir, now).before(now.prompts.at(-1)?.seq ?? 0, file);
  });
}
