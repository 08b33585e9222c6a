/** A session whose project was moved, copied or renamed: it goes on where the project lies now. */
import { realpathSync, statSync } from 'node:fs';
import { movedPath } from './moved-path.ts';
import { isWithin } from './permission/paths.ts';
import type { SessionState } from './state.ts';
import type { SessionLog } from './store.ts';
import type { StoredBody } from './types.ts';

type Where = Pick<SessionState, 'project' | 'cwd'>;

/**
 * What its log is to say where it names another project than `here` (absolute, links resolved; undefined: it is there);
 * nothing where that is the same one by another path.
 */
export function movesTo(here: string | undefined, { project, cwd }: Where): StoredBody[] {
  if (here === undefined || project === '' || project === here || real(project) === here) return [];
  return [{ type: 'place', from: project, project: here, cwd: folderHere(cwd, project, here) }];
}

/** The same folder here, or the project where it has none that lies in it. */
function folderHere(cwd: string, from: string, here: string): string {
  const moved = movedPath(cwd, from, here);
  if (moved === undefined) return here;
  const folder = real(moved);
  return folder !== undefined && isWithin(folder, here) && statSync(folder).isDirectory() ? folder : here;
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** One line for the person where the session moved as it was opened. */
export function movedNotices(
  { recent, openedAt }: Pick<SessionLog, 'recent' | 'openedAt'>,
  { project, formerly }: Pick<SessionState, 'project' | 'formerly'>,
): string[] {
  if (!recent.some(({ type, seq }) => type === 'place' && seq > openedAt)) return [];
  return [`this session ${formerly.length > 1 ? 'was last' : 'began'} in ${formerly.at(-1)}; it goes on in ${project}`];
}

/** What the model is told, once; undefined where it knows. */
export function placeNote({
  project,
  cwd,
  formerly,
  toldProject,
}: Pick<SessionState, 'project' | 'cwd' | 'formerly' | 'toldProject'>): string | undefined {
  if (toldProject.folder === project) return undefined;
  const before = [...new Set(formerly)].filter((folder) => folder !== project).join(' and ');
  return (
    `The project was moved or copied: it now lies in ${project}, and the working directory is ${cwd}. ` +
    `Paths in ${before} that were named so far stand for the same paths in ${project}; leave ${before} alone. ` +
    'Files may have changed since you read them.'
  );
}
