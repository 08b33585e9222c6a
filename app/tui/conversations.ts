/** Stored conversations of the project that a door works in. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProject, sessionsDir } from '../../core/project.ts';
import { listSessions, type SessionSummary } from '../../core/store.ts';

/** Newest first; those in which nothing was said are left out. */
export function conversations(cwd: string, env: NodeJS.ProcessEnv): readonly SessionSummary[] {
  const home = env.HOME || homedir();
  const { dirs } = sessionsDir({ project: findProject(cwd, home), home, adaHome: env.ADA_HOME || join(home, '.ada') });
  return dirs
    .flatMap(listSessions)
    .filter(({ title }) => title !== '(empty)')
    .sort((a, b) => b.mtime - a.mtime);
}
