/** The project that a door works in, and the folders that are looked into for it. */
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { findProject, sessionsDir } from '../../core/project.ts';

export interface ProjectPlace {
  home: string;
  adaHome: string;
  project: string;
  /** Where its sessions may be, best first. */
  dirs: readonly string[];
  /** Where a draft is kept as long as there is no session; made when it is needed. */
  stateDir: string;
}

export function projectPlace(cwd: string, env: NodeJS.ProcessEnv): ProjectPlace {
  const home = env.HOME || homedir();
  const adaHome = env.ADA_HOME || join(home, '.ada');
  const project = findProject(cwd, home);
  const { dirs } = sessionsDir({ project, home, adaHome });
  return { home, adaHome, project, dirs, stateDir: join(adaHome, 'state', basename(dirs.at(-1)!)) };
}
