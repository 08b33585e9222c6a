/**
 * Unsent drafts on disk. A session's own is in its state folder. As long as there is no session, each process keeps its
 * draft in a file of its own in the project's state folder: what another one is still writing is never touched.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStart } from '../../core/log-lock.ts';

const SESSION = 'draft.txt';
/** Process id and, where the system tells it, when that process began: ids are used again. */
const UNBOUND = /^draft-(\d+)-(\w*)\.txt$/;

/** Name of the file in which this process keeps a draft that has no session. */
export const unboundDraft = (): string => `draft-${process.pid}-${processStart(process.pid) ?? ''}.txt`;

/** Keeps a draft; an empty one leaves nothing behind. False when the disk refuses. */
export function keepDraft(stateDir: string, text: string, name = SESSION): boolean {
  const file = join(stateDir, name);
  try {
    if (text === '') {
      rmSync(file, { force: true });
      return true;
    }
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** The draft that was kept, '' without one. */
export function keptDraft(stateDir: string, name = SESSION): string {
  try {
    return readFileSync(join(stateDir, name), 'utf8');
  } catch {
    return '';
  }
}

/**
 * The newest draft without a session whose process has ended, '' when there is none. It is this process's from then on:
 * of two that look at once, one gets it.
 */
export function takeLostDraft(stateDir: string): string {
  const own = unboundDraft();
  for (const { name } of lostDrafts(stateDir)) {
    try {
      renameSync(join(stateDir, name), join(stateDir, own));
      return keptDraft(stateDir, own);
    } catch {
      // Another process was faster.
    }
  }
  return '';
}

function lostDrafts(stateDir: string): { name: string; time: number }[] {
  try {
    return readdirSync(stateDir)
      .filter((name) => isLost(name))
      .map((name) => ({ name, time: statSync(join(stateDir, name)).mtimeMs }))
      .sort((a, b) => b.time - a.time);
  } catch {
    return [];
  }
}

function isLost(name: string): boolean {
  const [, pid, start = ''] = UNBOUND.exec(name) ?? [];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const now = processStart(Number(pid));
  return start !== '' && now !== undefined && now !== start;
}
