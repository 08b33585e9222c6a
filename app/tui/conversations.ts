/** Stored conversations of the project that a door works in. */
import { listSessions, type SessionSummary } from '../../core/session-list.ts';
import { projectPlace } from './project-place.ts';

/** Newest first; those in which nothing was said are left out. */
export const conversations = (cwd: string, env: NodeJS.ProcessEnv): readonly SessionSummary[] =>
  projectPlace(cwd, env)
    .dirs.flatMap(listSessions)
    .filter(({ title }) => title !== '(empty)')
    .sort((a, b) => b.mtime - a.mtime);
