/** Has what files were kept before a session changes them; what that takes is loaded with the first change. */
import type { SessionState } from '../state.ts';
import { guardChanges } from '../tools/files/guarded-change.ts';
import type { Checkpoints } from './checkpoints.ts';

/** `stateDir`: of the session. `state`: as it is then. */
export function keepBeforeChanges(
  memory: Map<string, unknown>,
  stateDir: string,
  state: () => Pick<SessionState, 'project' | 'formerly' | 'prompts'>,
): void {
  /** It knows what the last changed file was left with; one of another place would name files otherwise. */
  let held: { of: SessionState['formerly']; checkpoints: Checkpoints } | undefined;
  guardChanges(memory, async (file) => {
    const now = state();
    if (held?.of !== now.formerly) {
      const { openCheckpoints } = await import('./checkpoints.ts');
      held = { of: now.formerly, checkpoints: openCheckpoints(stateDir, now) };
    }
    return held.checkpoints.before(now.prompts.at(-1)?.seq ?? 0, file);
  });
}
