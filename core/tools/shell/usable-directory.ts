/** Whether a command can run in a folder, and where the next one runs when the working directory is no place any more. */
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { ToolContext } from '../../types.ts';

/** What is wrong with it, as the end of a sentence; undefined where a command can run in it. */
export function unusable(dir: string): string | undefined {
  try {
    if (!statSync(dir).isDirectory()) return 'is not a directory';
    accessSync(dir, constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return 'cannot be entered: permission denied';
    return 'does not exist';
  }
}

/**
 * When nothing can run in the working directory: moves it to the nearest place that is left and gives what the model is
 * told, because what a command names, and what was allowed, is in the folder that is not there. Undefined when it can.
 */
export function leaveUnusable({ cwd, project, setCwd }: Pick<ToolContext, 'cwd' | 'project' | 'setCwd'>) {
  const why = unusable(cwd);
  if (why === undefined) return undefined;
  const next = [project, homedir()].find((dir) => unusable(dir) === undefined) ?? '/';
  setCwd(next);
  const what = why === 'does not exist' ? 'has vanished' : why.replace('is not', 'is no longer');
  return `The working directory ${cwd} ${what}. Nothing was run; the next command runs in ${next}.`;
}
